//! Digests of the results of a side.
//!
//! A file of merged records has them as lines of their own; in a directory of results, or in a copy
//! of it, they lie beside the records. A digest of other counts than those of the record is that of
//! another run. Nothing is opened before somebody asks for the digest of a benchmark.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use iai_callgrind::protocol::EventKind;

use super::{ReportRow, ResultSide};
use base::tool::Tool;
use explain::digest::Digest;
use explain::{format, kept_digest};
use metrics::MetricValue;
use records::{
    digest_lines, BenchmarkIdentity, RecordedBenchmark, RecordedDigest, RecordedTool,
    LONGEST_DIGEST,
};

/// The most reasons why digests are left out that are told.
const MOST_FAULTS: usize = 5;

/// The digests that were read with the records of a side.
#[derive(Debug, Default)]
pub(crate) struct CarriedDigests {
    digests: Vec<RecordedDigest>,
    /// Places of the digests, by the records that they explain.
    places: HashMap<(BenchmarkIdentity, String), usize>,
}

/// The content of a digest's file.
struct DigestBytes {
    bytes: Vec<u8>,
    /// The place that it is from, for errors.
    name: String,
}

impl CarriedDigests {
    pub(super) fn new(mut digests: Vec<RecordedDigest>) -> Self {
        let mut places = HashMap::new();
        for (place, digest) in digests.iter_mut().enumerate() {
            for owner in std::mem::take(&mut digest.of) {
                // A file that was read twice has each line twice.
                places.entry(owner).or_insert(place);
            }
        }
        Self { digests, places }
    }

    fn of(&self, benchmark: &RecordedBenchmark) -> Option<&RecordedDigest> {
        if self.places.is_empty() {
            return None;
        }
        let owner = (benchmark.identity.clone(), benchmark.started_at.clone());
        self.digests.get(*self.places.get(&owner)?)
    }
}

impl ResultSide {
    /// The digest of the result of a row under Callgrind. `Ok(None)`: there is none.
    ///
    /// # Errors
    ///
    /// There is one, but it cannot be read or is of another run: its place and the reason.
    pub fn digest(&self, row: &ReportRow) -> Result<Option<Digest>, String> {
        let Some((benchmark, result)) = self.callgrind_result(row) else {
            return Ok(None);
        };
        let Some(DigestBytes { bytes, name }) = self.digest_bytes(benchmark, result)? else {
            return Ok(None);
        };
        let digest =
            format::read(&bytes).map_err(|error| format!("{name} cannot be read: {error}"))?;
        match is_of(&digest, result) {
            true => Ok(Some(digest)),
            false => Err(format!(
                "{name} has other counts than the record: it is of another run"
            )),
        }
    }

    /// Lines with the digests of all results, and why some are missing that should be there.
    #[must_use]
    pub fn digest_lines(&self) -> (String, Vec<String>) {
        let (mut digests, mut faults) = (Vec::new(), Vec::new());
        for benchmark in &self.benchmarks {
            let Some(result) = of_callgrind(benchmark) else {
                continue;
            };
            let found = self.digest_bytes(benchmark, result).and_then(|found| {
                let Some(DigestBytes { bytes, name }) = found else {
                    return Ok(None);
                };
                if bytes.len() > LONGEST_DIGEST {
                    return Err(format!("{name} has more than {LONGEST_DIGEST} bytes"));
                }
                // Its checksum tells damage without reading the rest.
                let bytes = format::without_preface(&bytes);
                bytes
                    .map(Some)
                    .map_err(|error| format!("{name} cannot be read: {error}"))
            });
            match found {
                Ok(bytes) => digests.extend(bytes.map(|bytes| (benchmark, bytes))),
                Err(fault) => faults.push(format!("the digest in {fault}; it is left out")),
            }
        }
        let more = faults.len().saturating_sub(MOST_FAULTS);
        faults.truncate(MOST_FAULTS);
        if more > 0 {
            faults.push(format!(
                "{more} more digests are left out, for such reasons"
            ));
        }
        (digest_lines(&digests), faults)
    }

    /// The result of a row under Callgrind, with its record.
    pub fn callgrind_result(&self, row: &ReportRow) -> Option<(&RecordedBenchmark, &RecordedTool)> {
        let identity = identity(row);
        let found = |benchmark| Some((benchmark, of_callgrind(benchmark)?));
        // Under other tools it may have been measured in other runs.
        let begin = self
            .benchmarks
            .partition_point(|benchmark| benchmark.identity < identity);
        let results = self.benchmarks[begin..].iter();
        let mut results = results.take_while(|benchmark| benchmark.identity == identity);
        results.find_map(found).or_else(|| {
            // Old results of another target, or of another commit, that the row compares with.
            let all = self.benchmarks.iter().chain(&self.of_other_commits);
            let without_target = |identity: &BenchmarkIdentity| BenchmarkIdentity {
                target: None,
                ..identity.clone()
            };
            let wanted = without_target(&identity);
            let is_wanted = |one: &&RecordedBenchmark| {
                one.identity.path == wanted.path && without_target(&one.identity) == wanted
            };
            all.filter(is_wanted).find_map(found)
        })
    }

    /// The content of the digest of a result. The error names the place and the reason.
    fn digest_bytes(
        &self,
        benchmark: &RecordedBenchmark,
        result: &RecordedTool,
    ) -> Result<Option<DigestBytes>, String> {
        if let Some(carried) = self.digests.of(benchmark) {
            let input = self.inputs.get(carried.read_from as usize);
            let input = input.map_or("", |input| &input.name);
            let name = format!("line {} of `{input}`", carried.line);
            let bytes = carried.bytes();
            let bytes = bytes.map_err(|error| format!("{name} cannot be read: {error}"))?;
            return Ok(Some(DigestBytes { bytes, name }));
        }
        let Some(path) = path(self, benchmark, result) else {
            return Ok(None);
        };
        let bytes = kept_digest::read_with(&path, Ok::<_, String>)?;
        let name = format!("`{}`", path.display());
        Ok(bytes.map(|bytes| DigestBytes { bytes, name }))
    }
}

/// The identity of the benchmark of a row.
fn identity(row: &ReportRow) -> BenchmarkIdentity {
    let text = |text: &Option<String>| text.as_deref().map(Arc::from);
    BenchmarkIdentity {
        label: text(&row.label),
        target: text(&row.target),
        package: row.package.as_str().into(),
        path: row.path.as_str().into(),
    }
}

fn of_callgrind(benchmark: &RecordedBenchmark) -> Option<&RecordedTool> {
    let result = benchmark.tool(Tool::Callgrind);
    result.filter(|result| !result.failed)
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
    use crate::sides::sample::row;
    use crate::sides::SideOptions;
    use crate::RowClass;
    use records::{RecordInput, RecordReader};

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
        assert_eq!(side.benchmarks[0].tools[0].tool, Tool::Dhat);
        let row = ReportRow {
            target: None,
            ..row(RowClass::Regressed, "app::g::f")
        };
        let (benchmark, found) = side.callgrind_result(&row).unwrap();
        let found = path(&side, benchmark, found);
        let expected = Path::new("home/exp1/app/g/f/callgrind.f.digest");
        assert_eq!(found.as_deref(), Some(expected));
    }
}
