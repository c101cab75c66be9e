//! Arguments from iterators, values of const generics, and labels.

use iai_callgrind::__internal::{Element, Function};
use iai_callgrind::library_benchmark;

const SIZES: [u64; 3] = [1, 10, 100];

fn list(n: u64) -> Vec<u64> {
    (0..n).collect()
}

#[library_benchmark]
#[benches::constant(iter = SIZES)]
#[benches::range(iter = (1..=3).rev())]
#[benches::vector(iter = vec![7; 2])]
#[benches::nothing(iter = std::iter::empty::<u64>())]
fn plain(n: u64) -> u64 {
    n
}

#[library_benchmark]
#[benches::owned(iter = SIZES, setup = list)]
#[benches::closure(iter = SIZES, setup = |n| list(n), teardown = |list: Vec<u64>| assert!(!list.is_empty()))]
fn made(list: Vec<u64>) -> Vec<u64> {
    list
}

#[library_benchmark]
#[benches::borrowed(iter = &SIZES)]
fn references(n: &u64) -> u64 {
    *n
}

const N: usize = 3;

#[library_benchmark]
#[bench::parentheses(consts = (N))]
#[bench::array(consts = [4])]
#[bench::expression(consts = (N + 2))]
#[benches::several(consts = [N, { N + 1 }, 7])]
fn sized<const M: usize>() -> [u8; M] {
    [0; M]
}

#[library_benchmark]
#[bench::all(1, "x", consts = [2, true])]
#[benches::paired(args = [(1, "a"), (2, "b")], consts = [(4, false)])]
#[benches::longer(args = [(1, "a")], consts = [(4, false), (5, true)])]
fn mixed<'a, T: Copy, const M: usize, const B: bool>(x: T, text: impl Pair<'a>) -> [(T, bool); M] {
    let _ = text;
    [(x, B); M]
}

trait Pair<'a> {}
impl<'a> Pair<'a> for &'a str {}

#[library_benchmark]
#[bench::one(args = ([0; 4096]), label = "a page")]
#[benches::two([0; 4096], [1; 4096], labels = ["zeros", "ones"])]
fn labelled(_: [u8; 4096]) {}

#[track_caller]
fn check(function: &Function, expected: &[&str]) {
    let mut shown = Vec::new();
    for case in function.cases {
        let id = case.id.unwrap();
        match case.elements {
            None => {
                (case.run.function().unwrap())(Element::default());
                shown.push(format!("{id}:{}", case.args.unwrap_or_default()));
            }
            Some(elements) => {
                let count = elements().len() as u32;
                for (index, text) in (0..).zip(elements()) {
                    (case.run.function().unwrap())(Element { index, count });
                    shown.push(format!("{id}_{index}:{}", text.shown));
                }
            }
        }
    }
    assert_eq!(shown, expected);
}

fn main() {
    check(
        &plain::__FUNCTION,
        &[
            "constant_0:1",
            "constant_1:10",
            "constant_2:100",
            "range_0:3",
            "range_1:2",
            "range_2:1",
            "vector_0:7",
            "vector_1:7",
        ],
    );
    check(
        &made::__FUNCTION,
        &[
            "owned_0:list(1)",
            "owned_1:list(10)",
            "owned_2:list(100)",
            "closure_0:(|n| list(n))(1)",
            "closure_1:(|n| list(n))(10)",
            "closure_2:(|n| list(n))(100)",
        ],
    );
    check(
        &references::__FUNCTION,
        &["borrowed_0:1", "borrowed_1:10", "borrowed_2:100"],
    );
    check(
        &sized::__FUNCTION,
        &[
            "parentheses:<N>()",
            "array:<4>()",
            "expression:<N + 2>()",
            "several_0:<N>()",
            "several_1:<{ N + 1 }>()",
            "several_2:<7>()",
        ],
    );
    check(
        &labelled::__FUNCTION,
        &["one:a page", "two_0:zeros", "two_1:ones"],
    );
    check(
        &mixed::__FUNCTION,
        &[
            "all:<2, true>(1, \"x\")",
            "paired_0:<4, false>(1, \"a\")",
            "paired_1:<4, false>(2, \"b\")",
            "longer_0:<4, false>(1, \"a\")",
            "longer_1:<5, true>(1, \"a\")",
        ],
    );
}
