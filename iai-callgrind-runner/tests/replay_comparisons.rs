//! What is compared, and what is said where a comparison would be none: other units, other events,
//! other arguments, several parts.

#[path = "replayed/recorded.rs"]
mod recorded;
mod replayed;

use std::fs;
use std::path::{Path, PathBuf};

use iai_callgrind_runner::exit::Exit;
use recorded::{copy, everything, Recorded};
use replayed::{Replayed, Shown};

/// A recording of Callgrind alone: a case of the parsers' tests.
fn callgrind(case: &str) -> Recorded {
    let recorded = Recorded::new(&[]);
    let works = recorded.of("callgrind");
    fs::remove_dir_all(&works).unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/callgrind/3.27.1");
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
            "  SysTime (ns):                       12800|N/A ",
            "  SysCpuTime (ns):                    10074|N/A ",
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
        &["  SysTime (ns):                       12800|12800                (No change)"],
    );
    assert_eq!(shown.err, "");

    let shown = run(&replayed, &milliseconds, &[metrics]);
    shows(
        &shown,
        &[
            "  SysCount:                               5|5                    (No change)",
            "  SysTime (ms):                           0|N/A                  (*********)",
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
                "warning: the last run was made with other arguments for callgrind: {difference}\n"
            )
        });
        assert_eq!(shown.err, note.unwrap_or_default());
    }
    let branch = "--callgrind-args=--branch-sim=yes";
    check(&replayed, &recorded, &[], None);
    check(&replayed, &recorded, &[], None);
    check(
        &replayed,
        &recorded,
        &[branch],
        Some("without `--branch-sim=yes`"),
    );
    check(&replayed, &recorded, &[branch], None);
    let simulation = "--callgrind-args=--cache-sim=no --branch-sim=yes";
    let difference = "`--cache-sim=yes` instead of `--cache-sim=no`";
    check(&replayed, &recorded, &[simulation], Some(difference));
    let quiet = "--callgrind-args=--cache-sim=no --branch-sim=yes --fair-sched=no -v";
    check(&replayed, &recorded, &[quiet], None);
    check(
        &replayed,
        &recorded,
        &[],
        Some("`--cache-sim=no --branch-sim=yes` instead of `--cache-sim=yes`"),
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
