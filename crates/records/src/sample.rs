//! Records for tests.

use serde_json::{json, Value};

use super::{RecordInput, RecordReader, RecordSet};

/// The record of a run over one bench target, and of two benchmarks of it.
pub fn run(edit: impl Fn(&mut Value)) -> String {
    let mut all = json!([
        benchmark("a", 100),
        benchmark("b", 200),
        {
            "type": "run", "version": 1, "ending": "ok", "exit_code": 0,
            "counts": {"ok": 2, "regressed": 0, "failed": 0, "filtered": 0, "not_run": 0},
            "started_at": "2026-11-20T10:00:00.000Z", "duration_ns": 5,
            "package": "exp1", "file": "app", "source": {"commit": "1111111aaaa"},
            "baselines": {}, "system": system(), "warnings": [], "errors": [],
            "suite": {"benchmarks": 2, "hash": "77"},
        }
    ]);
    edit(&mut all);
    let all = all.as_array().unwrap();
    all.iter().map(|record| format!("{record}\n")).collect()
}

fn system() -> Value {
    json!({
        "runner": "0.17.0", "target": "x86_64-unknown-linux-gnu", "libc": "glibc 2.36",
        "cpu_features": ["avx2"],
    })
}

/// The record of a benchmark.
pub fn benchmark(name: &str, instructions: u64) -> Value {
    json!({
        "type": "benchmark", "version": 1, "status": "ok",
        "benchmark": {
            "path": format!("app::g::{name}"), "kind": "library", "package": "exp1", "file": "app",
            "group": "g", "function": name, "source_file": "benches/app.rs", "line": 31,
        },
        "source": {"commit": "1111111aaaa"},
        "baselines": {}, "started_at": "2026-11-20T10:00:01.000Z", "duration_ns": 3,
        "profiles": [{
            "tool": "callgrind", "mode": "fork", "parts": [], "regressions": [], "errors": [],
            "notes": [], "out_files": [], "log_files": [],
            "environment": {"valgrind_args": [], "caches": []},
            "limits": [{"type": "soft", "kind": "Ir", "limit": 5.0}],
            "objects": [{"name": "app", "own": true, "Ir": 90}, {"name": "libc.so.6", "own": false, "Ir": 10}],
            "events": ["Ir"], "functions": [{"name": "app::sort", "origin": "user", "own": [90], "inlined": false}],
            "metrics": [
                {"kind": "Ir", "label": "Instructions", "shown": true, "new": instructions},
                {"kind": "L1HitRate", "label": "L1 Hit Rate", "shown": false, "new": 100},
                {"kind": "allocCount", "label": "allocCount", "shown": true, "new": 3},
            ],
        }],
        "failures": [], "comparisons": [], "directory": "exp1/app/g",
        "files": {"workspace": "/w", "package_dir": "/w", "bench_file": "/w/b.rs", "executable": "/w/e",
            "home": "/w/target/iai", "home_in_workspace": "target/iai"},
        "system": system(),
    })
}

/// The records of these texts.
pub fn set(texts: &[&str]) -> RecordSet {
    let mut reader = RecordReader::with_texts();
    for (number, text) in texts.iter().enumerate() {
        let input = RecordInput {
            name: format!("{number}.jsonl"),
        };
        reader.read(input, text.as_bytes()).unwrap();
    }
    reader.finish()
}
