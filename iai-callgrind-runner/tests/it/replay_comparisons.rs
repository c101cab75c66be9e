//! Comparisons, and messages where results are not comparable: other units, other events, other
//! arguments, several parts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::recorded::{copy, everything, Recorded};
use crate::replayed::{recorded_files, recordings, Replayed, Shown};
use base::exit::Exit;
use cli::JsonFormat;
use records::layout::FileName;

/// A recording of Callgrind alone: a case of the parsers' tests.
#[expect(clippy::disallowed_methods, reason = "a directory of the test")]
fn callgrind(case: &str) -> Recorded {
    let recorded = Recorded::new(&[]);
    let works = recorded.of("callgrind");
    fs::remove_dir_all(&works).unwrap();
    let data = recorded_files().join("callgrind/3.27.1");
    copy(&data.join(case), &works, "callgrind");
    recorded
}

#[track_caller]
fn run(replayed: &Replayed, recorded: &Recorded, words: &[&str]) -> Shown {
    let shown = replayed.run(recorded.path(), &[&["works"], words].concat());
    assert_eq!(shown.exit, Exit::Ok, "{}{}", shown.out, shown.err);
    shown
}

#[track_caller]
fn shows(shown: &Shown, lines: &[&str]) {
    for line in lines {
        assert!(shown.out.contains(line), "{line:?} in\n{}", shown.out);
    }
}

fn summary(replayed: &Replayed) -> serde_json::Value {
    let mut files = replayed.files().into_iter();
    let (_, summary) = files
        .find(|(name, _)| name == "works/summary.json")
        .unwrap();
    serde_json::from_slice(&summary).unwrap()
}

#[test]
fn system_times_have_units_and_other_units_are_not_compared() {
    let replayed = everything();
    let nanoseconds = callgrind("branch_bus_systime");
    let milliseconds = callgrind("systime_msec");
    let metrics = "--callgrind-metrics=@syscalls";
    let shown = run(&replayed, &nanoseconds, &[metrics]);
    shows(
        &shown,
        &[
            "  SysCount:                               5|N/A ",
            "  SysTime:                            12800|N/A ",
            "  SysCpuTime:                         10074|N/A ",
            "  System times in:     ns\n",
        ],
    );
    let metric = |kind: &str| {
        let summary = summary(&replayed);
        let metrics = summary["profiles"][0]["metrics"].as_array().unwrap();
        metrics
            .iter()
            .find(|metric| metric["kind"] == kind)
            .unwrap()
            .clone()
    };
    assert_eq!(metric("SysTime")["unit"], "ns");
    assert_eq!(metric("SysCount")["unit"], serde_json::Value::Null);

    let shown = run(&replayed, &nanoseconds, &[metrics]);
    shows(
        &shown,
        &["  SysTime:                            12800|12800                (No change)"],
    );
    assert_eq!(shown.err, "");

    let shown = run(&replayed, &milliseconds, &[metrics]);
    shows(
        &shown,
        &[
            "  SysCount:                               5|5                    (No change)",
            "  SysTime:                                0|N/A                  (*********)",
            "  System times in:     ms\n",
        ],
    );
    assert_eq!(
        shown.err,
        "warning: the last run counted times in ns, this one in ms\n"
    );
    assert_eq!(metric("SysTime")["old"], serde_json::Value::Null);
    // Nobody who does not see times has to hear of them.
    let shown = run(&replayed, &nanoseconds, &["--callgrind-metrics=ir"]);
    assert_eq!(shown.err, "");
    assert!(!shown.out.contains("System times"), "{}", shown.out);
}

/// Programs read rows up to one that they do not know, and then the headline of the next tool.
#[test]
fn the_unit_of_system_times_stands_behind_the_rows_of_all_tools() {
    let recorded = callgrind("branch_bus_systime");
    let data = recorded_files();
    copy(
        &data.join("memcheck/3.27.1/clean"),
        &recorded.of("memcheck"),
        "",
    );
    let words = [
        "--tools=memcheck",
        "--callgrind-metrics=systime",
        "--memcheck-metrics=errors",
    ];
    let shown = run(&everything(), &recorded, &words);
    let rows: Vec<&str> = shown.out.lines().skip(1).take(5).collect();
    assert_eq!(
        rows,
        [
            "  ======= CALLGRIND ====================================================================",
            "  SysTime:                            12800|N/A                  (*********)",
            "  ======= MEMCHECK =====================================================================",
            "  Errors:                                 0|N/A                  (*********)",
            "  System times in:     ns",
        ]
    );
}

