//! A directory for results, and what lies in it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::build::BENCHMARKS;

/// A directory for results of its own for every test.
#[derive(Debug)]
pub struct Home {
    path: PathBuf,
    /// Package of the benchmarks whose results are asked for.
    package: &'static str,
    /// Removes the directory when dropped; absent for a directory that someone else made.
    _own: Option<TempDir>,
}

/// The value of a metric; `None` where the runner writes `null`.
pub type Metrics = BTreeMap<String, Option<u64>>;

impl Home {
    /// An empty home.
    #[expect(clippy::new_without_default, reason = "makes a directory")]
    pub fn new() -> Self {
        let own = tempfile::tempdir().expect("there is a place for temporary directories");
        Self {
            path: own.path().join("home"),
            package: BENCHMARKS,
            _own: Some(own),
        }
    }

    /// An empty home for the benchmarks of another package than [`BENCHMARKS`].
    pub fn of_package(package: &'static str) -> Self {
        Self {
            package,
            ..Self::new()
        }
    }

    /// A directory that someone else made.
    pub fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            package: BENCHMARKS,
            _own: None,
        }
    }

    /// Path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Everything in it: the path of each file with its bytes, and of each empty directory.
    pub fn content(&self) -> BTreeMap<String, Vec<u8>> {
        let mut content = BTreeMap::new();
        if self.path.is_dir() {
            collect(&self.path, &self.path, &mut content);
        }
        content
    }

    /// The paths of [`content`](Self::content).
    pub fn names(&self) -> Vec<String> {
        self.content().into_keys().collect()
    }

    /// Results of benchmarks only: without the locks, whose text is the id of the last process,
    /// without the records of runs, which every run replaces, and without the history, which grows.
    pub fn results(&self) -> BTreeMap<String, Vec<u8>> {
        let mut content = self.content();
        content.retain(|name, _| {
            let name = name.rsplit('/').next().unwrap_or_default();
            name != ".lock" && name != "history.jsonl" && !name.starts_with("results.jsonl")
        });
        content
    }

    /// The kept records of the last run of a bench file; none if it has not run.
    pub fn records(&self, file: &str) -> Vec<Value> {
        self.lines(file, "results.jsonl")
    }

    /// The lines of the history of a bench file; none if it has not run.
    pub fn history(&self, file: &str) -> Vec<Value> {
        self.lines(file, "history.jsonl")
    }

    fn lines(&self, file: &str, name: &str) -> Vec<Value> {
        let path = self.path.join(self.package).join(file).join(name);
        let text = fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("each line is JSON"))
            .collect()
    }

    /// The results of one benchmark: `file::group::function[::id]`.
    pub fn entry(&self, benchmark: &str) -> PathBuf {
        let parts: Vec<&str> = benchmark.splitn(4, "::").collect();
        let entry = parts[2..].join(".");
        let package = self.path.join(self.package);
        package.join(parts[0]).join(parts[1]).join(entry)
    }

    /// Summary of one benchmark, from `summary.json`.
    pub fn summary(&self, benchmark: &str) -> Value {
        let path = self.entry(benchmark).join("summary.json");
        let json = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        serde_json::from_slice(&json).expect("summary.json is JSON")
    }

    /// Profile of one tool in the summary.
    #[track_caller]
    pub fn profile(&self, benchmark: &str, tool: &str) -> Value {
        let summary = self.summary(benchmark);
        let profiles = summary["profiles"].as_array().expect("profiles are a list");
        let found = profiles.iter().find(|profile| profile["tool"] == tool);
        found
            .unwrap_or_else(|| panic!("{tool} in {summary:#}"))
            .clone()
    }

    /// The new values of Callgrind's metrics.
    pub fn new_values(&self, benchmark: &str) -> Metrics {
        values(&self.profile(benchmark, "callgrind"), "new")
    }

    /// The old values of Callgrind's metrics.
    pub fn old_values(&self, benchmark: &str) -> Metrics {
        values(&self.profile(benchmark, "callgrind"), "old")
    }

    /// The new values of a tool's metrics.
    #[track_caller]
    pub fn values_of(&self, benchmark: &str, tool: &str) -> Metrics {
        values(&self.profile(benchmark, tool), "new")
    }

    /// The new value of one counter.
    #[track_caller]
    pub fn count(&self, benchmark: &str, kind: &str) -> u64 {
        self.new_values(benchmark)[kind].expect("the metric was collected")
    }

    /// The benchmarks of a group and file, as their folders are named.
    pub fn has(&self, benchmark: &str) -> bool {
        self.entry(benchmark).is_dir()
    }
}

/// Links are not followed. What goes away meanwhile, beside a run, is left out.
fn collect(root: &Path, directory: &Path, content: &mut BTreeMap<String, Vec<u8>>) {
    let Some(entries) = there(fs::read_dir(directory)) else {
        return;
    };
    let entries: Vec<_> = entries.map(Result::unwrap).collect();
    let name = |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
    if entries.is_empty() && directory != root {
        content.insert(name(directory) + "/", Vec::new());
    }
    for entry in entries {
        let path = entry.path();
        let Some(kind) = there(entry.file_type()) else {
            continue;
        };
        let bytes = match kind.is_symlink() {
            true => fs::read_link(&path).map(|target| target.into_os_string().into_vec()),
            false if kind.is_dir() => {
                collect(root, &path, content);
                continue;
            }
            false => fs::read(&path),
        };
        content.extend(there(bytes).map(|bytes| (name(&path), bytes)));
    }
}

fn there<T>(found: io::Result<T>) -> Option<T> {
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        found => Some(found.unwrap()),
    }
}

fn values(profile: &Value, side: &str) -> Metrics {
    let metrics = profile["metrics"].as_array().expect("metrics are a list");
    let value = |metric: &Value| {
        let kind = metric["kind"].as_str().expect("a metric has a name");
        (kind.to_owned(), metric[side].as_u64())
    };
    metrics.iter().map(value).collect()
}
