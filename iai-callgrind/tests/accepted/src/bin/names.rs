//! Names that could collide with generated ones, raw names, and the function as a function.

use iai_callgrind::{library_benchmark, library_benchmark_group};

mod measured {
    pub fn value() -> u64 {
        1
    }
}

fn build(n: u64) -> u64 {
    n
}

#[allow(non_upper_case_globals)]
static argument: u64 = 1;

#[library_benchmark]
#[bench::build(build(1))]
#[bench::measured(measured::value())]
#[bench::drop(argument)]
#[bench::black_box(1)]
#[bench::r#fn(1)]
#[bench::größe(1)]
fn r#loop(x: u64) -> u64 {
    x
}

#[library_benchmark]
#[bench::Some(Some(1))]
fn größe(x: Option<u64>) -> Option<u64> {
    x
}

library_benchmark_group!(name = r#mod, benchmarks = [r#loop, größe]);

fn main() {
    let ids: Vec<_> = r#loop::__FUNCTION
        .cases
        .iter()
        .filter_map(|case| case.id)
        .collect();
    assert_eq!(
        ids,
        ["build", "measured", "drop", "black_box", "fn", "größe"]
    );
    assert_eq!(r#loop::__FUNCTION.name, "loop");
    for case in r#mod::__GROUP
        .functions
        .iter()
        .flat_map(|function| function.cases)
    {
        (case.run.function().unwrap())(Default::default());
    }
    // It is still a function.
    assert_eq!(r#loop(3), 3);
}
