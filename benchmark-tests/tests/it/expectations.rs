//! Growth of loops whose steps are counted by hand, and equal counts of code that stops early or
//! does not.

use benchmark_tests::{Bench, Ended, Home};

fn run(home: &Home, filter: &str) -> Ended {
    Bench::new("expectations").measure(home).arg(filter).run()
}

#[test]
fn counted_loops_grow_as_they_are_written() {
    let home = Home::new();
    // A round has two instructions, and the function some more.
    run(&home, "linear")
        .code(0)
        .quiet()
        .shows(&["2.00*n, R2 ", " (3 sizes from 100 to 10000; stated is n)\n"]);
    run(&home, "growth::constant")
        .code(0)
        .shows(&["  Growth of sizes:     ~ 20", " (4 sizes from 1 to 8)\n"]);
    run(&home, "quadratic").code(3).shows(&[
        "Counts grow faster than stated: Instructions of sizes grow like n^2 (~ ",
        "2.00*n^2, R2 ",
        "), and not n log n\n",
        "\nRegressions:\n\n  expectations::growth::quadratic sizes_2:\n    Callgrind: Instructions of sizes grow like n^2 (~",
        "Iai-Callgrind result: Regressed. 2 without regressions; 1 regressed; 0 compared; 3 new; ",
    ]);
}

/// A round has two instructions, so one of both loops has half of the instructions of the other.
#[test]
fn counts_of_two_functions_are_in_a_ratio() {
    let home = Home::new();
    let shown = run(&home, "ratios").code(3);
    shown.shows(&[
        "Ratio is too large: Instructions of single::of_1 (200",
        ") are more than 0.499 * 400",
        " of double::of_1 (at most 199",
        "\nRegressions:\n\n  expectations::ratios::single of_1:\n    Callgrind: Instructions of single::of_1 (200",
        "Iai-Callgrind result: Regressed. 3 without regressions; 1 regressed; ",
    ]);
    let left_out = run(&home, "ratios::single::of_0").code(0);
    left_out.says(&[
        "warning: the ratio `single::of_0 <= 0.6 * double::of_0` of `ratios` was not checked: `double::of_0` was not selected",
    ]);
}

#[test]
fn code_that_stops_early_has_other_counts_and_the_line_is_named() {
    let home = Home::new();
    run(&home, "constant_time").code(0).quiet();
    let place =
        "at expectations::is_equal_early (benchmark-tests/measured/benches/expectations.rs:";
    let shown = run(&home, "early").code(3);
    shown.shows(&[
        "Counts are not equal: Instructions (",
        ") differ from ",
        " of right (-",
        place,
        "\nRegressions:\n\n  expectations::equal::early wrong:\n    Callgrind: Instructions (",
        "Iai-Callgrind result: Regressed. 1 without regressions; 1 regressed; 0 compared; 2 new; ",
    ]);
    // One case alone is compared with nothing.
    run(&home, "early::wrong").code(0);
}
