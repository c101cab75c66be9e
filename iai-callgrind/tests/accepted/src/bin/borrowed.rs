//! Arguments that borrow from temporary values, and results that borrow from arguments.

use iai_callgrind::library_benchmark;

#[library_benchmark]
#[bench::list(&vec![1, 2])]
#[bench::named(args = (&vec![1]))]
#[bench::array(&[1, 2])]
#[benches::several(&vec![1], &[])]
fn slice(values: &[u64]) -> u64 {
    values.iter().sum()
}

#[library_benchmark]
#[bench::string(&String::from("x"))]
fn text<'a>(text: &'a str) -> &'a str {
    text
}

fn check(values: &mut Vec<u8>) {
    assert_eq!(values, &[7]);
}

#[library_benchmark]
#[bench::empty(args = (&mut Vec::new()), teardown = check)]
fn push(values: &mut Vec<u8>) -> &mut Vec<u8> {
    values.push(7);
    values
}

fn leak() -> &'static mut Vec<u8> {
    Box::leak(Box::default())
}

#[library_benchmark]
#[bench::leaked(setup = leak, teardown = check)]
fn push_static(values: &'static mut Vec<u8>) -> &'static mut Vec<u8> {
    values.push(7);
    values
}

fn main() {
    let functions = [
        &slice::__FUNCTION,
        &text::__FUNCTION,
        &push::__FUNCTION,
        &push_static::__FUNCTION,
    ];
    for case in functions.iter().flat_map(|function| function.cases) {
        (case.run.function().unwrap())(Default::default());
    }
}