#[test]
fn limits_do_not_compare_times_of_other_units() {
    let replayed = everything();
    run(&replayed, &callgrind("systime_msec"), &[]);
    let limit = ["works", "--callgrind-limits=systime=5%"];
    // From 0 ms to 12 800 ns would be above every limit.
    let shown = replayed.run(callgrind("branch_bus_systime").path(), &limit);
    assert_eq!(shown.exit, Exit::Ok, "{}", shown.out);
}

/// A profile with two counters that no table of ours has, as `--collect-alloc=yes` writes it.
fn with_allocations(counts: &str) -> Recorded {
    let recorded = Recorded::new(&[]);
    let profile = format!(
        "pid: 1001\npositions: line\nevents: Ir allocCount allocSize\nsummary: 2001 {counts}\n\n\
         fn=works\n1 2001 {counts}\n\ntotals: 2001 {counts}\n"
    );
    fs::write(recorded.of("callgrind").join("out.1001"), profile).unwrap();
    recorded
}

#[test]
fn counters_of_unknown_names_are_shown_under_them() {
    let replayed = everything();
    let shown = run(&replayed, &with_allocations("3 120"), &[]);
    shows(
        &shown,
        &[
            "  Instructions:                        2001|N/A                  (*********)\n\
             \u{20} allocCount:                             3|N/A                  (*********)\n\
             \u{20} allocSize:                            120|N/A                  (*********)\n",
        ],
    );
    let shown = run(&replayed, &with_allocations("4 120"), &[]);
    shows(
        &shown,
        &[
            "  allocCount:                             4|3                    (+33.3333%) [+1.33333x]",
            "  allocSize:                            120|120                  (No change)",
        ],
    );
    let summary = summary(&replayed);
    let metrics = summary["profiles"][0]["metrics"].as_array().unwrap();
    let last = metrics.last().unwrap();
    assert_eq!(
        (&last["kind"], &last["new"]),
        (&"allocSize".into(), &120.into())
    );
    // They are gone again.
    let shown = run(&replayed, &Recorded::new(&[]), &[]);
    shows(
        &shown,
        &["  allocCount:                           N/A|4                    (*********)"],
    );
}

#[test]
fn other_arguments_are_mentioned() {
    let replayed = everything();
    let recorded = Recorded::new(&[]);
    #[track_caller]
    fn check(replayed: &Replayed, recorded: &Recorded, words: &[&str], expected: Option<&str>) {
        let shown = run(replayed, recorded, words);
        let note = expected.map(|difference| {
            format!(
                "warning: the last run was made with other arguments for callgrind: {difference}; the \
                 tool may count differently: nothing is judged\n"
            )
        });
        assert_eq!(shown.err, note.unwrap_or_default());
    }
    let jumps = "--callgrind-args=--collect-jumps=yes";
    check(&replayed, &recorded, &[], None);
    check(&replayed, &recorded, &[], None);
    check(
        &replayed,
        &recorded,
        &[jumps],
        Some("without `--collect-jumps=yes`"),
    );
    check(&replayed, &recorded, &[jumps], None);
    let trees = "--callgrind-args=--dump-line=no --collect-jumps=yes";
    let difference = "`--dump-line=yes` instead of `--dump-line=no`";
    check(&replayed, &recorded, &[trees], Some(difference));
    let quiet = "--callgrind-args=--dump-line=no --collect-jumps=yes --fair-sched=no -v";
    check(&replayed, &recorded, &[quiet], None);
    // Without a simulation there is no figure of it to compare, and instructions do not depend on
    // it.
    let simulation =
        "--callgrind-args=--dump-line=no --collect-jumps=yes --cache-sim=no --branch-sim=yes";
    check(&replayed, &recorded, &[simulation], None);
    check(
        &replayed,
        &recorded,
        &[],
        Some("`--dump-line=no --collect-jumps=yes` instead of `--dump-line=yes`"),
    );
}

