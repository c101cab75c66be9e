//! The text of a profile without the parts that differ from run to run, to see whether another run
//! would have the same digest.

use std::path::Path;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::super::lines::Lines;
use super::super::{read_path, whole_file, FileError};

/// Longest text that is held.
const MOST: u64 = 4 << 20;

/// Lines of a head that differ in each run, or with the code that ran before counting began.
const OF_RUN: [&[u8]; 3] = [b"pid:", b"cmd:", b"desc: Timerange:"];

/// Text of a profile of less than 4 MiB, to compare it with that of another run.
#[derive(Debug)]
pub struct ProfileText(Vec<u8>);

impl ProfileText {
    /// Reads a file. `Ok(None)`: the file has 4 MiB or more.
    ///
    /// # Errors
    ///
    /// The path is not that of a regular file that can be read.
    pub fn read(path: &Path) -> Result<Option<Self>, FileError> {
        Ok(whole_file(path, MOST - 1)?.map(Self))
    }

    /// Paths of executables and libraries (`ob=`, `cob=`), each once or more.
    pub fn objects(&self) -> impl Iterator<Item = &[u8]> {
        static NAME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"ob="));
        let profile = &self.0;
        NAME.find_iter(profile).filter_map(|place| {
            // Names of functions may contain `ob=`.
            let is_line = matches!(&profile[..place], [] | [.., b'\n'] | [.., b'\n', b'c']);
            let rest = profile.get(place + 3..).filter(|_| is_line)?;
            name(rest.split(|byte| *byte == b'\n').next()?)
        })
    }

    /// Lines of the head without process id, command and time, and everything from `events:` on.
    /// Two runs that executed the same have the same.
    pub fn without_run(&self) -> (impl Iterator<Item = &[u8]>, &[u8]) {
        static EVENTS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\nevents:"));
        // Without this line everything is body: nothing is left out that may differ.
        let end = EVENTS.find(&self.0).unwrap_or(0);
        let (head, body) = self.0.split_at(end);
        let lines = head.split(|byte| *byte == b'\n');
        let is_of_run = |line: &&[u8]| OF_RUN.iter().any(|key| line.starts_with(key));
        (lines.filter(move |line| !is_of_run(line)), body)
    }
}

/// The name of a line, behind its key. With compression it stands behind its number, and only once.
fn name(text: &[u8]) -> Option<&[u8]> {
    let name = match text.strip_prefix(b"(") {
        Some(numbered) => numbered
            .splitn(2, |byte| *byte == b')')
            .nth(1)?
            .trim_ascii(),
        None => text,
    };
    (!name.is_empty()).then_some(name)
}

/// Calls `add` with the path of each executable and library in a profile of any length (`ob=`,
/// `cob=`), once or more. Lines are not checked.
///
/// # Errors
///
/// The path is not that of a regular file that can be read, or a line has more than 16 MiB.
pub fn objects_of_file(path: &Path, mut add: impl FnMut(&[u8])) -> Result<(), FileError> {
    read_path(path, |input| {
        let mut lines = Lines::new(input);
        while let Some(line) = lines.next()? {
            let key = line.text.strip_prefix(b"c").unwrap_or(line.text);
            if let Some(name) = key.strip_prefix(b"ob=").and_then(name) {
                add(name);
            }
        }
        Ok(())
    })
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
        let bytes =
            b"events: Ir\nob=(1) /a b\nfn=ob=x\ncob=(2) /lib\nob=(1)\ncob=/plain\nob=(3\nob=";
        let text = ProfileText(bytes.to_vec());
        let found: Vec<&[u8]> = text.objects().collect();
        let expected = [&b"/a b"[..], b"/lib", b"/plain"];
        assert_eq!(found, expected);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        std::fs::write(&path, bytes).unwrap();
        let mut found = Vec::new();
        objects_of_file(&path, |name| found.push(name.to_vec())).unwrap();
        assert_eq!(found, expected);
        objects_of_file(&directory.path().join("none"), |_| {}).unwrap_err();
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
