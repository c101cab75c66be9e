//! Growth that the cases cannot tell, and values that are none.

use iai_callgrind::library_benchmark;

fn size(text: &str) -> usize {
    text.len()
}

#[library_benchmark]
#[benches::two(args = [10, 100], scaling = "n")]
fn two_sizes(n: u64) -> u64 {
    n
}

#[library_benchmark]
#[benches::same(args = [10, 10, 1_0, 100], scaling = "n")]
fn the_same_size(n: u64) -> u64 {
    n
}

#[library_benchmark]
#[benches::unknown(args = [10, 100, 1000], scaling = "n log log n")]
fn unknown(n: u64) -> u64 {
    n
}

#[library_benchmark]
#[benches::truth(args = [10, 100, 1000], scaling = true)]
fn no_text(n: u64) -> u64 {
    n
}

#[library_benchmark]
#[benches::texts(args = ["a", "bb", "ccc"], scaling = "n")]
fn texts(text: &str) -> usize {
    text.len()
}

#[library_benchmark]
#[benches::pairs(args = [(1, 2), (2, 3), (3, 4)], scaling = "n")]
fn pairs(one: u64, other: u64) -> u64 {
    one + other
}

#[library_benchmark]
#[benches::lines(file = "Cargo.toml", scaling = "n")]
fn lines(line: String) -> usize {
    line.len()
}

#[library_benchmark]
#[benches::called(args = ["a", "bb", "ccc"], scaling = ("n", size("a")))]
fn called(text: &str) -> usize {
    text.len()
}

#[library_benchmark]
#[benches::three(args = ["a", "bb", "ccc"], scaling = ("n", size, size))]
fn three(text: &str) -> usize {
    text.len()
}

#[library_benchmark]
#[bench::one(args = (10), scaling = "n")]
fn one_case(n: u64) -> u64 {
    n
}

fn main() {}
