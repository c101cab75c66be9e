//! `setup` and `teardown` of functions and benches.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use iai_callgrind::library_benchmark;

static CHECKED: AtomicUsize = AtomicUsize::new(0);

mod helpers {
    pub fn repeat<T: Clone>(value: T, count: usize) -> Vec<T> {
        vec![value; count]
    }
}

fn worst_case(n: u32) -> Vec<u32> {
    (0..n).rev().collect()
}

fn check(sorted: Vec<u32>) {
    assert!(sorted.is_sorted());
    CHECKED.fetch_add(1, Relaxed);
}

#[library_benchmark(setup = worst_case, teardown = check)]
#[bench::inherited(10)]
#[bench::own(args = (7, 3), setup = helpers::repeat)]
#[bench::turbofish(args = (7, 3), setup = helpers::repeat::<u32>)]
#[bench::after_positional(10, setup = worst_case)]
#[bench::foreign(args = (), setup = Vec::new)]
#[bench::dropped(5, teardown = drop)]
#[benches::many(args = [1, 2])]
#[benches::pairs((1, 2), (3, 4), setup = helpers::repeat)]
fn sort(mut values: Vec<u32>) -> Vec<u32> {
    values.sort();
    values
}

#[library_benchmark]
#[bench::to_owned("x", setup = str::to_owned, teardown = std::mem::drop)]
#[bench::into(args = ("x"), setup = Into::into)]
#[bench::new(setup = String::new)]
fn owned(text: String) -> String {
    text
}

#[library_benchmark(setup = String::new)]
fn without_bench(text: String) -> String {
    text
}

fn main() {
    let args: Vec<_> = sort::__FUNCTION
        .cases
        .iter()
        .filter_map(|case| case.args)
        .collect();
    let expected = [
        "worst_case(10)",
        "helpers::repeat(7, 3)",
        "helpers::repeat::<u32>(7, 3)",
        "worst_case(10)",
        "Vec::new()",
        "worst_case(5)",
        "worst_case(1)",
        "worst_case(2)",
        "helpers::repeat(1, 2)",
        "helpers::repeat(3, 4)",
    ];
    assert_eq!(args, expected);
    let functions = [
        &sort::__FUNCTION,
        &owned::__FUNCTION,
        &without_bench::__FUNCTION,
    ];
    for case in functions.iter().flat_map(|function| function.cases) {
        (case.run.function().unwrap())(Default::default());
    }
    assert_eq!(CHECKED.load(Relaxed), 9);
}
