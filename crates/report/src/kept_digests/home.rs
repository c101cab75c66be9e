//! Digests of the results of a home: found below its directory, without running anything.

use std::path::{Path, PathBuf};

use iai_callgrind::protocol::Filter;

use base::listed_directory::{list, ListedKind};
use base::regular_file;
use base::tool::{Tool, ToolFile};
use records::layout::{FileName, Slot, LONGEST_RECORD, SUMMARY};
use records::{OtherProjects, ProjectHome, RecordText};

/// Directories below each other: package, bench file, group and benchmark, below that of a target.
const DEEPEST: usize = 5;

/// Result of a benchmark that was kept with a digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDigest {
    /// Whole name of the benchmark.
    pub benchmark: String,
    /// File of the last result.
    pub last: PathBuf,
}

impl KeptDigest {
    /// File of the result before the last one, or of a baseline.
    pub fn other(&self, baseline: Option<&str>) -> PathBuf {
        let name = self.last.file_name().unwrap_or_default().to_string_lossy();
        self.last.with_file_name(match baseline {
            None => FileName::old(&name),
            Some(baseline) => Slot::Named(baseline.to_owned()).file(&name),
        })
    }
}

/// All last results with a digest that the filter selects, by name, and results of other projects,
/// which are left out. Directories that cannot be listed have none.
pub fn find(home: &ProjectHome, filter: &Filter) -> (Vec<KeptDigest>, OtherProjects) {
    let mut search = Search {
        home,
        filter,
        found: Vec::new(),
        others: OtherProjects::default(),
    };
    search.look(&home.directory, DEEPEST);
    let Search {
        mut found, others, ..
    } = search;
    found.sort_unstable_by(|a, b| (&a.benchmark, &a.last).cmp(&(&b.benchmark, &b.last)));
    (found, others)
}

struct Search<'a> {
    home: &'a ProjectHome,
    filter: &'a Filter,
    found: Vec<KeptDigest>,
    others: OtherProjects,
}

impl Search<'_> {
    fn look(&mut self, directory: &Path, deeper: usize) {
        let listed = list(directory).unwrap_or_default();
        let is_digest =
            |name: &str| FileName::is_file(name, &Slot::Last, Tool::Callgrind, ToolFile::Digest);
        if let Some(digest) = listed.iter().find(|listed| is_digest(&listed.name)) {
            self.add(directory, &digest.name);
        }
        if deeper > 0 {
            // Private directories of running benchmarks begin with a dot.
            let directories = listed.iter().filter(|listed| {
                listed.kind == ListedKind::Directory && !listed.name.starts_with('.')
            });
            for below in directories {
                self.look(&directory.join(&below.name), deeper - 1);
            }
        }
    }

    fn add(&mut self, directory: &Path, digest: &str) {
        let record = directory.join(SUMMARY);
        if let Some(other) = self.home.other_workspace(&record) {
            // Those of one bench file are one.
            let of_file = directory.ancestors().nth(2).unwrap_or(directory);
            self.others.add(of_file, other);
            return;
        }
        let benchmark = name(&record).filter(|name| self.filter.selects(name));
        self.found.extend(benchmark.map(|benchmark| KeptDigest {
            benchmark,
            last: directory.join(digest),
        }));
    }
}

/// Name of the benchmark in a record.
fn name(record: &Path) -> Option<String> {
    let json = regular_file::read(record, LONGEST_RECORD).ok()?;
    let text = String::from_utf8(json).ok()?;
    let record = RecordText::of(&text).ok()?;
    Some(record.name().ok()?.path.into_owned())
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
    fn a_digest_without_a_record_is_nobodys() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("callgrind.f.digest"), "iaid").unwrap();
        let home = ProjectHome {
            directory: directory.path().to_owned(),
            workspace: None,
        };
        let (found, others) = find(&home, &Filter::default());
        assert_eq!(found, []);
        assert_eq!(others.note(&home.directory), None);
    }
}
