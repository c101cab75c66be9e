//! The text of a profile without what differs from run to run, to see whether another run would have the same digest.

use std::path::Path;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::super::{whole_file, FileError};

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
        Ok(whole_file(path, MOST - 1)?.map(Self))
    }

    /// Names of the objects, each of them once or more.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &[u8]> {
        static NAME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"ob="));
        let profile = &self.0;
        NAME.find_iter(profile).filter_map(|place| {
            let is_line = matches!(&profile[..place], [] | [.., b'\n'] | [.., b'\n', b'c']);
            let rest = profile.get(place + 3..).filter(|_| is_line)?;
            let line = rest.split(|byte| *byte == b'\n').next()?;
            // With compression a name stands behind its number, and only once.
            let name = match line.strip_prefix(b"(") {
                Some(numbered) => numbered
                    .splitn(2, |byte| *byte == b')')
                    .nth(1)?
                    .trim_ascii(),
                None => line,
            };
            (!name.is_empty()).then_some(name)
        })
    }

    /// The lines of the head that would be the same in another run, and everything from the events on.
    pub(crate) fn without_run(&self) -> (impl Iterator<Item = &[u8]>, &[u8]) {
        static EVENTS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\nevents:"));
        let end = EVENTS.find(&self.0).unwrap_or(0);
        let (head, body) = self.0.split_at(end);
        let lines = head.split(|byte| *byte == b'\n');
        let is_of_run = |line: &&[u8]| OF_RUN.iter().any(|key| line.starts_with(key));
        (lines.filter(move |line| !is_of_run(line)), body)
    }
}

impl From<Vec<u8>> for ProfileText {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_with_and_without_compression() {
        let text = ProfileText(
            b"events: Ir\nob=(1) /a b\nfn=ob=x\ncob=(2) /lib\nob=(1)\ncob=/plain\nob=(3\nob="
                .to_vec(),
        );
        let found: Vec<&[u8]> = text.objects().collect();
        assert_eq!(found, [&b"/a b"[..], b"/lib", b"/plain"]);
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
