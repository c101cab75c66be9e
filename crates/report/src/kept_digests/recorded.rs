//! Digests of recorded results.
//!
//! Digests lie beside the records of a run: in a directory of results, or in a copy of it. A file
//! of merged records has none, and a digest of other counts than those of the record is that of
//! another run.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use iai_callgrind::protocol::EventKind;

use base::tool::Tool;
use explain::digest::Digest;
use explain::kept_digest;
use metrics::MetricValue;
use records::{BenchmarkIdentity, RecordedBenchmark, RecordedTool};
use verdict::sides::{ReportRow, ResultSide};

/// The identity of the benchmark of a row.
pub(super) fn identity(row: &ReportRow) -> BenchmarkIdentity {
    let text = |text: &Option<String>| text.as_deref().map(Arc::from);
    BenchmarkIdentity {
        label: text(&row.label),
        target: text(&row.target),
        package: row.package.as_str().into(),
        path: row.path.as_str().into(),
    }
}

/// The digest of a benchmark on a side. `Ok(None)`: there is none. The error names the file and the
/// reason.
pub(super) fn digest(
    side: &ResultSide,
    identity: &BenchmarkIdentity,
) -> Result<Option<Digest>, String> {
    let Some((benchmark, result)) = result(side, identity) else {
        return Ok(None);
    };
    let Some(path) = path(side, benchmark, result) else {
        return Ok(None);
    };
    let digest = kept_digest::read_whole(&path)?;
    match digest {
        Some(digest) if !is_of(&digest, result) => Err(format!(
            "`{}` has other counts than the record: it is of another run",
            path.display()
        )),
        digest => Ok(digest),
    }
}

/// The result under Callgrind, with its record.
pub(super) fn result<'a>(
    side: &'a ResultSide,
    identity: &'a BenchmarkIdentity,
) -> Option<(&'a RecordedBenchmark, &'a RecordedTool)> {
    // Under other tools it may have been measured in other runs.
    side.results(identity).find_map(|benchmark| {
        let result = benchmark.tool(Tool::Callgrind);
        let result = result.filter(|result| !result.failed)?;
        Some((benchmark, result))
    })
}

/// Does the digest have the instructions of the record?
fn is_of(digest: &Digest, result: &RecordedTool) -> bool {
    let recorded = result.value(EventKind::Ir.into());
    let mut events = digest.head.events.iter().zip(&digest.head.totals);
    let total = events.find(|(event, _)| digest.text(**event).eq_ignore_ascii_case("Ir"));
    match (recorded, total) {
        (Some(MetricValue::Int(recorded)), Some((_, total))) => recorded == *total,
        _ => false,
    }
}

/// The file with the digest of a result. The path in the record is not trusted: it must lie below
/// the directory of the records.
fn path(
    side: &ResultSide,
    benchmark: &RecordedBenchmark,
    result: &RecordedTool,
) -> Option<PathBuf> {
    let records = Path::new(&side.inputs.get(benchmark.read_from as usize)?.name);
    let name = result.digest.as_deref()?;
    let of_target = records.parent()?;
    let directory = Path::new(&*benchmark.directory);
    let mut parts = directory.components();
    // Package and bench target, whose directory the records are in; in a copy it may have another
    // place.
    let target: PathBuf = parts.by_ref().take(2).collect();
    let below = parts.as_path();
    let is_plain = |path: &Path| {
        let mut parts = path.components();
        parts.all(|part| matches!(part, Component::Normal(_)))
    };
    let is_name = Path::new(name).components().count() == 1 && is_plain(Path::new(name));
    let is_here = of_target.ends_with(&target) && is_plain(below);
    (is_name && is_here).then(|| of_target.join(below).join(name))
}

#[cfg(test)]
mod tests {
    use serde_json::{json, Value};

    use super::*;
    use records::{RecordInput, RecordReader};
    use verdict::sides::SideOptions;

    /// The record of a run under one tool. DHAT's digest is another file.
    fn record(tool: &str, minute: u32) -> Value {
        json!({
            "type": "benchmark", "version": 1, "status": "ok",
            "benchmark": {"path": "app::g::f", "kind": "library", "package": "exp1", "file": "app", "group": "g",
                "function": "f"},
            "baselines": {}, "started_at": format!("2026-11-20T10:{minute:02}:00.000Z"), "duration_ns": 3,
            "profiles": [{"tool": tool, "mode": "fork", "parts": [], "regressions": [], "errors": [], "notes": [],
                "out_files": [], "log_files": [], "metrics": [], "digest": format!("{tool}.f.digest"),
                "environment": {"valgrind_args": [], "caches": []}}],
            "failures": [], "comparisons": [], "directory": "exp1/app/g/f",
            "files": {"workspace": "/w", "package_dir": "/w", "bench_file": "/w/b.rs", "executable": "/w/e",
                "home": "/w/target/iai", "home_in_workspace": "target/iai"},
            "system": {"runner": "0.17.0", "cpu_features": []},
        })
    }

    #[test]
    fn the_digest_is_that_of_callgrind_whatever_run_is_the_newest() {
        let mut reader = RecordReader::default();
        let input = RecordInput {
            name: "home/exp1/app/results.jsonl".to_owned(),
        };
        let text = format!("{}\n{}\n", record("dhat", 2), record("callgrind", 1));
        reader.read(input, text.as_bytes()).unwrap();
        let side = ResultSide::of(reader.finish(), &SideOptions::default());
        let identity = side.benchmarks[0].identity.clone();
        assert_eq!(side.benchmarks[0].tools[0].tool, Tool::Dhat);
        let (benchmark, found) = result(&side, &identity).unwrap();
        let found = path(&side, benchmark, found);
        let expected = Path::new("home/exp1/app/g/f/callgrind.f.digest");
        assert_eq!(found.as_deref(), Some(expected));
    }
}
