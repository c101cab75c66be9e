//! The same two results get the same verdict, whoever asks: `cargo bench`, `compare` of files,
//! `compare` without arguments, and `accept`.

#![expect(
    clippy::disallowed_methods,
    reason = "the test starts the runner; nothing of it is in the runner"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::in_turn::InTurn;
use crate::recorded::Recorded;
use crate::replayed::{recordings, Replayed};
use base::exit::Exit;
use iai_callgrind_runner::error::Error;
use iai_callgrind_runner::execute::{EndedProcess, Hook, Launch, OutputChannel, ProcessEnd};
use iai_callgrind_runner::plan::{Job, LevelHooks};
use proptest::prelude::*;
use records::layout::{Slot, OLD_RECORDS, RECORDS};
use serde_json::{json, Value};

/// The old result: what differs from the new one, which is that of the same recorder on the same
/// machine.
#[derive(Debug, Clone)]
struct OldResult {
    /// `works` executes 2001 instructions in one of the recordings, all of them its own, and 3001
    /// in the other one.
    is_less: bool,
    /// Own code in the record; `None`: nothing is known.
    own: Option<u64>,
    /// Is the code the same?
    code: SameMark,
    /// Further runs count otherwise.
    is_random: bool,
    repeated: Option<&'static str>,
    fact: DifferingFact,
    /// The runs between both results.
    between: Between,
    /// The soft limit in tenths of a percent.
    limit: u32,
    hard: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
enum SameMark {
    Same,
    Other,
    Unknown,
}

/// Runs whose records take the place of the old one, and whose results do not.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Between {
    Nothing,
    OtherTool,
    BaselineAndOtherTool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum DifferingFact {
    None,
    CLibrary,
    Compiler,
    Processor,
    ProcessorClass,
    Valgrind,
    Tunables,
    Caches,
    Build,
    CountedPart,
    Mode,
    DebugInfo,
    Target,
}

fn old_results() -> impl Strategy<Value = OldResult> {
    use DifferingFact as F;
    let facts = prop_oneof![
        4 => Just(F::None),
        6 => Just(F::CLibrary),
        1 => Just(F::Compiler),
        1 => Just(F::Processor),
        1 => Just(F::ProcessorClass),
        1 => Just(F::Valgrind),
        1 => Just(F::Tunables),
        1 => Just(F::Caches),
        1 => Just(F::Build),
        1 => Just(F::CountedPart),
        1 => Just(F::Mode),
        1 => Just(F::DebugInfo),
        1 => Just(F::Target),
    ];
    let own = prop_oneof![
        Just(None),
        Just(Some(2001)),
        Just(Some(3001)),
        (1900_u64..3100).prop_map(Some),
    ];
    let codes = prop_oneof![
        Just(SameMark::Same),
        Just(SameMark::Other),
        Just(SameMark::Unknown)
    ];
    let repeated = prop_oneof![Just(None), Just(Some("same")), Just(Some("other"))];
    let limits = prop_oneof![1_u32..1000, Just(499), Just(500), Just(333), Just(334)];
    let hard = prop_oneof![3 => Just(None), 1 => (1500_u32..3500).prop_map(Some)];
    let between = prop_oneof![
        Just(Between::Nothing),
        Just(Between::OtherTool),
        Just(Between::BaselineAndOtherTool)
    ];
    let first = (any::<bool>(), own, codes, any::<bool>(), between);
    (first, repeated, facts, limits, hard).prop_map(
        |((is_less, own, code, is_random, between), repeated, fact, limit, hard)| OldResult {
            is_less,
            own,
            code,
            is_random,
            repeated,
            fact,
            between,
            limit,
            hard,
        },
    )
}

impl OldResult {
    /// Changes the record of the old result.
    fn edit(&self, record: &mut Value) {
        let profile = &mut record["profiles"][0];
        match self.own {
            None => profile["objects"] = json!([]),
            Some(own) => {
                let mut object = profile["objects"][0].clone();
                object["Ir"] = json!(own);
                profile["objects"] = json!([object]);
            }
        }
        match self.code {
            SameMark::Same => {}
            SameMark::Other => profile["environment"]["code"] = json!("0123"),
            SameMark::Unknown => profile["environment"]["code"] = Value::Null,
        }
        profile["repeated"] = json!(self.repeated);
        let environment = &mut record["profiles"][0]["environment"];
        match self.fact {
            DifferingFact::Valgrind => environment["valgrind_version"] = json!("3.99.0"),
            DifferingFact::Tunables => {
                environment["glibc_tunables"] = json!("glibc.malloc.check=1")
            }
            DifferingFact::Caches => {
                environment["caches"] = json!(["I1 cache: 1 B, 1 B, 1-way associative"])
            }
            DifferingFact::CountedPart => environment["counted_part"] = json!("all functions"),
            DifferingFact::Mode => record["profiles"][0]["mode"] = json!("direct"),
            _ => {}
        }
        let system = &mut record["system"];
        match self.fact {
            DifferingFact::CLibrary => system["libc"] = json!("glibc 2.99"),
            DifferingFact::Target => system["target"] = json!("riscv64gc-unknown-linux-gnu"),
            DifferingFact::Compiler => system["rustc"] = json!("1.99.0"),
            DifferingFact::Processor => system["cpu"] = json!("another"),
            DifferingFact::ProcessorClass => system["cpu_features"] = json!(["sse4_2"]),
            DifferingFact::Build => system["build"]["settings"]["opt-level"] = json!("1"),
            DifferingFact::DebugInfo => system["build"]["settings"]["debug"] = json!("1"),
            _ => {}
        }
    }
}

/// Verdict on the instructions of `works`, by one of those that give it.
#[derive(Debug, PartialEq)]
struct Said {
    exit: i32,
    class: String,
}

/// The runner's answer about these words.
fn ask(directory: &Path, words: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_iai-callgrind-runner"))
        .args(words)
        .current_dir(directory)
        .env_remove("IAI_CALLGRIND_HOME")
        .output()
        .unwrap();
    let code = output.status.code().unwrap();
    (code, String::from_utf8(output.stdout).unwrap())
}

fn compared(directory: &Path, words: &[&str]) -> (Said, Value) {
    let (exit, out) = ask(directory, &[&["compare", "--format=json"], words].concat());
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{words:?}: {out}"));
    let rows = report["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["metric"]["kind"] == "Ir");
    let row = row.unwrap_or_else(|| panic!("{words:?}: {report:#}"));
    let class = row["class"].as_str().unwrap().to_owned();
    (Said { exit, class }, row.clone())
}

/// The verdict of `cargo bench` in the record of the benchmark and that of its run.
fn benched(exit: Exit, records: &[String]) -> Said {
    // Before them are the results that it left alone.
    let [.., record, run] = records else {
        panic!("{records:?}")
    };
    let [record, run]: [Value; 2] = [record, run].map(|line| serde_json::from_str(line).unwrap());
    let profile = &record["profiles"][0];
    let class = match profile["regressions"].as_array().unwrap().is_empty() {
        false => "regressed",
        true if profile["by_chance"] == true => "not_deterministic",
        true if run["changes"]["not_judged"] == 1 => "not_judged",
        true => "",
    };
    Said {
        exit: exit as i32,
        class: class.to_owned(),
    }
}

fn check(old: &OldResult) {
    let mut replayed = Replayed::new();
    // The code of the recordings is that of this executable.
    replayed.executable = std::env::current_exe().unwrap();
    let [before, after] = match old.is_less {
        true => ["first", "changed"],
        false => ["changed", "first"],
    };
    let run = |launch: &InTurn, limits: &str| {
        let limits = format!("--callgrind-limits=ir={limits}");
        replayed.run_by(launch, &["works", "--nosummary", &limits])
    };
    run(&InTurn::new(&[before]), "1%");
    let summary = replayed.folder().join("works/summary.json");
    let mut record: Value = serde_json::from_slice(&fs::read(&summary).unwrap()).unwrap();
    let unedited = record.clone();
    old.edit(&mut record);
    fs::write(&summary, record.to_string()).unwrap();
    let records = replayed.folder().with_file_name(RECORDS);
    let index = fs::read_to_string(&records).unwrap();
    let is_edited = |text: &str| serde_json::from_str::<Value>(text).unwrap() == unedited;
    let index = index.lines().map(|text| match is_edited(text) {
        true => format!("{record}\n"),
        false => format!("{text}\n"),
    });
    fs::write(&records, index.collect::<String>()).unwrap();
    if old.between == Between::BaselineAndOtherTool {
        let words = [
            "works",
            "--nosummary",
            "--save-baseline=main",
            "--callgrind-limits=ir=100%",
        ];
        let shown = replayed.run_by(&InTurn::new(&[before]), &words);
        assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
    }
    if old.between != Between::Nothing {
        let recorded = Recorded::new(&[("memcheck", "clean")]);
        let words = ["works", "--nosummary", "--default-tool=memcheck"];
        let shown = replayed.run(recorded.path(), &words);
        assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
    }
    let mut limits = format!("{}%", f64::from(old.limit) / 10.0);
    if let Some(hard) = old.hard {
        limits += &format!("|{hard}");
    }
    // One more run comes second, if there is one.
    let launch = match old.is_random {
        true => InTurn::new(&[after, before]),
        false => InTurn::new(&[after]),
    };
    let shown = run(&launch, &limits);
    let bench = benched(shown.exit, &replayed.records(&Slot::Last));

    let folder = replayed.folder();
    let target = folder.parent().unwrap();
    let home = format!("--home={}", replayed.home().display());
    let (of_home, row) = compared(target, &[&home]);
    let (of_files, same_row) = compared(target, &[OLD_RECORDS, RECORDS]);
    assert_eq!(
        (&of_home, &row["remarks"]),
        (&of_files, &same_row["remarks"]),
        "{old:#?}"
    );
    let said = match of_home.class.as_str() {
        said @ ("regressed" | "not_deterministic" | "not_judged") => said,
        _ => "",
    };
    let context = || format!("{old:#?} {row:#}\n{}{}", shown.out, shown.err);
    assert_eq!(bench.class, said, "{}", context());
    assert_eq!(bench.exit, of_home.exit, "{}", context());
    let words = ["accept", OLD_RECORDS, RECORDS, "--accepted=accepted.toml"];
    let (exit, out) = ask(target, &words);
    let is_accepted = target.join("accepted.toml").exists();
    // Nobody accepts what a limit on the value itself forbids.
    let regressed = of_home.class == "regressed" && row["limit"]["type"] == "soft";
    assert_eq!(is_accepted, regressed, "{exit} {out}{}", context());
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
        replayed.executable = std::env::current_exe().unwrap();
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
        let (said, row) = compared(&target, &[&format!("--home={}", replayed.home().display())]);
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
    let (said, row) = compared(&target, &["@main", RECORDS, &home, "--allow-missing"]);
    assert_eq!((said.exit, said.class.as_str()), (0, "new"), "{row:#}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn everybody_says_the_same_of_two_results(old in old_results()) {
        check(&old);
    }
}
