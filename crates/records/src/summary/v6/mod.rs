//! The public format of summaries, version 6: iai-callgrind 0.16 and gungraun before 0.20 write it.
//!
//! In: the [`Summary`] of a benchmark. Out: the object for programs that read version 6, as
//! `schemas/summary.v6.schema.json` says. Fields and metrics are sorted by name, as these programs
//! know them. The format has no place for perf, for counters without a row in a table, and for
//! benchmarks that failed; these are left out.

mod metrics;
mod parts;
mod profile;

use std::io;

use serde::Serialize;

use self::profile::ProfileV6;
use super::{to_bytes, Kind, Status, Summary};

/// The object of a benchmark.
#[derive(Serialize)]
struct SummaryV6<'a> {
    baselines: [Option<&'a str>; 2],
    benchmark_exe: &'a str,
    benchmark_file: &'a str,
    details: Option<&'a str>,
    function_name: &'a str,
    id: Option<&'a str>,
    kind: &'static str,
    module_path: String,
    package_dir: &'a str,
    profiles: Vec<ProfileV6<'a>>,
    project_root: &'a str,
    /// The file with this object, which there never is: `summary.json` has the format of our own.
    summary_output: Option<()>,
    version: &'static str,
}

/// A value of the new result (`Left`), of the old one (`Right`) or of both.
#[derive(Debug, PartialEq, Serialize)]
enum EitherSide<T> {
    Left(T),
    Right(T),
    Both(T, T),
}

impl<T> EitherSide<T> {
    /// `None`: both sides are missing.
    fn new(new: Option<T>, old: Option<T>) -> Option<Self> {
        match (new, old) {
            (Some(new), Some(old)) => Some(Self::Both(new, old)),
            (Some(new), None) => Some(Self::Left(new)),
            (None, Some(old)) => Some(Self::Right(old)),
            (None, None) => None,
        }
    }
}

impl Summary {
    /// The object of version 6, indented if `pretty`. `None`: the benchmark failed, and the
    /// programs that wrote this format wrote nothing then.
    pub fn to_v6(&self, pretty: bool) -> io::Result<Option<Vec<u8>>> {
        match self.status {
            Status::Failed => Ok(None),
            Status::Ok | Status::Regressed => to_bytes(&SummaryV6::of(self), pretty).map(Some),
        }
    }
}

impl<'a> SummaryV6<'a> {
    fn of(summary: &'a Summary) -> Self {
        let Summary {
            benchmark,
            baselines,
            profiles,
            files,
            ..
        } = summary;
        let profiles = profiles.iter();
        Self {
            baselines: [baselines.new.as_deref(), old_baseline(summary)],
            benchmark_exe: &files.executable,
            benchmark_file: &files.bench_file,
            details: benchmark.description.as_deref(),
            function_name: &benchmark.function,
            id: benchmark.id.as_deref(),
            kind: match benchmark.kind {
                Kind::Library => "LibraryBenchmark",
                Kind::Binary => "BinaryBenchmark",
            },
            module_path: format!(
                "{}::{}::{}",
                benchmark.file, benchmark.group, benchmark.function
            ),
            package_dir: &files.package_dir,
            profiles: profiles
                .filter_map(|profile| ProfileV6::of(profile, summary))
                .collect(),
            project_root: &files.workspace,
            summary_output: None,
            version: "6",
        }
    }
}

/// Name of the old baseline, without the addition that it is about to be replaced.
fn old_baseline(summary: &Summary) -> Option<&str> {
    let old = summary.baselines.old.as_deref();
    old.map(|old| old.strip_suffix(" (old)").unwrap_or(old))
}