#[test]
fn parts_have_the_texts_of_their_client_requests() {
    let replayed = everything();
    let recorded = callgrind("parts");
    run(&replayed, &recorded, &[]);
    let shown = run(&replayed, &recorded, &["--show-intermediate"]);
    shows(
        &shown,
        &[
            "  ## pid: 1001 part: 1 ",
            "  ## pid: 1001 part: 2 ",
            "  Trigger:             after two: with colon\n",
            "  ## Total\n",
        ],
    );
    assert_eq!(shown.out.matches("Trigger:").count(), 1, "{}", shown.out);
}

/// Two dumps of the same size in one file: the head of the file and its end look like those of a
/// file with one of them.
fn twice_in_one_file(folder: &Path) -> PathBuf {
    let part = |number: u32| {
        let body: String = (0..60_000).map(|line| format!("{line} 1\n")).collect();
        format!(
            "part: {number}\n\npositions: line\nevents: Ir\nsummary: 60000\n\nfn=main\n{body}\n\
             totals: 60000\n\n"
        )
    };
    let path = folder.join("out.1001");
    fs::write(
        &path,
        format!("version: 1\npid: 1001\n{}{}", part(1), part(2)),
    )
    .unwrap();
    path
}

#[test]
fn dumps_in_one_file_are_all_counted() {
    let replayed = everything();
    let recorded = Recorded::new(&[]);
    twice_in_one_file(&recorded.of("callgrind"));
    let combined = "--callgrind-args=--combine-dumps=yes";
    let shown = run(&replayed, &recorded, &[combined]);
    shows(
        &shown,
        &["  Instructions:                      120000|N/A "],
    );
    // Also as what was before, and as a baseline.
    let shown = run(&replayed, &Recorded::new(&[]), &[]);
    shows(
        &shown,
        &["  Instructions:                        2001|120000 "],
    );
    run(&replayed, &recorded, &[combined, "--save-baseline=a"]);
    let shown = run(&replayed, &Recorded::new(&[]), &["--baseline=a"]);
    shows(
        &shown,
        &["  Instructions:                        2001|120000 "],
    );
}

/// Only where results are written under the name.
#[test]
fn a_saved_baseline_is_named_below_the_result() {
    let replayed = Replayed::new();
    let first = Recorded::new(&[]);
    let run = |words: &[&str]| replayed.run(first.path(), &[&["works"], words].concat());
    let line = "  Saved as a baseline: `cargo bench -- --baseline=main` compares with it\n";
    let saved = run(&["--save-baseline=main"]);
    assert!(saved.out.ends_with(line), "{}", saved.out);
    for words in [
        &["--baseline=main"][..],
        &["--load-baseline=main", "--baseline=main"],
        &["--save-baseline=main", "--nosummary"],
        &[],
    ] {
        let shown = run(words);
        assert!(!shown.out.contains("Saved"), "{words:?}: {}", shown.out);
    }
    let mut json = Replayed::new();
    json.json = Some(JsonFormat::Json);
    let shown = json.run(first.path(), &["works", "--save-baseline=main"]);
    let all = shown.out + &shown.err;
    assert!(!all.contains("Saved"), "{all}");
}

/// On a terminal. In a pipe the row stays, for those who read it.
#[test]
fn a_baseline_that_is_new_is_compared_with_nothing() {
    let mut replayed = Replayed::new();
    replayed.styles.width = Some(80);
    let first = Recorded::new(&[]);
    let saved = || {
        replayed
            .run(first.path(), &["works", "--save-baseline=main"])
            .out
    };
    let shown = saved();
    assert!(shown.contains("(new)"), "{shown}");
    assert!(!shown.contains("Baselines:"), "{shown}");
    let shown = saved();
    assert!(
        shown.contains("  Baselines:           main against main (old)\n"),
        "{shown}"
    );
}

/// Changes a fact in the records of all kept results, as if they had been made elsewhere.
fn made_otherwise(replayed: &Replayed, change: impl Fn(&mut serde_json::Value)) {
    for (name, json) in replayed.files() {
        if name.ends_with("summary.json") {
            let mut summary = serde_json::from_slice(&json).unwrap();
            change(&mut summary);
            fs::write(replayed.folder().join(name), summary.to_string()).unwrap();
        }
    }
}

const OTHER_LIBRARY: &str =
    "the last run was made with glibc 2.31, this one with glibc 2.36; the functions of the C library \
     may count differently: instructions are judged on own code, cache events and cycles are not judged";

