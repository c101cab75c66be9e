//! Several tools, and tools that find errors.

use iai_callgrind::protocol::{Dhat, EntryPoint, ToolConfig};

use super::bench::{check, function, plain, Bench};

/// Two functions of the same id under three tools.
fn three_tools(bench: &mut Bench) {
    let first = &[(Some("first"), Some("setup(1)"))];
    bench.group(
        "cmp",
        true,
        vec![function("bench_a", first), function("bench_b", first)],
    );
    // The recorded programs know nothing of us.
    bench.config().tools.push(ToolConfig::Dhat(Dhat {
        entry_point: Some(EntryPoint::None),
        ..Dhat::default()
    }));
    for (place, ir, dhat) in [
        ("cmp/bench_a.first", 915, "alloc"),
        ("cmp/bench_b.first", 415, "threads"),
    ] {
        bench.counts(place, &plain(ir, 210));
        bench.recorded(place, "dhat", dhat);
        bench.recorded(place, "memcheck", "clean");
    }
}

#[test]
fn several_tools_have_headlines() {
    check("tools", |bench| {
        three_tools(bench);
        bench.run(&["--tools=dhat,memcheck"])
    });
}

#[test]
fn a_grid_connects_what_belongs_together() {
    check("grid", |bench| {
        three_tools(bench);
        bench.run(&["--tools=dhat,memcheck"]);
        bench.run(&[
            "--tools=dhat,memcheck",
            "--show-grid",
            "--baseline-lenient=none",
        ])
    });
}

#[test]
fn massif_and_bbv_have_metrics() {
    check("massif_and_bbv", |bench| {
        bench.group("misc", false, vec![function("f", &[(None, None)])]);
        bench.recorded("misc/f", "massif", "peak");
        bench.recorded("misc/f", "exp-bbv", "threads");
        bench.run(&["--default-tool=massif", "--tools=exp-bbv"])
    });
}

#[test]
fn errors_fail_a_benchmark_or_are_details() {
    check("errors", |bench| {
        bench.group("misc", false, vec![function("f", &[(None, None)])]);
        bench.recorded("misc/f", "memcheck", "reads");
        let failed = bench.run(&["--default-tool=memcheck"]);
        let words = [
            "--default-tool=memcheck",
            "--memcheck-args=--error-exitcode=0",
        ];
        failed + &bench.run(&words)
    });
}
