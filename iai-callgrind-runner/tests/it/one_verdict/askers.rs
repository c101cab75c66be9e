//! Everybody who gives a verdict on two results, asked as users ask.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use base::exit::Exit;
use records::layout::{OLD_RECORDS, RECORDS};
use serde_json::{json, Value};

use super::pair::{Beside, DifferingFact, Judged, Pair};
use crate::replayed::Replayed;

/// A verdict on the metric of `works` that has a limit.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    pub(super) exit: i32,
    pub(super) class: String,
}

/// The runner's answer about these words.
pub(super) fn ask(directory: &Path, words: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_iai-callgrind-runner"))
        .args(words)
        .current_dir(directory)
        .env_remove("IAI_CALLGRIND_HOME")
        .output()
        .unwrap();
    let code = output.status.code().unwrap();
    (code, String::from_utf8(output.stdout).unwrap())
}

/// The verdict of `compare` or `report` on a metric of `works`, and the row that has it.
pub(super) fn compared(directory: &Path, words: &[&str], metric: &str) -> (Said, Value) {
    let (exit, out) = ask(directory, &[words, &["--format=json"]].concat());
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{words:?}: {out}"));
    assert_eq!(report["exit_code"], exit, "{words:?}");
    assert_eq!(report["errors"], json!([]), "{words:?}");
    let rows = report["rows"].as_array().unwrap();
    let is_asked = |row: &&Value| {
        row["metric"]["kind"] == metric && row["path"].as_str().unwrap().ends_with("::works")
    };
    let row = rows.iter().find(is_asked);
    let row = row.unwrap_or_else(|| panic!("{words:?}: {report:#}"));
    let class = row["class"].as_str().unwrap().to_owned();
    (Said { exit, class }, row.clone())
}

/// The verdict of `cargo bench` in the record of the benchmark and that of its run. Classes that
/// are no exceeded limit are those of a whole benchmark there, and have no word.
pub(super) fn benched(exit: Exit, records: &[String]) -> Said {
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

/// The results of a pair, after the run of the new one.
pub(super) struct PairOfResults<'a> {
    pair: &'a Pair,
    replayed: &'a Replayed,
    /// Where the records of the bench file lie.
    folder: PathBuf,
    /// The record of the run before that of the new result.
    old_run: String,
}

impl<'a> PairOfResults<'a> {
    pub(super) fn new(pair: &'a Pair, replayed: &'a Replayed, old_run: String) -> Self {
        Self {
            old_run,
            pair,
            replayed,
            folder: replayed.folder().parent().unwrap().to_owned(),
        }
    }

    fn home(&self) -> String {
        format!("--home={}", self.replayed.home().display())
    }

    /// The verdicts of all who compare two sides, with their words.
    pub(super) fn comparisons(&self) -> Vec<(String, Said, Value)> {
        let (folder, home) = (&*self.folder, self.home());
        let directory = self.replayed.home().display().to_string();
        // Baselines and directories have whole runs, each of which ends with its record.
        let records = fs::read_to_string(folder.join(OLD_RECORDS)).unwrap();
        let whole = format!("{records}{}\n", self.old_run);
        fs::write(folder.join(format!("{RECORDS}.base@pair")), &whole).unwrap();
        // A directory is read with all results in it, so each has one of its own.
        let elsewhere = tempfile::tempdir().unwrap();
        let old = elsewhere.path().join("old");
        fs::create_dir(&old).unwrap();
        fs::write(old.join(RECORDS), whole).unwrap();
        let old = old.display().to_string();
        let merged = elsewhere.path().join("merged.jsonl").display().to_string();
        let (exit, _) = ask(
            folder,
            &["merge", "--without-digests", "-o", &merged, RECORDS],
        );
        assert_eq!(exit, 0);
        let all: [&[&str]; 5] = [
            &[&home],
            &[OLD_RECORDS, RECORDS],
            &[&old, &directory],
            &["@pair", &home],
            &[OLD_RECORDS, &merged],
        ];
        let strict: &[&str] = if self.pair.strict { &["--strict"] } else { &[] };
        let compare = |words: &&[&str]| {
            let words = [&["compare"], *words, strict].concat();
            let (said, row) = compared(folder, &words, self.pair.limited.name());
            (words.join(" "), said, row)
        };
        all.iter().map(compare).collect()
    }

    /// The exit code where benchmarks may be missing.
    pub(super) fn exit_without_missing(&self) -> i32 {
        let home = self.home();
        ask(&self.folder, &["compare", "--allow-missing", &home]).0
    }

