//! Output of benchmarks, and where and when it is shown.

use std::fs::{self, File};
use std::process::Command as Process;

use benchmark_tests::bench::{wait_until, Ended};
use benchmark_tests::binary::{program, Binary};
use benchmark_tests::{Bench, Home};
use nix::sys::signal::Signal;

fn talks(home: &Home) -> Bench {
    let bench = Bench::new("endings").measure(home);
    bench.arg("ends").env("ENDING", "talks")
}

/// Runs with both streams in one file, and returns its lines up to the first metric.
fn in_one_place(mut process: Process) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("both");
    let file = File::create(&path).unwrap();
    process.stdout(file.try_clone().unwrap()).stderr(file);
    let status = process.status().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert!(status.success(), "{text}");
    let lines = text.lines().map(str::to_owned);
    lines
        .take_while(|line| !line.contains("Instructions:"))
        .collect()
}

#[test]
fn both_streams_are_shown_in_order_where_they_are_one() {
    let home = Home::new();
    for fork in ["--fork=yes", "--fork=no"] {
        let lines = in_one_place(talks(&home).args(["--nocapture", fork]).command());
        let expected = [
            "endings::group::ends ending()",
            "stdout before it talks",
            "stderr before it talks",
            "- end of stdout/stderr",
        ];
        assert_eq!(lines, expected, "{fork}");
    }
}

#[test]
fn one_stream_is_shown_and_the_other_one_is_not() {
    let home = Home::new();
    let run = |streams: &str| talks(&home).arg(format!("--nocapture={streams}")).run();
    let shown = |ended: Ended| ended.code(0).shows(&["Instructions:"]);
    shown(run("yes"))
        .shows(&["ends ending()\nstdout before it talks\n- end of stdout/stderr\n"])
        .says(&["stderr before it talks\n"]);
    shown(run("stdout"))
        .quiet()
        .shows(&["ends ending()\nstdout before it talks\n- end of stdout\n"]);
    let ended = shown(run("stderr")).shows(&["ends ending()\n- end of stderr\n"]);
    assert_eq!(ended.stderr, "stderr before it talks\n");
    let ended = run("loudly").code(2);
    ended.says(&["'loudly'", "expected `yes`, `no`, `stdout` or `stderr`"]);
}

#[test]
fn what_was_not_shown_is_shown_when_it_failed() {
    let home = Home::new();
    let bench = Bench::new("endings").measure(&home).arg("ends");
    let bench = bench.env("ENDING", "panics").arg("--nocapture=stdout");
    let ended = bench.run().code(1);
    let ended = ended.shows(&["stdout before it panics\n- end of stdout\n"]);
    ended.says(&["  | stderr before it panics\n", "on purpose"]);
}

#[test]
fn output_is_seen_while_the_benchmark_runs() {
    let home = Home::new();
    let bench = Bench::new("endings").measure(&home);
    let folder = tempfile::tempdir().unwrap();
    let spins = bench
        .args(["ends", "--nocapture"])
        .env("ENDING", "spins")
        .env("STARTED", folder.path().join("started"));
    let started = spins.start();
    wait_until("something is seen", || {
        started.stderr().contains("stderr before it spins\n")
    });
    started.signal(Signal::SIGTERM);
    let ended = started.wait().signalled(Signal::SIGTERM);
    ended.shows(&["endings::group::ends ending()\nstdout before it spins\n"]);
}

#[test]
fn benchmarks_side_by_side_do_not_mix() {
    let home = Home::new();
    let run = |parallel: &str| {
        let bench = Bench::new("endings").measure(&home).env("ENDING", "talks");
        let mut command = bench.args(["--nocapture", parallel]).command();
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let stable = |line: &&str| !line.contains('|') && !line.contains("finished in");
        let lines: Vec<String> = text.lines().filter(stable).map(str::to_owned).collect();
        lines
    };
    let alone = run("--parallel=1");
    assert!(
        alone.contains(&"stdout before it talks".to_owned()),
        "{alone:?}"
    );
    assert_eq!(run("--parallel=3"), alone);
}

#[test]
fn hooks_of_a_program_are_shown_around_it() {
    let binary = Binary::new()
        .case("say", program(&["say"]))
        .setup("printf 'from the setup'; echo .")
        .teardown("printf 'from the teardown' >&2");
    let lines = in_one_place(binary.bench(&["--nocapture"]).command());
    let expected = [
        "from the setup.",
        "to stdout",
        "to stderr",
        "from the teardown",
        "- end of stdout/stderr",
    ];
    assert_eq!(lines[1..], expected);
}

#[test]
fn hooks_of_groups_are_shown_without_an_end() {
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let bench = Bench::new("hooks").measure(&home);
    let ended = bench
        .args(["with_hooks", "--nocapture", "--callgrind-metrics=ir"])
        .env("ORDER", folder.path().join("order"))
        .env("FAILS", "group teardown")
        .run()
        .code(1);
    // One for each benchmark.
    assert_eq!(ended.stdout.matches("- end of").count(), 2, "{ended}");
    let last = ended.stdout.rfind("Instructions:").unwrap();
    let hook = ended.stdout.find("group teardown prints this\n").unwrap();
    assert!(hook > last, "{ended}");
    // Output that was shown is not repeated in the error.
    let text = "group teardown fails";
    assert_eq!(ended.stderr.matches(text).count(), 1, "{ended}");
    ended.says(&["error: teardown of `with_hooks` panicked\n"]);
}

#[test]
fn what_was_kept_can_be_logged() {
    let home = Home::new();
    let ended = talks(&home).env("IAI_CALLGRIND_LOG", "info").run().code(0);
    ended.says(&[
        "info: endings::group::ends: printed under callgrind:\n",
        "stdout before it talks\nstderr before it talks\n",
    ]);
}
