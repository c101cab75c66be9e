//! The perfs that tests run with: a stand-in of ours, and real ones.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build;

/// A program that behaves as perf does and counts what it is told, see
/// `measured/src/bin/fake_perf.rs`.
pub fn fake() -> PathBuf {
    build::program("fake_perf")
}

/// The perf in `PATH` and those that the variable `PERFS` names, separated by `:`, as far as the
/// kernel lets them count page faults. There may be none.
pub fn real() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").expect("PATH is set");
    let mut folders = std::env::split_paths(&path).map(|folder| folder.join("perf"));
    let further = std::env::var_os("PERFS").unwrap_or_default();
    let further = std::env::split_paths(&further).filter(|path| !path.as_os_str().is_empty());
    let all = folders
        .find(|path| path.is_file())
        .into_iter()
        .chain(further);
    all.filter(|perf| counts(perf.as_path())).collect()
}

fn counts(perf: &Path) -> bool {
    let output = Command::new(perf)
        .args(["stat", "-j", "-e", "faults", "true"])
        .output();
    output.is_ok_and(|output| {
        output.status.success()
            && !String::from_utf8_lossy(&output.stderr).contains("not supported")
    })
}
