//! Equal counts of the cases of a function, ratios of two, and growth of counts with the size of
//! the input.

use iai_callgrind::protocol::{Function, Ratio, RatioSide, Scaling};

use iai_callgrind_runner::summary::{Number, Regression, Status};

use super::bench::{check, function, Bench};

const CASES: [(Option<&str>, Option<&str>); 3] = [
    (Some("same"), Some("KEY")),
    (Some("first"), Some("OTHER")),
    (Some("last"), None),
];

fn equal(name: &str) -> Function {
    Function {
        equal_counts: true,
        ..function(name, &CASES)
    }
}

fn growing(name: &str, growth: &str, sizes: &[(&str, u64)]) -> Function {
    let ids: Vec<_> = sizes.iter().map(|(id, _)| (Some(*id), None)).collect();
    let mut function = function(name, &ids);
    for (case, (_, size)) in function.cases.iter_mut().zip(sizes) {
        case.scaling = Some(Scaling {
            bench: "many".to_owned(),
            growth: growth.to_owned(),
            size: *size,
        });
    }
    function
}

const SIZES: [(&str, u64); 3] = [("many_0", 10), ("many_1", 100), ("many_2", 1000)];

fn two_functions(bench: &mut Bench) {
    bench.group("eq", false, vec![equal("always"), equal("early")]);
    for (id, count) in [("same", 101), ("first", 9), ("last", 101)] {
        bench.counts(&format!("eq/always.{id}"), &[("Ir", 27), ("Bc", 3)]);
        let counts = [("Ir", count), ("Bc", count / 3)];
        bench.counts(&format!("eq/early.{id}"), &counts);
    }
}

#[test]
fn unequal_counts_are_regressions_of_the_case_that_differs_from_the_first() {
    check("unequal", |bench| {
        two_functions(bench);
        let all = bench.run(&[]);
        let one = bench.run(&["--nosummary", "early::first"]);
        all + &one
    });
}

#[test]
fn each_function_is_held_against_itself_and_each_run_alone() {
    check("equal", |bench| {
        two_functions(bench);
        bench.run(&["always"])
    });
}

#[test]
fn growth_has_a_line_and_fails_where_it_is_worse_than_stated() {
    check("growth", |bench| {
        let functions = vec![
            growing("linear", "n", &SIZES),
            growing("squares", "n log n", &SIZES),
            growing("anything", "any", &SIZES),
        ];
        bench.group("sizes", false, functions);
        for (id, size) in SIZES {
            bench.counts(&format!("sizes/linear.{id}"), &[("Ir", 7 + 5 * size)]);
            bench.counts(&format!("sizes/squares.{id}"), &[("Ir", 3 * size * size)]);
            bench.counts(&format!("sizes/anything.{id}"), &[("Ir", 42)]);
        }
        let all = bench.run(&[]);
        bench.on_terminal(80);
        // Where sizes are left out, nothing is judged.
        all + &bench.run(&["--nosummary", "squares"])
            + &bench.run(&["--nosummary", "squares::many_2"])
    });
}

fn ratio(limited: (&str, &str), ratio: &str, of: (&str, &str)) -> Ratio {
    let side = |(function, id): (&str, &str)| RatioSide {
        function: function.to_owned(),
        id: Some(id.to_owned()),
    };
    Ratio {
        limited: side(limited),
        ratio: ratio.to_owned(),
        of: side(of),
    }
}

/// `fast` may count half of what `slow` does: `same` reaches it, `first` exceeds it by one, and
/// `last` is 0 of 0.
fn fast_and_slow(bench: &mut Bench) {
    let functions = vec![function("fast", &CASES), function("slow", &CASES)];
    bench.group("pace", false, functions);
    let ids = ["same", "first", "last"];
    let ratios = ids.map(|id| ratio(("fast", id), "0.5", ("slow", id)));
    bench.suite.groups.last_mut().unwrap().ratios = ratios.to_vec();
    for (id, fast, slow) in [("same", 50, 101), ("first", 51, 101), ("last", 3, 6)] {
        bench.counts(&format!("pace/fast.{id}"), &[("Ir", fast)]);
        bench.counts(&format!("pace/slow.{id}"), &[("Ir", slow)]);
    }
}

#[test]
fn a_ratio_that_is_exceeded_is_a_regression_of_the_benchmark_that_ran_last() {
    check("ratios", |bench| {
        fast_and_slow(bench);
        let all = bench.run(&[]);
        // With one side left out nothing is said to be right.
        all + &bench.run(&["--nosummary", "fast"]) + &bench.run(&["--nosummary", "slow::last"])
    });
}

#[test]
fn a_ratio_whose_other_side_has_no_instructions_is_not_checked() {
    let mut bench = Bench::with(Vec::new());
    bench.suite.groups.clear();
    fast_and_slow(&mut bench);
    bench.counts("pace/slow.same", &[("Bc", 1)]);
    let shown = bench.run(&["::same"]);
    let warning = "the ratio `fast::same <= 0.5 * slow::same` of `pace` was not checked: no tool counted instructions of \
                   `slow::same`";
    assert!(shown.contains(warning), "{shown}");
}

