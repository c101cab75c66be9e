//! The same two results get the same verdict, whoever asks: `cargo bench`, `compare` of files, `compare` without
//! arguments, and `accept`.

#![expect(
    clippy::disallowed_methods,
    reason = "the test starts the runner; nothing of it is in the runner"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::in_turn::InTurn;
use crate::replayed::Replayed;
use iai_callgrind_runner::exit::Exit;
use iai_callgrind_runner::store::{Slot, OLD_RECORDS, RECORDS};
use proptest::prelude::*;
use serde_json::{json, Value};

/// The old result: what differs from the new one, which is that of the same recorder on the same machine.
#[derive(Debug, Clone)]
struct OldResult {
    /// `works` executes 2001 instructions in one of the recordings, all of them its own, and 3001 in the other one.
    is_less: bool,
    /// Own code in the record; `None`: nothing is known.
    own: Option<u64>,
    /// Is the code the same?
    code: SameMark,
    /// Further runs count otherwise.
    is_random: bool,
    repeated: Option<&'static str>,
    fact: DifferingFact,
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
    let first = (any::<bool>(), own, codes, any::<bool>());
    (first, repeated, facts, limits, hard).prop_map(
        |((is_less, own, code, is_random), repeated, fact, limit, hard)| OldResult {
            is_less,
            own,
            code,
            is_random,
            repeated,
            fact,
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
            DifferingFact::Compiler => system["rustc"] = json!("1.99.0"),
            DifferingFact::Processor => system["cpu"] = json!("another"),
            DifferingFact::ProcessorClass => system["cpu_features"] = json!(["sse4_2"]),
            DifferingFact::Build => system["build"]["settings"]["opt-level"] = json!("1"),
            DifferingFact::DebugInfo => system["build"]["settings"]["debug"] = json!("1"),
            _ => {}
        }
    }
}

/// What an asker says of the instructions of `works`.
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

/// What `cargo bench` said of it, in its record and that of its run.
fn benched(exit: Exit, records: &[String]) -> Said {
    let record: Value = serde_json::from_str(&records[0]).unwrap();
    let run: Value = serde_json::from_str(records.last().unwrap()).unwrap();
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
    old.edit(&mut record);
    fs::write(&summary, record.to_string()).unwrap();
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
    // A run tells of what a limit forbids, and no improvements.
    let is_told = old.is_less || said != "not_judged";
    let context = || format!("{old:#?} {row:#}\n{}{}", shown.out, shown.err);
    if is_told {
        assert_eq!(bench.class, said, "{}", context());
    }
    assert_eq!(bench.exit, of_home.exit, "{}", context());
    let words = ["accept", OLD_RECORDS, RECORDS, "--accepted=accepted.toml"];
    let (exit, out) = ask(target, &words);
    let is_accepted = target.join("accepted.toml").exists();
    // Nobody accepts what a limit on the value itself forbids.
    let regressed = of_home.class == "regressed" && row["limit"]["type"] == "soft";
    assert_eq!(is_accepted, regressed, "{exit} {out}{}", context());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn everybody_says_the_same_of_two_results(old in old_results()) {
        check(&old);
    }
}
