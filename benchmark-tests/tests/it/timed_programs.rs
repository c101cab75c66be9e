//! Wall time of programs: what runs how often and where, what cannot be timed, and the copies that
//! are kept. No test asks for a statement about time, for which a machine may be too busy.

use std::fs;
use std::path::PathBuf;

use benchmark_tests::binary::{command, program, program_path, Binary};
use benchmark_tests::executables::{copy, script};
use benchmark_tests::Ended;
use iai_callgrind::protocol::{Command, Config, ExitWith, Input, Stdin, Stdio, Throughput};
use serde_json::Value;

const TIME: &str = "--time=50ms";

/// `Time [ms]` or, if the machine is busy, `CPU time [ms]`.
const ROW: &str = "ime [";

fn time(binary: &Binary) -> Value {
    let summary = binary.home.summary("binary::group::case");
    assert!(summary["time"].is_object(), "{summary:#}");
    summary["time"].clone()
}

fn starts(binary: &Binary) -> usize {
    time(binary)["starts"].as_u64().unwrap() as usize
}

fn kept(binary: &Binary) -> Vec<PathBuf> {
    let entry = binary.home.entry("binary::group::case");
    let directory = entry.ancestors().nth(2).unwrap().join(".executables");
    let files = fs::read_dir(directory).into_iter().flatten();
    files.map(|file| file.unwrap().path()).collect()
}

/// A shell that runs a script.
fn shell(script: &str) -> Command {
    command("sh", &["-c", script])
}

/// Runs a benchmark with `--time`; it has this text, and is counted.
#[track_caller]
fn check(binary: &Binary, words: &[&str], texts: &[&str]) -> Ended {
    let ended = binary.run(&[&[TIME], words].concat()).code(0).quiet();
    assert!(binary.home.count("binary::group::case", "Ir") > 0);
    assert_eq!(binary.left(), [""; 0]);
    ended.shows(texts)
}

#[test]
fn a_program_is_timed_with_its_kept_copy_and_counts_as_before() {
    let binary = Binary::new().case("case", program(&["work", "1000"]));
    binary.run(&[]).code(0).quiet().without(ROW);
    let counted = || binary.home.new_values("binary::group::case");
    let alone = counted();
    check(&binary, &[], &["(no old executable)"]);
    assert_eq!(counted(), alone);
    let first = time(&binary);
    assert_eq!(first["class"], "no_old");
    assert_eq!((&first["calls"], &first["pairs"]), (&1.into(), &1.into()));
    assert!(first["median_ns"].as_f64().unwrap() > 0.0);
    let copies = kept(&binary);
    assert_eq!(copies.len(), 1);
    assert_eq!(
        fs::read(&copies[0]).unwrap(),
        fs::read(program_path()).unwrap()
    );
    check(&binary, &[], &[ROW]);
    assert_eq!(counted(), alone);
    let second = time(&binary);
    assert!(second["old_median_ns"].is_number(), "{second:#}");
    assert_eq!(second["executables"][0], second["executables"][1]);
    assert_eq!(second["executables"][0], first["executables"][0]);
    assert_eq!(kept(&binary), copies);
    // Neither counts nor code changed.
    let changed = binary.run(&["--time=changed"]).code(0);
    changed.quiet().without(ROW);
    assert_eq!(time(&binary)["class"], "unchanged");
    fs::remove_file(&copies[0]).unwrap();
    let text = "time: the old executable is not kept any more";
    check(&binary, &[], &["(not compared)", text]);
}

#[test]
fn each_run_has_its_own_surroundings() {
    let binary = Binary::new();
    let order = binary.place("order");
    let hook = |name: &str| format!("echo {name} >> {order}; touch {name}");
    // The sandbox is new: nothing is left of the run before.
    let run = format!("echo * >> {order}; read line; echo $line >> {order}; echo shown; exit 3");
    let stdin = binary.place("stdin");
    fs::write(&stdin, "stdin\n").unwrap();
    let command = Command {
        stdin: Stdin::File(stdin.into()),
        ..shell(&run)
    };
    let binary = binary
        .case("case", command)
        .setup(&hook("setup"))
        .teardown(&hook("teardown"))
        .config(Config {
            exit_with: Some(ExitWith::Code(3)),
            ..Config::default()
        })
        .sandbox(&[]);
    let expected = "setup\nsetup\nstdin\nteardown\n";
    let all = |runs: usize| {
        let seen = fs::read_to_string(binary.place("order")).unwrap();
        assert_eq!(seen, expected.repeat(runs));
    };
    check(&binary, &[], &[ROW]).without("shown");
    // Counted once, and run once before the clock.
    let runs = 2 + starts(&binary);
    all(runs);
    check(&binary, &[], &[ROW]).without("shown");
    all(runs + 3 + 2 * starts(&binary));
}

#[test]
fn files_of_streams_are_written_and_other_output_is_discarded() {
    let binary = Binary::new();
    let out = binary.place("out");
    let command = Command {
        stdout: Stdio::File(out.clone().into()),
        stderr: Stdio::Inherit,
        ..shell("echo text; echo other >&2")
    };
    let binary = binary.case("case", command);
    let ended = binary.run(&[TIME]).code(0);
    // The counted run has shown it.
    assert_eq!(ended.stderr.matches("other").count(), 1, "{ended}");
    assert_eq!(fs::read_to_string(out).unwrap(), "text\n");
}

