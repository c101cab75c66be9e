//! Which processes run: a look into `/proc`.

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

/// Valgrind among them, as opposed to the runner and whoever started it.
pub fn valgrind(path: &Path) -> Option<i32> {
    let mut all = naming(path).into_iter();
    all.find(|pid| command_line(*pid).contains("--callgrind-out-file="))
}

/// Empty for processes that are gone, and for those that have ended and were not waited for.
fn command_line(pid: i32) -> String {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
