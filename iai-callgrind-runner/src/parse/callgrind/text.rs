//! The text of a profile, held for all who look at it: figures, calls and the digest are read from the same bytes, and that
//! of the last run is most often the same.

use std::path::Path;

use memchr::memmem;

use super::super::number::single;
use super::super::{file, FileError, ParseError};

/// Longest text that is held.
const MOST: u64 = 4 << 20;

/// Lines of a head that differ in each run of the same, or with what was done before it counted.
const OF_RUN: [&[u8]; 3] = [b"pid:", b"cmd:", b"desc: Timerange:"];

/// A profile in memory.
#[derive(Debug)]
pub(crate) struct ProfileText(Vec<u8>);

impl ProfileText {
    /// Reads a file. `Ok(None)`: it is too long to be held.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, FileError> {
        file(path, |input| {
            let text = input.whole(MOST - 1).map_err(ParseError::Io)?;
            Ok(text.map(Self))
        })
    }

    /// The whole text.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The lines of the head that would be the same in another run, and everything from the events on.
    pub(crate) fn without_run(&self) -> (impl Iterator<Item = &[u8]>, &[u8]) {
        let (head, body) = self.divided();
        let lines = head.split(|byte| *byte == b'\n');
        (lines.filter(|line| !is_of_run(line)), body)
    }

    /// The number of the process that wrote this profile, if it is the same as another one of another run.
    pub(crate) fn process_if_like(&self, other: &Self) -> Option<u32> {
        let ((head, body), (other_head, other_body)) = (self.without_run(), other.without_run());
        if body != other_body || !head.eq(other_head) {
            return None;
        }
        let mut lines = self.divided().0.split(|byte| *byte == b'\n');
        let number = single(lines.find_map(|line| line.strip_prefix(b"pid:"))?);
        number.ok()?.try_into().ok()
    }

    fn divided(&self) -> (&[u8], &[u8]) {
        let end = memmem::find(&self.0, b"\nevents:").unwrap_or(0);
        self.0.split_at(end)
    }
}

impl From<Vec<u8>> for ProfileText {
    fn from(text: Vec<u8>) -> Self {
        Self(text)
    }
}

fn is_of_run(line: &[u8]) -> bool {
    OF_RUN.iter().any(|key| line.starts_with(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(process: &str, positions: &str, body: &str) -> ProfileText {
        let head = format!("version: 1\npid: {process}\ncmd: /b {process}\npart: 1\n");
        let time = format!("desc: Timerange: Basic block 0 - {process}\n");
        ProfileText(format!("{head}{time}positions: {positions}\nevents: Ir\n{body}").into())
    }

    #[test]
    fn profiles_of_two_runs_are_the_same_but_for_their_processes() {
        let body = "fn=f\n1 7\ntotals: 7\n";
        let old = text("12", "line", body);
        let like = |new: &ProfileText| old.process_if_like(new);
        assert_eq!(like(&text("13", "line", body)), Some(12));
        assert_eq!(like(&old), Some(12));
        assert_eq!(like(&text("13", "instr", body)), None);
        assert_eq!(like(&text("13", "line", "fn=f\n1 8\ntotals: 8\n")), None);
        // A second part has a process as well, and it is another one.
        let parts = |process| format!("{body}\npid: {process}\nevents: Ir\n{body}");
        let (first, second) = (parts("12"), parts("13"));
        let first = text("12", "line", &first);
        assert_eq!(first.process_if_like(&text("13", "line", &second)), None);
        let unknown = text("x", "line", body);
        assert_eq!(unknown.process_if_like(&old), None);
    }

    #[test]
    fn long_profiles_are_not_held() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        for (length, is_held) in [
            (0, true),
            (MOST - 1, true),
            (MOST, false),
            (MOST + 9, false),
        ] {
            std::fs::File::create(&path)
                .unwrap()
                .set_len(length)
                .unwrap();
            assert_eq!(ProfileText::read(&path).unwrap().is_some(), is_held);
        }
        assert!(ProfileText::read(Path::new("/no/such/out")).is_err());
    }
}
