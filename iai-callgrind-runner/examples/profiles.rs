//! Reads and draws profiles, for `cargo xtask perf`. Writes one line for each round:
//!
//! - `parse ROUNDS FILE`: the seconds that reading the totals took, the seconds of CPU time that reading
//!   everything took, and the instructions found
//! - `graph ROUNDS FILE`: the seconds of CPU time that reading all functions and calls took, their
//!   number, and the instructions found
//! - `draw ROUNDS NEW OLD`: the seconds that three flamegraphs took, from the files to the text of the
//!   pictures, and the number of frames in them
//! - `inlined ROUNDS NEW OLD EXECUTABLE`: the same from digests, which have been made before

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use iai_callgrind::protocol::EventKind;
use iai_callgrind_runner::digest::DigestSources;
use iai_callgrind_runner::entry_functions::EVERYTHING;
use iai_callgrind_runner::flamegraph::{
    draw, draw_digests, FlamegraphInput, PictureTexts, Pictures,
};
use iai_callgrind_runner::parse::callgrind::{self, CallGraph, CallGraphReader, InstructionReader};
use iai_callgrind_runner::plan::FlamegraphSettings;
use iai_callgrind_runner::symbolize::Symbolizer;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rounds: usize = arguments[1].parse().expect("a number");
    for _ in 0..rounds {
        match arguments[0].as_str() {
            "parse" => parse(&arguments[2]),
            "graph" => graph(&arguments[2]),
            "inlined" => inlined(&arguments[2], &arguments[3], Path::new(&arguments[4])),
            _ => flamegraphs(&arguments[2], &arguments[3]),
        }
    }
}

fn parse(path: &str) {
    let start = Instant::now();
    let short = callgrind::read_file(Path::new(path))
        .expect("a profile")
        .expect("not empty");
    let totals = start.elapsed().as_secs_f64();
    let start = cpu_time();
    let long = callgrind::read(File::open(path).expect("a file"));
    let long = long.expect("a profile").expect("not empty");
    let everything = cpu_time() - start;
    assert_eq!(
        short.totals().expect("totals"),
        long.totals().expect("totals")
    );
    println!(
        "{totals} {everything} {}",
        short.totals().expect("totals")[0].1
    );
}

fn graph(path: &str) {
    let start = cpu_time();
    let graph = read(path);
    let time = cpu_time() - start;
    let functions = 0..graph.functions.len();
    let instructions: u64 = functions.map(|function| graph.own(function)[0]).sum();
    println!(
        "{time} {} {instructions}",
        graph.functions.len() + graph.arcs.len()
    );
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
    drawn(start, pictures);
}

fn inlined(new: &str, old: &str, executable: &Path) {
    let settings = FlamegraphSettings::default();
    let symbolizer = Symbolizer::default();
    let [new, old] = [new, old].map(|path| {
        let mut reader = InstructionReader::default();
        reader
            .add(File::open(path).expect("a file"))
            .expect("a profile");
        let sources = DigestSources {
            profile: &reader.finish(),
            fingerprint: 0,
            entry: &EVERYTHING,
            regions: false,
            symbolizer: &symbolizer,
            executable,
            identity: 0,
            workspace: Path::new("/"),
            target: None,
        };
        sources.digest()
    });
    let texts = PictureTexts {
        title: "file::group::function",
        old_name: "the last run",
    };
    let start = Instant::now();
    let pictures = draw_digests(EventKind::Ir, &new, Some(&old), texts, &settings);
    drawn(start, pictures.expect("pictures"));
}

fn drawn(start: Instant, pictures: Pictures) {
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

/// What this thread, the only one, has used. The kernel counts in steps of a few milliseconds.
fn cpu_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("a Linux kernel");
    let nanoseconds: f64 = text
        .split(' ')
        .next()
        .and_then(|n| n.parse().ok())
        .expect("a number");
    nanoseconds / 1e9
}
