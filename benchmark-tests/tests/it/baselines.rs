//! Results that are kept under a name, and what is compared with them.

use std::collections::BTreeMap;

use benchmark_tests::bench::{wait_until, Ended};
use benchmark_tests::{Bench, Home};
use nix::sys::signal::Signal;

/// Runs the benchmark that ends as it is told.
fn ends(home: &Home, arguments: &[&str]) -> Bench {
    let bench = Bench::new("endings").measure(home).arg("ends");
    bench.args(arguments)
}

/// The same, with more instructions.
fn talks(home: &Home, arguments: &[&str]) -> Bench {
    ends(home, arguments).env("ENDING", "talks")
}

/// The files of baselines.
fn baselines(home: &Home) -> BTreeMap<String, Vec<u8>> {
    let mut files = home.results();
    files.retain(|name, _| name.contains(".base@"));
    files
}

/// The line with the names of what is compared.
fn line(new: &str, old: &str) -> String {
    format!("\n  Baselines:           {new:>20}|{old}\n")
}

/// What a run shows, without its time and the hint that is given once.
fn report(ended: &Ended) -> String {
    let (text, _) = ended
        .stdout
        .split_once("  hint: no limits are set")
        .unwrap_or((&ended.stdout, ""));
    let is_of_run =
        |line: &&str| line.contains("finished in") || line.starts_with("  Saved as a baseline: ");
    let lines = text.lines().filter(|line| !is_of_run(line));
    lines.map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn a_baseline_is_saved_and_compared_with() {
    let home = Home::new();
    let saved = ends(&home, &["--save-baseline", "main"])
        .run()
        .code(0)
        .quiet();
    saved
        .shows(&[&line("main", "main (old)"), "|N/A "])
        .without("No change");
    let folder = "measured-benchmarks/endings/group/ends";
    let names: Vec<String> = home.results().into_keys().collect();
    let expected = [
        "callgrind.ends.digest.base@main",
        "callgrind.ends.log.base@main",
        "callgrind.ends.out.base@main",
        "summary.json",
        "summary.json.base@main",
    ];
    assert_eq!(names, expected.map(|name| format!("{folder}/{name}")));

    // There is no last run yet.
    ends(&home, &[])
        .run()
        .code(0)
        .quiet()
        .shows(&["|N/A "])
        .without("Baselines");
    let kept = baselines(&home);
    let same = ends(&home, &["--baseline", "main"]).run().code(0).quiet();
    assert!(same.stdout.contains(&line("", "main")), "{same}");
    assert_eq!(same.stdout.matches("(No change)").count(), 6, "{same}");
    let other = talks(&home, &["--baseline=main"]).run().code(0).quiet();
    other.shows(&[&line("", "main"), "(+", "x]"]);
    let summary = home.summary("endings::group::ends");
    assert_eq!(summary["baselines"]["new"], serde_json::Value::Null);
    assert_eq!(summary["baselines"]["old"], "main");
    assert_eq!(baselines(&home), kept);
    // A run that was compared with a baseline becomes the last run.
    talks(&home, &[]).run().code(0).quiet().unchanged();

    // A baseline that is saved again shows what changes in it.
    let again = talks(&home, &["--save-baseline=main"])
        .run()
        .code(0)
        .quiet();
    again.shows(&[&line("main", "main (old)"), "(+"]);
    assert_ne!(baselines(&home), kept);
    assert!(baselines(&home).keys().eq(kept.keys()));
    let summary = home.summary("endings::group::ends");
    assert_eq!(summary["baselines"]["new"], "main");
    assert_eq!(summary["baselines"]["old"], "main");
    // The last run is still the last run.
    talks(&home, &[]).run().code(0).quiet().unchanged();
}

#[test]
fn one_baseline_is_saved_and_compared_with_another() {
    let home = Home::new();
    ends(&home, &["--save-baseline=v1.0"]).run().code(0).quiet();
    let kept = baselines(&home);
    let both = ["--save-baseline=v1.1-rc", "--baseline=v1.0"];
    let saved = talks(&home, &both).run().code(0).quiet();
    assert!(saved.stdout.contains(&line("v1.1-rc", "v1.0")), "{saved}");
    assert!(kept
        .iter()
        .all(|file| baselines(&home).get(file.0) == Some(file.1)));

    // Loaded, they are the same, without Valgrind and without a change.
    let before = baselines(&home);
    let load = ["--load-baseline", "v1.1-rc", "--baseline", "v1.0"];
    let loaded = ends(&home, &load).env("PATH", "/no/such/folder").run();
    let loaded = loaded.code(0).quiet();
    assert_eq!(report(&loaded), report(&saved));
    assert_eq!(baselines(&home), before);
    let summary = home.summary("endings::group::ends");
    assert_eq!(summary["baselines"]["new"], "v1.1-rc");
    assert_eq!(summary["baselines"]["old"], "v1.0");
    let mirrored = ["--load-baseline=v1.0", "--baseline=v1.1-rc"];
    ends(&home, &mirrored)
        .run()
        .code(0)
        .quiet()
        .shows(&[&line("v1.0", "v1.1-rc"), "(-"]);
    let itself = ["--load-baseline=v1.0", "--baseline=v1.0"];
    ends(&home, &itself)
        .run()
        .code(0)
        .quiet()
        .shows(&[&line("v1.0", "v1.0"), "(No change)"]);
}

#[test]
fn without_a_name_it_is_the_default() {
    let home = Home::new();
    let saved = ends(&home, &["--save-baseline"]).run().code(0).quiet();
    saved.shows(&[&line("default", "default (old)")]);
    let variable = ends(&home, &[]).env("IAI_CALLGRIND_BASELINE", "default");
    let compared = variable.run().code(0).quiet();
    compared.shows(&[&line("", "default"), "(No change)"]);
    ends(&home, &["--load-baseline", "--baseline"])
        .run()
        .code(0)
        .quiet()
        .shows(&[&line("default", "default")]);
}

#[test]
fn limits_are_checked_against_the_baseline() {
    let home = Home::new();
    ends(&home, &["--save-baseline=main"]).run().code(0);
    talks(&home, &[]).run().code(0);
    // Not against the last run, which was as slow.
    let limit = "--callgrind-limits=ir=1%";
    let exceeds = talks(&home, &["--baseline=main", limit]).run().code(3);
    exceeds.shows(&["Performance has regressed: Instructions", "Regressed."]);
    talks(&home, &[limit]).run().code(0);
    talks(&home, &["--save-baseline=feat"]).run().code(0);
    let load = ["--load-baseline=feat", "--baseline=main", limit];
    ends(&home, &load)
        .run()
        .code(3)
        .shows(&["Performance has regressed"]);
}

#[test]
fn arguments_of_loaded_baselines_are_their_own() {
    let home = Home::new();
    let jumps = "--callgrind-args=--collect-jumps=yes";
    ends(&home, &["--save-baseline=a", jumps])
        .run()
        .code(0)
        .quiet();
    ends(&home, &["--save-baseline=b", jumps])
        .run()
        .code(0)
        .quiet();
    ends(&home, &["--save-baseline=c"]).run().code(0).quiet();
    let load = |new: &str, old: &str| {
        let names = [
            format!("--load-baseline={new}"),
            format!("--baseline={old}"),
        ];
        ends(&home, &[&names[0], &names[1]]).run().code(0)
    };
    load("a", "b").quiet();
    let other = load("a", "c");
    assert_eq!(
        other.stderr,
        "warning: the baseline `c` was made with other arguments for callgrind: without \
         `--collect-jumps=yes`; the tool may count differently: nothing is judged\n"
    );
}

const MISSING: &str = "the baseline `mian` has no result to compare with\n  \
                       hint: `cargo bench -- --save-baseline=mian` makes one\n";

#[test]
fn a_missing_baseline_is_one_warning_or_with_strict_an_error() {
    let home = Home::new();
    let lenient = "--baseline-lenient=mian";
    let all = || Bench::new("endings").measure(&home).arg(lenient);
    let warned = all()
        .run()
        .code(0)
        .shows(&["Not compared. 3 without regressions; 0 regressed; 0 compared; 3 not compared; "]);
    assert_eq!(warned.stderr, format!("warning: {MISSING}"));
    assert_eq!(warned.stdout.matches("|N/A ").count(), 18, "{warned}");
    let strict = all().arg("--strict").run().code(1);
    strict
        .says(&[&format!(
            "error: benchmark `endings::group::before` was measured, but {MISSING}"
        )])
        .shows(&["Failed. 0 without regressions; 0 regressed; 0 compared; 3 failed;"]);
    // Measured it was.
    let last = Bench::new("endings").measure(&home).arg("--strict");
    last.run().code(0).quiet().unchanged();
    // The first time a baseline is saved there is none.
    let first = ends(&home, &["--save-baseline=mian"]).env("IAI_CALLGRIND_STRICT", "yes");
    first.run().code(0).quiet();
}

#[test]
fn a_missing_baseline_cannot_be_loaded() {
    let home = Home::new();
    ends(&home, &["--save-baseline=main"]).run().code(0);
    let before = home.results();
    let load = ["--load-baseline=mian", "--baseline=main"];
    let unknown = "error: there is no baseline `mian` of `measured-benchmarks endings`";
    ends(&home, &load)
        .run()
        .code(2)
        .says(&[unknown, "there are: `main`\n"]);
    assert_eq!(home.results(), before);
    // There is one, without a result of this benchmark.
    let other = Bench::new("endings").measure(&home).arg("before");
    other.arg("--save-baseline=mian").run().code(0);
    let before = home.results();
    let folder = home.entry("endings::group::ends");
    ends(&home, &load).run().code(1).says(&[
        "error: benchmark `endings::group::ends` could not be measured\n",
        &format!(
            "caused by: the baseline `mian` has no result of callgrind in `{}`\n",
            folder.display()
        ),
        "hint: `cargo bench -- --save-baseline=mian` makes one\n",
    ]);
    assert_eq!(home.results(), before);
}

#[test]
fn a_baseline_of_another_name_is_a_mistake_before_anything_runs() {
    let home = Home::new();
    ends(&home, &["--save-baseline=main"]).run().code(0);
    let before = home.results();
    let wrong = ends(&home, &["--baseline=mian"]).run().code(2).says(&[
        "error: there is no baseline `mian` of `measured-benchmarks endings`: no benchmark of this file has a result in it\n",
        "there are: `main`\n",
        "hint: did you mean `main`?\n",
        "`--baseline-lenient=mian` runs without it",
    ]);
    assert_eq!(wrong.stdout, "");
    assert_eq!(home.results(), before);
    // Nothing is compared where nothing is selected.
    let nothing = Bench::new("endings").measure(&home);
    nothing.args(&["--baseline=mian", "no_such"]).run().code(0);
}

#[test]
fn benchmarks_of_a_baseline_that_are_gone_end_with_4_under_strict() {
    let home = Home::new();
    ends(&home, &["--save-baseline=main"]).run().code(0);
    let records = home
        .entry("endings::group::ends")
        .join("../../results.jsonl.base@main");
    let text = std::fs::read_to_string(&records).unwrap();
    let benchmark = text.lines().next().unwrap();
    let gone = benchmark.replace("\"endings::group::ends\"", "\"endings::group::gone\"");
    std::fs::write(&records, format!("{gone}\n{text}")).unwrap();
    let message = "warning: 1 benchmark of the baseline `main` is gone, and not measured: `endings::group::gone`\n";
    // The filter does not select it.
    ends(&home, &["--baseline=main"]).run().code(0).quiet();
    let group = |words: &[&str]| {
        let bench = Bench::new("endings").measure(&home);
        bench
            .args(&[
                "endings::group::ends",
                "endings::group::gone",
                "--baseline=main",
            ])
            .args(words)
    };
    let told = group(&[]).run().code(0);
    assert_eq!(told.stderr.matches(message).count(), 1, "{told}");
    told.shows(&["Incomplete. 1 without regressions; 0 regressed; 1 compared; 1 gone; "]);
    group(&["--strict"]).run().code(4).says(&[message]);
}

#[test]
fn strict_wants_a_benchmark_and_metrics_for_its_limits() {
    let home = Home::new();
    ends(&home, &[]).run().code(0);
    let nothing = Bench::new("endings")
        .measure(&home)
        .arg("no such benchmark");
    nothing
        .arg("--strict")
        .run()
        .code(1)
        .says(&["warning: no benchmark matches"]);
    let part = ends(&home, &["--strict", "--partition=count:1/2"]);
    part.run()
        .code(0)
        .says(&["warning: no benchmark is in this part"]);
    let limit = "--callgrind-limits=bcm=1";
    let text = "limits on metrics that were not collected: Bcm\n";
    ends(&home, &[limit])
        .run()
        .code(0)
        .says(&["warning: ", text]);
    let strict = ends(&home, &[limit, "--strict"]).run().code(1);
    strict.says(&[
        "error: benchmark `endings::group::ends` was measured, but ",
        text,
    ]);
}

#[test]
fn a_failed_run_loses_no_baseline() {
    let home = Home::new();
    ends(&home, &["--save-baseline=main"]).run().code(0);
    ends(&home, &[]).run().code(0);
    let before = home.results();
    let save = ["--save-baseline=main"];
    for ending in ["panics", "exits 0", "segfaults"] {
        ends(&home, &save).env("ENDING", ending).run().code(1);
        assert_eq!(home.results(), before, "{ending}");
    }
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGKILL] {
        let spins = ends(&home, &save)
            .env("ENDING", "spins")
            .env("STARTED", &started);
        let run = spins.start();
        wait_until("the benchmark runs", || started.exists());
        run.signal(signal);
        run.wait().signalled(signal);
        std::fs::remove_file(&started).unwrap();
        let mut after = home.results();
        // Leftovers of a killed run are removed by the next one.
        after.retain(|name, _| !name.contains("/.work-"));
        assert_eq!(after, before, "{signal}");
    }
    ends(&home, &["--baseline=main"])
        .run()
        .code(0)
        .quiet()
        .shows(&["(No change)"]);
}