#[test]
fn another_c_library_is_said_once_and_limits_on_changes_hold_for_own_code() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &[]);
    let library = |summary: &mut serde_json::Value| summary["system"]["libc"] = "glibc 2.31".into();
    made_otherwise(&replayed, library);
    // `works` grew from 2001 to 3001 instructions, all of them its own, and its limit is 5 %.
    let shown = replayed.run(&recordings("changed"), &[]);
    assert_eq!(shown.exit, Exit::Regression, "{}", shown.out);
    let regressed =
        "Callgrind: Instructions of own code (2001 -> 3001): +49.9750% exceeds limit of +5.00000%";
    assert!(shown.out.contains(regressed), "{}", shown.out);

    // The total grew as much, and own code did not: whoever looks at the last line learns that
    // something is beyond a limit.
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &[]);
    let grown_before = |summary: &mut serde_json::Value| {
        library(summary);
        for object in summary["profiles"][0]["objects"].as_array_mut().unwrap() {
            if object["own"] == true {
                object["Ir"] = 3001.into();
            }
        }
    };
    made_otherwise(&replayed, grown_before);
    let shown = replayed.run(&recordings("changed"), &["works"]);
    assert_eq!(shown.exit, Exit::Ok, "{}", shown.out);
    let last_line = "1 compared; 1 changed outside own code;";
    assert!(shown.out.contains(last_line), "{}", shown.out);

    // Where own code is not known, nobody can tell.
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &[]);
    let other = |summary: &mut serde_json::Value| {
        library(summary);
        summary["profiles"][0]["objects"] = serde_json::json!([]);
    };
    made_otherwise(&replayed, other);
    let shown = replayed.run(&recordings("changed"), &[]);
    assert_eq!(shown.exit, Exit::Ok, "{}", shown.out);
    assert_eq!(shown.err.matches("glibc 2.31").count(), 1, "{}", shown.err);
    assert!(
        shown.err.contains(&format!("warning: {OTHER_LIBRARY}\n")),
        "{}",
        shown.err
    );
    let unjudged =
        "warning: 1 benchmark changed beyond limits that are not checked, since the results were made under \
                    different conditions; the largest change: `bench::kernels::works`: Callgrind: Instructions (2001 -> \
                    3001): +49.9750% exceeds limit of +5.00000%\n";
    assert!(shown.err.contains(unjudged), "{}", shown.err);
    let summary = summary(&replayed);
    assert_eq!(summary["status"], "ok");
    assert_eq!(
        summary["profiles"][0]["regressions"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
    assert!(summary["profiles"][0]["notes"]
        .to_string()
        .contains("glibc 2.31"));

    // A limit on the value itself holds all the same.
    made_otherwise(&replayed, other);
    let shown = replayed.run(&recordings("changed"), &["--callgrind-limits=ir=1"]);
    assert_eq!(shown.exit, Exit::Regression, "{}", shown.out);
    // Nothing differs any more.
    let shown = replayed.run(&recordings("changed"), &[]);
    assert_eq!((shown.exit, shown.err.as_str()), (Exit::Ok, ""));
}

#[test]
fn other_circumstances_are_errors_if_that_is_wanted() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &[]);
    let shown = replayed.run(&recordings("first"), &["--strict"]);
    assert_eq!((shown.exit, shown.err.as_str()), (Exit::Ok, ""));
    made_otherwise(&replayed, |summary| {
        summary["system"]["libc"] = "glibc 2.31".into();
    });
    let shown = replayed.run(&recordings("first"), &["--strict"]);
    assert_eq!(shown.exit, Exit::Error);
    let expected = format!(
        "error: benchmark `bench::kernels::sort::reversed` was measured, but {OTHER_LIBRARY}\n"
    );
    assert!(shown.err.contains(&expected), "{}", shown.err);
    // The reason is said once, and the other benchmark fails for the same.
    assert_eq!(
        shown.err.matches("was measured, but").count(),
        2,
        "{}",
        shown.err
    );
}

