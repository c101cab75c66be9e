//! The whole runner with recorded files instead of Valgrind: the objects of the public format,
//! version 6.
//!
//! `data/summary-v6/recorded.jsonl` has objects that iai-callgrind-runner 0.16.1 wrote about
//! benchmarks of ours. The schema was written by hand, and takes these and ours alike.

use std::fs;
use std::path::Path;

use crate::recorded::{copy, everything, Recorded};
use crate::replayed::{recorded_files, recordings, Replayed, Shown};
use base::exit::Exit;
use cli::JsonFormat;
use serde_json::{json, Value};

fn objects(text: &str) -> Vec<Value> {
    let objects = serde_json::Deserializer::from_str(text).into_iter();
    objects.collect::<Result<_, _>>().unwrap()
}

/// Mistakes in an object.
fn mistakes(object: &Value) -> Vec<String> {
    let schema = include_str!("../../../schemas/summary.v6.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let errors = schema.iter_errors(object);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// The objects of a run, which match the schema.
#[track_caller]
fn checked(shown: &Shown) -> Vec<Value> {
    let objects = objects(&shown.out);
    for object in &objects {
        assert_eq!(mistakes(object), [""; 0], "{object:#}");
    }
    objects
}

fn v6(mut replayed: Replayed) -> Replayed {
    replayed.json = Some(JsonFormat::Json);
    replayed.is_v6 = true;
    replayed
}

fn recorded_objects() -> Vec<Value> {
    objects(include_str!("../data/summary-v6/recorded.jsonl"))
}

#[test]
fn the_schema_takes_what_the_public_runner_wrote_and_nothing_else() {
    let recorded = recorded_objects();
    assert_eq!(recorded.len(), 4);
    for object in &recorded {
        assert_eq!(mistakes(object), [""; 0]);
    }
    let wrong: [(&str, Value); 6] = [
        ("/version", json!(6)),
        ("/kind", json!("library")),
        ("/baselines", json!({"new": null, "old": null})),
        ("/profiles/0/tool", json!("callgrind")),
        (
            "/profiles/0/summaries/total/summary/Callgrind/Ir/metrics",
            json!(264),
        ),
        (
            "/profiles/0/summaries/total/summary/Callgrind/Ir/diffs",
            json!({"diff_pct": 0, "factor": 1}),
        ),
    ];
    for (place, value) in wrong {
        let mut object = recorded[0].clone();
        *object.pointer_mut(place).unwrap() = value;
        assert_ne!(mistakes(&object), [""; 0], "{place}");
    }
}

/// Names of all fields below a value, without those of metrics: tools that are told to collect more
/// have more of them.
fn fields(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            let is_metrics = map.values().all(|value| value.get("diffs").is_some());
            for (name, value) in map {
                let name = match is_metrics {
                    true => "*",
                    false => name.as_str(),
                };
                let path = format!("{path}/{name}");
                found.push(path.clone());
                fields(value, &path, found);
            }
        }
        Value::Array(values) => {
            for value in values {
                fields(value, path, found);
            }
        }
        _ => {}
    }
}

