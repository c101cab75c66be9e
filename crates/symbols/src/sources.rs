//! Lines of source files, read while they are still the compiled ones.
//!
//! In: a file, the lines that were executed, and the time of the executable. Out: their text with
//! two lines around each. A file that was written after the executable may have other lines by now,
//! so it is not read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use std::{fs, io};

use base::regular_file;

/// Lines that are kept around each executed one.
const AROUND: u32 = 2;

/// Bytes of the longest line that is kept.
const MOST_OF_LINE: usize = 200;

/// Bytes of the longest file that is read: longer ones are generated.
const MOST_OF_FILE: u64 = 16 << 20;

/// Bytes of all files together that are kept in memory. Others are read each time.
const MOST_OF_ALL: usize = 8 << 20;

/// Reason why the text of source lines is not known.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The source file was written after the executable, so its lines may have moved.
    #[error("`{0}` is newer than the executable; build again")]
    Newer(String),
    /// The source file cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Unreadable {
        /// Path of the source file.
        path: String,
        /// Error of the system.
        source: io::Error,
    },
}

/// Source files, each read once: benchmarks of one executable share most of theirs.
#[derive(Debug, Default)]
pub(super) struct SourceFiles {
    files: HashMap<PathBuf, Arc<SourceFile>>,
    /// Bytes of all of them.
    length: usize,
}

/// A source file as it was when it was read.
#[derive(Debug)]
struct SourceFile {
    written: SystemTime,
    bytes: Vec<u8>,
    /// Offset of each line. No line begins behind the last line end.
    begins: Vec<u32>,
}

impl SourceFiles {
    /// The text of these lines of a file and of those around them, by their numbers.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is newer than the executable, which was written when `built`
    /// says.
    pub(super) fn lines(
        &mut self,
        path: &Path,
        built: SystemTime,
        executed: &BTreeSet<u32>,
    ) -> Result<BTreeMap<u32, String>, SourceError> {
        let file = match self.files.get(path) {
            Some(file) => Arc::clone(file),
            None => self.read(path).map_err(|source| SourceError::Unreadable {
                path: path.display().to_string(),
                source,
            })?,
        };
        match file.written > built {
            true => Err(SourceError::Newer(path.display().to_string())),
            false => Ok(file.wanted(executed)),
        }
    }

    fn read(&mut self, path: &Path) -> io::Result<Arc<SourceFile>> {
        // Sources may be links into other directories.
        let target = fs::canonicalize(path)?;
        // Asked for before it is read: what is written meanwhile makes it look newer by the next
        // run.
        let written = fs::metadata(&target)?.modified()?;
        let bytes = regular_file::read(&target, MOST_OF_FILE)?;
        let file = Arc::new(SourceFile::new(written, bytes));
        if self.length + file.bytes.len() <= MOST_OF_ALL {
            self.length += file.bytes.len();
            self.files.insert(path.to_owned(), Arc::clone(&file));
        }
        Ok(file)
    }
}

impl SourceFile {
    fn new(written: SystemTime, bytes: Vec<u8>) -> Self {
        let behind_ends = memchr::memchr_iter(b'\n', &bytes).map(|end| end + 1);
        let begins = std::iter::once(0).chain(behind_ends);
        let begins = begins.filter(|begin| *begin < bytes.len());
        Self {
            written,
            // Offsets fit into 32 bits: `MOST_OF_FILE` is far below 4 GiB.
            begins: begins.map(|begin| begin as u32).collect(),
            bytes,
        }
    }

    /// The executed lines with the lines around them.
    fn wanted(&self, executed: &BTreeSet<u32>) -> BTreeMap<u32, String> {
        let mut lines = BTreeMap::new();
        for number in executed {
            let around = number.saturating_sub(AROUND)..=number.saturating_add(AROUND);
            for number in around {
                if let (Some(line), false) = (self.line(number), lines.contains_key(&number)) {
                    lines.insert(number, text(line));
                }
            }
        }
        lines
    }

    /// A line, counted from 1.
    fn line(&self, number: u32) -> Option<&[u8]> {
        let index = (number as usize).checked_sub(1)?;
        let begin = *self.begins.get(index)? as usize;
        let end = self.begins.get(index + 1).map(|end| *end as usize - 1);
        let line = &self.bytes[begin..end.unwrap_or(self.bytes.len())];
        Some(line.strip_suffix(b"\n").unwrap_or(line))
    }
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
        let file = SourceFile::new(SystemTime::UNIX_EPOCH, text.to_vec());
        let lines = file.wanted(&executed.iter().copied().collect());
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
        let lines = |built| SourceFiles::default().lines(&path, built, &BTreeSet::from([1]));
        assert_eq!(lines(written + second).unwrap()[&1], "fn main() {}");
        assert_eq!(lines(written).unwrap().len(), 1);
        let error = lines(written - second).unwrap_err().to_string();
        let expected = format!(
            "`{}` is newer than the executable; build again",
            path.display()
        );
        assert_eq!(error, expected);
        let missing = path.with_extension("c");
        let missing = SourceFiles::default().lines(&missing, written, &BTreeSet::new());
        let error = missing.unwrap_err().to_string();
        assert!(error.contains("lib.c`: No such file"), "{error}");
    }

    #[test]
    fn files_are_read_once_unless_they_are_many() {
        let directory = tempfile::tempdir().unwrap();
        let mut files = SourceFiles::default();
        let built = SystemTime::now() + Duration::from_secs(60);
        let mut first =
            |path: &Path| files.lines(path, built, &BTreeSet::from([1])).unwrap()[&1].clone();
        let small = directory.path().join("lib.rs");
        fs::write(&small, "before").unwrap();
        assert_eq!(first(&small), "before");
        fs::write(&small, "after").unwrap();
        assert_eq!(first(&small), "before");
        let large = directory.path().join("generated.rs");
        fs::write(&large, vec![b'x'; MOST_OF_ALL]).unwrap();
        assert_eq!(first(&large).len(), MOST_OF_LINE);
        fs::write(&large, "after").unwrap();
        assert_eq!(first(&large), "after");
    }
}
