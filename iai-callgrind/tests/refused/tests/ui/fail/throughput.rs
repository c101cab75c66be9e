//! Throughputs that are none, and names that mean nothing yet.

use iai_callgrind::library_benchmark;

fn numbers(n: usize) -> Vec<u64> {
    vec![1; n]
}

#[library_benchmark(throughput = 1024)]
fn no_unit() -> u64 {
    1
}

#[library_benchmark(throughput = -1)]
fn negative() -> u64 {
    1
}

#[library_benchmark]
#[bench::zero(args = (10), throughput = Bytes(0))]
fn zero(n: u64) -> u64 {
    n
}

#[library_benchmark]
#[bench::below(args = (10), throughput = [Bytes(8), iai_callgrind::Throughput::Elements(-1)])]
fn below_zero(n: u64) -> u64 {
    n
}

#[library_benchmark]
#[benches::made(args = [10, 100], setup = numbers, throughput = Elements(numbers.len()))]
fn made_by_setup(mut numbers: Vec<u64>) -> u64 {
    numbers.pop().unwrap()
}

#[library_benchmark]
#[bench::twice(args = (10), throughput = Bytes(n), throughput = Elements(n))]
fn twice(n: u64) -> u64 {
    n
}

fn main() {}
