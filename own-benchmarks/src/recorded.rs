//! The recorded files of the runner's tests.

use std::fs;
use std::path::PathBuf;

const DATA: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../iai-callgrind-runner/tests/data/"
);

/// The path of a recorded file or folder, such as `callgrind/3.24.0/callers/callgrind.out.1001`.
pub fn path(name: &str) -> PathBuf {
    PathBuf::from(format!("{DATA}{name}"))
}

/// The content of a recorded file.
pub fn bytes(name: &str) -> Vec<u8> {
    let path = path(name);
    fs::read(&path).unwrap_or_else(|error| panic!("cannot read `{}`: {error}", path.display()))
}
