//! Benchmarks with a reference for a parameter borrow what their setup made.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use iai_callgrind::library_benchmark;

static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct Counted(Vec<u64>);

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Relaxed);
    }
}

fn counted(n: u64) -> Counted {
    Counted((0..n).collect())
}

fn list(n: u64) -> Vec<u64> {
    (0..n).collect()
}

fn leaked(n: u64) -> &'static mut [u64] {
    list(n).leak()
}

fn shared(n: u64) -> &'static [u64] {
    leaked(n)
}

#[library_benchmark]
#[bench::owned(args = (3), setup = list)]
#[bench::leaked(args = (3), setup = leaked)]
#[bench::shared(args = (3), setup = shared)]
#[benches::closure(iter = [3, 3], setup = |n| list(n))]
fn slice(values: &[u64]) -> u64 {
    assert_eq!(values.len(), 3);
    values.iter().sum()
}

#[library_benchmark(setup = list)]
#[bench::owned(args = (3), teardown = |result: &Vec<u64>| assert_eq!(result.len(), 3))]
#[bench::deref(args = (3), teardown = |result: &mut [u64]| result.reverse())]
fn consuming(values: Vec<u64>) -> Vec<u64> {
    values
}

#[library_benchmark]
#[bench::vector(args = (3), setup = list, teardown = assert_sorted)]
#[bench::leaked(args = (3), setup = leaked, teardown = assert_sorted)]
fn sort(values: &mut [u64]) -> &mut [u64] {
    values.sort();
    values
}

fn assert_sorted(values: &mut [u64]) {
    assert!(values.is_sorted());
}

#[library_benchmark(setup = counted)]
#[bench::one(1)]
fn dropped_after(counted: &Counted) -> usize {
    assert_eq!(DROPPED.load(Relaxed), 0);
    counted.0.len()
}

#[library_benchmark(setup = list)]
#[bench::one(1)]
fn generic<T: AsRef<[u64]>>(values: &T) -> usize {
    values.as_ref().len()
}

fn main() {
    let functions = [
        &slice::__FUNCTION,
        &consuming::__FUNCTION,
        &sort::__FUNCTION,
        &dropped_after::__FUNCTION,
        &generic::__FUNCTION,
    ];
    for case in functions.iter().flat_map(|function| function.cases) {
        (case.run.function().unwrap())(iai_callgrind::__internal::Element { index: 0, count: 2 });
    }
    assert_eq!(DROPPED.load(Relaxed), 1);
}
