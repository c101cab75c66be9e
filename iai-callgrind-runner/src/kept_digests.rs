//! Digests of kept results: found below the directory of all results, without running anything.

use std::cell::OnceCell;
use std::fmt::Display;
use std::io::Read;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::Filter;

use crate::explain::digest::Digest;
use crate::explain::format::{self, DigestError, DigestPreface};
use crate::listed_directory::{list, ListedKind};
use crate::regular_file;
use crate::store::{FileName, Slot, SUMMARY};
use crate::summary::{self, Record};
use crate::tool::{Tool, ToolFile};

/// Longest digest that is read, in bytes. That of a profile of 200 MB has a tenth of it.
const LONGEST: u64 = 256 << 20;

/// Longest record that is read for the name of a benchmark, in bytes.
const LONGEST_RECORD: u64 = 64 << 20;

/// Directories below each other: package, bench file, group and benchmark, below that of a target.
const DEEPEST: usize = 5;

/// Result of a benchmark that was kept with a digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeptDigest {
    /// Whole name of the benchmark.
    pub(crate) benchmark: String,
    /// File of the last result.
    pub(crate) last: PathBuf,
}

impl KeptDigest {
    /// File of the result before the last one, or of a baseline.
    pub(crate) fn other(&self, baseline: Option<&str>) -> PathBuf {
        let name = self.last.file_name().unwrap_or_default().to_string_lossy();
        self.last.with_file_name(match baseline {
            None => FileName::old(&name),
            Some(baseline) => Slot::Named(baseline.to_owned()).file(&name),
        })
    }
}

/// All last results with a digest that the filter selects, by name. Directories that cannot be listed have none.
pub(crate) fn find(home: &Path, filter: &Filter) -> Vec<KeptDigest> {
    let mut found = Vec::new();
    look(home, DEEPEST, filter, &mut found);
    found.sort_unstable_by(|a, b| (&a.benchmark, &a.last).cmp(&(&b.benchmark, &b.last)));
    found
}

fn look(directory: &Path, deeper: usize, filter: &Filter, found: &mut Vec<KeptDigest>) {
    let listed = list(directory).unwrap_or_default();
    let is_digest =
        |name: &str| FileName::is_file(name, &Slot::Last, Tool::Callgrind, ToolFile::Digest);
    let digest = listed.iter().find(|listed| is_digest(&listed.name));
    if let Some(digest) = digest {
        let benchmark = name(&directory.join(SUMMARY));
        found.extend(
            benchmark
                .filter(|name| filter.selects(name))
                .map(|name| KeptDigest {
                    benchmark: name,
                    last: directory.join(&digest.name),
                }),
        );
    }
    if deeper > 0 {
        // Private directories of running benchmarks begin with a dot.
        let directories = listed
            .iter()
            .filter(|listed| listed.kind == ListedKind::Directory && !listed.name.starts_with('.'));
        for below in directories {
            look(&directory.join(&below.name), deeper - 1, filter, found);
        }
    }
}

/// Name of the benchmark in a record.
fn name(record: &Path) -> Option<String> {
    let json = regular_file::read(record, LONGEST_RECORD).ok()?;
    let text = String::from_utf8(json).ok()?;
    let record = summary::read(&text).next()?.ok()?;
    match record {
        Record::Benchmark(summary) => Some(summary.benchmark.path),
        Record::Run(_) => None,
    }
}

/// Digest with the bytes of its file. Of one that was kept, only the preface is read before somebody asks for more.
#[derive(Debug)]
pub(crate) struct ReadDigest {
    preface: DigestPreface,
    bytes: Vec<u8>,
    digest: OnceCell<Result<Digest, DigestError>>,
}

impl ReadDigest {
    /// A digest that was made now.
    pub(crate) fn made(digest: Digest) -> Self {
        let preface = DigestPreface::of(&digest);
        Self {
            bytes: format::write_with(&preface, &digest),
            preface,
            digest: OnceCell::from(Ok(digest)),
        }
    }

    fn kept(bytes: Vec<u8>) -> Result<Self, DigestError> {
        Ok(Self {
            preface: format::read_preface(&bytes)?,
            bytes,
            digest: OnceCell::new(),
        })
    }

    /// Was it made of what has this fingerprint?
    pub(crate) fn is_of(&self, fingerprint: u64) -> bool {
        fingerprint != 0 && self.preface.fingerprint == fingerprint
    }

    pub(crate) fn preface(&self) -> &DigestPreface {
        &self.preface
    }

    /// The content of its file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The digest. The error is the reason why it cannot be read although its bytes are those that were written.
    pub(crate) fn digest(&self) -> Result<&Digest, DigestError> {
        let digest = self.digest.get_or_init(|| format::read(&self.bytes));
        digest.as_ref().map_err(|error| *error)
    }
}

/// Reads the preface of a digest. `Ok(None)`: there is no such file. The error names the file and the reason.
pub(crate) fn read(path: &Path) -> Result<Option<ReadDigest>, String> {
    read_with(path, ReadDigest::kept)
}

/// Number of the executable that the digest in a file was made of. It was not looked whether the file is whole.
pub(crate) fn executable(path: &Path) -> Option<u64> {
    let mut begin = [0; format::BEGIN];
    let mut file = regular_file::open(path).ok()?;
    file.read_exact(&mut begin).ok()?;
    format::executable(&begin)
}

/// Reads a whole digest, as [`read`] does.
pub(crate) fn read_whole(path: &Path) -> Result<Option<Digest>, String> {
    read_with(path, |bytes| format::read(&bytes))
}

/// Reads what a tool's digest has. `Ok(None)`: there is no such file. The error names the file and the reason.
pub(crate) fn read_with<T, E: Display>(
    path: &Path,
    read: impl FnOnce(Vec<u8>) -> Result<T, E>,
) -> Result<Option<T>, String> {
    let unreadable =
        |reason: &dyn Display| format!("`{}` cannot be read: {reason}", path.display());
    match regular_file::read(path, LONGEST) {
        Ok(bytes) => read(bytes).map(Some).map_err(|error| unreadable(&error)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_lie_beside_each_other() {
        let kept = KeptDigest {
            benchmark: "b::g::f".to_owned(),
            last: "/iai/p/b/g/f/callgrind.f.digest".into(),
        };
        let other = |baseline| kept.other(baseline).display().to_string();
        assert_eq!(other(None), "/iai/p/b/g/f/callgrind.f.digest.old");
        assert_eq!(
            other(Some("main")),
            "/iai/p/b/g/f/callgrind.f.digest.base@main"
        );
    }

    #[test]
    fn digests_of_the_same_are_known_by_their_fingerprint() {
        let mut digest = Digest::default();
        assert!(!ReadDigest::made(digest.clone()).is_of(0));
        digest.head.fingerprint = 7;
        let made = ReadDigest::made(digest.clone());
        let kept = ReadDigest::kept(made.bytes().to_vec()).unwrap();
        for one in [made, kept] {
            assert!(one.is_of(7) && !one.is_of(8));
            assert_eq!(one.digest(), Ok(&digest));
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_no_error_and_another_one_is() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("callgrind.f.digest");
        assert!(read(&path).unwrap().is_none());
        std::fs::write(&path, "iaid").unwrap();
        let error = read(&path).unwrap_err();
        assert!(
            error.starts_with(&format!("`{}` cannot be read: ", path.display())),
            "{error}"
        );
        assert_eq!(find(directory.path(), &Filter::default()), []);
    }
}
