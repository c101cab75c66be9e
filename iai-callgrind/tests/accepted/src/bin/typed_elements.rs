//! Elements of iterators have the type that their benchmark takes, in every use.

use std::cell::Cell;
use std::str::FromStr;

use iai_callgrind::prelude::*;

const BIG: u64 = 5_000_000_000;

thread_local! {
    static EVALUATED: Cell<u32> = const { Cell::new(0) };
}

fn once<T>(value: T) -> T {
    EVALUATED.set(EVALUATED.get() + 1);
    value
}

#[library_benchmark]
#[benches::literals(iter = [3_000_000_000, 5_000_000_000])]
#[benches::products(iter = (0..3).map(|i| i * 2_000_000_000))]
#[benches::nothing(iter = vec![])]
#[benches::again(iter = [1, 2], consts = [])]
#[bench::one(1, consts = ())]
fn number(n: u64) {
    assert!(n <= BIG);
}

#[library_benchmark]
#[benches::converted(iter = ["a", "b"].map(Into::into))]
fn text(text: String) -> String {
    text
}

#[library_benchmark]
#[benches::parsed(iter = ["1", "65535"].iter().map(|text| text.parse().unwrap()))]
fn parsed(_: u16) {}

/// In a process that runs a benchmark, its iterator is evaluated and no other one.
#[library_benchmark]
#[benches::one(iter = once([1, 2]))]
#[benches::other(iter = once([1, 2, 3]))]
fn evaluated(_: u8) {
    assert_eq!(EVALUATED.get(), 1);
}

fn list(n: u64) -> Vec<u64> {
    vec![n]
}

fn parse<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

#[library_benchmark]
#[benches::function(iter = (0..3).map(|i| i * 2_000_000_000), setup = list)]
#[benches::closure(iter = [3_000_000_000, 5_000_000_000], setup = |n| vec![n])]
#[benches::nothing(iter = vec![], setup = list)]
fn owned(list: Vec<u64>) -> Vec<u64> {
    list
}

#[library_benchmark]
#[benches::function(iter = (0..3).map(|i| i * 2_000_000_000), setup = list)]
fn borrowed(list: &[u64]) -> u64 {
    list[0]
}

#[library_benchmark]
#[benches::function(iter = ["1", "300"], setup = parse)]
fn by_result(number: Option<u16>) {
    assert!(number.is_some());
}

#[library_benchmark]
#[benches::generic(iter = (0..2).map(|i| i * 2_000_000_000), consts = [3])]
fn constant<const N: usize>(n: u64) -> [u64; N] {
    [n; N]
}

#[library_benchmark]
#[benches::none(consts = [])]
fn nothing() {}

library_benchmark_group!(
    name = all,
    benchmarks = [number, text, parsed, evaluated, owned, borrowed, by_result, constant, nothing]
);
main!(library_benchmark_groups = all);
