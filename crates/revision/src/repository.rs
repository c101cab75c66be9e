//! The repository of a project, as git answers questions about it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::RevisionError;

/// Branches that others are merged into, in the order in which they are looked for.
const DEFAULTS: [&str; 4] = ["origin/main", "origin/master", "main", "master"];

/// Files by which cargo and rustup build differently, in each directory above the one they start
/// in.
const CONFIGURATION: [&str; 4] = [
    ".cargo/config.toml",
    ".cargo/config",
    "rust-toolchain.toml",
    "rust-toolchain",
];

/// Names of an unknown revision that are shown.
const NEAR: usize = 3;

/// From this likeness on a name is near.
const LIKENESS: f64 = 0.7;

/// Variables that lead git elsewhere, as in hooks, where it sets them.
pub(crate) const OF_HOOKS: [&str; 6] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
];

/// A repository of git, with a directory in its checkout.
#[derive(Debug, Clone)]
pub struct Repository {
    /// The root of the checkout.
    pub root: PathBuf,
    /// The directory below the root; empty for the root itself.
    pub prefix: PathBuf,
    is_shallow: bool,
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The whole hash.
    pub hash: String,
    /// Its first line.
    pub title: String,
    /// How it was found: `merge base with origin/main`, or the words of the user.
    pub name: String,
}

impl Commit {
    /// `3e3457e0`: as much of the hash as people read.
    #[must_use]
    pub fn short(&self) -> &str {
        self.hash.get(..8).unwrap_or(&self.hash)
    }

    /// ``3e3457e0 `Sort in place` (merge base with origin/main)``
    #[must_use]
    pub fn described(&self) -> String {
        let title = &self.title;
        match self.hash.starts_with(&self.name) {
            true => format!("{} `{title}`", self.short()),
            false => format!("{} `{title}` ({})", self.short(), self.name),
        }
    }
}

impl Repository {
    /// The repository of a directory.
    ///
    /// # Errors
    ///
    /// There is no git, or the directory is in no checkout.
    pub fn of(directory: &Path) -> Result<Self, RevisionError> {
        let asked = ["rev-parse", "--show-toplevel", "--show-prefix"];
        let none = |_| RevisionError::NoRepository(directory.to_owned());
        let answer = match git(directory, &asked) {
            Err(RevisionError::NoGit(error)) => return Err(RevisionError::NoGit(error)),
            answer => answer.map_err(none)?,
        };
        let mut lines = answer.lines();
        let root = lines.next().filter(|root| !root.is_empty());
        let Some(root) = root else {
            return Err(RevisionError::NoRepository(directory.to_owned()));
        };
        let shallow = git(directory, &["rev-parse", "--is-shallow-repository"])?;
        Ok(Self {
            root: root.into(),
            prefix: lines.next().unwrap_or_default().into(),
            is_shallow: shallow.trim() == "true",
        })
    }

    /// The output of git in the checkout of the user. It takes no lock and runs no hook.
    pub(crate) fn ask(&self, words: &[&str]) -> Result<String, RevisionError> {
        git(&self.root, words)
    }

    /// The base of a comparison: a revision, or where the branch left the one that it is to be
    /// merged into.
    ///
    /// # Errors
    ///
    /// Git does not know the revision, or there is no such branch. The text says what mends it.
    pub fn base(&self, revision: Option<&str>) -> Result<Commit, RevisionError> {
        let head = self.resolved("HEAD").ok_or(RevisionError::NoCommit)?;
        let base = match revision {
            Some(revision) => self.commit(revision)?,
            None => self.merge_base()?,
        };
        if base.hash == head && self.uncommitted()? == 0 {
            return Err(RevisionError::NothingChanged {
                base: format!("{} {}", base.short(), base.title),
            });
        }
        Ok(base)
    }

    /// The commit of a revision.
    ///
    /// # Errors
    ///
    /// Git does not know it.
    pub fn commit(&self, revision: &str) -> Result<Commit, RevisionError> {
        match self.resolved(revision) {
            Some(hash) => self.named(hash, revision.to_owned()),
            None => Err(self.unknown(revision)),
        }
    }

    /// Number of files that differ from the last commit. New files are counted, since cargo builds
    /// them; a new directory is one, and ignored files are none.
    ///
    /// # Errors
    ///
    /// Git fails.
    pub fn uncommitted(&self) -> Result<usize, RevisionError> {
        let words = ["status", "--porcelain", "--untracked-files=normal"];
        Ok(self.ask(&words)?.lines().count())
    }

    /// Returns notes, a line each, on files that the branch was measured with and that no other
    /// revision has: files that are not committed, and configuration that git ignores.
    ///
    /// # Errors
    ///
    /// Git fails.
    pub fn notes(&self) -> Result<Vec<String>, RevisionError> {
        let mut notes = Vec::new();
        match self.uncommitted()? {
            0 => {}
            1 => {
                notes.push("the branch was measured with 1 file that is not committed".to_owned());
            }
            files => notes.push(format!(
                "the branch was measured with {files} files that are not committed"
            )),
        }
        let ignored = self.ignored_configuration();
        if !ignored.is_empty() {
            notes.push(format!(
                "git ignores `{}`, so the branch alone was measured with it",
                ignored.join("`, `")
            ));
        }
        Ok(notes)
    }

    /// Configuration of cargo and rustup that is there and that git ignores, below the root.
    fn ignored_configuration(&self) -> Vec<String> {
        let directories = self.prefix.ancestors();
        let files = directories.flat_map(|directory| CONFIGURATION.map(|it| directory.join(it)));
        let files = files.filter(|file| self.root.join(file).is_file());
        let files = files.map(|file| file.to_string_lossy().into_owned());
        let is_ignored = |file: &String| {
            // It fails for a file that is not ignored. A path that begins with `:` would be magic.
            let path = format!("./{file}");
            self.ask(&["check-ignore", "--quiet", "--", &path]).is_ok()
        };
        files.filter(is_ignored).collect()
    }

