//! The same two results get the same verdict, whoever asks: `cargo bench`, `compare` of files,
//! directories, a baseline, merged results and without arguments, `report`, `accept`, the page, and
//! the history as far as it judges.

#![expect(
    clippy::disallowed_methods,
    reason = "the test starts the runner; nothing of it is in the runner"
)]

mod askers;
mod expected;
mod pair;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use self::askers::{ask, benched, compared, PairOfResults};
use self::pair::{pairs, Beside, Between, Counts, DifferingFact, Limited, Pair, SameMark};
use crate::in_turn::InTurn;
use crate::recorded::Recorded;
use crate::replayed::{recordings, small_executable, Replayed};
use base::exit::Exit;
use iai_callgrind::protocol::{Command, Kind};
use iai_callgrind_runner::error::Error;
use iai_callgrind_runner::execute::{EndedProcess, Hook, Launch, OutputChannel, ProcessEnd};
use iai_callgrind_runner::plan::{Job, LevelHooks};
use proptest::prelude::*;
use records::layout::{Slot, OLD_RECORDS, RECORDS};
use serde_json::{json, Value};

/// Plays the recording `first` with other counts, one after the other.
struct Counted {
    recording: InTurn,
    counts: Vec<Counts>,
    /// Runs of `works`.
    runs: AtomicUsize,
}

impl Counted {
    fn new(counts: &[Counts]) -> Self {
        Self {
            recording: InTurn::new(&["first"]),
            counts: counts.to_vec(),
            runs: AtomicUsize::new(0),
        }
    }
}

/// The text of a recorded file of `works`, with these counts in place of 2001 instructions and one
/// miss.
fn with_counts(text: &str, counts: Counts) -> String {
    let Counts {
        instructions,
        misses,
    } = counts;
    let replaced = |line: &str| match (line, line.strip_suffix("2001 1 0 1 0 0 1")) {
        (_, Some(begin)) => format!("{begin}{instructions} 1 0 {misses} 0 0 {misses}"),
        ("17 2 0 0 1 0 0 1", None) => format!("17 2 0 0 {misses} 0 0 {misses}"),
        // The recursion, and the calls of it.
        ("17 1999 1", None) => format!("17 {} 1", instructions - 2),
        ("17 1998", None) => format!("17 {}", instructions - 3),
        (line, None) => line.to_owned(),
    };
    text.lines().map(|line| replaced(line) + "\n").collect()
}

impl Launch for Counted {
    fn launch(
        &self,
        job: &Job,
        directory: &Path,
        channel: &OutputChannel,
    ) -> Result<EndedProcess, Error> {
        let ended = self.recording.launch(job, directory, channel)?;
        let profile = fs::read_to_string(directory.join("out.1001")).unwrap();
        if profile.contains("fn=limits::main") {
            let run = self.runs.fetch_add(1, Ordering::Relaxed);
            let counts = self.counts[run % self.counts.len()];
            for name in ["out.1001", "log.1001"] {
                let path = directory.join(name);
                let text = fs::read_to_string(&path).unwrap();
                fs::write(&path, with_counts(&text, counts)).unwrap();
            }
        }
        Ok(ended)
    }

    fn assist(
        &self,
        hooks: &LevelHooks,
        hook: Hook,
        channel: &OutputChannel,
    ) -> Result<EndedProcess, Error> {
        self.recording.assist(hooks, hook, channel)
    }
}

/// Runs the old result of a pair, changes its record, and has the runs between both.
fn old_result(pair: &Pair, replayed: &Replayed) {
    let [old, _] = pair.counts;
    let all = &["works", "--nosummary"];
    let words = match pair.beside {
        Beside::Gone => &all[1..],
        Beside::Nothing | Beside::New => all,
    };
    let shown = replayed.run_by(&Counted::new(&[old]), words);
    assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
    let summary = replayed.folder().join("works/summary.json");
    let mut record: Value = serde_json::from_slice(&fs::read(&summary).unwrap()).unwrap();
    let unedited = record.clone();
    pair.edit(&mut record);
    fs::write(&summary, record.to_string()).unwrap();
    let records = replayed.folder().with_file_name(RECORDS);
    let index = fs::read_to_string(&records).unwrap();
    let is_edited = |text: &str| serde_json::from_str::<Value>(text).unwrap() == unedited;
    let index = index.lines().map(|text| match is_edited(text) {
        true => format!("{record}\n"),
        // What the machine was, the record of the run says as well.
        false if text.contains("\"type\":\"run\"") => {
            let mut run: Value = serde_json::from_str(text).unwrap();
            run["system"] = record["system"].clone();
            format!("{run}\n")
        }
        false => format!("{text}\n"),
    });
    fs::write(&records, index.collect::<String>()).unwrap();
    if pair.between == Between::BaselineAndOtherTool {
        let words = [all.as_slice(), &["--save-baseline=main"]].concat();
        let shown = replayed.run_by(&Counted::new(&[old]), &words);
        assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
    }
    if pair.between != Between::Nothing {
        let recorded = Recorded::new(&[("memcheck", "clean")]);
        let words = [all.as_slice(), &["--default-tool=memcheck"]].concat();
        let shown = replayed.run(recorded.path(), &words);
        assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
    }
}

