//! Output of benchmarks, with `--nocapture`.

use super::bench::{check, function, Bench};

fn printing(bench: &mut Bench) {
    let cases = [(Some("p"), Some("7")), (Some("q"), Some("8"))];
    bench.group("misc", false, vec![function("printing", &cases)]);
    bench.counts("misc/printing.p", &[("Ir", 1626)]);
    bench.prints("misc/printing.p", "to stdout 7\nto stdout 8\n");
    bench.counts("misc/printing.q", &[("Ir", 7)]);
    bench.recorded("misc/printing.q", "memcheck", "clean");
    bench.prints("misc/printing.q", "a line without an end");
}

#[test]
fn output_stands_between_headline_and_metrics() {
    check("nocapture", |bench| {
        printing(bench);
        let mut shown = String::new();
        for words in [
            &["--nocapture"][..],
            &["--nocapture=stdout"],
            &["--nocapture=stderr"],
        ] {
            shown += &bench.run(&[words, &["--nosummary"]].concat());
        }
        shown
    });
}

#[test]
fn output_of_the_default_tool_only_is_shown() {
    check("nocapture_tools", |bench| {
        printing(bench);
        bench.run(&["::q", "--nocapture", "--tools=memcheck", "--nosummary"])
    });
}

#[test]
fn output_of_benchmarks_side_by_side_is_in_order() {
    check("nocapture_parallel", |bench| {
        printing(bench);
        bench.run(&["--nocapture", "--nosummary", "--parallel=2"])
    });
}

#[test]
fn nothing_is_printed_where_nothing_runs() {
    check("nocapture_loaded", |bench| {
        printing(bench);
        bench.run(&["--save-baseline=a"]);
        bench.run(&[
            "--load-baseline=a",
            "--baseline=a",
            "--nocapture",
            "--nosummary",
        ])
    });
}
