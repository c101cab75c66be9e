//! `ids` of `#[benches]`, and what tells cases apart.

use iai_callgrind::__internal::{Around, Function, Printed, Unprintable};
use iai_callgrind::library_benchmark;

const LARGE: u64 = 1000;

fn rows(n: u64) -> Vec<u64> {
    (0..n).collect()
}

#[library_benchmark]
#[bench::named(7)]
#[benches::numbered(1, LARGE)]
#[benches::own(args = [1, LARGE], ids = ["small", "größer_1"])]
#[benches::short(1, 2, ids = ["0", "1"])]
#[benches::value(args = [50, 1_000_u64, 0xff], ids = values)]
#[benches::trailing(args = [50, 60,], ids = ["a", "b",])]
fn numbers(_: u64) {}

#[library_benchmark]
#[benches::table(args = [50, 100], ids = values, setup = rows, labels = ["few", "many"])]
fn made(_: Vec<u64>) {}

#[library_benchmark]
#[benches::v(args = [(-5, "a b", 'x'), (1, "", '-')], ids = values)]
#[benches::r#fn(args = [(1, "é", 'x')], ids = values)]
fn several(_: i32, _: &str, _: char) {}

#[library_benchmark]
#[benches::size(consts = [16, 256], ids = values)]
#[benches::own(consts = [1, 2], ids = ["one", "two"])]
fn sized<const N: usize>() -> [u8; N] {
    [0; N]
}

#[library_benchmark]
#[benches::both(args = [1], consts = [(4), (8)], ids = values)]
fn both<const N: usize>(x: u64) -> [u64; N] {
    [x; N]
}

/// Literals that another macro passes on.
macro_rules! passed_on {
    ($($n:literal),*) => {
        #[library_benchmark]
        #[benches::rows(args = [$($n),*], ids = values)]
        fn passed(_: u64) {}
    };
}
passed_on!(3, 4);

#[track_caller]
fn check(function: &Function, expected: &[(&str, &str, bool)]) {
    let cases = function.cases.iter();
    let cases = cases.map(|case| (case.id.unwrap(), case.input.unwrap(), case.positional));
    assert_eq!(cases.collect::<Vec<_>>(), expected);
}

#[library_benchmark]
#[benches::of_iter(iter = [10_u64, LARGE], setup = rows)]
#[benches::of_objects(iter = [rows(1), rows(2)])]
fn elements(_: Vec<u64>) {}

fn main() {
    check(
        &numbers::__FUNCTION,
        &[
            ("named", "7", false),
            ("numbered_0", "1", true),
            ("numbered_1", "LARGE", true),
            ("own_small", "1", false),
            ("own_größer_1", "LARGE", false),
            ("short_0", "1", false),
            ("short_1", "2", false),
            ("value_50", "50", false),
            ("value_1000", "1000u64", false),
            ("value_255", "0xff", false),
            ("trailing_a", "50", false),
            ("trailing_b", "60", false),
        ],
    );
    check(
        &made::__FUNCTION,
        &[("table_50", "50", false), ("table_100", "100", false)],
    );
    check(
        &several::__FUNCTION,
        &[
            ("v_minus_5_a_b_x", "-5, \"a b\", 'x'", false),
            ("v_1_empty_u2d", "1, \"\", '-'", false),
            ("fn_1_é_x", "1, \"é\", 'x'", false),
        ],
    );
    check(
        &sized::__FUNCTION,
        &[
            ("size_16", "<16> ", false),
            ("size_256", "<256> ", false),
            ("own_one", "<1> ", false),
            ("own_two", "<2> ", false),
        ],
    );
    check(
        &both::__FUNCTION,
        &[("both_4_1", "<4> 1", false), ("both_8_1", "<8> 1", false)],
    );
    check(
        &passed::__FUNCTION,
        &[("rows_3", "3", false), ("rows_4", "4", false)],
    );

    let mut texts = Vec::new();
    for case in elements::__FUNCTION.cases {
        assert!(case.positional && case.input.is_none());
        texts.extend(
            (case.elements.unwrap())()
                .into_iter()
                .map(|text| text.input),
        );
    }
    // The value, where it is a number or text; else where it stands.
    let second = "nth(1) of [rows(1), rows(2)]";
    assert_eq!(
        texts,
        ["10", "1000", "nth(0) of [rows(1), rows(2)]", second]
    );

    // The same call as in the expansion of the macros.
    let around = Around {
        before: "",
        after: "",
        consts: "",
    };
    let text = iai_callgrind::__internal::described(
        ["a"],
        drop,
        |element| (&Printed(element)).text(),
        "LIST",
        around,
    );
    assert_eq!(text[0].input, "\"a\"");
    assert_eq!((&Printed(&rows(1))).text(), None);
}
