//! The second method: Valgrind on the same executable, without the runner and without the measuring
//! role. The totals are taken from the output with two lines of text search.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The benchmark function.
pub const FUNCTION: &[&str] = &[
    "*::__iai_callgrind_wrapper_mod::*",
    "*::__iai_callgrind_wrapper_mod>::*",
];

/// The regions of `measure`.
pub const REGION: &[&str] = &["*__iai_callgrind_region_mod::call*"];

/// Runs one benchmark in the `run` role and returns its counters by name.
pub fn independently(executable: &Path, address: &str, entry: &[&str]) -> BTreeMap<String, u64> {
    let folder = tempfile::tempdir().expect("there is a place for temporary directories");
    let out = folder.path().join("out");
    let status = Command::new("valgrind")
        .args(["--tool=callgrind", "--cache-sim=yes"])
        .args(
            entry
                .iter()
                .map(|entry| format!("--toggle-collect={entry}")),
        )
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(executable)
        .args(["--iai-callgrind", "run", address])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("valgrind starts");
    assert!(status.success(), "{address}: {status}");
    let text = fs::read_to_string(out).unwrap();
    let line = |key: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(key));
        lines.next().expect("the output is complete").to_owned()
    };
    let (events, totals) = (line("events: "), line("totals: "));
    let counts = totals
        .split_whitespace()
        .map(|count| count.parse().unwrap())
        // Callgrind leaves zeros out at the end.
        .chain(std::iter::repeat(0));
    events
        .split_whitespace()
        .map(str::to_owned)
        .zip(counts)
        .collect()
}