#[test]
fn programs_that_cannot_be_timed_are_counted() {
    let binary = Binary::new();
    let marker = binary.place("marker");
    let once = format!("[ ! -e {marker} ] || exit 7; : > {marker}");
    let binary = binary.case("case", shell(&once));
    let text = "time: cannot be run again and again: it ended with exit code 7";
    check(&binary, &[], &["(not measured)", text]);
    let time = time(&binary);
    assert_eq!(
        (&time["class"], &time["median_ns"]),
        (&"not_judged".into(), &Value::Null)
    );

    let reads = Command {
        stdin: Stdin::Inherit,
        ..shell("true")
    };
    let binary = Binary::new().case("case", reads);
    let text =
        "cannot be run again and again: only its first run finds what the runner's stdin has";
    check(&binary, &[], &["(not measured)", text]);

    let binary = Binary::new();
    let marker = binary.place("marker");
    let teardown = format!("[ ! -e {marker} ] || exit 5; touch {marker}");
    let binary = binary
        .case("case", program(&["nothing"]))
        .teardown(&teardown);
    let text = "cannot be run again and again: its teardown ended with exit code 5";
    check(&binary, &[], &["(not measured)", text]);
}

#[test]
fn some_programs_are_timed_alone() {
    let binary = Binary::new();
    let path = script(binary.folder(), "script", "#!/bin/sh\nexit 0\n");
    let binary = binary.case("case", command(path.to_str().unwrap(), &[]));
    let text = "time: its program is a script, and the programs that it starts are not kept";
    for _ in 0..2 {
        check(&binary, &[], &["(not compared)", text]);
    }
    assert!(kept(&binary).is_empty());

    let binary = Binary::new().case("case", command("./program", &["nothing"]));
    let fixture = PathBuf::from(binary.place("program"));
    copy(program_path(), &fixture);
    let binary = binary.sandbox(&[&fixture]);
    let text = "time: its program has a relative path, so it belongs to its directory";
    check(&binary, &[], &["(not compared)", text]);
    assert!(time(&binary)["median_ns"].is_number());
}

#[test]
fn old_programs_are_those_of_another_home_or_of_builds() {
    let base = Binary::new().case("case", program(&["nothing"]));
    let binary = || Binary::new().case("case", program(&["nothing"]));
    check(&base, &[], &["(no old executable)"]);
    let place = format!("--time-base={}", base.home.path().display());
    let branch = binary();
    check(&branch, &[&place], &[ROW]);
    let times = time(&branch);
    assert!(times["old_median_ns"].is_number(), "{times:#}");
    assert_eq!(times["executables"][1], time(&base)["executables"][0]);
    // Another benchmark that was not measured there.
    let other = Binary::new()
        .case("case", program(&["nothing"]))
        .case("other", program(&["nothing"]));
    let text = "time: the results of `--time-base` have no executable of this benchmark";
    let ended = other.run(&[TIME, &place, "other"]).code(0).quiet();
    ended.shows(&["(not compared)", text]);

    let builds = tempfile::tempdir().unwrap();
    let deps = builds.path().join("deps");
    fs::create_dir(&deps).unwrap();
    let place = format!("--time-base={}", deps.display());
    let text = "time: the directory of `--time-base` has no program of this name";
    check(&binary(), &[&place], &["(not compared)", text]);
    let name = PathBuf::from(program_path());
    let old = builds.path().join(name.file_name().unwrap());
    copy(&name, &old);
    let branch = binary();
    check(&branch, &[&place], &[ROW]);
    assert!(time(&branch)["old_median_ns"].is_number());
    // What fails is named, and costs nothing else.
    fs::remove_file(&old).unwrap();
    script(
        builds.path(),
        name.file_name().unwrap().to_str().unwrap(),
        "#!/bin/sh\nexit 9\n",
    );
    let text = "time: the old executable cannot be timed: it ended with exit code 9";
    let branch = binary();
    check(&branch, &[&place], &["(not compared)", text]);
    assert!(time(&branch)["median_ns"].is_number());
}

#[test]
fn other_arguments_under_the_same_number_are_not_compared() {
    let with = |text: &str, binary: Binary| {
        let input = Input {
            text: text.to_owned(),
            positional: true,
        };
        binary.group(|group| group.functions[0].cases[0].input = Some(input))
    };
    let binary = with("1", Binary::new().case("case", program(&["nothing"])));
    check(&binary, &[], &["(no old executable)"]);
    let binary = with("2", binary);
    binary.run(&[TIME]).code(0).shows(&["(different input)"]);
    let time = time(&binary);
    assert_eq!(
        (&time["class"], &time["reason"]),
        (&"no_old".into(), &"different input".into())
    );
    assert!(time["median_ns"].is_number() && time["ratio"].is_null());
}

#[test]
fn what_a_program_handles_is_shown_per_second() {
    let amounts = Throughput {
        bytes: Some(2_000_000),
        elements: None,
    };
    let binary = Binary::new().case("case", program(&["nothing"]));
    let binary = binary.group(|group| {
        group.functions[0].cases[0].throughput = Some(Box::new(amounts));
    });
    check(&binary, &[], &["  Bytes/Second ["]).without("Elements/Second");
    assert_eq!(time(&binary)["throughput"]["new"]["bytes"], 2_000_000);
}
