//! Every form of arguments, with the ids and the text they get.

use iai_callgrind::{__internal::Function, library_benchmark};

const N: u64 = 3;

// A comma that is not needed stays.
#[rustfmt::skip]
#[library_benchmark]
#[bench::positional(1)]
#[bench::parentheses(args = (1))]
#[bench::tuple(args = (1,))]
#[bench::array(args = [1])]
#[bench::constant(N)]
#[bench::block({ N + 1 })]
#[bench::trailing(1,)]
#[benches::several(1, 2)]
#[benches::named(args = [3, 4])]
fn one(x: u64) -> u64 {
    x
}

#[library_benchmark]
#[bench::positional(1, "x y")]
#[bench::tuple(args = (1, "x"))]
#[benches::tuples((1, "a"), (2, "b"))]
#[benches::named(args = [(1, "a")])]
fn two(x: i32, y: &str) -> usize {
    y.len() + usize::try_from(x).unwrap()
}

#[library_benchmark]
#[bench::tuple((1, 2))]
#[benches::tuples(((1, 2)))]
#[benches::named(args = [((3, 4)), ((5, 6))])]
fn pair(p: (u8, u8)) -> u8 {
    p.0 + p.1
}

#[library_benchmark]
#[bench::closure(|| 1)]
#[bench::several(args = [|| 2])]
fn function(f: fn() -> u64) -> u64 {
    f()
}

#[library_benchmark]
fn plain() {}

#[library_benchmark()]
#[bench::empty()]
#[bench::no_args(args = ())]
#[bench::empty_array(args = [])]
#[benches::one()]
#[benches::none(args = [])]
fn nothing() {}

#[library_benchmark]
#[bench::range(1..=3)]
#[bench::call(std::iter::empty::<u8>())]
#[bench::list(vec![1, 2])]
fn iterator(values: impl IntoIterator<Item = u8>) -> usize {
    values.into_iter().count()
}

#[track_caller]
fn check(function: &Function, expected: &[(Option<&str>, Option<&str>)]) {
    let cases: Vec<_> = function
        .cases
        .iter()
        .map(|case| (case.id, case.args))
        .collect();
    assert_eq!(cases, expected);
    for case in function.cases {
        (case.run.function().unwrap())(Default::default());
    }
}

fn main() {
    assert_eq!(one::__FUNCTION.name, "one");
    check(
        &one::__FUNCTION,
        &[
            (Some("positional"), Some("1")),
            (Some("parentheses"), Some("1")),
            (Some("tuple"), Some("1")),
            (Some("array"), Some("1")),
            (Some("constant"), Some("N")),
            (Some("block"), Some("{ N + 1 }")),
            (Some("trailing"), Some("1")),
            (Some("several_0"), Some("1")),
            (Some("several_1"), Some("2")),
            (Some("named_0"), Some("3")),
            (Some("named_1"), Some("4")),
        ],
    );
    check(
        &two::__FUNCTION,
        &[
            (Some("positional"), Some("1, \"x y\"")),
            (Some("tuple"), Some("1, \"x\"")),
            (Some("tuples_0"), Some("1, \"a\"")),
            (Some("tuples_1"), Some("2, \"b\"")),
            (Some("named_0"), Some("1, \"a\"")),
        ],
    );
    check(
        &pair::__FUNCTION,
        &[
            (Some("tuple"), Some("(1, 2)")),
            (Some("tuples_0"), Some("(1, 2)")),
            (Some("named_0"), Some("(3, 4)")),
            (Some("named_1"), Some("(5, 6)")),
        ],
    );
    check(
        &function::__FUNCTION,
        &[
            (Some("closure"), Some("|| 1")),
            (Some("several"), Some("|| 2")),
        ],
    );
    check(&plain::__FUNCTION, &[(None, None)]);
    check(
        &nothing::__FUNCTION,
        &[
            (Some("empty"), None),
            (Some("no_args"), None),
            (Some("empty_array"), None),
            (Some("one_0"), None),
            (Some("none_0"), None),
        ],
    );
    check(
        &iterator::__FUNCTION,
        &[
            (Some("range"), Some("1..=3")),
            (Some("call"), Some("std::iter::empty::<u8>()")),
            (Some("list"), Some("vec![1, 2]")),
        ],
    );
}