/// Asks everybody about a pair. All have to say the same, and what the documentation says. Returns
/// that.
fn check(pair: &Pair) -> String {
    let mut replayed = Replayed::new();
    // The code of the recordings is that of this file, whose mark takes no time.
    let code = tempfile::NamedTempFile::new().unwrap();
    fs::write(&code, "code").unwrap();
    replayed.executable = code.path().to_owned();
    let config = replayed.suite.config.as_mut().unwrap();
    config.tools.clear();
    old_result(pair, &replayed);
    let old_run = replayed.records(&Slot::Last).pop().unwrap();
    let [old, new] = pair.counts;
    // One more run comes second, if there is one.
    let launch = match pair.is_random {
        true => Counted::new(&[new, old]),
        false => Counted::new(&[new]),
    };
    if pair.beside == Beside::Gone {
        let functions = &mut replayed.suite.groups[0].functions;
        functions.retain(|function| function.name == "works");
    }
    let limits = format!("--callgrind-limits={}", pair.limits());
    let mut words = vec!["--nosummary", &limits];
    if pair.beside == Beside::Nothing {
        words.push("works");
    }
    if pair.strict {
        words.push("--strict");
    }
    let shown = replayed.run_by(&launch, &words);
    let bench = benched(shown.exit, &replayed.records(&Slot::Last));

    let results = PairOfResults::new(pair, &replayed, old_run);
    let comparisons = results.comparisons();
    let (_, said, row) = &comparisons[0];
    let context = || {
        let limits = pair.limits();
        format!("\n{pair:#?} {limits} {row:#}\n{}{}", shown.out, shown.err)
    };
    for (words, other, other_row) in &comparisons[1..] {
        assert_eq!(other, said, "{words} {}", context());
        for key in ["metric", "limit", "own", "remarks"] {
            assert_eq!(other_row[key], row[key], "{words}: {key} {}", context());
        }
    }
    let class = said.class.as_str();
    let classes = pair.expected_classes();
    assert!(
        classes.contains(&class),
        "{class}, not {classes:?} {}",
        context()
    );
    assert_eq!(said.exit, pair.expected_exit() as i32, "{}", context());
    let of_run = match class {
        "regressed" | "not_deterministic" | "not_judged" => class,
        _ => "",
    };
    assert_eq!(bench.class, of_run, "{}", context());
    assert_eq!(
        bench.exit,
        pair.expected_exit_of_run() as i32,
        "{}",
        context()
    );
    let without_missing = Pair {
        beside: Beside::Nothing,
        ..pair.clone()
    };
    let exit = without_missing.expected_exit() as i32;
    assert_eq!(results.exit_without_missing(), exit, "{}", context());
    results.check_page(&context);
    // Nobody accepts what a limit on the value itself forbids.
    let is_acceptable = class == "regressed" && row["limit"]["type"] == "soft";
    assert_eq!(results.is_accepted(), is_acceptable, "{}", context());
    let report = results.report();
    let is_above = pair.is_above_hard_limit();
    let of_one_side = if is_above {
        (3, "regressed")
    } else {
        (0, "new")
    };
    assert_eq!((report.exit, &*report.class), of_one_side, "{}", context());
    results.check_history(&context);
    results.check_numbers(&changes(&replayed), &context);
    class.to_owned()
}

/// Changes of the benchmarks that the last run has recorded.
fn changes(replayed: &Replayed) -> Value {
    let run: Value = serde_json::from_str(replayed.records(&Slot::Last).last().unwrap()).unwrap();
    run["changes"].clone()
}

/// A benchmark that has measured regions of itself, in the profile of one that has not.
struct WithRegions(InTurn);

