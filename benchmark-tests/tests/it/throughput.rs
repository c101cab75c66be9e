//! The throughput of a benchmark is computed outside of the counted code.

use std::collections::BTreeMap;

use benchmark_tests::{Bench, Home};
use serde_json::Value;

/// The collected metrics of each benchmark, by function and id.
fn figures(home: &Home) -> BTreeMap<String, BTreeMap<String, f64>> {
    let of_record = |record: Value| {
        let benchmark = &record["benchmark"];
        let name = |field: &str| benchmark[field].as_str().unwrap().to_owned();
        let metrics = record["profiles"][0]["metrics"].as_array().unwrap();
        let figure = |metric: &Value| {
            let kind = metric["kind"].as_str().unwrap().to_owned();
            (kind, metric["new"].as_f64().unwrap())
        };
        let figures = metrics.iter().map(figure).collect();
        (format!("{}::{}", name("function"), name("id")), figures)
    };
    let records = home.records("throughput").into_iter();
    records
        .filter(|record| record["type"] == "benchmark")
        .map(of_record)
        .collect()
}

#[test]
fn a_throughput_adds_no_instruction_and_divides_those_that_are_counted() {
    let home = Home::new();
    let run = Bench::new("throughput").measure(&home).run();
    run.code(0)
        .quiet()
        .shows(&["  Instructions/Byte:  ", "  Instructions/Element:  "]);
    let figures = figures(&home);
    let of = |name: &str, kind: &str| figures[name].get(kind).copied();
    for id in ["sizes_0", "sizes_1"] {
        for (silent, handled) in [("silent", "handled"), ("silent_sum", "handled_sum")] {
            let [silent, handled] = [silent, handled].map(|name| format!("{name}::{id}"));
            for counted in ["Ir", "Dr", "Dw", "Allocations"] {
                assert_eq!(
                    of(&silent, counted),
                    of(&handled, counted),
                    "{handled} {counted}"
                );
            }
            assert_eq!(of(&silent, "InstructionsPerByte"), None);
        }
    }
    // A round has two instructions, and the function some more.
    let per_element = of("handled::sizes_1", "InstructionsPerElement").unwrap();
    assert!((2.0..2.01).contains(&per_element), "{per_element}");
    assert_eq!(
        of("handled::sizes_1", "InstructionsPerByte"),
        Some(per_element / 8.0)
    );
    let instructions = of("handled_sum::sizes_0", "Ir").unwrap();
    let per_byte = of("handled_sum::sizes_0", "InstructionsPerByte");
    assert_eq!(per_byte, Some(instructions / 800.0));
}
