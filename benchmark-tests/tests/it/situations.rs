//! Mistakes of users and surroundings that lack something: the whole text that is said, the exit
//! code, and that the results of before are untouched.

use std::process::Command;

use benchmark_tests::bench::{wait_until, Copied};
use benchmark_tests::{build, Bench, Ended, Home};
use nix::sys::signal::Signal;
use snapbox::{assert_data_eq, str, IntoData};

/// The words of a user, followed by `--bench`, which cargo adds.
fn cargo_bench(home: &Home, typed: &[&str]) -> Bench {
    let bench = Bench::new("endings").env("IAI_CALLGRIND_HOME", home.path());
    bench.args(typed).arg("--bench")
}

/// A run that went well, and mistakes after it that change nothing.
struct Before {
    home: Home,
}

impl Before {
    fn new() -> Self {
        let home = Home::new();
        cargo_bench(&home, &["before"]).run().code(0).quiet();
        Self { home }
    }

    #[track_caller]
    fn check(&self, typed: &[&str], code: i32, stderr: impl IntoData) -> Ended {
        let results = self.home.results();
        let ended = cargo_bench(&self.home, typed).run().code(code);
        assert_data_eq!(&ended.stderr, stderr);
        assert_eq!(self.home.results(), results, "{ended}");
        ended
    }
}

