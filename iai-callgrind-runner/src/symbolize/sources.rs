//! Lines of source files, read while they are still those that were compiled.
//!
//! In: a file, the lines that were executed, and the time of the executable. Out: their text with two lines around each. A file that
//! was written after the executable may have other lines by now, so it is not read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::regular_file;

/// Lines that are kept around each executed one.
const AROUND: u32 = 2;

/// Bytes of the longest line that is kept.
const MOST_OF_LINE: usize = 200;

/// Bytes of the longest file that is read: more is generated, and nobody reads it.
const MOST_OF_FILE: u64 = 16 << 20;

/// Reason why the lines of a source file are not known.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It was written after the executable.
    #[error("`{0}` is newer than the executable; build again")]
    Newer(String),
    /// The system does not give it.
    #[error("cannot read `{path}`: {source}")]
    Unreadable {
        /// The source file.
        path: String,
        /// What the system says.
        source: io::Error,
    },
}

/// The text of these lines of a file and of those around them, by their numbers.
///
/// # Errors
///
/// The file cannot be read, or is newer than the executable.
pub fn source_lines(
    path: &Path,
    built: SystemTime,
    executed: &BTreeSet<u32>,
) -> Result<BTreeMap<u32, String>, SourceError> {
    let unreadable = |source| SourceError::Unreadable {
        path: path.display().to_string(),
        source,
    };
    // Sources may be links into other directories.
    let target = fs::canonicalize(path).map_err(unreadable)?;
    let written = fs::metadata(&target).and_then(|data| data.modified());
    if written.map_err(unreadable)? > built {
        return Err(SourceError::Newer(path.display().to_string()));
    }
    let bytes = regular_file::read(&target, MOST_OF_FILE).map_err(unreadable)?;
    Ok(wanted(&bytes, executed))
}

fn wanted(bytes: &[u8], executed: &BTreeSet<u32>) -> BTreeMap<u32, String> {
    let is_wanted = |number: u32| {
        let first = number.saturating_sub(AROUND);
        let mut near = executed.range(first..=number.saturating_add(AROUND));
        near.next().is_some()
    };
    let mut lines = BTreeMap::new();
    for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
        // Behind the last end of a line there is none.
        if is_wanted(number) && !is_behind(bytes, line) {
            lines.insert(number, text(line));
        }
    }
    lines
}

fn is_behind(bytes: &[u8], line: &[u8]) -> bool {
    line.is_empty() && std::ptr::eq(line.as_ptr(), bytes.as_ptr_range().end)
}

/// The line, without its end, and cut.
fn text(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let mut text = line.trim_end().to_owned();
    let mut end = MOST_OF_LINE.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[track_caller]
    fn check(text: &[u8], executed: &[u32], expected: &[(u32, &str)]) {
        let lines = wanted(text, &executed.iter().copied().collect());
        let lines: Vec<_> = lines.iter().map(|(n, text)| (*n, &**text)).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn lines_are_kept_with_those_around_them() {
        let text = b"1\n2\n3\r\n4\n5\n6\n7 \n8\n9\n";
        let expected = [(2, "2"), (3, "3"), (4, "4"), (5, "5"), (6, "6"), (7, "7")];
        check(text, &[4, 5], &expected);
        check(text, &[9, 40], &[(7, "7"), (8, "8"), (9, "9")]);
        check(text, &[0, u32::MAX], &[(1, "1"), (2, "2")]);
        check(text, &[], &[]);
        check(b"", &[1], &[]);
        check(b"one", &[1], &[(1, "one")]);
        check(b"one\n\n", &[1], &[(1, "one"), (2, "")]);
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        let long = format!("a{}", "ä".repeat(200));
        let expected = format!("a{}", "ä".repeat(99));
        check(long.as_bytes(), &[1], &[(1, &expected)]);
        check(b"\xff\x00", &[1], &[(1, "\u{fffd}\0")]);
    }

    #[test]
    fn a_file_that_is_newer_than_the_executable_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lib.rs");
        fs::write(&path, "fn main() {}").unwrap();
        let written = fs::metadata(&path).unwrap().modified().unwrap();
        let second = Duration::from_secs(1);
        let lines = |built| source_lines(&path, built, &BTreeSet::from([1]));
        assert_eq!(lines(written + second).unwrap()[&1], "fn main() {}");
        assert_eq!(lines(written).unwrap().len(), 1);
        let error = lines(written - second).unwrap_err().to_string();
        let expected = format!(
            "`{}` is newer than the executable; build again",
            path.display()
        );
        assert_eq!(error, expected);
        let missing = source_lines(&path.with_extension("c"), written, &BTreeSet::new());
        let error = missing.unwrap_err().to_string();
        assert!(error.contains("lib.c`: No such file"), "{error}");
    }
}
