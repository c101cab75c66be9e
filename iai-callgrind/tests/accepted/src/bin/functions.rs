//! Every kind of function that can be a benchmark, and patterns as parameters.

use std::fmt::Debug;

use iai_callgrind::library_benchmark;

#[library_benchmark]
pub fn public() {}

#[library_benchmark]
#[bench::ten(10)]
const fn constant(x: u64) -> u64 {
    x
}

#[library_benchmark]
extern "C" fn foreign() -> u64 {
    1
}

#[library_benchmark]
fn never() -> ! {
    std::process::exit(0)
}

#[library_benchmark]
#[bench::byte(1u8)]
#[bench::text("x")]
fn generic<T: Copy>(x: T) -> (T, T)
where
    T: Debug,
{
    (x, x)
}

#[library_benchmark]
#[bench::three([1, 2, 3])]
fn sized<const N: usize>(x: [u64; N]) -> u64 {
    x.iter().sum()
}

#[library_benchmark]
#[bench::text("x", "y")]
fn lifetimes<'a, 'b: 'a>(x: &'a str, _y: &'b str) -> &'a str {
    x
}

fn count(characters: impl Iterator<Item = char>) {
    assert_eq!(characters.count(), 1);
}

#[library_benchmark(teardown = count)]
#[bench::text("x")]
#[bench::number(1)]
fn anonymous(x: impl ToString) -> impl Iterator<Item = char> {
    x.to_string().chars().collect::<Vec<_>>().into_iter()
}

#[library_benchmark]
#[bench::zero(1, "x")]
fn mixed<T: Default + PartialEq, const N: usize>(_: T, _x: impl ToString) -> [u8; N]
where
    [u8; N]: OnlyOne,
{
    [0; N]
}

trait OnlyOne {}
impl OnlyOne for [u8; 4] {}

struct Point {
    x: u64,
    y: u64,
}

struct Wrapped(u64);

#[library_benchmark]
#[bench::all((1, 2), Point { x: 1, y: 2 }, Wrapped(1), [1, 2], &3, "unused", 4)]
fn patterns(
    (a, _): (u64, u64),
    Point { x, .. }: Point,
    Wrapped(inner): Wrapped,
    [first, ..]: [u64; 2],
    &reference: &u64,
    _: &str,
    mut changed: u64,
) -> u64 {
    changed += 1;
    a + x + inner + first + reference + changed
}

#[library_benchmark]
#[bench::ten(10)]
fn recursive(n: u64) -> u64 {
    if n < 2 {
        n
    } else {
        recursive(n - 1) + recursive(n - 2)
    }
}

#[library_benchmark]
fn must_use() -> Result<(), ()> {
    Ok(())
}

fn main() {
    let functions = [
        &public::__FUNCTION,
        &constant::__FUNCTION,
        &foreign::__FUNCTION,
        &generic::__FUNCTION,
        &sized::__FUNCTION,
        &lifetimes::__FUNCTION,
        &anonymous::__FUNCTION,
        &mixed::__FUNCTION,
        &patterns::__FUNCTION,
        &recursive::__FUNCTION,
        &must_use::__FUNCTION,
        // Ends the process.
        &never::__FUNCTION,
    ];
    let _ = Point { x: 0, y: 0 }.y;
    for case in functions.iter().flat_map(|function| function.cases) {
        (case.run.function().unwrap())(Default::default());
    }
    unreachable!("the last one does not return");
}
