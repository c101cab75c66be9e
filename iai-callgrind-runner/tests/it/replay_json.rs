//! The whole runner with recorded files instead of Valgrind: the objects for programs, byte for
//! byte.

use std::fs;
use std::path::Path;

use crate::replayed::{recordings, schema, Replayed};
use base::exit::Exit;
use cli::JsonFormat;
use iai_callgrind::protocol::{Callgrind, Explain, Tools};
use iai_callgrind_runner::summary::{Ending, Reason, Record, Status};
use records::layout::Slot;
use snapbox::{assert_data_eq, file};

fn for_programs(format: JsonFormat) -> Replayed {
    let mut replayed = Replayed::new();
    replayed.json = Some(format);
    replayed
}

/// Indented objects without what differs from run to run.
fn redacted(replayed: &Replayed, text: &str) -> String {
    let home = replayed.home().display().to_string();
    let mut lines = String::new();
    let text = text.replace(&home, "[HOME]");
    // The arguments of tools have tests of their own.
    let is_argument = |line: &&str| line.trim_start().starts_with("\"--");
    for line in text.lines().filter(|line| !is_argument(line)) {
        // The last is not on every platform.
        let changes = [
            "\"started_at\": ",
            "\"duration_ns\": ",
            "\"glibc_tunables\": ",
        ];
        match changes.iter().find_map(|key| Some((key, line.find(key)?))) {
            Some((key, at)) => lines += &format!("{}{key}…,", &line[..at]),
            None => lines += line,
        }
        lines.push('\n');
    }
    lines
}

#[test]
fn a_changed_run() {
    let replayed = for_programs(JsonFormat::PrettyJson);
    replayed.run(&recordings("first"), &["works"]);
    let shown = replayed.run(&recordings("changed"), &["works"]);
    assert_eq!(shown.exit, Exit::Regression);
    assert_eq!(
        shown.err,
        "regression: benchmark `bench::kernels::works`: Callgrind: Instructions (2001 -> 3001): \
         +49.9750% exceeds limit of +5.00000%\n"
    );
    schema::check(&shown.out);
    let expected = file!["../data/replay/changed.json": Text];
    assert_data_eq!(redacted(&replayed, &shown.out), expected);
}

/// Where paths begin is what cargo said at compile time, or else what the user says.
#[test]
fn the_workspace_is_that_of_the_build_or_of_the_option() {
    #[track_caller]
    fn check(replayed: &Replayed, words: &[&str], workspace: &Path) {
        let shown = replayed.run(&recordings("first"), &[words, &["works"]].concat());
        let line = shown.out.lines().next().unwrap();
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        let home = replayed.home();
        let in_workspace = home.strip_prefix(workspace).unwrap().to_str();
        let files = &json["files"];
        assert_eq!(files["workspace"].as_str(), workspace.to_str());
        assert_eq!(files["home_in_workspace"].as_str(), in_workspace);
        let bench_file = workspace.join("benches/bench.rs");
        assert_eq!(files["bench_file"].as_str(), bench_file.to_str());
    }
    let mut replayed = for_programs(JsonFormat::Json);
    // A package that was alone before has a lock file, which cargo reads no more.
    let root = tempfile::tempdir().unwrap();
    let member = root.path().join("member");
    fs::create_dir(&member).unwrap();
    fs::write(member.join("Cargo.lock"), "version = 4\n").unwrap();
    replayed.keep_in(&member);
    let package = &mut replayed.suite.package;
    package.manifest_dir = member.display().to_string();
    package.workspace = root.path().display().to_string();
    check(&replayed, &[], root.path());
    let given = format!("--workspace-root={}", member.display());
    check(&replayed, &[&given], &member);
}

