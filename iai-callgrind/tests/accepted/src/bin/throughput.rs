//! Throughput in all forms: names of parameters, functions and closures of the arguments, on
//! functions and on their benches.
#![deny(clippy::pedantic)]

use iai_callgrind::__internal::{Case, Element};
use iai_callgrind::{binary_benchmark, library_benchmark, Command, Throughput};
use iai_callgrind::{binary_benchmark_group, library_benchmark_group};

const PAGE: u64 = 4096;

#[library_benchmark(throughput = Bytes(PAGE))]
fn page() -> Vec<u8> {
    vec![0; 4096]
}

#[library_benchmark(throughput = Bytes(text.len()))]
#[bench::short("ab")]
#[bench::borrowed(&"ab".repeat(5))]
#[bench::other(args = ("abc"), throughput = [Elements(text.chars().count()), Bytes(text.len())])]
#[bench::none(args = (""), throughput = ())]
#[bench::path(args = ("abcd"), throughput = of_text)]
fn words(text: &str) -> usize {
    text.split(' ').count()
}

fn of_text(text: &str) -> Option<Throughput> {
    (!text.is_empty()).then(|| Throughput::Bytes(text.len() as u64))
}

fn vec_of(n: u32) -> Vec<u64> {
    vec![1; n as usize]
}

#[library_benchmark(setup = vec_of, throughput = Elements)]
#[benches::made(args = [10, 100])]
#[benches::elements(iter = [3, 5, 7])]
#[bench::closure(args = (4), throughput = |n: u32| vec![Elements(n), Bytes(n * 8)])]
#[bench::constant(args = (4), throughput = Elements(7_u8))]
#[bench::itself(args = (vec_of(2)), setup = (), throughput = Elements(values.len()))]
fn sum(mut values: Vec<u64>) -> u64 {
    values.push(0);
    values.into_iter().sum()
}

/// The value is an `i64`, and not what a literal is without a type.
#[library_benchmark(throughput = Elements(n))]
#[bench::large(5_000_000_000)]
#[benches::iterated(iter = [5_000_000_000, 6_000_000_000])]
fn typed(n: i64) -> i64 {
    n
}

#[library_benchmark(throughput = Bytes(N * list.len() + size_of_val(other)))]
#[bench::generic(args = (&[1_u8, 2], &3_u32), consts = (5))]
fn generic<'a, T: Copy, const N: usize>(list: &'a [T], other: &'a impl Copy) -> (usize, &'a [T]) {
    let _ = other;
    (N, list)
}

#[library_benchmark]
#[benches::lines(file = "iai-callgrind/tests/accepted/src/bin/throughput.rs", throughput = Bytes(line.len()))]
fn lines(line: String) -> usize {
    line.into_bytes().len()
}

#[binary_benchmark(setup = drop, throughput = Elements(n))]
#[benches::counts(args = [1, 2])]
#[benches::iterated(iter = [3, 4])]
fn program(n: u64) -> Command {
    Command::new("/bin/true").arg(n.to_string()).build()
}

library_benchmark_group!(
    name = library,
    benchmarks = [page, words, sum, typed, generic, lines]
);
binary_benchmark_group!(name = binary, benchmarks = [program]);

/// Bytes and elements of each case.
fn said(cases: &[Case]) -> Vec<(Option<u64>, Option<u64>)> {
    let element = Element { index: 1, count: 0 };
    let amounts = cases
        .iter()
        .map(|case| case.throughput.expect("it is said"));
    let amounts = amounts.map(|amounts| amounts(element));
    amounts.map(|said| (said.bytes, said.elements)).collect()
}

fn main() {
    let bytes = |number| (Some(number), None);
    let elements = |number| (None, Some(number));
    let [page, words, sum, typed, generic, lines] = library::__GROUP.functions else {
        panic!("six functions");
    };
    assert_eq!(said(page.cases), [bytes(4096)]);
    assert_eq!(
        said(words.cases),
        [
            bytes(2),
            bytes(10),
            (Some(3), Some(3)),
            (None, None),
            bytes(4)
        ]
    );
    assert_eq!(
        said(sum.cases),
        [
            elements(10),
            elements(100),
            elements(5),
            (Some(32), Some(4)),
            elements(7),
            elements(2)
        ]
    );
    assert_eq!(
        said(typed.cases),
        [elements(5_000_000_000), elements(6_000_000_000)]
    );
    assert_eq!(said(generic.cases), [bytes(5 * 2 + 4)]);
    // The second line of this file.
    assert_eq!(said(lines.cases), [bytes(35)]);
    let program = said(program::__FUNCTION.0.cases);
    assert_eq!(program, [elements(1), elements(2), elements(4)]);
}
