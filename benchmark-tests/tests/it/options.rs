//! Options and variables, as they show in what runs: the log, the environment of benchmarks, the
//! test mode, mistakes.

use std::process::Command;

use benchmark_tests::{build, Bench, Home};
use snapbox::{assert_data_eq, str};

const LOG: &str = "IAI_CALLGRIND_LOG";

/// The lines of a log with this word behind the name of a benchmark or hook.
fn lines<'a>(log: &'a str, word: &str) -> Vec<&'a str> {
    let lines = log.lines().filter(|line| line.starts_with("debug: "));
    let word = format!(" {word} ");
    lines
        .filter_map(|line| Some(line.split_once(&word)?.1))
        .collect()
}

#[test]
fn every_process_is_in_the_log_and_can_be_pasted_into_a_shell() {
    let home = Home::new();
    for fork in ["--fork=yes", "--fork=no"] {
        let bench = Bench::new("counts")
            .measure(&home)
            .args(["nops_1000", fork]);
        let ended = bench.env(LOG, "debug").run().code(0);
        let started = lines(&ended.stderr, "starts");
        assert!(
            ended.stderr.contains("--iai-callgrind describe "),
            "{ended}"
        );
        let valgrind = started
            .iter()
            .find(|line| line.contains("--tool=callgrind"));
        let valgrind = valgrind.unwrap_or_else(|| panic!("{ended}"));
        assert!(valgrind.contains(" && env -i "), "{valgrind}");
        assert!(
            valgrind.contains("IAI_CALLGRIND_PADDING=$(printf "),
            "{valgrind}"
        );

        let [by_hand] = lines(&ended.stderr, "by hand")[..] else {
            panic!("{ended}")
        };
        let folder = tempfile::tempdir().unwrap();
        let (_, rest) = by_hand.split_once(" && ").unwrap();
        let line = format!("(cd {} && {rest}", folder.path().display());
        let output = Command::new("sh").args(["-c", &line]).output().unwrap();
        assert!(output.status.success(), "{line}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let collected = said
            .lines()
            .find_map(|line| line.split_once("Collected : "));
        let counts: Vec<&str> = collected
            .unwrap_or_else(|| panic!("{said}"))
            .1
            .split(' ')
            .collect();
        let expected = home.count("counts::exact::nops_1000", "Ir");
        assert_eq!(counts[0], expected.to_string(), "{said}");
    }
}

#[test]
fn hooks_are_in_the_log() {
    let home = Home::new();
    let order = tempfile::NamedTempFile::new().unwrap();
    let bench = Bench::new("hooks")
        .measure(&home)
        .env("ORDER", order.path());
    let ended = bench.env(LOG, "debug").run();
    let hooks = |hook: &str| {
        let started = lines(&ended.stderr, "starts");
        let words = "--iai-callgrind assist ";
        let of_hook = |line: &&&str| line.contains(words) && line.ends_with(&format!(" {hook})"));
        started.iter().filter(of_hook).count()
    };
    assert!(hooks("setup") > 0 && hooks("teardown") > 0, "{ended}");
}

#[test]
fn a_silent_log_hides_no_error() {
    let home = Home::new();
    let bench = Bench::new("counts")
        .measure(&home)
        .arg("--valgrind-bin=/no/such/file");
    let ended = bench.env(LOG, "off").run().code(1);
    ended.says(&["error: `/no/such/file`, given by `--valgrind-bin`"]);
    let bench = Bench::new("counts").measure(&home).env(LOG, "debgu");
    bench
        .run()
        .code(2)
        .says(&["error: IAI_CALLGRIND_LOG: `debgu` is none of `off`, `error`, "]);
}

#[test]
fn variables_of_benchmarks() {
    let home = Home::new();
    let run = |arguments: &[&str]| {
        let bench = Bench::new("counts")
            .measure(&home)
            .arg("nops_1000")
            .args(arguments);
        let bench = bench.env(LOG, "debug").env("MINE", "of the shell");
        let ended = bench.env_remove("HOME").run().code(0);
        let started = lines(&ended.stderr, "starts");
        let valgrind = started
            .iter()
            .find(|line| line.contains("--tool=callgrind"));
        valgrind.unwrap_or_else(|| panic!("{ended}")).to_string()
    };
    let cleared = run(&[]);
    assert!(
        !cleared.contains(" MINE=") && !cleared.contains(" PATH="),
        "{cleared}"
    );
    let passed = run(&["--envs=MINE 'OWN=a b'", "--envs=ABSENT"]);
    assert!(
        passed.contains(" MINE='of the shell' ") && passed.contains(" OWN='a b' "),
        "{passed}"
    );
    assert!(
        !passed.contains("ABSENT") && !passed.contains(" PATH="),
        "{passed}"
    );
    let all = run(&["--env-clear=no"]);
    assert!(
        all.contains(" MINE='of the shell' ") && all.contains(" PATH="),
        "{all}"
    );
}

#[test]
fn quiet_shows_what_went_wrong_and_the_end() {
    let home = Home::new();
    let bench = || {
        Bench::new("counts")
            .measure(&home)
            .args(["nops_1000", "-q"])
    };
    let ended = bench().run().code(0).quiet();
    assert_data_eq!(
        ended.stdout,
        str![[r#"

Iai-Callgrind result: First results. 1 without regressions; 0 regressed; 0 compared; 1 new; 10 filtered; 1 benchmarks finished in [..]s

"#]]
    );
    let ended = bench()
        .arg("--callgrind-limits=ir=1000")
        .run()
        .code(3)
        .quiet();
    assert_data_eq!(
        ended.stdout,
        str![[r#"

Regressions:

  counts::exact::nops_1000:
    Callgrind: Instructions ([..]): [..] exceeds limit of 1000 by [..]

Iai-Callgrind result: Regressed. 0 without regressions; 1 regressed; 1 compared; 10 filtered; 1 benchmarks finished in [..]s

"#]]
    );
}

#[test]
fn the_test_mode_and_the_list_on_request() {
    let home = Home::new();
    let bench = || Bench::new("counts").measure(&home).arg("nops_1");
    let list = "counts::exact::nops_1: benchmark\ncounts::exact::nops_1000: benchmark\n";
    let runner = || {
        let runner = Bench::at(&build::runner()).args(["bench", "--exe"]);
        runner.arg(build::bench("counts")).args(["--", "nops_1"])
    };
    for bench in [bench(), runner()] {
        let listed = bench.args(["--list", "-q"]).run().code(0).quiet();
        assert_eq!(listed.stdout, list);
    }
    for bench in [bench(), runner()] {
        let listed = bench.env("IAI_CALLGRIND_LIST", "yes").run().code(0).quiet();
        assert_eq!(listed.stdout, format!("{list}\n0 tests, 2 benchmarks\n"));
    }
    for bench in [bench(), runner()] {
        let tested = bench.args(["--test", "--nocapture"]).run().code(0).quiet();
        assert!(
            tested
                .stdout
                .contains("\ntest counts::exact::nops_1 ... ok\n"),
            "{tested}"
        );
        assert!(
            tested
                .stdout
                .contains("\ntest result: ok. 2 passed; 0 failed; "),
            "{tested}"
        );
    }
    let tested = bench().arg("--quiet").env("IAI_CALLGRIND_TEST", "1").run();
    let tested = tested.code(0).quiet();
    assert!(
        tested
            .stdout
            .starts_with("\nrunning 2 tests\n..\n\ntest result: ok. "),
        "{tested}"
    );
    assert!(home.names().is_empty());
    // Without `--bench`, as cargo starts it for `cargo test --benches`.
    let measured = Bench::new("counts").arg("--test=no").arg("nops_1000");
    measured
        .arg("--home")
        .arg(home.path())
        .run()
        .code(0)
        .quiet();
    assert!(home.has("counts::exact::nops_1000"));
}

#[test]
fn targets_have_results_of_their_own() {
    let home = Home::new();
    let bench = Bench::new("counts").measure(&home).arg("nops_1000");
    bench.arg("--separate-targets").run().code(0).quiet();
    let folders: Vec<_> = std::fs::read_dir(home.path()).unwrap().collect();
    let [Ok(of_target)] = &folders[..] else {
        panic!("{folders:?}")
    };
    let name = of_target.file_name().into_string().unwrap();
    let arch = std::env::consts::ARCH;
    assert!(name.starts_with(arch) && name.contains("-linux"), "{name}");
    assert!(Home::at(&of_target.path()).has("counts::exact::nops_1000"));
}

#[test]
fn a_filter_from_the_environment() {
    let home = Home::new();
    let bench = || {
        Bench::new("counts")
            .measure(&home)
            .env("IAI_CALLGRIND_FILTER", "nops_1000")
    };
    bench().run().code(0).quiet();
    assert!(home.has("counts::exact::nops_1000") && !home.has("counts::exact::nops_0"));
    bench().arg("nops_0").run().code(0).quiet();
    assert!(home.has("counts::exact::nops_0"));
}

#[test]
fn mistakes_are_refused_in_all_modes() {
    for arguments in [&["--list"][..], &["--test"], &["--bench"]] {
        let bench = || Bench::new("counts").args(arguments);
        bench()
            .arg("--skp")
            .arg("x")
            .run()
            .code(2)
            .says(&["error: unexpected argument '--skp' found"]);
        bench()
            .arg("--list=maybe")
            .run()
            .code(2)
            .says(&["error: invalid value 'maybe' for '--list"]);
        if !arguments.contains(&"--list") {
            let named = bench().env("IAI_CALLGRIND_LIST", "maybe").run().code(2);
            named.says(&[
                "invalid value 'maybe' for '",
                "IAI_CALLGRIND_LIST': expected `yes` or",
            ]);
        }
        let open = bench().arg("sort[").run().code(2);
        open.says(&["the filter `sort[` is a pattern with a `[` that no `]` closes"]);
    }
}

#[test]
fn ignored_benchmarks_do_not_exist() {
    let home = Home::new();
    let bench = Bench::new("counts").measure(&home).arg("--ignored");
    let ended = bench.run().code(0);
    ended.says(&["warning: no benchmark is ignored, and `--ignored` wants only these"]);
    let bench = Bench::new("counts").measure(&home).arg("nops_1000");
    bench.arg("--include-ignored").run().code(0).quiet();
}

#[test]
fn old_names_are_refused_or_warned_of() {
    let home = Home::new();
    let bench = || Bench::new("counts").measure(&home).arg("nops_1000");
    let ended = bench().arg("--regression=Ir=5").run().code(2);
    ended.says(&["error: `--regression` has another name now; write `--callgrind-limits=ir=5%`"]);
    let bench = bench().env("IAI_CALLGRIND_REGRESSION", "default");
    let ended = bench.env("RUST_LOG", "debug").run().code(0);
    assert_eq!(
        ended.stderr,
        "warning: the variable IAI_CALLGRIND_REGRESSION has no effect; \
         set IAI_CALLGRIND_CALLGRIND_LIMITS=ir=10%\n"
    );
}
