//! Equal counts and growth in all forms: sizes as numbers, constants, elements, and by functions.
#![deny(clippy::pedantic)]

use iai_callgrind::__internal::{Case, Element, Scaling, Size};
use iai_callgrind::{binary_benchmark, library_benchmark, library_benchmark_group, Command};

const LARGE: usize = 1 << 20;

#[library_benchmark]
#[benches::numbers(args = [10, 1_000usize, 0x10], setup = vec_of, scaling = "n log n")]
#[benches::constants(args = [LARGE, LARGE / 2, 7], setup = vec_of, scaling = "n²")]
#[benches::elements(iter = [3_usize, 5, 7], setup = vec_of, scaling = "any")]
fn sum(values: Vec<u64>) -> u64 {
    values.into_iter().sum()
}

fn vec_of(n: usize) -> Vec<u64> {
    vec![1; n]
}

fn length(text: &str, times: u32) -> u32 {
    u32::try_from(text.len()).unwrap() * times
}

#[library_benchmark(equal_counts = true)]
#[benches::function(args = [("a", 2), ("bb", 3), ("ccc", 4)], scaling = ("constant", length))]
#[benches::closure(("a", 2), ("bb", 3), ("ccc", 4), scaling = ("n^3", |text: &str, _| text.len()))]
fn repeated(text: &str, times: u32) -> usize {
    text.repeat(times as usize).len()
}

#[library_benchmark]
#[benches::lines(file = "iai-callgrind/tests/accepted/src/bin/expectations.rs", scaling = ("log n", |line: String| line.len()))]
fn lines(line: String) -> usize {
    line.into_bytes().len()
}

#[binary_benchmark]
#[benches::words(args = [1, 2, 3], scaling = "n")]
fn program(n: u32) -> Command {
    Command::new("/bin/true").arg(n.to_string()).build()
}

library_benchmark_group!(name = plain, benchmarks = [sum]);
library_benchmark_group!(name = equal; equal_counts = true; benchmarks = sum, repeated, lines);
library_benchmark_group!(
    name = in_ratio,
    benchmarks = [sum, repeated],
    ratios = [
        sum <= 1_0.50 * repeated::closure_0,
        repeated::closure_1 <= repeated::closure_0,
    ]
);
library_benchmark_group!(name = one_ratio; benchmarks = sum, repeated; ratios = sum <= 2 * repeated);

fn said(case: &Case) -> (&str, &str, u64) {
    let Some(Scaling {
        bench,
        growth,
        size,
    }) = &case.scaling
    else {
        panic!("{:?} has no size", case.id);
    };
    let size = match size {
        Size::Number(number) => *number,
        Size::Of(size) => size(Element { index: 1, count: 0 }),
    };
    (bench, growth, size)
}

fn main() {
    let [sum, repeated, lines] = equal::__GROUP.functions else {
        panic!("three functions");
    };
    let found: Vec<_> = sum.cases.iter().map(said).collect();
    let large = LARGE as u64;
    assert_eq!(
        found,
        [
            ("numbers", "n log n", 10),
            ("numbers", "n log n", 1000),
            ("numbers", "n log n", 16),
            ("constants", "n^2", large),
            ("constants", "n^2", large / 2),
            ("constants", "n^2", 7),
            ("elements", "any", 5),
        ]
    );
    let found: Vec<_> = repeated.cases.iter().map(said).collect();
    assert_eq!(
        found,
        [
            ("function", "constant", 2),
            ("function", "constant", 6),
            ("function", "constant", 12),
            ("closure", "n^3", 1),
            ("closure", "n^3", 2),
            ("closure", "n^3", 3),
        ]
    );
    assert_eq!(said(&lines.cases[0]), ("lines", "log n", 26));
    let [.., last] = program::__FUNCTION.0.cases else {
        panic!("three cases");
    };
    assert_eq!(said(last), ("words", "n", 3));
    let ratios = in_ratio::__GROUP
        .ratios
        .iter()
        .chain(one_ratio::__GROUP.ratios);
    let ratios = ratios.map(|ratio| {
        let [limited, of] = [&ratio.limited, &ratio.of].map(|side| (side.function, side.id));
        (limited, ratio.number, of)
    });
    let ratios: Vec<_> = ratios.collect();
    assert_eq!(
        ratios,
        [
            (("sum", None), "10.50", ("repeated", Some("closure_0"))),
            (
                ("repeated", Some("closure_1")),
                "1",
                ("repeated", Some("closure_0"))
            ),
            (("sum", None), "2", ("repeated", None)),
        ]
    );
    assert!(plain::__GROUP.ratios.is_empty());
    assert!(equal::__GROUP.equal_counts && !plain::__GROUP.equal_counts);
    assert!(repeated.equal_counts && !sum.equal_counts);
}
