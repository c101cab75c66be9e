//! Functions with a `Bencher` whose preparation takes long, or must not run at all.

use std::thread::sleep;
use std::time::Duration;

use divan::{black_box, Bencher};

fn main() {
    divan::main();
}

fn work() -> u64 {
    (0..100).fold(0, |sum, n| black_box(sum ^ n))
}

/// Is this the process that lists the benchmarks?
fn lists() -> bool {
    std::env::args().any(|word| word == "describe")
}

#[divan::bench]
fn quick(bencher: Bencher) {
    bencher.counter(1_u32).bench(work);
}

#[divan::bench(args = [3, 4])]
fn slow(bencher: Bencher, seconds: u64) {
    if lists() {
        sleep(Duration::from_secs(seconds));
    }
    bencher.bench(work);
}

#[divan::bench]
fn never(_bencher: Bencher) {
    std::process::exit(9);
}
