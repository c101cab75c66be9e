//! Options from the source, where a program starts benchmarks.

use divan::counter::{BytesFormat, ItemsCount};
use divan::iai_callgrind::{Callgrind, LibraryBenchmarkConfig};
use divan::prelude::*;
use divan_source::rounds;

fn main() {
    divan::config(LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"])));
    let divan = Divan::default()
        .sample_size(10)
        .bytes_format(BytesFormat::Binary)
        .color(true)
        .counter(ItemsCount::new(10_u8))
        .bytes_count(20_u8)
        .skip_exact("builder::skipped")
        .skip_regex("^builder::also.*d$")
        .run_ignored();
    match std::env::var_os("LISTS") {
        Some(_) => divan.list_benches(),
        None => divan.run_benches(),
    }
    println!("the end of `main`");
}

#[divan::bench]
fn counted(bencher: Bencher) {
    bencher.bench(|| rounds(black_box(100)));
}

#[divan::bench(ignore)]
fn ignored() {
    rounds(black_box(200));
}

#[divan::bench]
fn skipped() {
    rounds(black_box(300));
}

#[divan::bench]
fn also_skipped() {
    rounds(black_box(300));
}