#[test]
fn records_have_both_counts_of_a_ratio() {
    let mut bench = Bench::with(Vec::new());
    bench.suite.groups.clear();
    fast_and_slow(&mut bench);
    bench.run(&[]);
    let exceeded = bench.record("pace/slow.first");
    assert_eq!(exceeded.status, Status::Regressed);
    let [Regression::Ratio {
        kind,
        limited,
        limited_count,
        ratio,
        of,
        of_count,
    }] = exceeded.profiles[0].regressions.as_slice()
    else {
        panic!("{:?}", exceeded.profiles[0].regressions);
    };
    assert_eq!((kind.as_str(), ratio.as_str()), ("Ir", "0.5"));
    assert_eq!(
        (limited.as_str(), *limited_count),
        ("i_lib::pace::fast::first", 51)
    );
    assert_eq!((of.as_str(), *of_count), ("i_lib::pace::slow::first", 101));
    for place in ["fast.first", "slow.same", "slow.last"] {
        let kept = bench.record(&format!("pace/{place}"));
        assert_eq!(kept.status, Status::Ok, "{place}");
    }
}

#[test]
fn what_nothing_can_show_is_a_warning() {
    let mut suite = Bench::with(vec![
        Function {
            equal_counts: true,
            ..function("single", &CASES[..1])
        },
        growing(
            "two",
            "n",
            &[("many_0", 10), ("many_1", 10), ("many_2", 100)],
        ),
        equal("three"),
        growing("enough", "n", &SIZES),
    ]);
    assert_eq!(
        suite.warnings(&[]),
        [
            "`equal_counts` of `g::single` compares nothing, since the function has one case; each input is a case",
            "`scaling` of `g::two::many` tells nothing: a growth needs at least 3 different sizes, and here are 2",
        ]
    );
    assert_eq!(suite.warnings(&["enough"]), [""; 0]);
    suite.suite.groups[0].functions.drain(..2);
    assert_eq!(
        suite.warnings(&["--default-tool=dhat"]),
        [
            "`equal_counts` of `g::three` compares nothing, since no tool counts instructions; \
             `--tools=callgrind` adds one",
            "`scaling` of `g::enough` compares nothing, since no tool counts instructions; \
             `--tools=callgrind` adds one",
        ]
    );
}

#[test]
fn what_a_selection_leaves_unchecked_is_named() {
    let bench = Bench::with(vec![equal("three"), growing("enough", "n", &SIZES)]);
    assert_eq!(bench.unchecked(&[]), [""; 0]);
    assert_eq!(bench.unchecked(&["three"]), [""; 0]);
    let of_three =
        "`equal_counts` of `g::three` was checked for 1 of 3 cases, since the others were not selected";
    let of_enough =
        "`scaling` of `g::enough::many` was not checked: 2 of 3 sizes were selected, and a growth needs at least 3";
    assert_eq!(
        bench.unchecked(&["::first", "many_0", "many_1"]),
        [of_three, of_enough]
    );
    assert_eq!(bench.unchecked(&["--partition=count:1/2"]).len(), 2);
}

#[test]
fn records_have_what_is_not_as_expected() {
    let mut bench = Bench::with(vec![equal("early"), growing("squares", "n log n", &SIZES)]);
    let limit = "--callgrind-limits=ir=8";
    for (id, count) in [("same", 101), ("first", 9), ("last", 101)] {
        bench.counts(&format!("g/early.{id}"), &[("Ir", count)]);
    }
    for (id, size) in SIZES {
        bench.counts(&format!("g/squares.{id}"), &[("Ir", 3 * size * size)]);
    }
    bench.run(&[limit, "::first", "::same", "squares"]);
    let first = bench.record("g/early.first");
    assert_eq!(first.status, Status::Regressed);
    // A limit that is exceeded as well stays.
    let [Regression::Hard { .. }, Regression::Unequal {
        kind,
        new,
        other,
        with,
        places,
    }] = first.profiles[0].regressions.as_slice()
    else {
        panic!("{:?}", first.profiles[0].regressions);
    };
    assert_eq!(
        (kind.as_str(), *new, *other),
        ("Ir", Number::Count(9), Number::Count(101))
    );
    assert_eq!((with.as_str(), places.len()), ("i_lib::g::early::same", 1));
    let same = bench.record("g/early.same");
    assert!(matches!(
        same.profiles[0].regressions.as_slice(),
        [Regression::Hard { .. }]
    ));

    let last = bench.record("g/squares.many_2");
    assert_eq!(last.status, Status::Regressed);
    let [_, Regression::Growth { stated, found, .. }] = last.profiles[0].regressions.as_slice()
    else {
        panic!("{:?}", last.profiles[0].regressions);
    };
    assert_eq!(
        (stated.as_str(), found.as_deref()),
        ("n log n", Some("n^2"))
    );
    let [growth] = last.growth.as_slice() else {
        panic!("{:?}", last.growth)
    };
    assert_eq!((growth.holds, growth.best.as_str()), (Some(false), "n^2"));
    assert_eq!((growth.points.len(), growth.fits.len()), (3, 8));
    assert_eq!(bench.record("g/squares.many_1").growth, []);

    // The next run has other counts: nothing of the last one is left.
    bench.suite.groups[0].functions[1].cases[2].scaling = None;
    bench.counts("g/early.first", &[("Ir", 101)]);
    bench.run(&[]);
    assert_eq!(bench.record("g/early.first").status, Status::Ok);
    assert_eq!(bench.record("g/squares.many_2").growth, []);
}
