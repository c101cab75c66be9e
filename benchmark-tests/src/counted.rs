//! The second method: Valgrind on the same executable, without the runner and without the measuring
//! role. The totals are taken from the output with two lines of text search.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The measured copies of benchmark functions in an executable, found and spelled by `nm`, whose
/// demangler is that of Valgrind. What is defined inside of one has more in its name.
pub fn functions(executable: &Path) -> Vec<String> {
    let output = Command::new("nm")
        .arg("--demangle")
        .arg(executable)
        .output()
        .expect("there is `nm`, as there is a linker");
    let text = String::from_utf8(output.stdout).unwrap();
    let is_measured = |name: &&str| {
        let Some((_, rest)) = name.split_once("__iai_callgrind_wrapper_mod") else {
            return false;
        };
        // `::f` in the legacy form, `>::f` or `>::f::<..>` in the other one.
        let function = rest.trim_start_matches('>').trim_start_matches("::");
        let (function, arguments) = function.split_once("::").unwrap_or((function, "<>"));
        !function.is_empty() && arguments.starts_with('<') && arguments.ends_with('>')
    };
    let names = text.lines().filter_map(|line| line.splitn(3, ' ').nth(2));
    let names: BTreeSet<&str> = names.filter(is_measured).collect();
    assert!(!names.is_empty(), "{}", executable.display());
    names.into_iter().map(str::to_owned).collect()
}

/// The regions of `measure`.
pub const REGION: &[&str] = &["*__iai_callgrind_region_mod::call*"];

/// Runs one benchmark in the `run` role and returns its counters by name.
pub fn independently<T: AsRef<str>>(
    executable: &Path,
    address: &str,
    entry: &[T],
) -> BTreeMap<String, u64> {
    let folder = tempfile::tempdir().expect("there is a place for temporary directories");
    let out = folder.path().join("out");
    let status = Command::new("valgrind")
        .args(["--tool=callgrind", "--cache-sim=yes"])
        .args(
            entry
                .iter()
                .map(|entry| format!("--toggle-collect={}", entry.as_ref())),
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
