//! Descriptions of a thousand benchmarks: written, read, filtered and planned.

use iai_callgrind::protocol::{json, Filter, Suite};
use iai_callgrind::{library_benchmark, library_benchmark_group};
use iai_callgrind_runner::plan::{self, suite, Plan};
use iai_callgrind_runner::settings::Settings;
use own_benchmarks::replayed::{executable, settings};
use own_benchmarks::{limits, suites};

fn thousand() -> Suite {
    suites::suite(100, 10)
}

fn description() -> String {
    json::to_string(&thousand())
}

fn paths() -> (Filter, Vec<String>) {
    let filter = Filter {
        select: vec![
            "*::works_?[0-9]::*_[!13-9]".to_owned(),
            "works_7".to_owned(),
        ],
        skip: vec!["case_0".to_owned()],
        exact: false,
    };
    (filter, plan::paths(&thousand()))
}

fn suite_and_settings() -> (Suite, Settings) {
    (thousand(), settings())
}

#[library_benchmark(config = limits::of("description_written"), setup = thousand)]
fn description_written(suite: Suite) -> String {
    json::to_string(&suite)
}

#[library_benchmark(config = limits::with_heap("description_read"), setup = description)]
fn description_read(json: String) -> Suite {
    suite::parse(executable(), json.as_bytes()).unwrap()
}

#[library_benchmark(config = limits::of("filtered"), setup = paths)]
fn filtered((filter, paths): (Filter, Vec<String>)) -> usize {
    let selected = paths.iter().filter(|path| filter.selects(path)).count();
    assert!((1..paths.len()).contains(&selected));
    selected
}

#[library_benchmark(config = limits::with_heap("planned"), setup = suite_and_settings)]
fn planned((suite, settings): (Suite, Settings)) -> Plan {
    plan::build(&suite, &settings).unwrap()
}

library_benchmark_group!(
    name = descriptions,
    benchmarks = [description_written, description_read, filtered, planned]
);
