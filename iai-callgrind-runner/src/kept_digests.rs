//! Digests of kept results: found below the directory of all results, without running anything.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::Filter;

use crate::explain::digest::Digest;
use crate::explain::format::{self, DigestError};
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

/// Digest with the bytes of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadDigest {
    pub(crate) digest: Digest,
    pub(crate) bytes: Vec<u8>,
}

impl ReadDigest {
    /// Is it made of what has this fingerprint? Where sources were newer than the executable, they may no longer be.
    pub(crate) fn is_of(&self, fingerprint: u64) -> bool {
        let head = &self.digest.head;
        fingerprint != 0 && head.fingerprint == fingerprint && !head.newer_sources
    }
}

/// Reads a digest. `Ok(None)`: there is no such file. The error names the file and the reason.
pub(crate) fn read(path: &Path) -> Result<Option<ReadDigest>, String> {
    read_with(path, |bytes| {
        let digest = format::read(&bytes)?;
        Ok::<_, DigestError>(ReadDigest { digest, bytes })
    })
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
        let mut kept = ReadDigest {
            digest: Digest::default(),
            bytes: Vec::new(),
        };
        assert!(!kept.is_of(0));
        kept.digest.head.fingerprint = 7;
        assert!(kept.is_of(7) && !kept.is_of(8));
        kept.digest.head.newer_sources = true;
        assert!(!kept.is_of(7));
    }

    #[test]
    fn a_file_that_is_not_there_is_no_error_and_another_one_is() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("callgrind.f.digest");
        assert_eq!(read(&path), Ok(None));
        std::fs::write(&path, "iaid").unwrap();
        let error = read(&path).unwrap_err();
        assert!(
            error.starts_with(&format!("`{}` cannot be read: ", path.display())),
            "{error}"
        );
        assert_eq!(find(directory.path(), &Filter::default()), []);
    }
}