#[test]
fn lines_and_files_hold_the_same() {
    let replayed = for_programs(JsonFormat::Json);
    let shown = replayed.run(&recordings("first"), &[]);
    assert_eq!((shown.err.as_str(), shown.exit), ("", Exit::Ok));
    let lines: Vec<&str> = shown.out.lines().collect();
    assert_eq!(lines.len(), 3);
    for (line, file) in lines.iter().zip(["sort.reversed", "works"]) {
        let files = replayed.files();
        let name = format!("{file}/summary.json");
        let (_, json) = files.iter().find(|(found, _)| *found == name).unwrap();
        assert_eq!(std::str::from_utf8(json).unwrap(), format!("{line}\n"));
    }
    // The files can be indented as well.
    replayed.run(&recordings("first"), &["--save-summary=pretty-json"]);
    let files = replayed.files();
    let (_, json) = files
        .iter()
        .find(|(name, _)| name == "works/summary.json")
        .unwrap();
    assert!(json.starts_with(b"{\n  \"type\": \"benchmark\",\n  \"version\": 1,\n"));
}

#[test]
fn a_failed_benchmark_has_an_object_and_keeps_its_file() {
    let replayed = for_programs(JsonFormat::Json);
    replayed.run(&recordings("first"), &["works"]);
    let before = replayed.files();
    let shown = replayed.run(&recordings("failing"), &[]);
    assert_eq!(shown.exit, Exit::Error);
    assert!(shown
        .err
        .starts_with("error: benchmark `bench::kernels::works` panicked\n"));
    let records = schema::check(&shown.out);
    let [Record::Benchmark(sort), Record::Benchmark(works), Record::Run(run)] = records.as_slice()
    else {
        panic!("{}", shown.out);
    };
    assert_eq!((sort.status, works.status), (Status::Ok, Status::Failed));
    assert!(works.profiles.is_empty());
    let [failure] = works.failures.as_slice() else {
        panic!("{works:?}");
    };
    assert_eq!(failure.tool.as_deref(), Some("callgrind"));
    assert_eq!(failure.reason, Reason::Ended);
    assert!(failure.message.starts_with("panicked"), "{failure:?}");
    assert_eq!((failure.exit_code, failure.signal), (Some(101), None));
    let output = failure.output.as_deref().unwrap();
    assert!(output.starts_with("stdout before it panics\n"), "{output}");
    assert_eq!((run.ending, run.exit_code), (Ending::Failure, Some(1)));
    assert_eq!((run.counts.ok, run.counts.failed), (1, 1));
    let mut after = replayed.files();
    after.retain(|(name, _)| name.starts_with("works/"));
    assert_eq!(after, before);
}

#[test]
fn limits_that_stop_the_run_leave_the_rest() {
    let replayed = for_programs(JsonFormat::Json);
    let words = ["--callgrind-limits=ir=1", "--regression-fail-fast"];
    let shown = replayed.run(&recordings("first"), &words);
    assert_eq!(shown.exit, Exit::Regression);
    let records = schema::check(&shown.out);
    let [Record::Benchmark(sort), Record::Run(run)] = records.as_slice() else {
        panic!("{}", shown.out);
    };
    assert_eq!(sort.status, Status::Regressed);
    assert_eq!(run.ending, Ending::FailFast);
    assert_eq!((run.counts.regressed, run.counts.not_run), (1, 1));
    let message = run.message.as_deref().unwrap();
    assert!(message.contains("`fail_fast` stops the run"), "{message}");
}

#[test]
fn an_error_wins_over_a_regression() {
    let mut replayed = for_programs(JsonFormat::Json);
    let words = ["--callgrind-limits=ir=1"];
    // Whichever comes first: the recording has the failing one behind the regressed one.
    for _ in 0..2 {
        let shown = replayed.run(&recordings("failing"), &words);
        assert_eq!(shown.exit, Exit::Error);
        let records = schema::check(&shown.out);
        let Some(Record::Run(run)) = records.last() else {
            panic!("{}", shown.out);
        };
        assert_eq!((run.ending, run.exit_code), (Ending::Failure, Some(1)));
        assert_eq!((run.counts.regressed, run.counts.failed), (1, 1));
        replayed.suite.groups[0].functions.reverse();
    }
}

/// Records without the times that differ from one to the next, also where they tell of the same.
fn without_times(lines: &[String]) -> Vec<serde_json::Value> {
    let parse = |line: &String| {
        let mut json: serde_json::Value = serde_json::from_str(line).unwrap();
        for time in ["started_at", "duration_ns"] {
            assert!(
                json.as_object_mut().unwrap().remove(time).is_some(),
                "{line}"
            );
        }
        json
    };
    lines.iter().map(parse).collect()
}

