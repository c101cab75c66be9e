//! Processes that run: a look into `/proc`.

use std::fs;
use std::path::Path;

/// The living processes whose command line names this path.
pub fn naming(path: &Path) -> Vec<i32> {
    let path = path
        .to_str()
        .expect("temporary directories have plain names");
    let entries = fs::read_dir("/proc").expect("/proc is mounted").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid| command_line(*pid).contains(path))
        .collect()
}

/// The Valgrinds whose command line names this path, as opposed to the runner: parents before their
/// children. The last one runs the benchmark.
pub fn valgrinds(path: &Path) -> Vec<i32> {
    let mut all = naming(path);
    all.retain(|pid| command_line(*pid).contains("--callgrind-out-file="));
    all.sort_unstable_by_key(|pid| ancestors(*pid));
    all
}

/// Number of processes above this one.
fn ancestors(pid: i32) -> usize {
    let parent = |pid: &i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name before the parenthesis may contain anything.
        let (_, fields) = stat.rsplit_once(')')?;
        let parent = fields.split_whitespace().nth(1)?.parse().ok()?;
        (parent != 0).then_some(parent)
    };
    std::iter::successors(Some(pid), parent).count()
}

/// Empty for processes that are gone, and for those that have ended and were not waited for.
fn command_line(pid: i32) -> String {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
