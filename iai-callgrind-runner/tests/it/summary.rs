//! The format of `summary.json` and of the JSON output.

use std::sync::Arc;

use base::tool::Tool;
use explain::{FunctionCosts, RecordedFunctions, SourceOrigin};
use iai_callgrind::protocol::{EventKind, Limit};
use iai_callgrind_runner::measure::ToolOutcome;
use iai_callgrind_runner::summary::{
    self, Baselines, Benchmark, Environment, Files, Flamegraph, Graph, Mode, Profile, Record,
    RecordedLimit, Source, Status, Summary, System, VERSION,
};
use metrics::{MetricKind, Metrics};
use verdict::{check, compare, ToolResult};

fn profile() -> Profile {
    let new =
        Metrics::from_counters(Tool::Callgrind, [("Ir", 1365), ("Bc", 5), ("Ge", 1)]).unwrap();
    let old = Metrics::from_counters(Tool::Callgrind, [("Ir", 1300), ("Bc", 0)]).unwrap();
    let total = compare(&new, Some(&old));
    let [ir, bc] = [EventKind::Ir, EventKind::Bc].map(MetricKind::from);
    let soft = [(ir, 4.0), (bc, 10.0)];
    let regressions = check(&total, &soft, &[(ir, Limit::Int(1000))]);
    let result = ToolResult {
        tool: Tool::Callgrind,
        // Another order than that of the kinds.
        format: [bc, ir].into(),
        parts: vec![],
        total,
        regressions,
        not_judged: Vec::new(),
        changed_outside_own_code: false,
        repeated: None,
        unmet: Vec::new(),
        not_compared: false,
        details: vec![],
        explanation: None,
        heap_sites: None,
        notes: vec!["the old data is of Valgrind 3.19.0".into()],
    };
    let flamegraph = Flamegraph {
        kind: "Ir".into(),
        graph: Graph::Differential,
        path: "/home/callgrind.bench_sort.large.total.Ir.flamegraph.diff.old.svg".into(),
    };
    let mut outcome = ToolOutcome {
        result,
        limits: vec![RecordedLimit::Soft {
            kind: "Ir".into(),
            limit: 4.0,
        }],
        parts: vec![],
        only_part: None,
        metrics: new,
        blocks: None,
        failure: None,
        circumstances: vec!["the last run simulated other caches".into()],
        errors: vec![],
        mode: Mode::Direct,
        ran: None,
        cpu: None,
        objects: vec![],
        throughput: None,
        functions: Some(Arc::new(RecordedFunctions {
            events: vec!["Ir".into()],
            functions: vec![FunctionCosts {
                name: "lab::sort".into(),
                origin: SourceOrigin::User,
                own: vec![1365],
                calls: Some(1),
                inlined: false,
            }],
        })),
        environment: Environment {
            valgrind_version: Some("3.24.0".into()),
            valgrind_args: vec!["--tool=callgrind".into()],
            caches: vec!["I1 cache: 32768 B, 64 B, 8-way associative".into()],
            deterministic_random: Some(false),
            fast_setup: Some(true),
            glibc_tunables: Some("glibc.cpu.x86_rep_movsb_threshold=0x7fffffff".into()),
            loader_variables: vec!["LD_LIBRARY_PATH=/w/target/release/deps".into()],
            counted_part: Some("the benchmark function".into()),
            unknown_calls: vec!["system call `futex_waitv` (449)".to_owned()],
            code: Some("8899aabbccddeeff".into()),
            fingerprint: Some("00112233aabbccdd".into()),
        },
        old_record: None,
        other_input: None,
        flamegraphs: vec![flamegraph],
        files: vec![
            ("callgrind.f.out".into(), 1234),
            ("callgrind.f.log.base@a.out".into(), 56),
        ],
        code: time::CodeOfSides::default(),
        new_files: None,
    };
    outcome.profile()
}

fn summary() -> Summary {
    let summary = Summary {
        version: VERSION,
        status: Status::Ok,
        label: None,
        source: Source::default(),
        benchmark: Benchmark {
            path: "my_bench::sort::bench_sort::large".into(),
            kind: summary::Kind::Library,
            package: "my-crate".into(),
            file: "my_bench".into(),
            group: "sort".into(),
            function: "bench_sort".into(),
            id: Some("large".into()),
            args: Some("vec![3, 2, 1]".into()),
            input: None,
            command: None,
            description: Some("vec![3, 2, 1]".into()),
            source_file: None,
            line: None,
        },
        baselines: Baselines {
            new: None,
            old: Some("main".into()),
        },
        started_at: "2026-01-31T12:00:00.000Z".into(),
        duration_ns: 1,
        profiles: vec![profile()],
        failures: vec![],
        comparisons: vec![],
        growth: Vec::new(),
        time: None,
        directory: "my-crate/my_bench/sort/bench_sort.large".into(),
        files: Files::default(),
        system: System::default(),
    };
    summary.judged()
}