#[test]
fn every_run_keeps_its_records() {
    let mut replayed = for_programs(JsonFormat::Json);
    for recording in ["first", "changed", "failing"] {
        let shown = replayed.run(&recordings(recording), &[]);
        let lines: Vec<String> = shown.out.lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 3);
        let kept = replayed.records(&Slot::Last);
        // The run ends twice: once for each.
        assert_eq!(kept[..2], lines[..2]);
        assert_eq!(without_times(&kept), without_times(&lines));
    }
    let of_objects = replayed.records(&Slot::Last);
    replayed.json = None;
    replayed.run(&recordings("failing"), &[]);
    schema::check(&replayed.records(&Slot::Last).join("\n"));
    assert_eq!(replayed.records(&Slot::Last).len(), of_objects.len());
}

#[test]
fn a_run_that_changes_something_adds_a_line_to_the_history() {
    let replayed = Replayed::new();
    let path = replayed.home().join("replayed/bench/history.jsonl");
    let run = |recording: &str, words: &[&str]| {
        replayed.run(&recordings(recording), words);
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        lines
    };
    let lines = run("first", &[]);
    let first = &lines[0];
    assert_eq!(
        (&first["runs"], &first["label"]),
        (&2.into(), &serde_json::Value::Null)
    );
    assert_eq!(
        (
            &first["package"],
            &first["file"],
            &first["rustc"],
            &first["libc"]
        ),
        (
            &"replayed".into(),
            &"bench".into(),
            &"1.85.0".into(),
            &"glibc 2.36".into()
        )
    );
    assert_eq!(
        first["at"].as_str().unwrap().len(),
        "2026-11-22T03:18:26Z".len()
    );
    // The metrics that the terminal shows, as the terminal shows them.
    let works = serde_json::json!({
        "Ir": 2001, "L1hits": 2001, "LLhits": 0, "RamHits": 1, "TotalRW": 2002, "EstimatedCycles": 2036,
    });
    assert_eq!(first["values"]["bench::kernels::works"], works);
    assert_eq!(run("first", &[]).len(), 1);
    assert_eq!(run("first", &["--save-baseline=main"]).len(), 1);
    // Nothing is measured.
    assert_eq!(
        run("changed", &["--load-baseline=main", "--baseline=main"]).len(),
        1
    );
    let lines = run("changed", &["works"]);
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[1]["runs"], 1);
    let changed: Vec<&String> = lines[1]["values"].as_object().unwrap().keys().collect();
    assert_eq!(changed, ["bench::kernels::works"]);
    // A benchmark that fails has no value, and is there all the same.
    assert_eq!(run("failing", &[]).len(), 2);
}

#[test]
fn a_history_that_cannot_be_written_is_a_warning() {
    let replayed = Replayed::new();
    let path = replayed.home().join("replayed/bench/history.jsonl");
    std::fs::create_dir_all(&path).unwrap();
    let shown = replayed.run(&recordings("first"), &[]);
    let expected = format!(
        "warning: this run is not in the history: cannot open `{}`\ncaused by: Is a directory",
        path.display()
    );
    assert!(shown.err.starts_with(&expected), "{}", shown.err);
    assert_eq!(shown.exit, Exit::Ok);
    assert_eq!(replayed.records(&Slot::Last).len(), 3);
}

