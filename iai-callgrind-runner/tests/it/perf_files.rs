//! Figures of what perf wrote, against those of another program. The reader alone is tested in
//! `crates/formats`.

use std::fs;
use std::path::Path;

use metrics::perf::PerfFigure;
use metrics::readers::{of_perf, Selection};
use serde_json::Value;

use crate::replayed::recorded_files;

fn expected(folder: &Path) -> Value {
    let json = fs::read(folder.join("expected.json")).unwrap();
    serde_json::from_slice(&json).unwrap()
}

fn figures(path: &Path) -> Vec<(String, PerfFigure)> {
    let sets = of_perf(path, Selection::default()).unwrap().unwrap();
    sets.into_iter().next().unwrap().figures
}

#[test]
fn means_and_errors_are_those_of_another_program() {
    let mut means = 0;
    for version in ["6.1", "6.12", "7.2"] {
        let folder = recorded_files().join("perf").join(version);
        let events = &expected(&folder)["files"]["forever.out"]["events"];
        let figures = figures(&folder.join("forever.out"));
        for (event, expected) in events.as_object().unwrap() {
            let figure = figures.iter().find(|(name, _)| name == event);
            let mean = &expected["without_first"];
            if expected["values"][0] == "<not supported>" {
                assert!(figure.is_none(), "{event}");
                continue;
            }
            let (_, figure) = figure.unwrap();
            let close = |value: f64, key: &str| {
                let expected = mean[key].as_f64().unwrap_or_default();
                assert!(
                    (value - expected).abs() < 1e-9,
                    "{version} {event} {key}: {value}"
                );
            };
            assert_eq!(figure.n, mean["n"].as_u64().unwrap(), "{version} {event}");
            close(figure.value, "mean");
            close(figure.rse, "rse");
            means += 1;
        }
    }
    assert_eq!(means, 4 + 2 + 2);
}

#[test]
fn damaged_files_have_the_expected_figures() {
    let folder = recorded_files().join("malformed/perf");
    for (name, case) in expected(&folder).as_object().unwrap() {
        if !["accept", "flag"].contains(&case["must"].as_str().unwrap()) {
            continue;
        }
        let figures = figures(&folder.join(name));
        let expected = case["metrics"].as_object().unwrap();
        assert_eq!(figures.len(), expected.len(), "{name}");
        for (event, figure) in figures {
            assert_eq!(expected[&event][0].as_f64(), Some(figure.value), "{name}");
            assert_eq!(expected[&event][1], figure.unit.as_str(), "{name}");
        }
    }
}
