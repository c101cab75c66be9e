//! Causes of the regressions of a comparison, where both sides have the digests that tell them.
//!
//! Digests lie beside the records of a run: in a directory of results, or in a copy of it. A file of merged records
//! has none, and a digest of other counts than those of the record is that of another run.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use iai_callgrind::protocol::EventKind;

use crate::comparison::{ComparisonReport, ReportRow, RowClass, RowMetric};
use crate::explain::{self, Explanation};
use crate::kept_digests;
use crate::records::{BenchmarkIdentity, RecordedBenchmark, ResultSide};
use crate::summary::Number;
use crate::tool::Tool;

/// The most rows that are explained. Reports of more have other questions first.
const MOST: usize = 50;

/// Explains the regressions, as far as both sides have what it takes.
pub(crate) fn explain_rows(report: &mut ComparisonReport, old: &ResultSide, new: &ResultSide) {
    let regressed = report.rows.iter_mut();
    let regressed = regressed.filter(|row| row.class == RowClass::Regressed);
    for row in regressed.take(MOST) {
        row.explanation = explanation(row, old, new).map(Box::new);
    }
}

fn explanation(row: &ReportRow, old: &ResultSide, new: &ResultSide) -> Option<Explanation> {
    let metric = row.metric.as_ref()?;
    let tool: Tool = row.tool.as_deref()?.parse().ok()?;
    let kind: EventKind = metric
        .kind
        .parse()
        .ok()
        .filter(|_| tool == Tool::Callgrind)?;
    let identity = identity(row);
    let digest = |side: &ResultSide| {
        // Under other tools it may have been measured in other runs.
        let path = side.results(&identity).find_map(|it| digest(side, it))?;
        kept_digests::read_whole(&path).ok().flatten()
    };
    let found = explain::explain(&digest(old)?, &digest(new)?, kind).ok()?;
    is_of(&found, metric).then_some(found)
}

/// Does the explanation speak of these values, and is there something to say?
fn is_of(explanation: &Explanation, metric: &RowMetric) -> bool {
    let values = [metric.old, metric.new];
    let explained = [explanation.old, explanation.new];
    !explanation.causes.is_empty() && values == explained.map(|value| Some(Number::Count(value)))
}

fn identity(row: &ReportRow) -> BenchmarkIdentity {
    let text = |text: &Option<String>| text.as_deref().map(Arc::from);
    BenchmarkIdentity {
        label: text(&row.label),
        target: text(&row.target),
        package: row.package.as_str().into(),
        path: row.path.as_str().into(),
    }
}

/// The file with the digest of a result. What the record says of it is a stranger's word: it leads nowhere but below
/// the directory of the records.
fn digest(side: &ResultSide, benchmark: &RecordedBenchmark) -> Option<PathBuf> {
    let records = Path::new(&side.inputs.get(benchmark.read_from as usize)?.name);
    let callgrind = benchmark.tool(Tool::Callgrind);
    let callgrind = callgrind.filter(|result| !result.failed)?;
    let name = callgrind.digest.as_deref()?;
    let of_target = records.parent()?;
    let directory = Path::new(&*benchmark.directory);
    let mut parts = directory.components();
    // Package and bench target, whose directory the records are in; in a copy it may have another place.
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
    use crate::records::{RecordInput, RecordReader, SideOptions};

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
        let found = side.results(&identity).find_map(|it| digest(&side, it));
        let expected = Path::new("home/exp1/app/g/f/callgrind.f.digest");
        assert_eq!(found.as_deref(), Some(expected));
    }
}
