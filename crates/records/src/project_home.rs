//! The results of one project in a directory that several projects may share.
//!
//! Several projects have one target directory where `CARGO_TARGET_DIR` or `build.target-dir` says
//! so. Each record names its workspace, and the records of one file are of one bench file, so the
//! first record tells whose file it is.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::Workspace;
use crate::layout::{LONGEST_RECORD, SUMMARY};
use base::counted::counted;
use base::regular_file;

/// The directory of all results, and the project whose results are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectHome {
    /// The directory.
    pub directory: PathBuf,
    /// The project. `None`: all results in the directory are asked for.
    pub workspace: Option<Workspace>,
}

/// The part of a record that names the project.
#[derive(Deserialize)]
struct WithFiles {
    files: FilesOfRecord,
}

#[derive(Deserialize)]
struct FilesOfRecord {
    workspace: String,
    #[serde(default)]
    home_in_workspace: Option<String>,
}

impl ProjectHome {
    /// The root of another workspace that the records of a file are of. `None`: they are of this
    /// one, or do not say it.
    #[must_use]
    pub fn other_workspace(&self, records: &Path) -> Option<String> {
        let own = self.workspace.as_ref()?;
        let other = workspace_of(records).filter(|other| !own.is_same(other));
        other.map(|other| other.root)
    }
}

/// The workspace of the first record in a file that says it.
fn workspace_of(records: &Path) -> Option<Workspace> {
    let file = regular_file::open(records).ok()?;
    let mut lines = BufReader::new(file.take(LONGEST_RECORD));
    let mut text = String::new();
    // A record alone in its file may have many lines.
    if records.file_name().is_some_and(|name| name == SUMMARY) {
        lines.read_to_string(&mut text).ok()?;
        return named(&text);
    }
    while lines.read_line(&mut text).ok()? > 0 {
        if let Some(workspace) = named(&text) {
            return Some(workspace);
        }
        text.clear();
    }
    None
}

fn named(record: &str) -> Option<Workspace> {
    let WithFiles { files } = serde_json::from_str(record).ok()?;
    let workspace = Workspace {
        root: files.workspace,
        home: files.home_in_workspace,
    };
    (!workspace.root.is_empty()).then_some(workspace)
}

/// Results of other projects that were left out.
#[derive(Debug, Default)]
pub struct OtherProjects {
    /// The directories with results, by the roots of their workspaces.
    directories: BTreeMap<String, BTreeSet<PathBuf>>,
}

impl OtherProjects {
    /// Adds a directory with results of this workspace.
    pub fn add(&mut self, directory: &Path, workspace: String) {
        let of_workspace = self.directories.entry(workspace).or_default();
        of_workspace.insert(directory.to_owned());
    }

    /// A line about them. `None`: there are none.
    #[must_use]
    pub fn note(&self, home: &Path) -> Option<String> {
        let number: usize = self.directories.values().map(BTreeSet::len).sum();
        let roots = self.directories.keys().map(|root| format!("`{root}`"));
        let roots: Vec<String> = roots.collect();
        (number > 0).then(|| {
            format!(
                "`{}` also has results of {} of other workspaces ({}), which are left out",
                home.display(),
                counted(number as u64, "bench file"),
                roots.join(", ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(root: &str, home: Option<&str>) -> Workspace {
        Workspace {
            root: root.to_owned(),
            home: home.map(str::to_owned),
        }
    }

    #[test]
    fn a_file_is_of_the_workspace_of_its_first_record() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("results.jsonl");
        let text = concat!(
            "{\"type\":\"run\"}\n",
            "{\"files\":{\"workspace\":\"/first\",\"home_in_workspace\":\"target/iai\"}}\n",
            "{\"files\":{\"workspace\":\"/second\",\"home_in_workspace\":null}}\n",
        );
        std::fs::write(&file, text).unwrap();
        let other = |workspace: Option<Workspace>| {
            let home = ProjectHome {
                directory: directory.path().to_owned(),
                workspace,
            };
            home.other_workspace(&file)
        };
        let first = Some("/first".to_owned());
        assert_eq!(other(Some(workspace("/second", None))), first);
        assert_eq!(other(Some(workspace("/first", None))), None);
        // A project that was moved with its results.
        assert_eq!(other(Some(workspace("/moved", Some("target/iai")))), None);
        assert_eq!(other(None), None);
        std::fs::write(&file, "{\"type\":\"run\"}\n").unwrap();
        assert_eq!(other(Some(workspace("/second", None))), None);
    }

    #[test]
    fn others_are_counted_by_directory() {
        let mut others = OtherProjects::default();
        assert_eq!(others.note(Path::new("/t/iai")), None);
        for (directory, root) in [
            ("/t/iai/p/a", "/p"),
            ("/t/iai/p/a", "/p"),
            ("/t/iai/q/b", "/q"),
        ] {
            others.add(Path::new(directory), root.to_owned());
        }
        assert_eq!(
            others.note(Path::new("/t/iai")).as_deref(),
            Some(
                "`/t/iai` also has results of 2 bench files of other workspaces (`/p`, `/q`), which are left \
                 out"
            )
        );
    }
}