#[test]
fn numbers_are_numbers_and_infinite_ones_are_null() {
    snapbox::assert_data_eq!(
        serde_json::to_string_pretty(&profile()).unwrap(),
        snapbox::str![[r#"
{
  "tool": "callgrind",
  "mode": "direct",
  "started_at": null,
  "duration_ns": null,
  "metrics": [
    {
      "kind": "Bc",
      "label": "Bc",
      "unit": null,
      "shown": true,
      "new": 5,
      "old": 0,
      "diff_pct": null,
      "factor": null
    },
    {
      "kind": "Ir",
      "label": "Instructions",
      "unit": null,
      "shown": true,
      "new": 1365,
      "old": 1300,
      "diff_pct": 5.0,
      "factor": 1.05
    },
    {
      "kind": "Ge",
      "label": "Ge",
      "unit": null,
      "shown": false,
      "new": 1,
      "old": null,
      "diff_pct": null,
      "factor": null
    }
  ],
  "parts": [],
  "regressions": [
    {
      "type": "soft",
      "kind": "Ir",
      "new": 1365,
      "old": 1300,
      "diff_pct": 5.0,
      "limit": 4.0
    },
    {
      "type": "soft",
      "kind": "Bc",
      "new": 5,
      "old": 0,
      "diff_pct": null,
      "limit": 10.0
    },
    {
      "type": "hard",
      "kind": "Ir",
      "new": 1365,
      "limit": 1000,
      "excess": 365
    }
  ],
  "limits": [
    {
      "type": "soft",
      "kind": "Ir",
      "limit": 4.0
    }
  ],
  "errors": [],
  "by_chance": false,
  "notes": [
    "the old data is of Valgrind 3.19.0",
    "the last run simulated other caches"
  ],
  "flamegraphs": [
    {
      "kind": "Ir",
      "graph": "differential",
      "path": "/home/callgrind.bench_sort.large.total.Ir.flamegraph.diff.old.svg"
    }
  ],
  "events": [
    "Ir"
  ],
  "functions": [
    {
      "name": "lab::sort",
      "origin": "user",
      "own": [
        1365
      ],
      "calls": 1,
      "inlined": false
    }
  ],
  "out_files": [
    "callgrind.f.out"
  ],
  "log_files": [
    "callgrind.f.log.base@a.out"
  ],
  "file_lengths": [
    1234,
    56
  ],
  "environment": {
    "valgrind_version": "3.24.0",
    "valgrind_args": [
      "--tool=callgrind"
    ],
    "caches": [
      "I1 cache: 32768 B, 64 B, 8-way associative"
    ],
    "deterministic_random": false,
    "fast_setup": true,
    "glibc_tunables": "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff",
    "loader_variables": [
      "LD_LIBRARY_PATH=/w/target/release/deps"
    ],
    "counted_part": "the benchmark function",
    "unknown_calls": [
      "system call `futex_waitv` (449)"
    ],
    "code": "8899aabbccddeeff",
    "fingerprint": "00112233aabbccdd"
  }
}
"#]]
    );
}

#[test]
fn what_is_written_can_be_read() {
    let summary = summary();
    assert_eq!(summary.status, Status::Regressed);
    let record = Record::Benchmark(Box::new(summary));
    let line = String::from_utf8(record.to_bytes(false).unwrap()).unwrap();
    assert_eq!(line.lines().count(), 1);
    assert!(line.starts_with(r#"{"type":"benchmark","version":1,"status":"regressed","#));
    let pretty = String::from_utf8(record.to_bytes(true).unwrap()).unwrap();
    for text in [&line, &pretty] {
        assert_eq!(text.parse::<Record>().unwrap(), record);
    }
    let all: Result<Vec<Record>, _> = summary::read(&(pretty + &line)).collect();
    assert_eq!(all.unwrap(), [record.clone(), record]);
}

#[test]
fn readers_ignore_what_they_do_not_know() {
    let record = Record::Benchmark(Box::new(summary()));
    let json = serde_json::to_string(&record).unwrap();
    let newer = json
        .replacen('{', r#"{"new": [1, {"a": null}],"#, 1)
        .replace(r#""tool":"#, r#""flags":{},"tool":"#)
        .replace(r#""kind":"Ir","#, r#""unit":"x","kind":"Ir","#);
    assert_ne!(newer, json);
    assert_eq!(newer.parse::<Record>().unwrap(), record);
    let failure = r#"{"tool":null,"reason":"of a later version","message":"m"}"#;
    let failure: summary::Failure = serde_json::from_str(failure).unwrap();
    assert_eq!(failure.reason, summary::Reason::Other);
}

/// `UPDATE_SCHEMAS=1 cargo test -p iai-callgrind-runner --features schema --test it summary::`
/// rewrites the files.
#[cfg(feature = "schema")]
#[expect(
    clippy::disallowed_methods,
    reason = "a switch for whoever changes the format"
)]
#[test]
fn schemas_are_up_to_date() {
    use records::DigestLine;
    use verdict::sides::ComparisonReport;

    let schemas = [
        ("summary.v1", schemars::schema_for!(Record)),
        ("digest.v1", schemars::schema_for!(DigestLine<'_>)),
        ("comparison.v1", schemars::schema_for!(ComparisonReport)),
    ];
    for (name, schema) in schemas {
        let schemas = concat!(env!("CARGO_MANIFEST_DIR"), "/../schemas");
        let path = format!("{schemas}/{name}.schema.json");
        let generated = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            std::fs::write(&path, &generated).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(
            kept == generated,
            "{path}: run this test with UPDATE_SCHEMAS=1"
        );
    }
}