impl Launch for WithRegions {
    fn launch(
        &self,
        job: &Job,
        directory: &Path,
        channel: &OutputChannel,
    ) -> Result<EndedProcess, Error> {
        let ended = self.0.launch(job, directory, channel)?;
        let profile = directory.join("out.1001");
        let text = fs::read_to_string(&profile).unwrap();
        let region = format!("fn=main\ncfn={REGION}::run\ncalls=1 0\n0 59 1 0 1 0 0 1\n\ntotals:");
        fs::write(&profile, text.replace("totals:", &region)).unwrap();
        let how = ProcessEnd::ReturnedWithRegions;
        Ok(EndedProcess { how, ..ended })
    }

    fn assist(
        &self,
        hooks: &LevelHooks,
        hook: Hook,
        channel: &OutputChannel,
    ) -> Result<EndedProcess, Error> {
        self.0.assist(hooks, hook, channel)
    }
}

const REGION: &str = "iai_callgrind::measure::__iai_callgrind_region_mod";

#[test]
fn another_part_that_counts_is_judged_by_nobody() {
    let all = || InTurn::new(&["first"]);
    let regions = || WithRegions(InTurn::new(&["first"]));
    let check = |launches: [&dyn Launch; 2], figures: [u64; 2]| {
        let mut replayed = Replayed::new();
        replayed.executable = small_executable();
        let words = ["works", "--nosummary", "--callgrind-limits=ir=5%"];
        let shown = launches.map(|launch| replayed.run_by(launch, &words));
        assert_eq!(shown[1].exit, Exit::Ok, "{}{}", shown[1].out, shown[1].err);
        let record: Value = serde_json::from_str(&replayed.records(&Slot::Last)[0]).unwrap();
        let instructions = &record["profiles"][0]["metrics"][0];
        let [old, new] = figures;
        assert_eq!(
            [&instructions["old"], &instructions["new"]],
            [&json!(old), &json!(new)]
        );
        let target = replayed.folder().parent().unwrap().to_owned();
        let home = format!("--home={}", replayed.home().display());
        let (said, row) = compared(&target, &["compare", &home], "Ir");
        assert_eq!(
            (said.exit, said.class.as_str()),
            (0, "not_judged"),
            "{row:#}"
        );
        assert_eq!(
            [&row["metric"]["old"], &row["metric"]["new"]],
            [&json!(old), &json!(new)]
        );
        assert_eq!(changes(&replayed)["not_judged"], 1);
    };
    check([&all(), &regions()], [2001, 59]);
    check([&regions(), &all()], [59, 2001]);
}