    /// The verdict of `report`, which sees one side.
    pub(super) fn report(&self) -> Said {
        let words = ["report", &self.home()];
        compared(&self.folder, &words, self.pair.limited.name()).0
    }

    /// The class on the page that `open` writes: the worst of all tools, as `compare` has it.
    pub(super) fn check_page(&self, context: &dyn Fn() -> String) {
        let home = self.home();
        let (exit, out) = ask(&self.folder, &["open", &home]);
        assert_eq!(exit, 0, "{out}");
        let page = fs::read_to_string(self.replayed.home().join("report.html")).unwrap();
        let rows = page.lines().filter(|line| line.starts_with("<tr data-i="));
        let mut rows = rows.filter(|row| row.contains("works"));
        let row = rows.next().unwrap_or_else(|| panic!("{page}"));
        let (_, rest) = row.split_once("data-c=\"").unwrap();
        let class = rest.split('"').next().unwrap().replace('-', "_");
        let (_, out) = ask(&self.folder, &["compare", "--format=json", &home]);
        let report: Value = serde_json::from_str(&out).unwrap();
        let rows = report["rows"].as_array().unwrap();
        let worst = rows
            .iter()
            .find(|row| row["path"] == "bench::kernels::works");
        assert_eq!(worst.unwrap()["class"], class, "{}", context());
    }

    /// Does `accept` write the new count down?
    pub(super) fn is_accepted(&self) -> bool {
        let words = ["accept", OLD_RECORDS, RECORDS, "--accepted=accepted.toml"];
        ask(&self.folder, &words);
        let file = self.folder.join("accepted.toml");
        let is_accepted = file.exists();
        let _ = fs::remove_file(file);
        is_accepted
    }

    /// The step of the history between the two results, as of two commits.
    pub(super) fn step_of_history(&self) -> Value {
        let sides = [(OLD_RECORDS, "aaaaaaa", 1), (RECORDS, "bbbbbbb", 2)];
        let lines = sides.iter().flat_map(|(file, commit, day)| {
            let text = fs::read_to_string(self.folder.join(file)).unwrap();
            let objects: Vec<Value> = text
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            objects.into_iter().map(move |mut object| {
                let time = format!("2026-11-0{day}T10:00:00Z");
                object["source"] = json!({"commit": commit, "committed_at": time});
                format!("{object}\n")
            })
        });
        let both = self.folder.join("both.jsonl");
        fs::write(&both, lines.collect::<String>()).unwrap();
        let metrics = format!("--metrics={}", self.pair.limited.name());
        let words = [
            "history",
            "both.jsonl",
            "--only=::works",
            "--format=json",
            "--all",
            &metrics,
        ];
        let (exit, out) = ask(&self.folder, &words);
        assert_eq!(exit, 0, "{out}");
        fs::remove_file(both).unwrap();
        let history: Value = serde_json::from_str(&out).unwrap();
        let points = history["series"][0]["points"].as_array();
        let Some([_, step]) = points.map(Vec::as_slice) else {
            panic!("{history:#}")
        };
        step.clone()
    }

    /// The history judges no limit: it tells steps, of own code where that alone can be compared.
    pub(super) fn check_history(&self, context: &dyn Fn() -> String) {
        let Pair { fact, limited, .. } = *self.pair;
        // Results of another target are a series of their own.
        if fact == DifferingFact::Target {
            return;
        }
        let step = self.step_of_history();
        let own = self.pair.judged_own();
        let [old, new] = own.unwrap_or(self.pair.values());
        let percent = (new as f64 - old as f64) / old as f64 * 100.0;
        let shown_own = own.map_or(Value::Null, |[old, new]| json!({"old": old, "new": new}));
        assert_eq!(step["own"], shown_own, "{step:#}{}", context());
        assert_eq!(step["changed"], old != new, "{step:#}{}", context());
        let shown = step["diff_pct"].as_f64().unwrap();
        assert!((shown - percent).abs() < 1e-9, "{step:#}{}", context());
        let is_told = !step["circumstances"].as_array().unwrap().is_empty();
        let matters = fact.judged(limited) != Judged::All;
        assert_eq!(is_told, matters, "{step:#}{}", context());
    }

    /// The number of benchmarks that the run counts as compared, and as new.
    pub(super) fn check_numbers(&self, changes: &Value, context: &dyn Fn() -> String) {
        let number = |name: &str| changes[name].as_u64().unwrap_or_default();
        let compared = ["worse", "better", "same", "noise"].map(number);
        assert_eq!(compared.iter().sum::<u64>(), 1, "{changes}{}", context());
        let is_new = self.pair.beside == Beside::New;
        assert_eq!(number("new"), u64::from(is_new), "{changes}{}", context());
    }
}
