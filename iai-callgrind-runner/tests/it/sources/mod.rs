//! The sources of the runner and of its crates as text, for tests that look at its structure.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates below the runner. Others in this folder are for users of other frameworks.
pub(crate) const CRATES: [&str; 17] = [
    "base",
    "cli",
    "completions",
    "explain",
    "findings",
    "flamegraph",
    "formats",
    "metrics",
    "project",
    "records",
    "report",
    "revision",
    "steps",
    "store",
    "symbols",
    "time",
    "verdict",
];

/// Every file with Rust code of the runner and of the crates below it, with its source:
/// `plan/job.rs`, `formats/log/mod.rs`. Where the package is alone, only the runner's.
pub(crate) fn all_sources() -> Vec<(PathBuf, String)> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut rooms = vec![(PathBuf::new(), package.join("src"))];
    for name in CRATES {
        let path = package.join("../crates").join(name);
        rooms.extend(path.is_dir().then(|| (name.into(), path.join("src"))));
    }
    let files = rooms.into_iter().flat_map(|(name, room)| {
        let files = sources(&room).into_iter();
        files.map(move |(path, text)| (name.join(path.strip_prefix(&room).unwrap()), text))
    });
    files.collect()
}

/// Every file with Rust code below a directory, with its source. Files that are tests as a whole
/// are left out.
pub(crate) fn sources(directory: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let files = paths.flat_map(|path| {
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        match path.is_dir() {
            true => sources(&path),
            false if is_rust && !path.ends_with("tests.rs") => {
                let source = fs::read_to_string(&path).unwrap();
                vec![(path, source)]
            }
            false => Vec::new(),
        }
    });
    files.collect()
}

/// The source without comments and without its tests.
pub(crate) fn code(source: &str) -> String {
    let code = match source.split_once("mod tests {") {
        Some((code, _)) => code,
        None => source,
    };
    let lines = code.lines();
    let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The name that a text begins with.
pub(crate) fn name(text: &str) -> Option<String> {
    let is_part = |char: char| char == '_' || char.is_ascii_alphanumeric();
    let end = text.find(|char| !is_part(char)).unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}
