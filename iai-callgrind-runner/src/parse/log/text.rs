//! The text of a log, held to see whether another run wrote the same: then its facts are the same as well.

use std::path::Path;

use super::super::lines::{lines, Lines};
use super::super::number::single;
use super::super::{whole_file, FileError, ParseError};
use super::{read_lines, Log};

/// Longest text that is held. More is said about errors only, and no two runs say it in the same way.
const MOST: u64 = 64 << 10;

/// The line that differs in each run of the same, besides the number of the process before all lines.
const OF_RUN: &[u8] = b"Parent PID: ";

/// A log in memory.
#[derive(Debug)]
pub(crate) struct LogText(Vec<u8>);

impl LogText {
    /// Reads a file. `Ok(None)`: it is too long to be held.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, FileError> {
        Ok(whole_file(path, MOST)?.map(Self))
    }

    /// What it tells. `None`: it is empty or blank.
    ///
    /// # Errors
    ///
    /// It is no log.
    pub(super) fn log(&self) -> Result<Option<Log>, ParseError> {
        read_lines(Lines::of_text(&self.0))
    }

    /// What it tells, if that is the same as another log of another run does but for the numbers of processes.
    pub(crate) fn log_if_like(&self, (other, log): (&Self, &Log)) -> Option<Log> {
        let (pid, parent_pid) = self.processes_if_like((other, log))?;
        Some(Log {
            pid: Some(pid),
            parent_pid,
            ..log.clone()
        })
    }

    /// The numbers of the process and of its parent, if all else is the same as in this other log.
    pub(crate) fn processes_if_like(
        &self,
        (other, log): (&Self, &Log),
    ) -> Option<(u32, Option<u32>)> {
        let numbers = [self.number()?, other.number()?];
        let (mut lines, mut others) = (self.lines(numbers[0]), other.lines(numbers[1]));
        let mut parent = log.parent_pid;
        loop {
            match (lines.next(), others.next()) {
                (None, None) => break,
                (Some(line), Some(other)) if line == other => {}
                (Some((true, line)), Some((true, other))) => {
                    other.strip_prefix(OF_RUN)?;
                    parent = Some(number(line.strip_prefix(OF_RUN)?)?);
                }
                _ => return None,
            }
        }
        Some((number(numbers[0])?, parent))
    }

    /// The number in the first line: `==1234== `.
    fn number(&self) -> Option<&[u8]> {
        let rest = self.0.strip_prefix(b"==")?;
        let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
        rest[end..].starts_with(b"== ").then(|| &rest[..end])
    }

    /// The lines, and whether the number of the process was before each; they are without it.
    fn lines<'a>(&'a self, number: &'a [u8]) -> impl Iterator<Item = (bool, &'a [u8])> {
        let without = move |line: &'a [u8]| {
            let rest = line.strip_prefix(b"==")?.strip_prefix(number)?;
            rest.strip_prefix(b"== ")
        };
        lines(&self.0).map(move |line| without(line).map_or((false, line), |line| (true, line)))
    }
}

fn number(text: &[u8]) -> Option<u32> {
    single(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pid: &str, parent: &str, rest: &str) -> LogText {
        let log = format!(
            "\
==@== Callgrind, a call-graph generating cache profiler
==@== Using Valgrind-3.19.0 and LibVEX; rerun with -h for copyright info
==@== Command: /t/b
==@== Parent PID: {parent}
==@==\x20
==@== Events    : Ir
==@== Collected : 97
{rest}"
        );
        LogText(log.replace('@', pid).into_bytes())
    }

    #[test]
    fn logs_of_two_runs_are_the_same_but_for_their_processes() {
        let new = text("97", "7", "");
        let log = new.log().unwrap().unwrap();
        let like = |old: &LogText| old.log_if_like((&new, &log));
        for (pid, parent) in [("97", "7"), ("12345", "8"), ("9", "123456")] {
            let old = text(pid, parent, "");
            assert_eq!(like(&old), old.log().unwrap());
        }
        for rest in [
            "==12== I   refs: 97\n",
            "==97== I   refs: 97\n",
            "foreign\n",
            "\n",
        ] {
            assert_eq!(like(&text("12", "7", rest)), None, "{rest}");
        }
        let other = |text: &str, by: &str| {
            let whole = String::from_utf8(self::text("12", "7", "").0).unwrap();
            LogText(whole.replace(text, by).into_bytes())
        };
        for (line, by) in [
            ("Collected : 97", "Collected : 98"),
            ("/t/b", "/t/c"),
            ("3.19.0", "3.24.0"),
            ("==12== Command", "Command"),
            ("==12== Command", "==97== Command"),
            ("==12== Call", "--12-- Call"),
            ("==12== Call", "==x== Call"),
            ("==12== Parent PID: 7", "==12== Parent PID: x"),
            ("==12== Parent PID: 7\n", ""),
            ("==12==", ""),
        ] {
            assert_eq!(like(&other(line, by)), None, "{line} {by}");
        }
        assert_eq!(like(&LogText(Vec::new())), None);
    }

    #[test]
    fn lines_of_the_program_are_no_lines_of_the_log() {
        let new = text("97", "7", "==12== x\n");
        let log = new.log().unwrap().unwrap();
        let old = text("12", "7", "==12== x\n");
        assert_eq!(old.log_if_like((&new, &log)), None);
        let new = text("97", "7", "x\n");
        let log = new.log().unwrap().unwrap();
        let old = text("12", "7", "x\n");
        assert_eq!(old.log_if_like((&new, &log)).unwrap().pid, Some(12));
    }

    #[test]
    fn long_logs_are_not_held() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        for (length, is_held) in [(0, true), (MOST, true), (MOST + 1, false)] {
            let file = std::fs::File::create(&path).unwrap();
            file.set_len(length).unwrap();
            assert_eq!(LogText::read(&path).unwrap().is_some(), is_held);
        }
        assert!(LogText::read(Path::new("/no/such/log")).is_err());
    }
}