#[test]
fn baselines_of_several_tools() {
    let home = Home::new();
    let tools = "--tools=dhat,memcheck,massif";
    let saved = ends(&home, &[tools, "--save-baseline=all"])
        .run()
        .code(0)
        .quiet();
    ends(&home, &["--save-baseline=one"]).run().code(0).quiet();
    let again = ends(&home, &[tools, "--baseline=all"])
        .run()
        .code(0)
        .quiet();
    assert_eq!(again.stdout.matches("Baselines:").count(), 1, "{again}");
    assert!(!again.stdout.contains("N/A"), "{again}");
    let load = [tools, "--load-baseline=all", "--baseline=all"];
    let loaded = ends(&home, &load).run().code(0).quiet();
    for tool in ["CALLGRIND", "DHAT", "MEMCHECK", "MASSIF"] {
        assert!(
            loaded.stdout.contains(&format!("======= {tool} ===")),
            "{loaded}"
        );
    }
    let values = |text: &str| -> Vec<String> {
        let left = text.lines().filter(|line| !line.contains("Baselines"));
        let left = left.filter_map(|line| Some(line.split_once('|')?.0.to_owned()));
        left.collect()
    };
    assert_eq!(values(&loaded.stdout), values(&saved.stdout));
    // The other tools have no result there.
    let warned = ends(&home, &[tools, "--baseline=one"]).run().code(0);
    assert_eq!(
        warned
            .stderr
            .matches("the baseline `one` has no result")
            .count(),
        1,
        "{warned}"
    );
    let load = [tools, "--load-baseline=one", "--baseline=all"];
    ends(&home, &load)
        .run()
        .code(1)
        .says(&["has no result of dhat in"]);
}