/// Comparisons under each tool, by the records: the tool, and when its old result was counted.
fn compared_with(replayed: &Replayed) -> Vec<(String, String)> {
    let old = replayed.folder().with_file_name(OLD_RECORDS);
    let old = fs::read_to_string(old).unwrap_or_default();
    let records = old.lines().map(|line| serde_json::from_str(line).unwrap());
    let profiles = records.flat_map(|record: Value| record["profiles"].as_array().unwrap().clone());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut all: Vec<_> = profiles
        .map(|it| (text(&it["tool"]), text(&it["started_at"])))
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn a_tool_that_did_not_run_keeps_its_record() {
    let replayed = Replayed::new();
    let recorded = Recorded::new(&[("memcheck", "clean")]);
    let run = |tools: &str| {
        let shown = replayed.run(recorded.path(), &["works", "--nosummary", tools]);
        assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
        let records = replayed.records(&Slot::Last);
        let record: Value = serde_json::from_str(&records[records.len() - 2]).unwrap();
        let of = |profile: &Value| profile["started_at"].as_str().unwrap().to_owned();
        let profiles = record["profiles"].as_array().unwrap();
        profiles.iter().map(of).collect::<Vec<_>>()
    };
    let first = run("--tools=memcheck");
    let second = run("--tools=callgrind");
    let (callgrind, memcheck) = ("callgrind".to_owned(), "memcheck".to_owned());
    assert_eq!(
        compared_with(&replayed),
        [(callgrind.clone(), first[0].clone())]
    );
    run("--tools=memcheck");
    let expected = [(callgrind, second[0].clone()), (memcheck, first[1].clone())];
    assert_eq!(compared_with(&replayed), expected);
    let target = replayed.folder().parent().unwrap().to_owned();
    let (exit, out) = ask(&target, &["compare", OLD_RECORDS, RECORDS]);
    assert_eq!(exit, 0, "{out}");
}

#[test]
fn results_of_another_label_are_of_other_benchmarks() {
    let replayed = Replayed::new();
    let run = |recording: &str, words: &[&str]| {
        let all = [&["works", "--nosummary", "--callgrind-limits=ir=5%"], words].concat();
        replayed.run(&recordings(recording), &all)
    };
    run("first", &[]);
    let shown = run("changed", &["--label=simd"]);
    assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
    let note = "the last result has no label, and this one the label `simd`: not compared";
    assert!(shown.err.contains(note), "{}", shown.err);
    assert_eq!(changes(&replayed)["new"], 1);
    assert_eq!(changes(&replayed)["not_compared"], Value::Null);
    assert_eq!(run("first", &["--label=simd"]).exit, Exit::Ok);
    assert_eq!(run("changed", &["--label=simd"]).exit, Exit::Regression);
}

#[test]
fn what_a_baseline_lacks_is_new() {
    let replayed = Replayed::new();
    let run = |words: &[&str]| replayed.run(&recordings("first"), words);
    run(&["sort", "--save-baseline=main"]);
    let shown = run(&["works", "--baseline=main"]);
    assert!(
        shown.err.contains("has no result to compare with"),
        "{}",
        shown.err
    );
    assert_eq!(changes(&replayed)["new"], 1);
    assert_eq!(changes(&replayed)["not_compared"], Value::Null);
    let home = format!("--home={}", replayed.home().display());
    let target = replayed.folder().parent().unwrap().to_owned();
    let (said, row) = compared(
        &target,
        &["compare", "@main", RECORDS, &home, "--allow-missing"],
        "Ir",
    );
    assert_eq!((said.exit, said.class.as_str()), (0, "new"), "{row:#}");
}

/// The bench executable of a binary benchmark stays the same when its program changes.
#[test]
fn a_program_that_changed_is_judged_by_all() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("prog");
    let mut replayed = Replayed::new();
    replayed.executable = small_executable();
    let group = &mut replayed.suite.groups[0];
    group.kind = Kind::Binary;
    group.functions.retain(|function| function.name == "works");
    group.functions[0].cases[0].command = Some(Box::new(Command {
        program: program.clone().into_os_string(),
        ..Command::default()
    }));
    let folder = replayed.folder().parent().unwrap().to_owned();
    let home = format!("--home={}", replayed.home().display());
    let run = |count: u64, code: &str| {
        fs::write(&program, code).unwrap();
        let launch = Counted::new(&[Counts {
            instructions: count,
            misses: 1,
        }]);
        let exit = replayed.run_by(&launch, &["--nosummary"]).exit;
        (exit, launch.runs.load(Ordering::Relaxed))
    };
    run(489_251, "one");
    // The limit of the group is 5 %. Other code needs no further run that tells.
    assert_eq!(run(689_251, "two"), (Exit::Regression, 1));
    let asked: [&[&str]; 2] = [&[&home], &[OLD_RECORDS, RECORDS]];
    for words in asked {
        let words = [&["compare"], words].concat();
        let (said, row) = compared(&folder, &words, "Ir");
        assert_eq!((said.exit, &*said.class), (3, "regressed"), "{row:#}");
        let (_, text) = ask(&folder, &words);
        assert!(!text.contains("same executable"), "{text}");
    }
    let accept = ["accept", OLD_RECORDS, RECORDS, "--accepted=accepted.toml"];
    let (exit, text) = ask(&folder, &accept);
    assert!(text.contains("1 added"), "{exit} {text}");
    // The same program with other data is the same code.
    assert_eq!(run(800_000, "two"), (Exit::Regression, 2));
    let (_, text) = ask(&folder, &["compare", &home]);
    let same = "same code: what it reads or loads has changed\n";
    assert!(text.contains(same), "{text}");
}