    /// Commits after the good one up to the bad one, along first parents, the oldest first.
    ///
    /// # Errors
    ///
    /// Git fails, or there are none.
    pub(crate) fn between(
        &self,
        good: &Commit,
        bad: &Commit,
    ) -> Result<Vec<Commit>, RevisionError> {
        let range = format!("{}..{}", good.hash, bad.hash);
        let words = ["rev-list", "--reverse", "--first-parent", &range, "--"];
        let hashes = self.ask(&words)?;
        let commits = hashes.lines().map(|hash| {
            let hash = hash.to_owned();
            let name = hash.get(..8).unwrap_or(&hash).to_owned();
            self.named(hash, name)
        });
        let commits: Vec<Commit> = commits.collect::<Result<_, _>>()?;
        match commits.is_empty() {
            false => Ok(commits),
            true => Err(RevisionError::NothingBetween {
                good: good.name.clone(),
                bad: bad.name.clone(),
            }),
        }
    }

    fn resolved(&self, revision: &str) -> Option<String> {
        let resolve = |name: &str| {
            let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", name];
            let hash = self.ask(&words).ok()?;
            Some(hash.trim().to_owned()).filter(|hash| !hash.is_empty())
        };
        // In two steps: what follows `:/` is a text to search for. A tag is its commit.
        resolve(&format!("{}^{{commit}}", resolve(revision)?))
    }

    fn named(&self, hash: String, name: String) -> Result<Commit, RevisionError> {
        let title = self.ask(&["log", "-1", "--format=%s", &hash, "--"])?;
        Ok(Commit {
            title: title.trim_end().to_owned(),
            hash,
            name,
        })
    }

    fn merge_base(&self) -> Result<Commit, RevisionError> {
        // What the remote says goes first: its default branch may have any name.
        let words = [
            "symbolic-ref",
            "--quiet",
            "--short",
            "refs/remotes/origin/HEAD",
        ];
        let of_origin = self.ask(&words).ok().map(|name| name.trim().to_owned());
        let defaults = DEFAULTS.map(str::to_owned);
        let mut branches = of_origin.into_iter().chain(defaults);
        let branch = branches.find(|branch| self.resolved(branch).is_some());
        let branch = branch.ok_or(RevisionError::NoDefaultBranch)?;
        let base = self.ask(&["merge-base", "HEAD", &branch]);
        let base = base.map(|hash| hash.trim().to_owned());
        match base {
            Ok(hash) if !hash.is_empty() => self.named(hash, format!("merge base with {branch}")),
            _ => Err(RevisionError::NoMergeBase {
                branch,
                cure: match self.is_shallow {
                    true => {
                        "the clone is shallow: `git fetch --unshallow`, or `git fetch --deepen=100`"
                    }
                    false => "name the base: `--base=REVISION`",
                },
            }),
        }
    }

    fn unknown(&self, revision: &str) -> RevisionError {
        let words = ["for-each-ref", "--format=%(refname:short)"];
        let names = self.ask(&words).unwrap_or_default();
        let mut near: Vec<(f64, &str)> = names
            .lines()
            .map(|name| (strsim::jaro_winkler(revision, name), name))
            .filter(|(likeness, _)| *likeness >= LIKENESS)
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        let near: Vec<&str> = near.into_iter().map(|it| it.1).take(NEAR).collect();
        let cure = match (revision.split_once('/'), self.is_shallow) {
            (Some((remote, branch)), _) if self.is_remote(remote) => {
                // Names a place: a clone of one branch fetches no others into theirs.
                format!("`git fetch {remote} {branch}:refs/remotes/{remote}/{branch}`")
            }
            (_, true) => {
                "the clone is shallow: `git fetch --unshallow`, or `git fetch --deepen=100`"
                    .to_owned()
            }
            _ if near.is_empty() && self.is_remote("origin") => {
                format!("`git fetch origin {revision}`, then `--base=FETCH_HEAD`")
            }
            _ => "`git log --oneline --all` lists the commits".to_owned(),
        };
        RevisionError::Unknown {
            revision: revision.to_owned(),
            near: match near.is_empty() {
                true => String::new(),
                false => format!("; near it are `{}`", near.join("`, `")),
            },
            cure,
        }
    }

    fn is_remote(&self, name: &str) -> bool {
        let remotes = self.ask(&["remote"]).unwrap_or_default();
        remotes.lines().any(|remote| remote == name)
    }
}

/// The output of git in a directory.
pub(crate) fn git(directory: &Path, words: &[&str]) -> Result<String, RevisionError> {
    let output = command(directory, words)
        .stdin(Stdio::null())
        .output()
        .map_err(RevisionError::NoGit)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(RevisionError::Git {
        words: words.join(" "),
        said: said.trim().trim_start_matches("fatal: ").to_owned(),
    })
}

#[expect(
    clippy::disallowed_methods,
    reason = "asks git; benchmarks start in `execute`"
)]
fn command(directory: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .args(["--no-optional-locks", "-c", "core.hooksPath=/dev/null"])
        // A monitor of file systems may be a program of the repository's configuration, or a daemon
        // that stays.
        .args([
            "-c",
            "core.fsmonitor=false",
            "-c",
            "advice.detachedHead=false",
        ])
        .args(words)
        .current_dir(directory)
        // Texts are looked through.
        .env("LC_ALL", "C");
    for name in OF_HOOKS {
        command.env_remove(name);
    }
    command
}
