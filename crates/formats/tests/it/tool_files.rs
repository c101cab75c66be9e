//! The readers of all tools but Callgrind against what Valgrind really wrote, and against damaged
//! files.
//!
//! See `data/README.md` for the files and where their expected figures come from.

use std::fs;
use std::path::{Path, PathBuf};

use iai_callgrind_formats::log::{self, Amount, ErrorSummary, Log};
use iai_callgrind_formats::{bbv, cachegrind, dhat, massif, ParseError};
use serde_json::{json, Map, Value};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn json(path: &Path) -> Map<String, Value> {
    serde_json::from_slice(&fs::read(path.join("expected.json")).unwrap()).unwrap()
}

/// Every case of every version of a tool.
fn recorded(tool: &str, least: usize) -> Vec<PathBuf> {
    let versions = ["3.19.0", "3.24.0", "3.27.1"];
    let folders: Vec<PathBuf> = versions
        .iter()
        .flat_map(|version| fs::read_dir(data().join(tool).join(version)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(folders.len() >= least, "{tool}: {}", folders.len());
    folders
}

/// The files of a case that have an entry in its `expected.json`.
fn files(folder: &Path) -> Vec<(PathBuf, Value)> {
    let expected = json(folder);
    let Some(files) = expected.get("files").and_then(Value::as_object) else {
        return Vec::new();
    };
    files
        .iter()
        .map(|(name, facts)| (folder.join(name), facts.clone()))
        .collect()
}

/// Every log of a case.
fn logs(folder: &Path) -> Vec<(Log, Value)> {
    let expected = json(folder);
    let logs = expected["log"].as_object().unwrap();
    let read = |name: &String| log::read_file(&folder.join(name)).unwrap().unwrap();
    logs.iter()
        .map(|(name, facts)| (read(name), facts.clone()))
        .collect()
}

/// Result of reading a damaged file, in the words of `expected.json`.
fn outcome<T>(result: &Result<Option<T>, ParseError>, is_odd: impl Fn(&T) -> bool) -> &str {
    match result {
        Err(_) => "reject",
        Ok(None) => "no_data",
        Ok(Some(profile)) if is_odd(profile) => "flag",
        Ok(Some(_)) => "accept",
    }
}

/// Reads every damaged file of a tool.
fn damaged(tool: &str, least: usize, mut check: impl FnMut(&str, &[u8], &Value)) {
    let folder = data().join("malformed").join(tool);
    let cases = json(&folder);
    assert!(cases.len() >= least, "{tool}: {}", cases.len());
    for (case, expected) in &cases {
        let bytes = fs::read(folder.join(case)).unwrap();
        check(case, &bytes, expected);
    }
}

#[track_caller]
fn check_line<T>(case: &str, result: &Result<Option<T>, ParseError>, expected: &Value) {
    if let (Err(error), Some(line)) = (result, expected["line"].as_u64()) {
        assert_eq!(error.line(), Some(line), "{case}: {error}");
    }
}

// ---- Cachegrind

#[test]
fn cachegrind_totals_are_those_of_cg_annotate_and_of_the_log() {
    for folder in recorded("cachegrind", 25) {
        let logs = logs(&folder);
        for (path, facts) in files(&folder) {
            let profile = cachegrind::read_file(&path).unwrap().unwrap();
            assert_eq!(profile.flags, [], "{path:?}");
            assert_eq!(json!(profile.events), facts["events"], "{path:?}");
            // cg_annotate cannot read all of them.
            if !facts["program_totals"].is_null() {
                assert_eq!(json!(profile.totals), facts["program_totals"], "{path:?}");
            }
            let pid = path.extension().unwrap().to_str().unwrap().parse().ok();
            let (_, facts) = logs.iter().find(|(log, _)| log.pid == pid).unwrap();
            assert_eq!(json!([profile.totals[0]]), facts["refs"]["I"], "{path:?}");
        }
    }
}

#[test]
fn cachegrind_caches_are_named_as_callgrind_names_them() {
    let path = data().join("cachegrind/3.27.1/plain/cachegrind.out.1001");
    let profile = cachegrind::read_file(&path).unwrap().unwrap();
    assert_eq!(
        profile.caches,
        [
            "I1 cache: 32768 B, 64 B, 8-way associative",
            "D1 cache: 32768 B, 64 B, 8-way associative",
            "LL cache: 8388608 B, 64 B, 16-way associative",
        ]
    );
    assert_eq!(profile.command.unwrap(), b"/build/bin/compute");
}

#[test]
fn damaged_cachegrind_files_are_judged_as_expected() {
    damaged("cachegrind", 15, |case, bytes, expected| {
        let result = cachegrind::read(bytes);
        let judged = outcome(&result, |profile| !profile.flags.is_empty());
        assert_eq!(judged, expected["must"], "{case}: {result:?}");
        if let (Ok(Some(profile)), Some(totals)) = (&result, expected.get("totals")) {
            assert_eq!(json!(profile.totals), *totals, "{case}");
        }
        check_line(case, &result, expected);
    });
}

#[test]
fn a_cachegrind_file_that_ends_inside_a_line_is_not_complete() {
    let read = |end: &str| {
        let text = format!("events: Ir\nfl=a\nfn=f\n1 5\nsummary: 5\n{end}");
        cachegrind::read(text.as_bytes()).unwrap().unwrap()
    };
    for (end, flags) in [
        ("", &[][..]),
        ("\n", &[]),
        (" ", &[]),
        ("summary: 6", &[cachegrind::CachegrindFlag::Incomplete]),
        ("fl=b", &[cachegrind::CachegrindFlag::Incomplete]),
    ] {
        let profile = read(end);
        assert_eq!(profile.flags, flags, "{end:?}");
        assert_eq!(profile.totals, [5], "{end:?}");
    }
}

// ---- DHAT

fn sums(sums: &dhat::DhatSums) -> Value {
    let mut object = Map::new();
    let numbers = [
        ("tb", Some(sums.total_bytes)),
        ("tbk", Some(sums.total_blocks)),
        ("tl", sums.total_lifetimes),
        ("mb", sums.maximum_bytes),
        ("mbk", sums.maximum_blocks),
        ("gb", sums.gmax_bytes),
        ("gbk", sums.gmax_blocks),
        ("eb", sums.end_bytes),
        ("ebk", sums.end_blocks),
        ("rb", sums.read_bytes),
        ("wb", sums.written_bytes),
    ];
    for (key, number) in numbers {
        object.extend(number.map(|number| (key.to_owned(), json!(number))));
    }
    Value::Object(object)
}

/// Every expected figure is there; others may be as well.
#[track_caller]
fn check_sums(place: &str, actual: &dhat::DhatSums, expected: &Value) {
    let actual = sums(actual);
    for (key, figure) in expected.as_object().unwrap() {
        assert_eq!(actual[key], *figure, "{place}: {key}");
    }
}

#[test]
fn dhat_sums_are_those_of_the_log_and_of_each_function() {
    for folder in recorded("dhat", 30) {
        let logs = logs(&folder);
        for (path, facts) in files(&folder) {
            let place = path.display().to_string();
            let profile = dhat::read_file(&path).unwrap().unwrap();
            let total = profile.sum(|_| true).unwrap();
            let (log, _) = logs
                .iter()
                .find(|(log, _)| log.pid == Some(profile.pid))
                .unwrap();
            let said = log.dhat.unwrap();
            let bytes_and_blocks = |bytes: Option<u64>, blocks: Option<u64>| {
                bytes
                    .zip(blocks)
                    .map(|(bytes, blocks)| Amount { bytes, blocks })
            };
            assert_eq!(said.total.bytes, total.total_bytes, "{place}");
            assert_eq!(said.total.blocks, total.total_blocks, "{place}");
            if !profile.points.is_empty() && profile.lifetimes {
                assert_eq!(
                    said.gmax,
                    bytes_and_blocks(total.gmax_bytes, total.gmax_blocks),
                    "{place}"
                );
                assert_eq!(
                    said.end,
                    bytes_and_blocks(total.end_bytes, total.end_blocks),
                    "{place}"
                );
                assert_eq!(said.reads, total.read_bytes, "{place}");
                assert_eq!(said.writes, total.written_bytes, "{place}");
            }
            if facts["not_json"] == true {
                continue;
            }
            assert_eq!(json!(profile.points.len()), facts["program_points"]);
            assert_eq!(json!(profile.frames.len()), facts["frames"]);
            check_sums(&place, &total, &facts["total"]);
            if facts["utf8"] == false {
                continue; // names of `by_frame` are in another encoding
            }
            for (function, expected) in facts["by_frame"].as_object().unwrap() {
                let of_function = |point: &dhat::ProgramPoint| {
                    profile.functions(point).any(|other| other == function)
                };
                let sum = profile.sum(of_function).unwrap();
                check_sums(&format!("{place}: {function}"), &sum, expected);
            }
        }
    }
}

#[test]
fn dhat_counts_what_the_program_allocates() {
    for version in ["3.19.0", "3.24.0", "3.27.1"] {
        let folder = data().join("dhat").join(version).join("alloc");
        let expected = json(&folder)["by_hand"].clone();
        let profile = dhat::read_file(&folder.join("dhat.out.1001"))
            .unwrap()
            .unwrap();
        for function in ["small_blocks", "growing", "big_block", "kept_blocks"] {
            let of_function = |point: &dhat::ProgramPoint| {
                profile.functions(point).any(|other| other == function)
            };
            check_sums(
                &format!("{version}: {function}"),
                &profile.sum(of_function).unwrap(),
                &expected[function],
            );
        }
    }
}

#[test]
fn damaged_dhat_files_are_judged_as_expected() {
    damaged("dhat", 30, |case, bytes, expected| {
        let result = dhat::read(bytes);
        let judged = outcome(&result, |profile| !profile.flags.is_empty());
        assert_eq!(judged, expected["must"], "{case}: {result:?}");
        if let (Ok(Some(profile)), Some(total)) = (&result, expected.get("total")) {
            check_sums(case, &profile.sum(|_| true).unwrap(), total);
        }
    });
}

// ---- Massif

#[test]
fn massif_snapshots_are_those_of_ms_print() {
    for folder in recorded("massif", 35) {
        for (path, facts) in files(&folder) {
            let profile = massif::read_file(&path).unwrap().unwrap();
            assert_eq!(profile.flags, [], "{path:?}");
            // ms_print cannot read all of them.
            let Some(expected) = facts["snapshots"].as_array() else {
                continue;
            };
            let snapshots = profile.snapshots.iter().map(|snapshot| {
                json!([
                    snapshot.time,
                    snapshot.total,
                    snapshot.heap,
                    snapshot.extra,
                    snapshot.stacks
                ])
            });
            assert_eq!(snapshots.collect::<Vec<_>>(), *expected, "{path:?}");
        }
    }
}

#[test]
fn massif_peak_is_exact_when_asked_for() {
    for version in ["3.19.0", "3.27.1"] {
        let path = data()
            .join("massif")
            .join(version)
            .join("exact_peak/massif.out.1001");
        let profile = massif::read_file(&path).unwrap().unwrap();
        // By the text of the program: 1, 3, … 1999 twice, and 2, 4, … 2000.
        assert_eq!(profile.peak().unwrap().heap, 3_001_000);
    }
}

/// The snapshot that the runner adds is no snapshot of Massif's own.
#[test]
fn a_massif_file_can_have_the_snapshot_of_the_end() {
    let path = data().join("massif/3.19.0/exact_peak/massif.out.1001");
    let text = std::fs::read_to_string(path).unwrap();
    let whole = massif::read(text.as_bytes()).unwrap().unwrap();
    assert_eq!(whole.end, None);
    let end = massif::MassifSnapshot {
        time: 7_000_000,
        heap: 20_548,
        extra: 12,
        total: 20_560,
        ..massif::MassifSnapshot::default()
    };
    let more = text + &massif::end_snapshot(whole.snapshots.len(), &end);
    let with_end = massif::read(more.as_bytes()).unwrap().unwrap();
    assert_eq!(with_end.end, Some(end));
    assert_eq!(with_end.snapshots, whole.snapshots);
    assert_eq!(with_end.peak(), whole.peak());
    assert_eq!(with_end.flags, whole.flags);
}

#[test]
fn damaged_massif_files_are_judged_as_expected() {
    damaged("massif", 18, |case, bytes, expected| {
        let result = massif::read(bytes);
        let judged = outcome(&result, |profile| !profile.flags.is_empty());
        assert_eq!(judged, expected["must"], "{case}: {result:?}");
        let Ok(Some(profile)) = result else { return };
        let peak = profile.peak().copied().unwrap_or_default();
        for (key, actual) in [
            ("snapshots", profile.snapshots.len() as u64),
            ("peak_total_B", peak.total),
            ("peak_heap_B", peak.heap),
            ("peak_extra_B", peak.extra),
            ("peak_stacks_B", peak.stacks),
        ] {
            if let Some(figure) = expected.get(key) {
                assert_eq!(json!(actual), *figure, "{case}: {key}");
            }
        }
    });
}

// ---- exp-bbv

fn totals(totals: &bbv::BbvTotals) -> Value {
    json!({
        "thread": totals.thread,
        "Total intervals": totals.intervals,
        "Total instructions": totals.instructions,
        "Total reps": totals.reps,
        "Unique reps": totals.unique_reps,
        "Total fldcw instructions": totals.fldcw,
    })
}

#[test]
fn bbv_logs_and_files_have_the_expected_totals() {
    for folder in recorded("exp-bbv", 12) {
        for (log, facts) in logs(&folder) {
            let threads: Vec<Value> = log.threads.iter().map(totals).collect();
            assert_eq!(json!(threads), facts["bbv"], "{folder:?}");
        }
        for (path, facts) in files(&folder) {
            if path
                .file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("pc")
            {
                continue;
            }
            let profile = bbv::read_file(&path).unwrap().unwrap();
            assert_eq!(json!(profile.intervals), facts["intervals"], "{path:?}");
            assert_eq!(
                json!(profile.in_intervals),
                facts["instructions_in_intervals"],
                "{path:?}"
            );
        }
    }
}

#[test]
fn damaged_bbv_files_are_judged_as_expected() {
    damaged("exp-bbv", 6, |case, bytes, expected| {
        let result = bbv::read(bytes);
        let judged = outcome(&result, |profile| !profile.flags.is_empty());
        assert_eq!(judged, expected["must"], "{case}: {result:?}");
        let Ok(Some(profile)) = result else { return };
        if let Some(intervals) = expected.get("intervals") {
            assert_eq!(json!(profile.intervals), *intervals, "{case}");
        }
        if let Some(instructions) = expected.get("instructions") {
            let totals = profile.totals.unwrap();
            assert_eq!(json!(totals.instructions), *instructions, "{case}");
        }
    });
}

// ---- error tools

fn numbers(errors: &ErrorSummary) -> [u64; 4] {
    [
        errors.errors,
        errors.contexts,
        errors.suppressed,
        errors.suppressed_contexts,
    ]
}

#[test]
fn logs_of_error_tools_have_the_expected_summaries() {
    for (tool, least) in [("memcheck", 40), ("helgrind", 10), ("drd", 9)] {
        for folder in recorded(tool, least) {
            for (log, facts) in logs(&folder) {
                let errors = log.errors.as_ref().map(numbers);
                let expected = facts.get("error_summary").cloned();
                assert_eq!(errors.map(|errors| json!(errors)), expected, "{folder:?}");
                assert_eq!(
                    log.flags.contains(&log::LogFlag::Incomplete),
                    expected.is_none(),
                    "{folder:?}"
                );
                // The log has texts if and only if it counts errors.
                let found = log.errors.is_some_and(|errors| errors.errors > 0);
                assert_eq!(!log.records.lines.is_empty(), found, "{folder:?}: {log:#?}");
                let amounts = |amount: &Amount| json!([amount.bytes, amount.blocks]);
                assert_eq!(
                    log.heap.at_exit.as_ref().map(amounts),
                    facts.get("in_use_at_exit").cloned(),
                    "{folder:?}"
                );
                assert_eq!(
                    log.heap.usage.map(|usage| json!(usage)),
                    facts.get("heap_usage").cloned(),
                    "{folder:?}"
                );
                let leaks: Map<String, Value> = log
                    .heap
                    .leaks
                    .iter()
                    .map(|(kind, amount)| (kind.clone(), amounts(amount)))
                    .collect();
                let expected = facts.get("leaks").cloned().unwrap_or(json!({}));
                assert_eq!(Value::Object(leaks), expected, "{folder:?}");
            }
        }
    }
}

#[test]
fn the_first_errors_are_kept_as_text() {
    let log = log::read_file(&data().join("memcheck/3.27.1/reads/log.1001"));
    let records = log.unwrap().unwrap().records;
    assert_eq!(records.lines.len(), 16);
    assert_eq!(records.lines[0], "Invalid read of size 1");
    assert_eq!(records.lines[1], "   at 0x400116F: bad_read (faulty.c:12)");
    assert_eq!(records.lines[6], "");
    assert!(!records.cut);
    let log = log::read_file(&data().join("helgrind/3.27.1/race/log.1001"));
    let records = log.unwrap().unwrap().records;
    // Where threads come from is no error.
    let race = "Possible data race during read of size 4 at 0x";
    assert!(records.lines[0].starts_with(race), "{records:#?}");
    assert!(!records
        .lines
        .iter()
        .any(|line| line.contains("was created")));
}

#[test]
fn files_whose_debug_information_was_skipped_are_named() {
    let text = "==7== Callgrind, a call-graph generating cache profiler\n\
        ==7== Command: /a/z\n==7== Parent PID: 5\n==7== \n\
        --7-- WARNING: Serious error when reading debug info\n\
        --7-- When reading debug info from /a/z:\n\
        --7--    Compression type is unsupported\n\
        --7-- WARNING: Serious error when reading debug info\n\
        --7-- When reading debug info from /usr/lib/libx.so.1:\n\
        --7--    Can't make sense of .debug_line section mapping\n\
        ==7== \n==7== Events    : Ir\n==7== Collected : 294417\n";
    let log = log::read(text.as_bytes()).unwrap().unwrap();
    let reason = |program: &str| Some(log.unread_of(Path::new(program))?.1.as_str());
    assert_eq!(reason("/a/z"), Some("Compression type is unsupported"));
    // By the name alone, since Valgrind resolves links.
    let line = "Can't make sense of .debug_line section mapping";
    assert_eq!(reason("/elsewhere/libx.so.1"), Some(line));
    assert_eq!(reason("/a/y"), None);
    assert_eq!(log.collected, [294_417]);
}

/// Inlined frames of the standard library and deep recursions leave the rest of an error its room.
#[test]
fn stacks_are_shortened_before_lines_are_left_out() {
    let line = |text: &str| format!("==7== {text}\n");
    let stack = |name: &str| {
        let deep = (0..30).map(|depth| line(&format!("   by 0x{depth:X}: {name}{depth} (a.rs:1)")));
        line("   at 0x1: lock (library/std/src/sync.rs:5)")
            + &line("   by 0x1: inlined (library/core/src/cell.rs:7)").repeat(20)
            + &deep.collect::<String>()
    };
    let text = line("Helgrind, a thread error detector")
        + &line("Command: x")
        + &line("Parent PID: 5")
        + &line("")
        + &line("---Thread-Announcement------------------------------------------")
        + &line("")
        + &line("Thread #2 was created")
        + &stack("main")
        + &line("")
        + &line("----------------------------------------------------------------")
        + &line("")
        + &line("Possible data race during write of size 8 at 0x5 by thread #2")
        + &line("Locks held: none")
        + &stack("writer")
        + &line("")
        + &line("This conflicts with a previous read of size 8 by thread #1")
        + &stack("reader")
        + &line("ERROR SUMMARY: 1 errors from 1 contexts (suppressed: 0 from 0)");
    let records = log::read(text.as_bytes()).unwrap().unwrap().records;
    let lines: Vec<&str> = records.lines.iter().map(String::as_str).collect();
    assert!(!records.cut);
    assert_eq!(lines[1], "Locks held: none");
    assert_eq!(lines[2], "   at 0x1: lock (library/std/src/sync.rs:5)");
    assert_eq!(lines[3], "   by 0x0: writer0 (a.rs:1)");
    assert_eq!(lines[13], "   by 0xA: writer10 (a.rs:1)");
    assert_eq!(lines[14..16], ["   …", ""]);
    assert!(lines[16].starts_with("This conflicts with a previous read"));
    assert_eq!(lines[29], "   …");
}

#[test]
fn collected_counts_are_those_of_the_events_before_them() {
    let lines = |rest: &str| format!("==7== Callgrind\n==7== Command: x\n{rest}");
    let twice = lines("==7== Events    : Ir Dr\n==7== Collected : 5 6\n==7== Events    : Ir\n");
    let log = log::read(twice.as_bytes()).unwrap().unwrap();
    assert_eq!((log.events.len(), log.collected.len()), (1, 0));
    let once = lines("==7== Events    : Ir Dr\n==7== Collected : 5\n");
    let log = log::read(once.as_bytes()).unwrap().unwrap();
    assert_eq!(log.collected, [5, 0]);
}

#[test]
fn damaged_logs_are_judged_as_expected() {
    damaged("log", 18, |case, bytes, expected| {
        let result = log::read(bytes);
        let judged = match outcome(&result, |log| !log.flags.is_empty()) {
            "no_data" => "reject", // a log is never empty: the run has no result then
            judged => judged,
        };
        assert_eq!(judged, expected["must"], "{case}: {result:?}");
        let Ok(Some(log)) = result else { return };
        if let Some(summary) = expected.get("error_summary") {
            assert_eq!(json!(numbers(&log.errors.unwrap())), *summary, "{case}");
        }
        if let Some(expected) = expected.get("dhat") {
            let dhat = log.dhat.unwrap();
            let amount =
                |amount: Option<Amount>| json!([amount.unwrap().bytes, amount.unwrap().blocks]);
            let actual = json!({
                "Total": amount(Some(dhat.total)),
                "At t-gmax": amount(dhat.gmax),
                "At t-end": amount(dhat.end),
                "Reads": [dhat.reads.unwrap()],
                "Writes": [dhat.writes.unwrap()],
            });
            assert_eq!(actual, *expected, "{case}");
        }
    });
}