/// Each fact of a record, another value, and what is said of it. Limits on changes hold, or not.
#[test]
fn every_fact_of_the_records_is_compared() {
    #[track_caller]
    fn check(place: &str, value: serde_json::Value, expected: &str, judged: bool) {
        let replayed = Replayed::new();
        replayed.run(&recordings("first"), &["works"]);
        made_otherwise(&replayed, |summary| {
            *summary.pointer_mut(place).unwrap() = value.clone();
        });
        let shown = replayed.run(&recordings("changed"), &["works"]);
        assert!(shown.err.contains(expected), "{place}: {}", shown.err);
        let exit = if judged { Exit::Regression } else { Exit::Ok };
        assert_eq!(shown.exit, exit, "{place}: {}", shown.out);
    }
    let of_system = |fact: &str| format!("/system/{fact}");
    check(
        &of_system("rustc"),
        "1.84.0 (9fc6b4312 2025-01-07)".into(),
        "the last run was compiled by rustc 1.84.0 (9fc6b4312 2025-01-07), this one by rustc 1.85.0 ",
        false,
    );
    check(
        &of_system("target"),
        "aarch64-unknown-linux-gnu".into(),
        "the last run was built for `aarch64-unknown-linux-gnu`, this one for `x86_64-unknown-linux-gnu`",
        false,
    );
    check(
        &of_system("cpu_features"),
        serde_json::json!(["avx", "sse4_2"]),
        "the last run was made on a processor with AVX, this one on one with AVX2",
        false,
    );
    check(
        &of_system("build/settings"),
        serde_json::json!({"opt-level": "1", "unknown": "x"}),
        "the last run was built with `opt-level = 1`, this one with `opt-level = 3`",
        false,
    );
    check(
        "/profiles/0/environment/deterministic_random",
        true.into(),
        "the last run was made with `deterministic_random`, this one without",
        false,
    );
    check(
        "/profiles/0/environment/valgrind_version",
        "3.15.0".into(),
        "the last run was made by Valgrind 3.15.0, this one by ",
        true,
    );
    check(
        "/profiles/0/mode",
        "direct".into(),
        "the last run was made in a process of its own, this one in a fork",
        true,
    );
    check(
        "/files/workspace",
        "/elsewhere".into(),
        "the last run is one of the workspace `/elsewhere`, this one of `/build`",
        true,
    );
    // Under Valgrind, nothing of these is seen.
    for (fact, value) in [
        ("cpu", "another processor".into()),
        ("cpu_features", serde_json::json!(["avx", "avx2", "bmi2"])),
        ("runner", "0.17.1".into()),
        ("library", "0.17.1".into()),
        ("rustc", serde_json::Value::Null),
    ] {
        let replayed = Replayed::new();
        replayed.run(&recordings("first"), &["works"]);
        made_otherwise(&replayed, |summary| summary["system"][fact] = value.clone());
        let shown = replayed.run(&recordings("first"), &["works"]);
        assert_eq!(shown.err, "", "{fact}");
    }
}

#[test]
fn records_of_versions_that_knew_less_are_compared_by_what_they_know() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &["works"]);
    made_otherwise(&replayed, |summary| {
        summary["system"]
            .as_object_mut()
            .unwrap()
            .remove("build")
            .unwrap();
        let environment = summary["profiles"][0]["environment"]
            .as_object_mut()
            .unwrap();
        environment.remove("deterministic_random").unwrap();
    });
    let shown = replayed.run(&recordings("changed"), &["works"]);
    // The regression alone.
    assert_eq!(shown.err, "", "{}", shown.out);
    assert_eq!(shown.exit, Exit::Regression);
}

#[test]
fn a_damaged_record_beside_good_results_is_said() {
    for json in ["", "{\"type\":\"bench", "[]", "\u{0}"] {
        let replayed = Replayed::new();
        replayed.run(&recordings("first"), &["works"]);
        fs::write(replayed.folder().join("works/summary.json"), json).unwrap();
        let shown = replayed.run(&recordings("changed"), &["works"]);
        // Nobody knows what the figures were counted with.
        assert_eq!(shown.exit, Exit::Ok, "{}", shown.out);
        shows(
            &shown,
            &["  Instructions:                        3001|N/A "],
        );
        let note = "summary.json` cannot be read: ";
        assert!(shown.err.contains(note), "{json:?}: {}", shown.err);
        let known = "the last result cannot be compared with, its record ";
        assert!(shown.err.contains(known), "{json:?}: {}", shown.err);
        // It is a good one now.
        let shown = replayed.run(&recordings("changed"), &["works"]);
        assert_eq!(shown.err, "");
    }
}