fn all_fields(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    fields(value, "", &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn a_changed_run_has_the_fields_of_the_public_runner() {
    let replayed = v6(everything());
    let recorded = Recorded::new(&[("dhat", "alloc"), ("memcheck", "clean"), ("massif", "peak")]);
    let words = [
        "works",
        "--tools=dhat,memcheck,massif",
        "--callgrind-limits=ir=5%|10",
    ];
    let shown = replayed.run(recorded.path(), &words);
    assert_eq!(shown.exit, Exit::Regression, "{}", shown.err);
    checked(&shown);
    let shown = replayed.run(recorded.path(), &words);
    let ours = checked(&shown).remove(0);
    let theirs = &recorded_objects()[1];
    // Theirs was asked for a file, which has a place of its own in the object.
    let mut their_fields = all_fields(theirs);
    their_fields.retain(|path| !path.starts_with("/summary_output/"));
    assert_eq!(all_fields(&ours), their_fields);
}

#[test]
fn programs_read_figures_and_regressions() {
    let replayed = v6(Replayed::new());
    replayed.run(&recordings("first"), &["works"]);
    let shown = replayed.run(&recordings("changed"), &["works"]);
    assert_eq!(shown.exit, Exit::Regression);
    // Nothing but the object; the rest is for people.
    assert_eq!(shown.out.lines().count(), 1);
    assert!(shown
        .err
        .starts_with("regression: benchmark `bench::kernels::works`: "));
    let object = checked(&shown).remove(0);
    assert_eq!(object["module_path"], "bench::kernels::works");
    assert_eq!(object["function_name"], "works");
    assert_eq!(object["id"], Value::Null);
    let profile = &object["profiles"][0];
    let total = &profile["summaries"]["total"];
    assert_eq!(
        total["summary"]["Callgrind"]["Ir"],
        json!({
            "diffs": {"diff_pct": "49.97501249375313", "factor": "1.4997501249375311"},
            "metrics": {"Both": [{"Int": 3001}, {"Int": 2001}]},
        })
    );
    assert_eq!(
        total["regressions"],
        json!([{"Soft": {
            "metric": {"Callgrind": "Ir"}, "new": {"Int": 3001}, "old": {"Int": 2001},
            "diff_pct": "49.97501249375313", "limit": "5",
        }}])
    );
    let directory = replayed.home().join("replayed/bench/kernels/works");
    let out = directory.join("callgrind.works.out").display().to_string();
    assert_eq!(profile["out_paths"], json!([out]));
    let part = &profile["summaries"]["parts"][0];
    let paths = [0, 1].map(|side| part["details"]["Both"][side]["path"].as_str().unwrap());
    assert_eq!(paths, [out.clone(), format!("{out}.old")]);
    assert_eq!(part["metrics_summary"], total["summary"]);
}

#[test]
fn baselines_are_named_as_the_public_runner_names_them() {
    let replayed = v6(Replayed::new());
    let old_path = |shown: &Shown| {
        let object = checked(shown).remove(0);
        let part = &object["profiles"][0]["summaries"]["parts"][0];
        let path = part["details"]["Both"][1]["path"]
            .as_str()
            .map(str::to_owned);
        (object["baselines"].clone(), path.unwrap_or_default())
    };
    replayed.run(&recordings("first"), &["works", "--save-baseline=main"]);
    let shown = replayed.run(&recordings("first"), &["works", "--save-baseline=main"]);
    let (baselines, path) = old_path(&shown);
    assert_eq!(baselines, json!(["main", "main"]));
    assert!(path.ends_with("/callgrind.works.out.base@main"), "{path}");
    let shown = replayed.run(&recordings("changed"), &["works", "--baseline=main"]);
    let (baselines, path) = old_path(&shown);
    assert_eq!(baselines, json!([null, "main"]));
    assert!(path.ends_with("/callgrind.works.out.base@main"), "{path}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "files of the test")]
fn every_tool_and_every_process_has_its_place() {
    let replayed = v6(everything());
    // Files of the other tools lie below those of Callgrind, which come from another case.
    let recorded = Recorded::new(&[]);
    let works = recorded.of("callgrind");
    fs::remove_dir_all(&works).unwrap();
    let data = recorded_files();
    for (tool, case, prefix) in [
        ("callgrind", "fork_exec", "callgrind"),
        ("cachegrind", "plain", "cachegrind"),
        ("exp-bbv", "threads", "bb."),
        ("helgrind", "clean", ""),
        ("drd", "clean", ""),
    ] {
        let from = data.join(tool).join("3.27.1").join(case);
        copy(&from, &recorded.of(tool), prefix);
    }
    let tools = "--tools=cachegrind,exp-bbv,helgrind,drd";
    let shown = replayed.run(recorded.path(), &["works", tools]);
    assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
    let object = checked(&shown).remove(0);
    let names: Vec<&str> = object["profiles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|profile| profile["tool"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Callgrind", "Cachegrind", "BBV", "Helgrind", "DRD"]);
    let callgrind = &object["profiles"][0];
    let parts = callgrind["summaries"]["parts"].as_array().unwrap();
    assert!(parts.len() > 1, "{parts:#?}");
    for part in parts {
        let details = &part["details"]["Left"];
        let pid = details["pid"].to_string();
        let path = details["path"].as_str().unwrap();
        assert!(path.contains(&format!(".{pid}.")), "{path} {pid}");
        assert!(Path::new(path).is_file(), "{path}");
    }
}

#[test]
fn counters_that_readers_do_not_know_are_left_out() {
    let replayed = v6(everything());
    let recorded = Recorded::new(&[]);
    let out = recorded.of("callgrind").join("out.1001");
    let text = fs::read_to_string(&out).unwrap();
    // The last of its counters gets another name, in the header and wherever it is named again.
    assert!(text.contains(" DLmw"), "{text}");
    fs::write(&out, text.replace(" DLmw", " allocCount")).unwrap();
    let words = ["works", "--callgrind-metrics=@all"];
    let shown = replayed.run(recorded.path(), &words);
    let object = checked(&shown).remove(0);
    let total = &object["profiles"][0]["summaries"]["total"]["summary"]["Callgrind"];
    assert_eq!(total["Ir"]["metrics"], json!({"Left": {"Int": 2001}}));
    assert_eq!(total.get("DLmw").or(total.get("allocCount")), None);
    let own = replayed.files();
    let (_, own) = own
        .iter()
        .find(|(name, _)| name == "works/summary.json")
        .unwrap();
    assert!(std::str::from_utf8(own).unwrap().contains("allocCount"));
}

#[test]
fn a_failed_benchmark_has_no_object() {
    let replayed = v6(Replayed::new());
    let shown = replayed.run(&recordings("failing"), &[]);
    assert_eq!(shown.exit, Exit::Error);
    let objects = checked(&shown);
    let paths: Vec<_> = objects
        .iter()
        .map(|object| &object["module_path"])
        .collect();
    assert_eq!(paths, ["bench::kernels::sort"]);
    assert!(shown
        .err
        .contains("error: benchmark `bench::kernels::works` panicked"));
}