/// A loaded result is read like the run that made it has read it.
#[track_caller]
fn check_loaded(target: &str, arguments: &[&str]) {
    let home = Home::new();
    let bench = || Bench::new(target).measure(&home).args(arguments);
    let saved = bench().arg("--save-baseline=a").run();
    let saved = saved.code(0);
    let loaded = bench()
        .args(["--load-baseline=a", "--baseline-lenient=b"])
        .run()
        .code(0);
    let values = |ended: &Ended| -> Vec<String> {
        let left = ended
            .stdout
            .lines()
            .filter(|line| !line.contains("Baselines"));
        let left = left.filter_map(|line| Some(line.split_once('|')?.0.to_owned()));
        left.collect()
    };
    assert!(values(&saved).len() >= 6, "{saved}");
    assert_eq!(values(&loaded), values(&saved), "{loaded}");
}

#[test]
fn regions_can_be_loaded() {
    check_loaded("regions", &["around"]);
}

#[test]
fn threads_and_processes_can_be_loaded() {
    check_loaded("threads", &["--show-intermediate", "process", "counted"]);
}

#[test]
fn the_mode_of_a_baseline_is_known() {
    let home = Home::new();
    ends(&home, &["--save-baseline=own", "--fork=no"])
        .run()
        .code(0);
    let forked = ends(&home, &["--baseline=own"]).run().code(0);
    forked.says(&[
        "warning: the baseline `own` was made in a process of its own, this one in a fork",
    ]);
    ends(&home, &["--save-baseline=forked"])
        .run()
        .code(0)
        .quiet();
    let load = ["--load-baseline=own", "--baseline=own"];
    ends(&home, &load).run().code(0).quiet();
}

#[test]
fn names_and_combinations_that_are_wrong() {
    let home = Home::new();
    for name in ["", "a/b", ".a", "a b", "ä"] {
        for option in ["--baseline", "--save-baseline"] {
            let ended = ends(&home, &[&format!("{option}={name}")]).run().code(2);
            ended.says(&["error: ", option, "baseline"]);
        }
    }
    let alone = ends(&home, &["--load-baseline=a"]).run().code(2);
    alone.says(&[
        "error: the following required arguments were not provided:",
        "--baseline",
    ]);
    let both = ["--load-baseline=a", "--save-baseline=b", "--baseline=c"];
    let both = ends(&home, &both).run().code(2);
    both.says(&["cannot be used with"]);
    assert!(home.names().is_empty());
}