/// A power cut may leave a file without its content, or with a part of it that can be read.
#[test]
#[expect(clippy::disallowed_methods, reason = "what a power cut may do")]
fn a_record_that_does_not_fit_its_files_is_said() {
    type Spoil = fn(&Path);
    let spoils: [(&str, Spoil, &str); 3] = [
        (
            "callgrind.works.log",
            |path| fs::remove_file(path).unwrap(),
            "`callgrind.works.log` is missing",
        ),
        (
            "callgrind.works.log",
            |path| fs::write(path, "").unwrap(),
            "`callgrind.works.log` has 0 bytes instead of ",
        ),
        (
            "callgrind.works.out",
            |path| {
                let text = fs::read_to_string(path).unwrap();
                fs::write(path, text.replace("desc: ", "desc:")).unwrap();
            },
            "`callgrind.works.out` has ",
        ),
    ];
    for (name, spoil, expected) in spoils {
        let replayed = Replayed::new();
        replayed.run(&recordings("first"), &["works"]);
        spoil(&replayed.folder().join("works").join(name));
        let shown = replayed.run(&recordings("changed"), &["works"]);
        assert_eq!(shown.exit, Exit::Ok, "{}", shown.out);
        let said = "the last result cannot be compared with, its record does not fit its files: ";
        let said = format!("{said}{expected}");
        assert!(shown.err.contains(&said), "{said}: {}", shown.err);
        // It is replaced by one that fits.
        let shown = replayed.run(&recordings("changed"), &["works"]);
        assert_eq!(shown.err, "");
    }
}

/// The files of a directory, by their names.
type Files = BTreeMap<String, Vec<u8>>;

#[expect(clippy::disallowed_methods, reason = "what a power cut leaves")]
fn put(directory: &Path, files: &Files) {
    fs::remove_dir_all(directory).unwrap();
    fs::create_dir(directory).unwrap();
    for (name, content) in files {
        fs::write(directory.join(name), content).unwrap();
    }
}

/// Nothing is synced, so a power cut may leave any of the renames by which a new result replaces an
/// old one undone, also the first ones alone, after the note that tells of them is gone. The next
/// run compares with one of both results, or says why it does not.
#[test]
fn what_a_power_cut_leaves_of_a_replacement_is_compared_with_or_said() {
    let replayed = Replayed::new();
    let place = replayed.folder().join("works");
    let files = || -> Files {
        let entries = fs::read_dir(&place).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let named = paths.map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(&path).unwrap())
        });
        named.collect()
    };
    replayed.run(&recordings("first"), &["works"]);
    let before = files();
    replayed.run(&recordings("changed"), &["works"]);
    let after = files();
    let names: Vec<&String> = before.keys().collect();
    let (mut compared, mut told) = (0, 0);
    for state in 0..3_u32.pow(names.len() as u32) {
        let mut left = Files::new();
        let mut states = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let of_name = state / 3_u32.pow(index as u32) % 3;
            states.push(of_name);
            let old = FileName::old(name);
            match of_name {
                0 => drop(left.insert((*name).clone(), before[*name].clone())),
                1 => {}
                _ => drop(left.insert((*name).clone(), after[*name].clone())),
            }
            if of_name > 0 && after.contains_key(&old) {
                left.insert(old.clone(), after[&old].clone());
            }
        }
        put(&place, &left);
        let shown = replayed.run(&recordings("changed"), &["works"]);
        let row = shown
            .out
            .lines()
            .find(|line| line.starts_with("  Instructions:"));
        let old = row.unwrap().split_once('|').unwrap().1;
        let old = old.split_whitespace().next().unwrap();
        match old {
            "N/A" => {
                // Without a record and without what it tells of there is no result.
                let has = |name: &str| left.contains_key(name);
                let is_absent = !has("callgrind.works.out") && !has("summary.json");
                assert!(
                    is_absent || !shown.err.is_empty(),
                    "{names:?} {states:?}: {}",
                    shown.out
                );
                told += 1;
            }
            old => {
                assert!(["2001", "3001"].contains(&old), "{states:?}: {old}");
                compared += 1;
            }
        }
    }
    assert!(compared > 1 && told > compared, "{compared} {told}");
}
