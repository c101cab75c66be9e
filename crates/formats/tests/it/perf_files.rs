//! What perf wrote, against figures that come from another program, and damaged files.

use std::fs;
use std::path::{Path, PathBuf};

use iai_callgrind_formats::perf::{self, MissingCount, PerfFlag, PerfProfile};
use serde_json::Value;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn expected(folder: &Path) -> Value {
    let json = fs::read(folder.join("expected.json")).unwrap();
    serde_json::from_slice(&json).unwrap()
}

#[test]
fn every_record_is_as_another_program_reads_it() {
    let mut files = 0;
    for version in ["6.1", "6.12", "7.2"] {
        let folder = data().join("perf").join(version);
        for (name, file) in expected(&folder)["files"].as_object().unwrap() {
            files += 1;
            let profile = perf::read_file(&folder.join(name)).unwrap().unwrap();
            let events = file["events"].as_object().unwrap();
            for (event, expected) in events {
                let records = profile
                    .records
                    .iter()
                    .filter(|record| record.event == *event);
                let records: Vec<_> = records.collect();
                let values: Vec<Value> = records
                    .iter()
                    .map(|record| match record.value {
                        Ok(value) => value.into(),
                        Err(MissingCount::NotSupported) => "<not supported>".into(),
                        Err(_) => "<not counted>".into(),
                    })
                    .collect();
                assert_eq!(
                    Value::from(values),
                    expected["values"],
                    "{version} {name} {event}"
                );
                for (index, record) in records.iter().enumerate() {
                    assert_eq!(record.runtime, expected["runtime"][index].as_f64());
                    assert_eq!(record.unit, expected["unit"]);
                }
            }
            assert_eq!(
                profile.records.len() as u64,
                file["records"],
                "{version} {name}"
            );
        }
    }
    assert_eq!(files, 9);
}

#[test]
fn damaged_files_have_the_outcome_that_they_must_have() {
    let folder = data().join("malformed/perf");
    let cases = expected(&folder);
    let cases = cases.as_object().unwrap();
    assert_eq!(cases.len(), 10);
    for (name, case) in cases {
        let path = folder.join(name);
        let result = perf::read_file(&path);
        let is_flagged = |profile: &PerfProfile| profile.flags == [PerfFlag::Incomplete];
        match case["must"].as_str().unwrap() {
            "accept" => assert!(result.unwrap().unwrap().flags.is_empty(), "{name}"),
            "flag" => assert!(is_flagged(&result.unwrap().unwrap()), "{name}"),
            "reject" => {
                let error = result.unwrap_err();
                assert_eq!(error.source.line(), Some(1), "{name}");
            }
            "no_data" => assert_eq!(result.unwrap(), None, "{name}"),
            other => panic!("{other}"),
        }
    }
}
