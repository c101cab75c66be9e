//! Flamegraphs, from functions and calls to the text of the pictures.

use base::entry_functions::EVERYTHING;
use flamegraph::FlamegraphSettings;
use flamegraph::{draw, FlamegraphInput, Pictures};
use formats::callgrind::{CallGraph, CallGraphReader};
use iai_callgrind::protocol::EventKind;
use iai_callgrind::{library_benchmark, library_benchmark_group};
use own_benchmarks::limits;
use own_benchmarks::recorded::bytes;

fn graph(name: &str) -> [CallGraph; 1] {
    let mut reader = CallGraphReader::default();
    reader.add(bytes(name).as_slice()).unwrap();
    [reader.finish()]
}

fn new_and_old(new: &str, old: &str) -> ([CallGraph; 1], [CallGraph; 1]) {
    (graph(new), graph(old))
}

/// The new picture, the old one and that of the differences.
#[library_benchmark(config = limits::of("pictures"), setup = new_and_old)]
#[bench::versions(
    "callgrind/3.27.1/full_compressed/callgrind.out.1001",
    "callgrind/3.24.0/full_compressed/callgrind.out.1001"
)]
fn pictures((new, old): ([CallGraph; 1], [CallGraph; 1])) -> Pictures {
    let settings = FlamegraphSettings::default();
    let subject = FlamegraphInput {
        new: &new,
        old: &old,
        entry: &EVERYTHING,
        regions: false,
        title: "file::group::function",
        old_name: "the last run",
    };
    let pictures = draw(EventKind::Ir, subject, &settings).unwrap();
    assert!(pictures.differential.is_some());
    pictures
}

library_benchmark_group!(name = flamegraphs, benchmarks = [pictures]);
