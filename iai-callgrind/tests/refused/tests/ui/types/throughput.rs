//! Values that are no throughput, and numbers that are no amount.

use iai_callgrind::{library_benchmark, Throughput};

#[library_benchmark(throughput = text.len())]
#[bench::one("a")]
fn no_unit(text: &str) -> usize {
    text.len()
}

#[library_benchmark(throughput = Bytes(text.len() as f64))]
#[bench::one("a")]
fn no_whole_number(text: &str) -> usize {
    text.len()
}

#[library_benchmark(throughput = |n: u64| Throughput::Bytes(n))]
#[bench::one("a")]
fn another_argument(text: &str) -> usize {
    text.len()
}

#[library_benchmark(throughput = Elements(lines))]
#[bench::one("a")]
fn unknown_name(text: &str) -> usize {
    text.len()
}

fn main() {}
