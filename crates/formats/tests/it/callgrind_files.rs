//! The reader of Callgrind's files against what Valgrind really wrote, and against damaged files.
//!
//! See `data/README.md` for the files and where their expected figures come from.

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use iai_callgrind_formats::callgrind::{
    self, CallgrindFlag, CallgrindItem, CallgrindPart, CallgrindProfile, InstructionProfile,
    InstructionReader, PositionKind,
};
use iai_callgrind_formats::log;
use serde_json::Value;

fn data(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(folder)
}

fn expected(folder: &Path) -> Value {
    let text = fs::read(folder.join("expected.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// Numbers, filled up with zeros, as expected figures leave out those at the end.
fn counts(value: &Value, length: usize) -> Vec<u64> {
    let mut counts: Vec<u64> = serde_json::from_value(value.clone()).unwrap();
    counts.resize(length, 0);
    counts
}

fn words(value: &Value) -> Vec<String> {
    serde_json::from_value(value.clone()).unwrap()
}

/// Every case of every version.
fn recorded() -> Vec<PathBuf> {
    let versions = ["3.19.0", "3.24.0", "3.27.1"];
    let folders = versions.iter().flat_map(|version| {
        fs::read_dir(data("callgrind").join(version))
            .unwrap()
            .map(|entry| entry.unwrap().path())
    });
    let folders: Vec<_> = folders.collect();
    assert!(folders.len() > 90);
    folders
}

fn check_part(part: &CallgrindPart, expected: &Value, place: &Path) {
    let length = part.events.len();
    assert_eq!(part.events, words(&expected["events"]), "{place:?}");
    assert_eq!(
        part.totals,
        counts(&expected["totals"], length),
        "{place:?}"
    );
    assert_eq!(
        part.summary,
        Some(counts(&expected["summary"], length)),
        "{place:?}"
    );
    assert_eq!(
        part.pid.map(u64::from),
        expected["pid"].as_u64(),
        "{place:?}"
    );
    assert_eq!(part.part, expected["part"].as_u64(), "{place:?}");
    assert_eq!(part.thread, expected["thread"].as_u64(), "{place:?}");
    let trigger = part.trigger.as_deref().map(String::from_utf8_lossy);
    assert_eq!(
        trigger.as_deref(),
        expected["trigger"].as_str(),
        "{place:?}"
    );
}

#[test]
fn recorded_profiles_have_the_expected_parts() {
    for folder in recorded() {
        for (name, file) in expected(&folder)["files"].as_object().unwrap() {
            let path = folder.join(name);
            let bytes = fs::read(&path).unwrap();
            let profile = callgrind::read(&*bytes).unwrap();
            let Some(parts) = file["parts"].as_array() else {
                assert_eq!(profile, None, "{path:?}");
                continue;
            };
            let profile = profile.unwrap();
            assert_eq!(profile.parts.len(), parts.len(), "{path:?}");
            for (part, expected) in profile.parts.iter().zip(parts) {
                check_part(part, expected, &path);
                let harmless = |flag: &CallgrindFlag| *flag == CallgrindFlag::UnknownSpec;
                assert!(
                    part.flags.iter().all(harmless),
                    "{path:?}: {:?}",
                    part.flags
                );
            }
            assert_eq!(
                callgrind::read_totals_of_file(&path).unwrap(),
                Some(profile),
                "{path:?}"
            );
        }
    }
}

/// All parts of a case together.
fn whole_case(folder: &Path) -> CallgrindProfile {
    let mut whole = CallgrindProfile::default();
    for name in expected(folder)["files"].as_object().unwrap().keys() {
        let profile = callgrind::read_totals_of_file(&folder.join(name)).unwrap();
        whole
            .parts
            .extend(profile.into_iter().flat_map(|profile| profile.parts));
    }
    whole
}

#[test]
fn logs_collected_what_the_profiles_hold() {
    for folder in recorded() {
        let mut collected: BTreeMap<String, u64> = BTreeMap::new();
        for (name, facts) in expected(&folder)["log"].as_object().unwrap() {
            let path = folder.join(name);
            let log = log::read_file(&path).unwrap().unwrap();
            let version = folder.parent().unwrap().file_name().unwrap().to_str();
            assert_eq!(log.version.as_deref(), version, "{path:?}");
            assert_eq!(
                log.tool.as_deref(),
                Some("Callgrind, a call-graph generating cache profiler"),
                "{path:?}"
            );
            assert_eq!(log.pid.map(u64::from), facts["pid"].as_u64(), "{path:?}");
            assert_eq!(
                log.parent_pid.map(u64::from),
                facts["parent_pid"].as_u64(),
                "{path:?}"
            );
            let command = log.command.as_deref().map(String::from_utf8_lossy);
            assert_eq!(command.as_deref(), facts["command"].as_str(), "{path:?}");
            assert_eq!(log.fatal, Vec::<String>::new(), "{path:?}");
            if facts.get("events").is_none() {
                assert_eq!(log.events, Vec::<String>::new(), "{path:?}");
                continue;
            }
            assert_eq!(log.events, words(&facts["events"]), "{path:?}");
            assert_eq!(
                log.collected,
                counts(&facts["collected"], log.events.len()),
                "{path:?}"
            );
            for (event, count) in log.events.into_iter().zip(log.collected) {
                *collected.entry(event).or_default() += count;
            }
        }
        let profile = whole_case(&folder);
        let totals = profile.totals().unwrap();
        let totals: BTreeMap<_, _> = totals.iter().map(|(k, v)| (k.to_string(), *v)).collect();
        assert_eq!(totals, collected, "{folder:?}");
    }
}

#[test]
fn events_show_every_self_cost_and_call() {
    for folder in recorded() {
        for name in expected(&folder)["files"].as_object().unwrap().keys() {
            let bytes = fs::read(folder.join(name)).unwrap();
            let mut sums: Vec<Vec<u64>> = Vec::new();
            let mut calls = 0;
            let profile = callgrind::read_with(&*bytes, |event| match event {
                CallgrindItem::Part => sums.push(Vec::new()),
                CallgrindItem::Cost { costs, .. } => {
                    let sum = sums.last_mut().unwrap();
                    sum.resize(costs.len(), 0);
                    sum.iter_mut()
                        .zip(costs)
                        .for_each(|(sum, cost)| *sum += cost);
                }
                CallgrindItem::Call { .. } => calls += 1,
                _ => {}
            });
            let Some(profile) = profile.unwrap() else {
                continue;
            };
            for (part, mut sum) in profile.parts.iter().zip(sums) {
                sum.resize(part.totals.len(), 0);
                assert_eq!(part.totals, sum, "{folder:?} {name}");
            }
            let lines = bytes.split(|byte| *byte == b'\n');
            let expected = lines.filter(|line| line.starts_with(b"calls=")).count();
            assert_eq!(calls, expected, "{folder:?} {name}");
        }
    }
}

fn instructions(folder: &Path) -> InstructionProfile {
    read_instructions(InstructionReader::default(), folder)
}

fn read_instructions(mut reader: InstructionReader, folder: &Path) -> InstructionProfile {
    for name in expected(folder)["files"].as_object().unwrap().keys() {
        reader.add(&*fs::read(folder.join(name)).unwrap()).unwrap();
    }
    reader.finish()
}

#[test]
fn costs_by_instruction_are_what_was_collected() {
    for folder in recorded() {
        let profile = instructions(&folder);
        let whole = whole_case(&folder);
        let positions = whole.parts.first().map(|part| part.positions.as_slice());
        let by_instruction = positions.is_some_and(|p| p.contains(&PositionKind::Instruction));
        assert_eq!(profile.by_instruction, by_instruction, "{folder:?}");
        let functions = read_instructions(InstructionReader::only_functions(), &folder);
        assert!(!functions.by_instruction && functions.rows.len() <= profile.rows.len());
        for (event, total) in whole.totals().unwrap() {
            for profile in [&profile, &functions] {
                let column = profile.events.iter().position(|name| name == event);
                let own = (0..profile.rows.len()).map(|row| profile.own(row)[column.unwrap()]);
                assert_eq!(own.sum::<u64>(), total, "{folder:?} {event}");
            }
        }
    }
}

/// The figures are those of `src/compute.c` beside the recorded files: 2048 rounds of two loops.
#[test]
fn executions_of_instructions_are_the_rounds_of_the_source() {
    for case in ["instr", "instr_compressed"] {
        let profile = instructions(&data("callgrind/3.19.0").join(case));
        let at = |address: u64| {
            let row = profile.rows.iter().position(|row| {
                row.address == address && profile.name(row.object).ends_with(b"compute")
            });
            (row.unwrap(), profile.rows[row.unwrap()])
        };
        let (row, place) = at(0x1173);
        assert_eq!(profile.name(place.function), b"fill_and_sum", "{case}");
        assert_eq!(profile.name(place.file), b"/build/src/compute.c", "{case}");
        assert_eq!((place.line, profile.own(row)[0]), (31, 2048), "{case}");

        let calls = profile.calls.iter().enumerate();
        let call = calls.filter(|(_, call)| call.site.address == 0x1173);
        let call: Vec<_> = call
            .map(|(index, call)| {
                let name = profile.plain_name(call.callee.function);
                let name = std::str::from_utf8(name).unwrap();
                let inclusive = profile.inclusive(index)[0];
                (name, call.callee.address, call.raw_count, inclusive)
            })
            .collect();
        assert_eq!(call, [("next_value", 0x1129, 2048, 8192)], "{case}");
    }
    // Levels of a recursion are the same instructions.
    let levels = instructions(&data("callgrind/3.19.0/recursion"));
    let names = levels.calls.iter().map(|call| call.callee.function);
    let suffixed = names.filter(|name| levels.name(*name) != levels.plain_name(*name));
    assert!(suffixed.count() > 0);
}

// ---- damaged files

/// Result of reading a damaged file, in the words of `expected.json`.
fn outcome(result: &Result<Option<CallgrindProfile>, iai_callgrind_formats::ParseError>) -> &str {
    match result {
        Err(_) => "reject",
        Ok(None) => "no_data",
        Ok(Some(profile)) if profile.parts.iter().all(|part| part.flags.is_empty()) => "accept",
        Ok(Some(_)) => "flag",
    }
}

fn check_figures(case: &str, profile: &CallgrindProfile, expected: &Value) {
    let parts: Vec<&[u64]> = profile.parts.iter().map(|part| &*part.totals).collect();
    let whole = profile.totals().unwrap();
    for (key, figures) in expected.as_object().unwrap() {
        match key.as_str() {
            "totals" => assert_eq!(parts, [counts(figures, parts[0].len())], "{case}"),
            "summary" => {
                let summary = profile.parts[0].summary.clone().unwrap();
                assert_eq!(summary, counts(figures, summary.len()), "{case}");
                if expected.get("totals").is_none() {
                    assert_eq!(parts, [summary], "{case}");
                }
            }
            "parts" => {
                let expected: Vec<Vec<u64>> = serde_json::from_value(figures.clone()).unwrap();
                assert_eq!(parts, expected, "{case}");
            }
            "totals_over_parts" => {
                let sums: Vec<u64> = whole.iter().map(|(_, sum)| *sum).collect();
                assert_eq!(sums, counts(figures, sums.len()), "{case}");
            }
            "by_event" => {
                let sums: BTreeMap<_, _> = whole.iter().map(|(k, v)| (k.to_string(), *v)).collect();
                let expected: BTreeMap<String, u64> =
                    serde_json::from_value(figures.clone()).unwrap();
                assert_eq!(sums, expected, "{case}");
            }
            _ => {} // tables of functions and calls
        }
    }
}

#[test]
fn damaged_profiles_are_judged_as_expected() {
    let folder = data("malformed/callgrind");
    let expected = expected(&folder);
    assert!(expected.as_object().unwrap().len() > 80);
    for (case, expected) in expected.as_object().unwrap() {
        let bytes = fs::read(folder.join(case)).unwrap();
        let result = callgrind::read(&*bytes);
        assert_eq!(outcome(&result), expected["must"], "{case}: {result:?}");
        if let Ok(Some(profile)) = &result {
            check_figures(case, profile, expected);
        }
        if let (Err(error), Some(line)) = (&result, expected["line"].as_u64()) {
            assert_eq!(error.line(), Some(line), "{case}: {error}");
        }
        // The way of a run comes to the same judgement.
        let totals = callgrind::read_totals(&mut Cursor::new(&bytes));
        assert_eq!(outcome(&totals), expected["must"], "{case}: {totals:?}");
    }
}

#[test]
fn errors_name_line_reason_and_text() {
    #[track_caller]
    fn check(case: &str, expected: &str) {
        let path = data("malformed/callgrind").join(case);
        let error = callgrind::read_totals_of_file(&path).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("cannot read `{}`", path.display())
        );
        assert_eq!(error.source.to_string(), expected);
        // The line begins at the byte that the error names.
        let (line, offset) = (error.source.line().unwrap(), error.source.offset().unwrap());
        let before = &fs::read(&path).unwrap()[..offset as usize];
        assert_eq!(before.split(|byte| *byte == b'\n').count() as u64, line);
        assert!(matches!(before, [] | [.., b'\n']), "{case}");
    }
    check("word_cost", "line 40: not a number: `20 many 30`");
    check(
        "version_2",
        "line 2: unknown version of the format, expected 1: `version: 2`",
    );
    check(
        "garbage_text",
        "line 1: not a line of this format: `the quick brown fox`",
    );
    check(
        "sum_overflows",
        "line 4: the sum of `Ir` does not fit into 64 bits: `2 9223372036854775808`",
    );
    check("banner_only", "line 2: no events are named");
}

/// Go's `pprof` counts on over `fn=`, where Callgrind writes an absolute position.
#[test]
fn relative_positions_count_from_the_last_line_of_costs() {
    let places = |text: &str| {
        let mut places = Vec::new();
        let profile = callgrind::read_with(text.as_bytes(), |item| match item {
            CallgrindItem::Cost { positions, .. } | CallgrindItem::Call { positions, .. } => {
                places.push(positions.to_vec());
            }
            _ => {}
        });
        profile.map(|_| places).map_err(|error| error.to_string())
    };
    let head = "positions: instr line\nevents: Ir\nfn=a\n0x1083c6a 0 6350\n";
    let first = vec![0x108_3c6a, 0];
    let continued = format!("{head}fn=b\n-88 0 2230\ncfn=a\ncalls=1 * +3\n+8 +2 7\n* -1 5\n");
    let expected = [[0x108_3c12, 0], [0x108_3c1a, 2], [0x108_3c1a, 1]].map(Vec::from);
    assert_eq!(
        places(&continued).unwrap(),
        [std::slice::from_ref(&first), &expected[..]].concat()
    );
    // As Callgrind writes it.
    let absolute = format!("{head}fn=b\n0x10 5 2230\n+4 * 7\n");
    assert_eq!(
        places(&absolute).unwrap(),
        [first, vec![0x10, 5], vec![0x14, 5]]
    );
    let outside = format!("{head}fn=b\n+0 -1 2230\n");
    assert_eq!(
        places(&outside).unwrap_err(),
        "line 6: the relative position is out of range: `+0 -1 2230`"
    );
    // Callgrind 0.10 refers to an object before it names it. Which one it is, a reader cannot know.
    let unnamed = format!("{head}cob=(8)\ncfn=b\ncalls=1 0 0\n* * 7\nob=(8) /lib/x.so\n");
    assert_eq!(
        places(&unnamed).unwrap_err(),
        "line 5: the number stands for no name: `cob=(8)`"
    );
}

#[test]
fn very_many_places_are_not_all_kept() {
    use std::fmt::Write as _;
    use std::io::Read as _;

    let mut text = "positions: line\nevents: Ir\nfl=a\nfn=f\n".to_owned();
    for line in 0..600_000 {
        let _ = writeln!(text, "{line} 2");
    }
    text += "totals: 1200000\n";
    // Nothing after that is read: reading the directory would fail.
    let mut reader = InstructionReader::default();
    let directory = std::fs::File::open("/").unwrap();
    reader.add(text.as_bytes().chain(&directory)).unwrap();
    assert!(reader.is_full());
    assert_eq!(reader.finish().rows.len(), 500_000);
    let mut reader = InstructionReader::only_functions();
    reader.add(text.as_bytes().chain(&directory)).unwrap_err();
    let mut reader = InstructionReader::only_functions();
    reader.add(text.as_bytes()).unwrap();
    assert!(!reader.is_full());
    let profile = reader.finish();
    assert_eq!((profile.rows.len(), profile.own(0)), (1, &[1_200_000][..]));
}