/// As test runners start benchmarks: each in a process of its own, with one home.
#[test]
fn runs_of_one_benchmark_each_are_compared_as_a_whole() {
    let replayed = Replayed::new();
    let run = |recording: &str, words: &[&str]| {
        let all = [words, &["--nosummary"]].concat();
        replayed.run(&recordings(recording), &all).exit
    };
    let folder = replayed.folder().parent().unwrap().to_owned();
    let home = format!("--home={}", replayed.home().display());
    run("first", &[]);
    // Not in the home, all results of which are those of one side.
    let elsewhere = tempfile::tempdir().unwrap();
    let main = elsewhere.path().join("main.jsonl");
    fs::copy(folder.join(RECORDS), &main).unwrap();
    let main = main.display().to_string();
    assert_eq!(run("changed", &["works"]), Exit::Regression);
    assert_eq!(run("changed", &["sort"]), Exit::Ok);
    let asked: [&[&str]; 2] = [&[&main, RECORDS], &[&home]];
    for words in asked {
        let words = [&["compare", "--format=json"], words].concat();
        let (exit, out) = ask(&folder, &words);
        let report: Value = serde_json::from_str(&out).unwrap();
        let counts = ["regressed", "compared", "not_run", "gone", "new"];
        let counts = counts.map(|name| report["counts"][name].as_u64().unwrap_or_default());
        assert_eq!((exit, counts), (3, [1, 2, 0, 0, 0]), "{words:?} {report:#}");
    }
    let (exit, text) = ask(&folder, &["report", &home]);
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains(" 2 benchmarks "), "{text}");
    let (_, merged) = ask(&folder, &["merge", "--without-digests", "-o", "-", RECORDS]);
    let benchmarks = merged.matches("{\"type\":\"benchmark\"").count();
    assert_eq!(benchmarks, 2, "{merged}");
}

/// Pairs of which commands said different things, or all of them something wrong.
#[test]
fn pairs_that_had_two_verdicts_have_one() {
    use DifferingFact as F;
    let here = Pair::of;
    let same = |pair: Pair| Pair {
        code: SameMark::Same,
        ..pair
    };
    let cycles = |pair: Pair| Pair {
        limited: Limited::Cycles,
        ..pair
    };
    let with = |fact: F, pair: Pair| Pair { fact, ..pair };
    let own = |own: u64, pair: Pair| Pair {
        own: Some(own),
        ..pair
    };
    let pairs = [
        // Other simulated caches, with a limit of 1 % on cycles.
        (
            with(F::Caches, same(cycles(here(36_328, 37_908, 10)))),
            "not_judged",
        ),
        (
            with(F::Caches, cycles(here(36_328, 37_908, 10))),
            "not_judged",
        ),
        (with(F::Caches, here(36_328, 37_908, 10)), "regressed"),
        // A terminal said that this is noise.
        (here(2_000_011, 2_000_006, 50), "noise"),
        // Limits that are exactly reached, which floating point cannot tell, and one more.
        (here(400, 428, 70), "changed"),
        (here(1000, 1070, 70), "changed"),
        (here(1000, 1071, 70), "regressed"),
        (here(1070, 1000, 70), "changed"),
        (here(1072, 1000, 71), "improved"),
        // Without marks nothing is the same code.
        (
            Pair {
                code: SameMark::Unknown,
                // Nobody asks for one more run, which would excuse it.
                is_random: true,
                ..here(991_919, 1_341_919, 10)
            },
            "regressed",
        ),
        // The same code reads other data, or counts differently each time.
        (same(here(29_825, 296_225, 50)), "regressed"),
        (
            Pair {
                is_random: true,
                ..same(here(29_825, 296_225, 50))
            },
            "not_deterministic",
        ),
        // The same code on another machine, such as a question for the number of processors.
        (
            own(10_282, with(F::CLibrary, same(here(11_776, 12_367, 10)))),
            "not_judged",
        ),
        // Own code decides under another C library, whatever the total says.
        (
            own(2_480_000, with(F::CLibrary, here(2_535_207, 2_547_205, 10))),
            "regressed",
        ),
        (
            own(476_959, with(F::CLibrary, here(536_001, 476_959, 50))),
            "changed_outside_own_code",
        ),
        (
            own(998, with(F::CLibrary, here(850, 998, 100))),
            "changed_outside_own_code",
        ),
        // A benchmark is gone, which is a matter of the exit code.
        (
            Pair {
                beside: Beside::Gone,
                ..here(1000, 1000, 50)
            },
            "same",
        ),
        (
            Pair {
                beside: Beside::Gone,
                strict: true,
                ..here(1000, 1000, 50)
            },
            "same",
        ),
        (
            Pair {
                beside: Beside::Gone,
                ..here(1000, 1100, 50)
            },
            "regressed",
        ),
    ];
    for (pair, class) in pairs {
        assert_eq!(check(&pair), class, "{pair:#?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(32) })]

    #[test]
    fn everybody_says_the_same_of_two_results(pair in pairs()) {
        check(&pair);
    }
}
