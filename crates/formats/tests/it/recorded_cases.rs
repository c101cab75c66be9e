//! No recorded case is left out, and what the logs and Valgrind's own programs say follows from the
//! readers' figures. What only one tool has is in `callgrind_files.rs` and `tool_files.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use iai_callgrind_formats::callgrind::{CallgrindItem, PositionName};
use iai_callgrind_formats::log::{self, Amount, Log};
use iai_callgrind_formats::{cachegrind, callgrind, massif};
use serde_json::{json, Map, Value};

const VERSIONS: [&str; 3] = ["3.19.0", "3.24.0", "3.27.1"];

/// How many cases there are of each tool, one number for each version, and how many damaged files.
const CASES: [(&str, [usize; 3], usize); 8] = [
    ("cachegrind", [10, 7, 11], 15),
    ("callgrind", [41, 19, 41], 86),
    ("dhat", [14, 9, 13], 32),
    ("drd", [4, 2, 4], 0),
    ("exp-bbv", [5, 2, 5], 6),
    ("helgrind", [4, 3, 4], 0),
    ("massif", [15, 7, 15], 19),
    ("memcheck", [17, 10, 17], 0),
];

const DAMAGED_LOGS: usize = 18;

/// Names of the tools in the first line of a log.
const NAMES: [(&str, &str); 8] = [
    ("cachegrind", "Cachegrind, a "),
    ("callgrind", "Callgrind, a "),
    ("dhat", "DHAT, a "),
    ("drd", "drd, a "),
    ("exp-bbv", "exp-bbv, a "),
    ("helgrind", "Helgrind, a "),
    ("massif", "Massif, a "),
    ("memcheck", "Memcheck, a "),
];

fn data(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder)
}

fn expected(folder: &Path) -> Map<String, Value> {
    serde_json::from_slice(&fs::read(folder.join("expected.json")).unwrap()).unwrap()
}

