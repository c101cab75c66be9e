//! Reads and draws profiles, for `cargo xtask perf`. Writes one line for each round:
//!
//! - `graph ROUNDS FILE`: the seconds of CPU time that reading all functions and calls took, and the
//!   instructions found
//! - `draw ROUNDS NEW OLD`: the seconds that three flamegraphs took, from the files to the text of the
//!   pictures, and the number of frames in them

use std::fs::File;
use std::time::Instant;

use base::entry_functions::EVERYTHING;
use flamegraph::FlamegraphSettings;
use flamegraph::{draw, FlamegraphInput};
use formats::callgrind::{CallGraph, CallGraphReader};
use iai_callgrind::protocol::EventKind;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds: usize = arguments[1].parse().expect("a number");
    for _ in 0..rounds {
        match arguments[0].as_str() {
            "graph" => graph(&arguments[2]),
            _ => flamegraphs(&arguments[2], &arguments[3]),
        }
    }
}

fn graph(path: &str) {
    let start = cpu_time();
    let graph = read(path);
    let time = cpu_time() - start;
    let functions = 0..graph.functions.len();
    let instructions: u64 = functions.map(|function| graph.own(function)[0]).sum();
    println!("{time} {instructions}");
}

fn flamegraphs(new: &str, old: &str) {
    let settings = FlamegraphSettings::default();
    let start = Instant::now();
    let (new, old) = ([read(new)], [read(old)]);
    let subject = FlamegraphInput {
        new: &new,
        old: &old,
        entry: &EVERYTHING,
        regions: false,
        title: "file::group::function",
        old_name: "the last run",
    };
    let pictures = draw(EventKind::Ir, subject, &settings).expect("pictures");
    let time = start.elapsed().as_secs_f64();
    let pictures = [pictures.regular, pictures.old, pictures.differential];
    let text = pictures.map(|svg| String::from_utf8(svg.expect("drawn")).expect("text"));
    let frames: usize = text.iter().map(|svg| svg.matches("<title>").count()).sum();
    println!("{time} {frames}");
}

fn read(path: &str) -> CallGraph {
    let mut reader = CallGraphReader::default();
    reader
        .add(File::open(path).expect("a file"))
        .expect("a profile");
    reader.finish()
}

/// CPU time of this thread, the only one, in seconds. The kernel counts in steps of a few
/// milliseconds.
fn cpu_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("a Linux kernel");
    let nanoseconds: f64 = text
        .split(' ')
        .next()
        .and_then(|n| n.parse().ok())
        .expect("a number");
    nanoseconds / 1e9
}
