//! Signal handlers: one that jumps back keeps Callgrind from counting what follows.

use benchmark_tests::{valgrinds, Bench, Home};

const WAYS: [&[&str]; 4] = [
    &[],
    &["--fork=no"],
    &["--instructions-only"],
    &["--fast-setup"],
];

fn check(benchmark: &str, code: i32, texts: &[&str]) {
    valgrinds::with_each(|valgrind| {
        for way in WAYS {
            let home = Home::new();
            let bench = Bench::new("handlers").measure(&home).args(way);
            let bench = bench.arg("--valgrind-bin").arg(valgrind);
            let ended = bench.arg(format!("group::{benchmark}")).run();
            let ended = ended.code(code).says(texts);
            if texts.is_empty() {
                ended.quiet();
            }
        }
    });
}

/// `ud2`, at which these begin, stands in the same function as the call of `sigsetjmp`.
#[test]
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    ignore = "needs an instruction that fails"
)]
fn a_jump_back_is_an_error() {
    for (benchmark, function) in [
        ("into_function", "the benchmark function"),
        ("into_callee", "`handlers::recovered_below`"),
        #[cfg(target_env = "gnu")]
        ("into_context", "`handlers::resumed_below`"),
        ("into_region", "a region of `measure`"),
    ] {
        let said = format!(
            "returned, but counting was off in {function} after a handler of signal 4 (SIGILL) had \
             jumped back into it\n  hint: "
        );
        check(benchmark, 1, &[&said]);
    }
}

/// Callgrind counts again when the functions between are gone.
#[test]
fn a_jump_outwards_loses_the_handler_only() {
    let said =
        "warning: a handler of signal 4 (SIGILL) ran inside of the benchmark and jumped out of \
                `handlers::fault_below`: ";
    check("outwards", 0, &[said]);
    let home = Home::new();
    let bench = Bench::new("handlers").measure(&home);
    bench.args(["outwards", "never_raised"]).run().code(0);
    let count = |benchmark: &str| home.count(&format!("handlers::group::{benchmark}::a"), "Ir");
    let (twice, once) = (count("outwards"), count("never_raised"));
    assert!(
        (2 * once..2 * once + 300).contains(&twice),
        "{twice} and {once}"
    );
}

/// Valgrind fails itself when it is to show such a stack.
#[test]
fn a_full_stack_is_no_failure() {
    let said = "warning: handlers of signals ran on a stack that Valgrind cannot read: ";
    check("full_stack", 0, &[said]);
}

#[test]
fn handlers_that_return_are_named() {
    let said =
        "a handler of signal 10 (SIGUSR1) ran inside of the benchmark, and Callgrind does not \
                count what a handler executes";
    check("returns", 0, &[&format!("warning: {said}")]);
    let home = Home::new();
    let bench = Bench::new("handlers").measure(&home).arg("--strict");
    let said = format!("was measured, but {said}");
    bench.arg("::returns").run().code(1).says(&[&said]);
}

#[test]
fn handlers_that_never_ran_or_ran_in_the_setup_do_no_harm() {
    check("in_setup", 0, &[]);
    check("never_raised", 0, &[]);
}
