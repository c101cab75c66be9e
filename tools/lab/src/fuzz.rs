//! The fuzz targets of `tools/fuzz/` and their seeds: the recorded files of the parsers' tests, and
//! files that were written for a target.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};

use crate::workspace_root;

/// A target and the source of its seeds.
#[derive(Debug)]
pub struct Target {
    /// The name of its module.
    pub name: &'static str,
    seeds: Seeds,
}

/// A source of seeds, below `crates/formats/tests/data` or `tools/fuzz/seeds`.
#[derive(Debug)]
enum Seeds {
    /// Output of this tool: recorded and damaged files.
    Tool(&'static str),
    /// Output of this tool, and copies with a mark before the totals where the target puts a long
    /// body.
    Totals(&'static str),
    /// The logs of all tools.
    Logs,
    /// Files that were written for this target.
    Own,
}

/// The targets.
pub const TARGETS: &[Target] = &[
    target("callgrind", Seeds::Tool("callgrind")),
    target("callgrind_totals", Seeds::Totals("callgrind")),
    target("flamegraph", Seeds::Tool("callgrind")),
    target("cachegrind", Seeds::Tool("cachegrind")),
    target("dhat", Seeds::Tool("dhat")),
    target("massif", Seeds::Tool("massif")),
    target("bbv", Seeds::Tool("exp-bbv")),
    target("log", Seeds::Logs),
    target("perf", Seeds::Tool("perf")),
    target("options", Seeds::Own),
    target("suite", Seeds::Own),
    target("digest", Seeds::Own),
    target("explain", Seeds::Own),
    target("canonical_name", Seeds::Own),
    target("results", Seeds::Own),
];

const fn target(name: &'static str, seeds: Seeds) -> Target {
    Target { name, seeds }
}

/// Longer files cost time and hold nothing that shorter ones do not.
const LONGEST_SEED: u64 = 40 << 10;

/// The seeds of a target.
///
/// # Errors
///
/// No target has this name, its files cannot be read, or there are none.
pub fn seeds(name: &str) -> Result<Vec<Vec<u8>>> {
    let target = TARGETS.iter().find(|target| target.name == name);
    let seeds = &target.with_context(|| format!("no target `{name}`"))?.seeds;
    let data = workspace_root().join("crates/formats/tests/data");
    let own = workspace_root().join("tools/fuzz/seeds").join(name);
    let is_log = |name: &str| name.starts_with("log.");
    let mut files = Vec::new();
    match seeds {
        Seeds::Tool(tool) | Seeds::Totals(tool) => {
            for folder in [data.join(tool), data.join("malformed").join(tool)] {
                collect(&folder, &|name| !is_log(name), &mut files)?;
            }
        }
        Seeds::Logs => {
            collect(&data, &is_log, &mut files)?;
            collect(&data.join("malformed/log"), &|_| true, &mut files)?;
        }
        Seeds::Own => collect(&own, &|_| true, &mut files)?,
    }
    ensure!(!files.is_empty(), "`{name}` has nothing to start from");
    let mut found = Vec::new();
    for path in &files {
        let bytes = fs::read(path).with_context(|| format!("read `{}`", path.display()))?;
        if matches!(seeds, Seeds::Totals(_)) {
            found.extend(marked(&bytes));
        }
        found.push(bytes);
    }
    Ok(found)
}

/// A zero byte in the empty line before the last totals.
fn marked(profile: &[u8]) -> Option<Vec<u8>> {
    const END: &[u8] = b"\n\ntotals:";
    let place = profile.windows(END.len()).rposition(|text| text == END)?;
    let mut marked = profile.to_vec();
    marked.insert(place + 1, 0);
    Some(marked)
}

/// Every file below a folder that is not too long, in an order that is always the same.
fn collect(folder: &Path, wanted: &dyn Fn(&str) -> bool, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("list `{}`", folder.display()))?;
    let mut entries = entries.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_unstable_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let facts = entry.metadata()?;
        if facts.is_dir() {
            collect(&entry.path(), wanted, files)?;
        } else if facts.len() <= LONGEST_SEED && name != "expected.json" && wanted(&name) {
            files.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_something_to_start_from() {
        for target in TARGETS {
            let seeds = seeds(target.name).unwrap();
            assert!(seeds.len() >= 2, "{}: {}", target.name, seeds.len());
        }
        seeds("xml").unwrap_err();
    }
}