fn cases(tool: &str, version: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(data(tool).join(version)).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Every case of a tool, and how many logs there are in all of them.
fn each_log(tool: &str, mut check: impl FnMut(&Path, &str, &Log, &Value)) -> usize {
    let mut count = 0;
    for version in VERSIONS {
        for folder in cases(tool, version) {
            let expected = expected(&folder);
            for (name, facts) in expected["log"].as_object().unwrap() {
                let log = log::read_file(&folder.join(name)).unwrap().unwrap();
                check(&folder, version, &log, facts);
                count += 1;
            }
        }
    }
    count
}

#[test]
fn every_case_is_there() {
    let mut damaged = 0;
    for (tool, counts, malformed) in CASES {
        let found = VERSIONS.map(|version| cases(tool, version).len());
        assert_eq!(found, counts, "{tool}");
        let folder = data("malformed").join(tool);
        let judged = match malformed {
            0 => 0,
            _ => expected(&folder).len(),
        };
        assert_eq!(judged, malformed, "{tool}");
        damaged += malformed;
    }
    assert_eq!(expected(&data("malformed/log")).len(), DAMAGED_LOGS);
    let perf = expected(&data("malformed/perf")).len();
    assert_eq!(damaged + DAMAGED_LOGS + perf, 186);
}

#[test]
fn logs_name_tool_version_process_and_command() {
    let mut logs = 0;
    for (tool, name) in NAMES {
        logs += each_log(tool, |folder, version, log, facts| {
            assert!(log.tool.as_ref().unwrap().starts_with(name), "{folder:?}");
            assert_eq!(log.version.as_deref(), Some(version), "{folder:?}");
            assert_eq!(json!(log.pid), facts["pid"], "{folder:?}");
            assert_eq!(json!(log.parent_pid), facts["parent_pid"], "{folder:?}");
            let command = log.command.as_deref().map(String::from_utf8_lossy);
            assert_eq!(command.as_deref(), facts["command"].as_str(), "{folder:?}");
        });
    }
    assert!(logs > 300, "{logs}");
}

/// The counters of each process, by name.
type Counters = BTreeMap<String, u64>;

fn add(counters: &mut Counters, events: &[String], totals: &[u64]) {
    for (event, count) in events.iter().zip(totals) {
        *counters.entry(event.clone()).or_default() += count;
    }
}

/// Checks the sums of a log against the counters of its process.
fn check_sums(folder: &Path, facts: &Value, counters: &Counters) -> usize {
    let sum = |events: &[&str]| -> u64 {
        let counts = events
            .iter()
            .map(|event| counters.get(*event).copied().unwrap_or(0));
        counts.sum()
    };
    let mut checked = 0;
    for (group, key, events) in [
        ("refs", "I", &[&["Ir"][..]][..]),
        ("refs", "D", &[&["Dr", "Dw"], &["Dr"], &["Dw"]]),
        (
            "refs",
            "LL",
            &[&["I1mr", "D1mr", "D1mw"], &["I1mr", "D1mr"], &["D1mw"]],
        ),
        ("misses", "I1", &[&["I1mr"]]),
        ("misses", "LLi", &[&["ILmr"]]),
        ("misses", "D1", &[&["D1mr", "D1mw"], &["D1mr"], &["D1mw"]]),
        ("misses", "LLd", &[&["DLmr", "DLmw"], &["DLmr"], &["DLmw"]]),
        (
            "misses",
            "LL",
            &[&["ILmr", "DLmr", "DLmw"], &["ILmr", "DLmr"], &["DLmw"]],
        ),
        ("branches", "Branches", &[&["Bc", "Bi"], &["Bc"], &["Bi"]]),
        (
            "branches",
            "Mispredicts",
            &[&["Bcm", "Bim"], &["Bcm"], &["Bim"]],
        ),
    ] {
        let Some(said) = facts.get(group).and_then(|group| group[key].as_array()) else {
            continue;
        };
        for (said, events) in said.iter().zip(events) {
            assert_eq!(
                *said,
                json!(sum(events)),
                "{folder:?} {group} {key} {events:?}"
            );
            checked += 1;
        }
    }
    checked
}

#[test]
fn callgrinds_logs_sum_up_what_its_files_hold() {
    let mut checked = 0;
    each_log("callgrind", |folder, _, log, facts| {
        let mut counters = Counters::new();
        for name in expected(folder)["files"].as_object().unwrap().keys() {
            let profile = callgrind::read_totals_of_file(&folder.join(name)).unwrap();
            for part in profile.into_iter().flat_map(|profile| profile.parts) {
                if part.pid == log.pid || part.pid.is_none() {
                    add(&mut counters, &part.events, &part.totals);
                }
            }
        }
        checked += check_sums(folder, facts, &counters);
    });
    assert!(checked > 800, "{checked}");
}

#[test]
fn cachegrinds_logs_sum_up_what_its_files_hold() {
    let mut checked = 0;
    each_log("cachegrind", |folder, _, log, facts| {
        let path = folder.join(format!("cachegrind.out.{}", log.pid.unwrap()));
        if !path.exists() {
            assert_eq!(facts.get("refs"), None, "{folder:?}"); // killed
            return;
        }
        let profile = cachegrind::read_file(&path).unwrap().unwrap();
        let mut counters = Counters::new();
        add(&mut counters, &profile.events, &profile.totals);
        checked += check_sums(folder, facts, &counters);
    });
    assert!(checked > 100, "{checked}");
}

#[test]
fn dhats_logs_have_the_expected_sums() {
    let logs = each_log("dhat", |folder, _, log, facts| {
        let pair = |amount: Amount| json!([amount.bytes, amount.blocks]);
        let Some(expected) = facts.get("dhat").and_then(Value::as_object) else {
            assert_eq!(log.dhat, None, "{folder:?}");
            return;
        };
        let dhat = log.dhat.unwrap();
        let said: Map<String, Value> = [
            ("Total", Some(pair(dhat.total))),
            ("At t-gmax", dhat.gmax.map(pair)),
            ("At t-end", dhat.end.map(pair)),
            ("Reads", dhat.reads.map(|bytes| json!([bytes]))),
            ("Writes", dhat.writes.map(|bytes| json!([bytes]))),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?)))
        .collect();
        assert_eq!(said, *expected, "{folder:?}");
    });
    assert_eq!(logs, 40);
}