#[test]
fn records_say_what_was_selected() {
    #[track_caller]
    fn check(words: &[&str], expected: serde_json::Value) {
        let replayed = Replayed::new();
        replayed.run(&recordings("first"), &[]);
        replayed.run(&recordings("first"), words);
        let kept = replayed.records(&Slot::Last);
        let run: serde_json::Value = serde_json::from_str(kept.last().unwrap()).unwrap();
        let counts = &run["counts"];
        let ran = counts["ok"].as_u64().unwrap();
        // A benchmark that only the first run measured stays, with the record of that run.
        let stays = 2 - ran;
        assert_eq!(kept.len() as u64, ran + 1 + stays + u64::from(stays > 0));
        assert_eq!(ran + counts["filtered"].as_u64().unwrap(), 2);
        let mut selection = serde_json::Map::new();
        for name in ["label", "partition", "filters", "skip", "exact"] {
            if let Some(value) = run.get(name) {
                selection.insert(name.to_owned(), value.clone());
            }
        }
        assert_eq!(serde_json::Value::from(selection), expected);
        // All benchmarks, whatever was selected.
        let suite = serde_json::json!({"benchmarks": 2, "hash": "6014bc47b930b997"});
        assert_eq!(run["suite"], suite);
        assert_eq!(
            (&run["package"], &run["file"]),
            (&"replayed".into(), &"bench".into())
        );
        let first: serde_json::Value = serde_json::from_str(&kept[0]).unwrap();
        assert_eq!(first["label"], run["label"]);
    }
    check(&[], serde_json::json!({}));
    check(
        &["--label=simd+avx2"],
        serde_json::json!({"label": "simd+avx2"}),
    );
    check(
        &["works", "--skip=sort"],
        serde_json::json!({"filters": ["works"], "skip": ["sort"]}),
    );
    check(
        &["bench::kernels::works", "--exact"],
        serde_json::json!({"filters": ["bench::kernels::works"], "exact": true}),
    );
    check(
        &["--partition=hash:2/3"],
        serde_json::json!({"partition": {"kind": "hash", "part": 2, "parts": 3}}),
    );
}

#[test]
fn a_baseline_has_records_and_loading_it_makes_none() {
    let replayed = Replayed::new();
    let main = Slot::Named("main".to_owned());
    replayed.run(&recordings("first"), &["--save-baseline=main"]);
    let saved = replayed.records(&main);
    assert_eq!(saved.len(), 3);
    assert_eq!(replayed.records(&Slot::Last), saved);
    replayed.run(&recordings("changed"), &["works"]);
    let last = replayed.records(&Slot::Last);
    assert_eq!((last.len(), replayed.records(&main)), (4, saved.clone()));
    replayed.run(
        &recordings("first"),
        &["--load-baseline=main", "--baseline=main"],
    );
    assert_eq!(
        (replayed.records(&Slot::Last), replayed.records(&main)),
        (last, saved)
    );
}

#[test]
fn limits_are_recorded_whether_they_are_exceeded_or_not() {
    let replayed = Replayed::new();
    let limits = "--callgrind-limits=ir=5%|9000,estimatedcycles=10%";
    replayed.run(&recordings("first"), &["works", limits]);
    let kept = replayed.records(&Slot::Last);
    let json: serde_json::Value = serde_json::from_str(&kept[0]).unwrap();
    let expected = serde_json::json!([
        {"type": "soft", "kind": "Ir", "limit": 5.0},
        {"type": "soft", "kind": "EstimatedCycles", "limit": 10.0},
        {"type": "hard", "kind": "Ir", "limit": 9000},
    ]);
    assert_eq!(json["profiles"][0]["limits"], expected);
    assert_eq!(json["profiles"][0]["regressions"], serde_json::json!([]));
    assert_eq!(json["benchmark"]["source_file"], "benches/bench.rs");
    assert_eq!(json["benchmark"]["line"], 7);
}

#[test]
fn objects_are_known_whether_results_are_explained_or_not() {
    let objects = |explained: bool| {
        let mut replayed = Replayed::new();
        let callgrind = Callgrind {
            explain: Some(Explain {
                enabled: Some(explained),
                ..Explain::default()
            }),
            ..Callgrind::default()
        };
        let tools = Tools {
            callgrind: Some(callgrind),
            ..Tools::default()
        };
        replayed.suite.config.as_mut().unwrap().tools = tools.into();
        replayed.run(&recordings("first"), &[]);
        let kept = replayed.records(&Slot::Last);
        let json: serde_json::Value = serde_json::from_str(&kept[0]).unwrap();
        let profile = &json["profiles"][0];
        assert_eq!(profile["digest"].is_string(), explained);
        let total = profile["metrics"][0]["new"].as_u64().unwrap();
        let list = profile["objects"].as_array().unwrap();
        let instructions = list.iter().map(|object| object["Ir"].as_u64().unwrap());
        assert_eq!(instructions.sum::<u64>(), total);
        list.clone()
    };
    let explained = objects(true);
    assert_eq!(explained[0]["name"], "counts");
    assert_eq!(explained, objects(false));
}
