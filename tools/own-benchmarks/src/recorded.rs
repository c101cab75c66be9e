//! Recorded files of the tests.

use std::fs;
use std::path::PathBuf;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The path of a file or folder of a tool, such as `callgrind/3.24.0/callers/callgrind.out.1001`.
pub fn path(name: &str) -> PathBuf {
    PathBuf::from(format!("{REPOSITORY}/crates/formats/tests/data/{name}"))
}

/// The content of a file of a tool.
pub fn bytes(name: &str) -> Vec<u8> {
    read(path(name))
}

/// The content of a file that the runner's tests replay, such as `first/kernels/works/out`.
pub(crate) fn replayed(name: &str) -> Vec<u8> {
    let data = "iai-callgrind-runner/tests/data/replay";
    read(PathBuf::from(format!("{REPOSITORY}/{data}/{name}")))
}

fn read(path: PathBuf) -> Vec<u8> {
    fs::read(&path).unwrap_or_else(|error| panic!("cannot read `{}`: {error}", path.display()))
}
