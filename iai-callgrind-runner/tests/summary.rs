//! The format of `summary.json`.

use iai_callgrind::protocol::{EventKind, Limit};
use iai_callgrind_runner::compare::{check, compare};
use iai_callgrind_runner::identity::Identity;
use iai_callgrind_runner::metrics::{Kind, Metrics};
use iai_callgrind_runner::result::ToolResult;
use iai_callgrind_runner::summary::{Environment, Flamegraph, Graph, Mode, Profile, Summary};
use iai_callgrind_runner::tool::Tool;

fn summary() -> Summary {
    let new =
        Metrics::from_counters(Tool::Callgrind, [("Ir", 1365), ("Bc", 5), ("Ge", 1)]).unwrap();
    let old = Metrics::from_counters(Tool::Callgrind, [("Ir", 1300), ("Bc", 0)]).unwrap();
    let total = compare(&new, Some(&old));
    let [ir, bc] = [EventKind::Ir, EventKind::Bc].map(Kind::from);
    let soft = [(ir, 4.0), (bc, 10.0)];
    let regressions = check(&total, &soft, &[(ir, Limit::Int(1000))]);
    let identity = Identity {
        file: "my_bench".into(),
        group: "sort".into(),
        function: "bench_sort".into(),
        id: Some("large".into()),
        args: Some("vec![3, 2, 1]".into()),
    };
    let result = ToolResult {
        tool: Tool::Callgrind,
        format: vec![],
        parts: vec![],
        details: vec![],
        total,
        regressions,
        notes: vec!["the old data is of Valgrind 3.19.0".into()],
    };
    let environment = Environment {
        valgrind_version: Some("3.24.0".into()),
        valgrind_args: vec!["--tool=callgrind".into()],
        caches: vec!["I1 cache: 32768 B, 64 B, 8-way associative".into()],
    };
    let flamegraph = Flamegraph {
        kind: "Ir".into(),
        graph: Graph::Differential,
        path: "/home/callgrind.bench_sort.large.total.Ir.flamegraph.diff.old.svg".into(),
    };
    let profile = Profile {
        flamegraphs: vec![flamegraph],
        ..Profile::new(&result, Mode::Direct, environment)
    };
    let baselines = (None, Some("main".into()));
    Summary::new(&identity, baselines, vec![profile])
}

#[test]
fn numbers_are_numbers_and_infinite_ones_are_null() {
    snapbox::assert_data_eq!(
        serde_json::to_string_pretty(&summary()).unwrap(),
        snapbox::str![[r#"
{
  "version": 1,
  "benchmark": {
    "file": "my_bench",
    "group": "sort",
    "function": "bench_sort",
    "id": "large",
    "args": "vec![3, 2, 1]"
  },
  "baselines": {
    "new": null,
    "old": "main"
  },
  "profiles": [
    {
      "tool": "callgrind",
      "mode": "direct",
      "metrics": [
        {
          "kind": "Ir",
          "label": "Instructions",
          "new": 1365,
          "old": 1300,
          "diff_pct": 5.0,
          "factor": 1.05
        },
        {
          "kind": "Ge",
          "label": "Ge",
          "new": 1,
          "old": null,
          "diff_pct": null,
          "factor": null
        },
        {
          "kind": "Bc",
          "label": "Bc",
          "new": 5,
          "old": 0,
          "diff_pct": null,
          "factor": null
        }
      ],
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
      "notes": [
        "the old data is of Valgrind 3.19.0"
      ],
      "flamegraphs": [
        {
          "kind": "Ir",
          "graph": "differential",
          "path": "/home/callgrind.bench_sort.large.total.Ir.flamegraph.diff.old.svg"
        }
      ],
      "environment": {
        "valgrind_version": "3.24.0",
        "valgrind_args": [
          "--tool=callgrind"
        ],
        "caches": [
          "I1 cache: 32768 B, 64 B, 8-way associative"
        ]
      }
    }
  ]
}
"#]]
    );
}

#[test]
fn what_is_written_can_be_read() {
    let summary = summary();
    let json = serde_json::to_vec(&summary).unwrap();
    assert_eq!(serde_json::from_slice::<Summary>(&json).unwrap(), summary);
}

/// `UPDATE_SCHEMAS=1 cargo test -p iai-callgrind-runner --features schema` rewrites the file.
#[cfg(feature = "schema")]
#[expect(
    clippy::disallowed_methods,
    reason = "a switch for whoever changes the format"
)]
#[test]
fn schema_is_up_to_date() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../schemas/summary.v1.schema.json"
    );
    let schema = schemars::schema_for!(Summary);
    let generated = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(path, &generated).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap();
    assert!(kept == generated, "run this test with UPDATE_SCHEMAS=1");
}
