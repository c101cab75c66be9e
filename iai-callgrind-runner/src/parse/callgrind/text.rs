//! The text of a profile, held for all who look at it: figures, calls and the digest are read from the same bytes, and that
//! of the last run is most often the same.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::super::lines::lines;
use super::super::number::single;
use super::super::{whole_file, FileError};

/// Longest text that is held.
const MOST: u64 = 4 << 20;

/// Lines of a head that differ in each run of the same, or with what was done before it counted.
const OF_RUN: [&[u8]; 3] = [b"pid:", b"cmd:", b"desc: Timerange:"];

/// A profile in memory.
#[derive(Debug)]
pub(crate) struct ProfileText {
    bytes: Vec<u8>,
    /// Names of its objects, as soon as somebody has seen them.
    objects: OnceCell<Vec<Box<[u8]>>>,
}

impl ProfileText {
    /// Reads a file. `Ok(None)`: it is too long to be held.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, FileError> {
        Ok(whole_file(path, MOST - 1)?.map(Self::from))
    }

    /// The whole text.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The names of all objects, in any order.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &[u8]> {
        let objects = self.objects.get_or_init(|| {
            let found = objects(&self.bytes);
            found.map(Box::from).collect()
        });
        objects.iter().map(|name| &**name)
    }

    /// Somebody has read it to its end and met these objects, so nobody has to look for them.
    pub(super) fn has_objects(&self, objects: Vec<Box<[u8]>>) {
        let _ = self.objects.set(objects);
    }

    /// The lines of the head that would be the same in another run, and everything from the events on.
    pub(crate) fn without_run(&self) -> (impl Iterator<Item = &[u8]>, &[u8]) {
        let (head, body) = self.divided();
        (lines(head).filter(|line| !is_of_run(line)), body)
    }

    /// The number of the process that wrote this profile, if it is the same as another one of another run.
    pub(crate) fn process_if_like(&self, other: &Self) -> Option<u32> {
        let ((head, body), (other_head, other_body)) = (self.without_run(), other.without_run());
        if body != other_body || !head.eq(other_head) {
            return None;
        }
        let number = single(lines(self.divided().0).find_map(|line| line.strip_prefix(b"pid:"))?);
        number.ok()?.try_into().ok()
    }

    fn divided(&self) -> (&[u8], &[u8]) {
        static EVENTS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\nevents:"));
        let end = EVENTS.find(&self.bytes).unwrap_or(0);
        self.bytes.split_at(end)
    }
}

impl From<Vec<u8>> for ProfileText {
    fn from(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            objects: OnceCell::new(),
        }
    }
}

/// Names of the objects in a profile, each of them once or more.
fn objects(profile: &[u8]) -> impl Iterator<Item = &[u8]> {
    static NAME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"ob="));
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

fn is_of_run(line: &[u8]) -> bool {
    OF_RUN.iter().any(|key| line.starts_with(key))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::TotalsOf;
    use super::*;

    fn text(process: &str, positions: &str, body: &str) -> ProfileText {
        let head = format!("version: 1\npid: {process}\ncmd: /b {process}\npart: 1\n");
        let time = format!("desc: Timerange: Basic block 0 - {process}\n");
        let text = format!("{head}{time}positions: {positions}\nevents: Ir\n{body}");
        text.into_bytes().into()
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
    fn objects_are_found_with_and_without_compression() {
        let text =
            b"events: Ir\nob=(1) /a b\nfn=ob=x\ncob=(2) /lib\nob=(1)\ncob=/plain\nob=(3\nob=";
        let found: Vec<&[u8]> = objects(text).collect();
        assert_eq!(found, [&b"/a b"[..], b"/lib", b"/plain"]);
    }

    #[test]
    fn whoever_reads_a_profile_meets_the_objects_that_are_in_it() {
        let bodies = [
            "fn=(1) f\n1 1\n",
            "ob=(1) /a b\nfn=(1) f\ncob=(2) /lib\ncfn=(2) g\ncalls=1 1\n1 1\nob=(1)\nfn=(3) h\n1 1\n",
            "ob=/plain\nfn=ob=x\ncob=/lib\ncfn=g\ncalls=1 1\n1 1\nob=/plain\nfn=h\n1 1\n",
            "ob=(1) /a\nfn=(1) f\n1 1\ntotals: 1\nevents: Ir\nob=(1) /b\nfn=(2) g\ncob=(1)\n1 1\n",
        ];
        for body in bodies {
            let text = text("12", "line", body);
            let looked_for: BTreeSet<Box<[u8]>> = objects(text.bytes()).map(Box::from).collect();
            let read = super::super::read_calls_of_text(Path::new("out"), &text, TotalsOf::All);
            assert!(read.unwrap().is_some());
            let met: BTreeSet<Box<[u8]>> = text.objects.get().unwrap().iter().cloned().collect();
            assert_eq!(met, looked_for, "{body}");
        }
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