#[test]
fn massif_has_as_many_snapshots_as_ms_print_shows() {
    let mut checked = 0;
    for folder in VERSIONS.iter().flat_map(|version| cases("massif", version)) {
        for (name, facts) in expected(&folder)["files"].as_object().unwrap() {
            let profile = massif::read_file(&folder.join(name)).unwrap().unwrap();
            let snapshots = profile.snapshots.iter().enumerate();
            let detailed = snapshots.filter(|(_, snapshot)| snapshot.detailed);
            let detailed: Vec<usize> = detailed.map(|(number, _)| number).collect();
            // ms_print cannot read all of them.
            if facts["number_of_snapshots"].is_number() {
                assert_eq!(json!(profile.snapshots.len()), facts["number_of_snapshots"]);
                assert_eq!(json!(detailed), facts["detailed"], "{folder:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 30, "{checked}");
}

/// In a second run the error tools wrote XML, which counts every error by itself.
#[test]
fn memcheck_and_helgrind_count_as_many_errors_as_their_xml() {
    let mut checked = 0;
    for tool in ["memcheck", "helgrind"] {
        for folder in VERSIONS.iter().flat_map(|version| cases(tool, version)) {
            let expected = expected(&folder);
            let logs = expected["log"].as_object().unwrap();
            let ([name], Some(xml)) = (&*logs.keys().collect::<Vec<_>>(), expected.get("xml"))
            else {
                continue;
            };
            let log = log::read_file(&folder.join(name)).unwrap().unwrap();
            let Some(errors) = log.errors else { continue };
            // There, losses of memory are no errors.
            if xml["errors"].is_number() && xml["leak_records"] == 0 {
                assert_eq!(json!(errors.errors), xml["errors"], "{folder:?}");
                assert_eq!(json!(errors.contexts), xml["contexts"], "{folder:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 30, "{checked}");
}

/// Who called whom, how often and from which line.
type Calls = Vec<(String, String, u64, u64)>;

/// The self costs of each function, and the calls, in the order of the file.
fn functions(bytes: &[u8]) -> (BTreeMap<String, Vec<u64>>, Calls) {
    let mut costs_of: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut calls = Vec::new();
    let (mut function, mut callee) = (String::new(), String::new());
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    callgrind::read_with(bytes, |event| match event {
        CallgrindItem::Place(PositionName::Function(name)) => function = text(name),
        CallgrindItem::Callee(PositionName::Function(name)) => callee = text(name),
        CallgrindItem::Cost { costs, .. } => {
            let sums = costs_of.entry(function.clone()).or_default();
            sums.resize(costs.len(), 0);
            sums.iter_mut()
                .zip(costs)
                .for_each(|(sum, cost)| *sum += cost);
        }
        CallgrindItem::Call {
            count, positions, ..
        } => {
            let line = *positions.last().unwrap();
            calls.push((function.clone(), callee.clone(), count, line));
        }
        _ => {}
    })
    .unwrap();
    (costs_of, calls)
}

/// The hand-made profiles that say more than totals.
#[test]
fn functions_and_calls_of_damaged_profiles_are_as_expected() {
    let folder = data("malformed/callgrind");
    let mut checked = 0;
    for (case, expected) in &expected(&folder) {
        let bytes = || fs::read(folder.join(case)).unwrap();
        let number = |key: &str| expected.get(key).and_then(Value::as_u64);
        if let Some(expected) = expected.get("self") {
            assert_eq!(json!(functions(&bytes()).0), *expected, "{case}");
            checked += 1;
        }
        if let Some(sum) = expected.get("sum_of_self") {
            let sums = functions(&bytes()).0.into_values();
            let sums = sums.reduce(|a, b| a.iter().zip(b).map(|(a, b)| a + b).collect());
            assert_eq!(json!(sums.unwrap()), *sum, "{case}");
            checked += 1;
        }
        if let Some(calls) = expected.get("calls") {
            let found = functions(&bytes()).1.into_iter();
            let found: Vec<Value> = found
                .map(|(caller, callee, count, _)| json!([caller, callee, count]))
                .collect();
            let mut missing = calls.as_array().unwrap().iter();
            assert!(
                missing.all(|call| found.contains(call)),
                "{case}: {found:?}"
            );
            assert_eq!(found.len(), calls.as_array().unwrap().len(), "{case}");
            checked += 1;
        }
        if let Some(line) = number("func1_calls_func2_at_line") {
            let calls = functions(&bytes()).1;
            let call = |(caller, callee, ..): &&(String, String, u64, u64)| {
                caller == "func1" && callee == "func2"
            };
            assert_eq!(calls.iter().find(call).unwrap().3, line, "{case}");
            checked += 1;
        }
    }
    assert_eq!(checked, 6);
}