#[test]
fn options_that_do_not_exist() {
    let before = Before::new();
    let ended = before.check(
        &["--callgrind-arg", "x"],
        2,
        str![[r#"
error: unexpected argument '--callgrind-arg' found

  tip: a similar argument exists: '--callgrind-args'

Usage: cargo bench -- --callgrind-args <ARGS> [FILTER]...

For more information, try '--help'.

"#]],
    );
    assert_eq!(ended.stdout, "");
}

/// Cargo's `--bench`, which stands behind it, is not the value.
#[test]
fn options_without_their_value() {
    let before = Before::new();
    for (typed, option) in [
        ("--home", "--home <DIRECTORY>"),
        ("--home=", "--home <DIRECTORY>"),
        ("--callgrind-args", "--callgrind-args <ARGS>"),
        ("--skip", "--skip <FILTER>"),
        ("--timeout", "--timeout <TIME>"),
        ("--tools", "--tools <TOOLS>"),
    ] {
        let expected = format!(
            "error: a value is required for '{option}' but none was supplied\n\n\
             For more information, try '--help'.\n"
        );
        before.check(&[typed], 2, expected);
    }
    // Neither is it a filter.
    let ended = cargo_bench(&before.home, &["--", "before"]).run();
    ended.code(0).quiet().unchanged();
}

#[test]
fn arguments_that_valgrind_does_not_know() {
    let before = Before::new();
    let ended = before.check(
        &["--callgrind-args=--toggle-collect=x --nonexistent=1"],
        2,
        str![[r#"
error: argument `--nonexistent=1` for callgrind in `--callgrind-args`: Valgrind does not accept it
  valgrind: Unknown option: --nonexistent=1
  valgrind: Use --help for more information or consult the user manual.

"#]],
    );
    // Nothing else would work either.
    assert_data_eq!(ended.stdout, "endings::group::before\n");
    before.check(
        &[
            "before",
            "--valgrind-args",
            "--num-callers=abc",
            "--fork=no",
        ],
        2,
        str![[r#"
error: argument `--num-callers=abc` for callgrind in `--valgrind-args`: Valgrind does not accept it
  valgrind: Bad option: --num-callers=abc
...

"#]],
    );
    // The one that wins is the one that is named.
    let results = before.home.results();
    let variable = cargo_bench(&before.home, &["--valgrind-args=--nonexistent", "before"])
        .env("IAI_CALLGRIND_CALLGRIND_ARGS", "--nonexistent");
    assert_data_eq!(
        variable.run().code(2).stderr,
        str![[r#"
error: argument `--nonexistent` for callgrind in `--callgrind-args` or IAI_CALLGRIND_CALLGRIND_ARGS: Valgrind does not accept it
...

"#]]
    );
    assert_eq!(before.home.results(), results);
}

#[test]
fn values_that_a_known_argument_does_not_have() {
    let before = Before::new();
    let place = "argument `--cache-sim` for callgrind in";
    before.check(
        &["--callgrind-args=--cache-sim=maybe"],
        2,
        format!("error: {place} `--callgrind-args`: `maybe` is none of `yes`, `no`\n"),
    );
    before.check(
        &["--valgrind-args=--cache-sim="],
        2,
        format!(
            "error: {place} `--valgrind-args`: a value is missing, which stands behind a `=`\n"
        ),
    );
    before.check(
        &["--callgrind-args='--a"],
        2,
        "error: --callgrind-args (IAI_CALLGRIND_CALLGRIND_ARGS): a quote in `'--a` is not closed\n",
    );
}

#[test]
fn options_that_change_nothing() {
    let home = Home::new();
    let typed = [
        "before",
        "--dhat-args=--num-callers=10",
        "--memcheck-metrics=errors",
        "--massif-limits=peakheap=1",
        "--tools=callgrind",
        "--regression-fail-fast",
    ];
    let ended = cargo_bench(&home, &typed).run().code(0);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
warning: `--regression-fail-fast` has no effect, since no benchmark has limits; `--callgrind-limits=ir=5%` sets one
warning: `--tools=callgrind` names no other tool than the default one, which runs in any case
warning: `--dhat-args` has no effect, since no benchmark runs under dhat; `--tools=dhat` adds it
warning: `--massif-limits` has no effect, since no benchmark runs under massif; `--tools=massif` adds it
warning: `--memcheck-metrics` has no effect, since no benchmark runs under memcheck; `--tools=memcheck` adds it

"#]]
    );
    let typed = [
        "before",
        "--callgrind-limits=ir=50%",
        "--regression-fail-fast",
    ];
    cargo_bench(&home, &typed).run().code(0).quiet();
    // Those that cut stacks are said: `--num-callers=10` is too few for the standard library.
    let typed = ["before", "--tools=dhat", "--dhat-args=--num-callers=100"];
    cargo_bench(&home, &typed).run().code(0).quiet();
}

#[test]
fn empty_variables_and_arguments_are_none() {
    let before = Before::new();
    let mut bench = cargo_bench(&before.home, &["before", "--callgrind-args="]);
    for option in [
        "BASELINE",
        "CALLGRIND_ARGS",
        "CALLGRIND_LIMITS",
        "CALLGRIND_METRICS",
        "COLOR",
        "DEFAULT_TOOL",
        "FORK",
        "LOAD_BASELINE",
        "LOG",
        "NOCAPTURE",
        "PARALLEL",
        "PARTITION",
        "SAVE_BASELINE",
        "STRICT",
        "TIMEOUT",
        "TOOLS",
        "VALGRIND_ARGS",
        "VALGRIND_BIN",
    ] {
        bench = bench.env(format!("IAI_CALLGRIND_{option}"), "");
    }
    bench.run().code(0).quiet().unchanged();
    let tools = ["--tools=dhat", "--dhat-args=", "--valgrind-args", " "];
    let ended = cargo_bench(&before.home, &[&["before"][..], &tools].concat()).run();
    ended.code(0).quiet();
}

/// Cargo is asked for nothing, and where one stands plays no part.
#[test]
fn started_by_hand_without_cargo_and_elsewhere() {
    let before = Before::new();
    let path = std::env::var_os("PATH").unwrap();
    let valgrind = std::env::split_paths(&path).map(|folder| folder.join("valgrind"));
    let valgrind = { valgrind }.find(|path| path.is_file()).unwrap();
    let mut command = Command::new(build::bench("endings"));
    let output = command
        .args(["before", "--bench", "--valgrind-bin"])
        .arg(valgrind)
        .current_dir("/")
        .env_clear()
        .env("PATH", "/no/such/folder")
        .env("IAI_CALLGRIND_HOME", before.home.path())
        .env("IAI_CALLGRIND_RUNNER", build::runner())
        .output()
        .unwrap();
    let ended = Ended {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        status: output.status,
    };
    ended.code(0).quiet().unchanged();
}

#[test]
fn much_output_stops_no_further_tool() {
    let home = Home::new();
    let typed = ["ends", "--tools=dhat,memcheck", "--timeout=60"];
    let floods = || cargo_bench(&home, &typed).env("ENDING", "floods");
    floods().run().code(0).quiet();
    let own = floods().arg("--fork=no").run().code(0);
    own.without("stdout");
    // Shown once, not for each tool.
    let shown = floods().arg("--nocapture").run().code(0);
    assert_eq!(shown.stdout.matches("stdout before it").count(), 20_000);
    assert_eq!(shown.stderr.matches("stderr before it").count(), 20_000);
}

/// Who waits sees for what.
#[test]
fn the_headline_stands_before_the_benchmark_is_done() {
    let copied = Copied::new("endings");
    let home = Home::new();
    let started = copied.beside("started");
    let bench = copied.bench().measure(&home).args(["ends"]);
    let run = bench
        .env("ENDING", "spins")
        .env("STARTED", &started)
        .start();
    wait_until("the benchmark runs", || started.exists());
    assert_eq!(run.stdout(), "endings::group::ends ending()\n");
    run.signal(Signal::SIGTERM);
    run.wait().signalled(Signal::SIGTERM);
}

#[test]
fn the_version_is_that_of_the_runner() {
    let home = Home::new();
    let ended = cargo_bench(&home, &["--version"]).run().code(0).quiet();
    let version = iai_callgrind::protocol::VERSION;
    assert_eq!(ended.stdout, format!("iai-callgrind-runner {version}\n"));
}
