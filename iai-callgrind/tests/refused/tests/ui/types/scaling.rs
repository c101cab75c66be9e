//! Sizes that are no numbers.

use iai_callgrind::library_benchmark;

const NAMES: [&str; 3] = ["a", "b", "c"];

#[library_benchmark]
#[benches::names(iter = NAMES, scaling = "n")]
fn names(text: &str) -> usize {
    text.len()
}

fn half(text: &str) -> f64 {
    text.len() as f64 / 2.0
}

#[library_benchmark]
#[benches::halves(args = ["a", "bb", "ccc"], scaling = ("n", half))]
fn halves(text: &str) -> usize {
    text.len()
}

fn main() {}
