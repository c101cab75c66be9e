//! The place of everything about a base: its worktree, its builds, and results that are kept.
//!
//! It is in the user's directory for caches and not below the project: cargo reads manifests and
//! configuration of all directories above, so those of the branch would apply to the base as well,
//! and flags that both have would be there twice. A project has one worktree, which goes from
//! commit to commit, so that cargo builds what differs and no more.

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use base::file_operation::{FileContext, FileResult};
use base::os::file_lock::FileLock;
use base::variables::EnvironmentVariables;
use store::remove_directory;
use twox_hash::XxHash3_64;

use crate::repository::{git, Commit, Repository};
use crate::RevisionError;

/// The time without use after which results and areas are removed.
const KEPT: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The lock of an area.
const LOCK: &str = "lock";
const WORKTREE: &str = "worktree";
/// Results that are kept.
const RESULTS: &str = "results";
/// Results that were made last, and are not kept.
const NEW: &str = "new";

/// Everything about the bases of a project. Nobody else uses it until it is dropped. One that was
/// made for a run without results, such as that of a wrong revision, is removed then.
#[derive(Debug)]
pub struct BaseArea {
    directory: PathBuf,
    /// Was there no checkout before?
    is_new: bool,
    _lock: FileLock,
}

impl BaseArea {
    /// Opens the area of a repository. `waits` is called if another run has it, before waiting for
    /// that.
    ///
    /// # Errors
    ///
    /// There is no directory for caches, or it cannot be written to.
    pub fn open(
        repository: &Repository,
        environment: &EnvironmentVariables,
        waits: impl FnOnce(),
    ) -> Result<Self, RevisionError> {
        let all = directory_of_all(environment)?;
        // The name is for people; the hash tells checkouts of one name apart.
        let name = repository.root.file_name().unwrap_or_default();
        let hash = hash(&[repository.root.as_os_str().as_encoded_bytes()]);
        let directory = all.join(format!("{}-{hash:016x}", name.to_string_lossy()));
        let mut waits = Some(waits);
        let lock = loop {
            fs::create_dir_all(&directory).context("create", &directory)?;
            let path = directory.join(LOCK);
            let file = File::create(&path).context("create", &path)?;
            let lock = FileLock::try_now(file).or_else(|(file, error)| match error.kind() {
                io::ErrorKind::WouldBlock => {
                    if let Some(waits) = waits.take() {
                        waits();
                    }
                    FileLock::wait(file)
                }
                _ => Err(error),
            });
            let lock = lock.context("lock", &path)?;
            // Whoever had the lock may have removed the area.
            if is_file_at(&lock, &path) {
                break lock;
            }
        };
        // The time of the last use, by which others find an area that nobody uses any more. Without
        // it the area is removed earlier, and made anew.
        let _ = lock.set_modified(SystemTime::now());
        let area = Self {
            is_new: !directory.join(WORKTREE).exists(),
            directory,
            _lock: lock,
        };
        area.remove_old_results();
        area.remove_old_neighbours();
        Ok(area)
    }

    /// The directory of the builds of the base, which stay.
    #[must_use]
    pub fn builds(&self) -> PathBuf {
        self.directory.join("target")
    }

    /// The directory of the runners of other versions.
    #[must_use]
    pub fn runners(&self) -> PathBuf {
        self.directory.join("runners")
    }

    /// A directory for results of the branch, empty.
    ///
    /// # Errors
    ///
    /// It cannot be emptied.
    pub fn of_branch(&self) -> FileResult<PathBuf> {
        let directory = self.directory.join("branch");
        remove_directory(&directory).context("remove", &directory)?;
        Ok(directory)
    }

    /// The directory of the kept results of a commit. `conditions`: everything else that they
    /// depend on. Results in it are whole.
    #[must_use]
    pub fn results(&self, commit: &Commit, conditions: &[Vec<u8>]) -> PathBuf {
        let name = format!("{}-{:016x}", commit.short(), hash(conditions));
        self.directory.join(RESULTS).join(name)
    }

    /// Are there results in a [`results`](Self::results) directory? Notes that they are used.
    #[must_use]
    pub fn has(&self, kept: &Path) -> bool {
        let Ok(directory) = File::open(kept) else {
            return false;
        };
        // Without the note they are removed earlier, and measured again.
        let _ = directory.set_modified(SystemTime::now());
        true
    }

    /// The directory of the worktree, whatever is checked out in it.
    #[must_use]
    pub fn worktree(&self) -> PathBuf {
        self.directory.join(WORKTREE)
    }

    /// Makes results with a function that writes them into an empty directory, and keeps them under
    /// the name of a [`results`](Self::results) directory if it says so. Else they stay where they
    /// were made, until the next ones.
    ///
    /// # Errors
    ///
    /// Those of the function, and of the file system.
    pub fn make<E: From<RevisionError>>(
        &self,
        kept: &Path,
        make: impl FnOnce(&Path) -> Result<bool, E>,
    ) -> Result<PathBuf, E> {
        let new = self.directory.join(NEW);
        let file = |result: FileResult<()>| result.map_err(|error| E::from(error.into()));
        file(remove_directory(&new).context("remove", &new))?;
        if !make(&new)? || !new.is_dir() {
            return Ok(new);
        }
        let results = self.directory.join(RESULTS);
        file(fs::create_dir_all(&results).context("create", &results))?;
        // Under its name only when it is whole: a run that is killed leaves nothing that looks
        // kept.
        file(remove_directory(kept).context("remove", kept))?;
        file(rename(&new, kept))?;
        Ok(kept.to_owned())
    }

    /// Checks out a commit in the worktree, whatever was there. Out: the directory that is to the
    /// worktree what the repository's directory is to its checkout.
    ///
    /// # Errors
    ///
    /// Git fails.
    pub fn check_out(
        &self,
        repository: &Repository,
        commit: &Commit,
    ) -> Result<PathBuf, RevisionError> {
        let worktree = self.worktree();
        if self.is_worktree_of(repository) {
            self.remove_left_lock()?;
            git(
                &worktree,
                &[
                    "checkout",
                    "--quiet",
                    "--force",
                    "--detach",
                    &commit.hash,
                    "--",
                ],
            )?;
            // What git ignores stays, such as `Cargo.lock` of a library. With two `f` also
            // directories that are repositories themselves go.
            git(&worktree, &["clean", "-ffdq"])?;
        } else {
            remove_directory(&worktree).context("remove", &worktree)?;
            let path = worktree.to_string_lossy();
            // Twice: also if git remembers one that is not there any more.
            let words = [
                "worktree", "add", "--quiet", "--force", "--force", "--detach",
            ];
            let words = [words.as_slice(), &[&*path, &*commit.hash]].concat();
            repository.ask(&words)?;
        }
        self.check_out_submodules(repository)?;
        Ok(worktree.join(&repository.prefix))
    }

    /// Removes the worktree, the builds and all results.
    ///
    /// # Errors
    ///
    /// A file cannot be removed.
    pub fn remove(self) -> Result<(), RevisionError> {
        Ok(remove_area(&self.directory)?)
    }

    /// Does the worktree belong to this repository, and is it whole enough for git?
    fn is_worktree_of(&self, repository: &Repository) -> bool {
        let common = |directory: &Path| {
            let words = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
            git(directory, &words).ok()
        };
        let worktree = self.worktree();
        // A worktree has a file of this name, a clone a directory.
        worktree.join(".git").is_file() && common(&worktree) == common(&repository.root)
    }

    /// Removes the lock of a git that was killed. No other git runs here: this area is locked.
    fn remove_left_lock(&self) -> Result<(), RevisionError> {
        let words = [
            "rev-parse",
            "--path-format=absolute",
            "--git-path",
            "index.lock",
        ];
        let path = PathBuf::from(git(&self.worktree(), &words)?.trim_end());
        Ok(remove_file_if_there(&path)?)
    }

    /// Checks out the submodules that the user has, from their repositories on this machine.
    fn check_out_submodules(&self, repository: &Repository) -> Result<(), RevisionError> {
        let worktree = self.worktree();
        if !worktree.join(".gitmodules").is_file() {
            return Ok(());
        }
        let listed = git(
            &worktree,
            &[
                "config",
                "--null",
                "--file",
                ".gitmodules",
                "--get-regexp",
                r"^submodule\..*\.path$",
            ],
        )?;
        // Names and paths may have blanks.
        for entry in listed.split('\0') {
            let Some((key, path)) = entry.split_once('\n') else {
                continue;
            };
            let name = key.strip_prefix("submodule.").unwrap_or(key);
            let name = name.strip_suffix(".path").unwrap_or(name);
            let modules = format!("modules/{name}");
            let words = [
                "rev-parse",
                "--path-format=absolute",
                "--git-path",
                &modules,
            ];
            let local = git(&repository.root, &words)?;
            // One that the user has not asked for stays empty, as in the checkout.
            if !Path::new(local.trim_end()).is_dir() {
                continue;
            }
            let url = format!("submodule.{name}.url={}", local.trim_end());
            // Git since 2.38.1 clones no submodule from this machine unless it is told to.
            let words = ["-c", &url, "-c", "protocol.file.allow=always"];
            let update = [
                "submodule",
                "--quiet",
                "update",
                "--init",
                "--force",
                "--",
                path,
            ];
            git(&worktree, &[words.as_slice(), &update].concat())?;
        }
        Ok(())
    }

    /// Removes the areas of projects in which no base was measured for long, such as deleted ones:
    /// builds are large. It is no error if one cannot be removed.
    fn remove_old_neighbours(&self) {
        let entries = self.directory.parent().map(fs::read_dir);
        let Some(Ok(entries)) = entries else { return };
        for entry in entries.flatten() {
            let directory = entry.path();
            let path = directory.join(LOCK);
            if directory == self.directory || !is_old(&path) {
                continue;
            }
            // Nobody waits for one that is in use, and what begins to use it finds a new time.
            let locked = File::open(&path).ok().map(FileLock::try_now);
            let Some(Ok(_lock)) = locked else { continue };
            if is_old(&path) {
                let _ = remove_area(&directory);
            }
        }
    }

    /// Removes results that nobody has used for long. It is no error if one cannot be removed.
    fn remove_old_results(&self) {
        let Ok(entries) = fs::read_dir(self.directory.join(RESULTS)) else {
            return;
        };
        for entry in entries.flatten() {
            if is_old(&entry.path()) {
                let _ = remove_directory(&entry.path());
            }
        }
    }
}

impl Drop for BaseArea {
    fn drop(&mut self) {
        let has_results = || {
            let of_base = [RESULTS, NEW].map(|name| self.directory.join(name));
            of_base.iter().any(|directory| directory.exists())
        };
        if self.is_new && !has_results() {
            // It is no error if it stays: it is removed after a while.
            let _ = remove_area(&self.directory);
        }
    }
}

/// Removes an area that is locked, and the directory of all if it was the last one.
fn remove_area(directory: &Path) -> FileResult<()> {
    let worktree = directory.join(WORKTREE);
    if worktree.exists() {
        let words = ["worktree", "remove", "--force", "--force", "."];
        // One that git does not know is removed below, and the repository may be gone as well.
        let _ = git(&worktree, &words);
    }
    remove_directory(directory).context("remove", directory)?;
    if let Some(all) = directory.parent() {
        remove_if_empty(all);
    }
    Ok(())
}

/// Others may make a directory in it meanwhile, and then it stays.
#[expect(clippy::disallowed_methods, reason = "an empty directory, no result")]
fn remove_if_empty(directory: &Path) {
    let _ = fs::remove_dir(directory);
}

/// Is the open file still the one of this path?
fn is_file_at(file: &File, path: &Path) -> bool {
    let same = |a: &Metadata, b: &Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(named)) => same(&open, &named),
        _ => false,
    }
}

/// Was a directory used for the last time so long ago?
fn is_old(path: &Path) -> bool {
    let used = fs::metadata(path).and_then(|data| data.modified());
    let age = used
        .ok()
        .and_then(|used| SystemTime::now().duration_since(used).ok());
    age.is_some_and(|age| age > KEPT)
}

fn directory_of_all(environment: &EnvironmentVariables) -> Result<PathBuf, RevisionError> {
    let caches = environment.get("XDG_CACHE_HOME").map(PathBuf::from);
    // The specification of XDG says to ignore relative paths.
    let caches = caches.filter(|path| path.is_absolute());
    let home = || Some(Path::new(environment.get("HOME")?).join(".cache"));
    let caches = caches.or_else(home).ok_or(RevisionError::NoPlace)?;
    Ok(caches.join("iai-callgrind"))
}

fn hash(parts: &[impl AsRef<[u8]>]) -> u64 {
    let mut bytes = Vec::new();
    for part in parts {
        let part = part.as_ref();
        // With lengths, since the same bytes may be divided in another way.
        bytes.extend_from_slice(&part.len().to_le_bytes());
        bytes.extend_from_slice(part);
    }
    XxHash3_64::oneshot(&bytes)
}

#[expect(clippy::disallowed_methods, reason = "a lock of git, no result")]
fn remove_file_if_there(path: &Path) -> FileResult<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).context("remove", path),
        _ => Ok(()),
    }
}

#[expect(clippy::disallowed_methods, reason = "whole results get their name")]
fn rename(from: &Path, to: &Path) -> FileResult<()> {
    fs::rename(from, to).context("rename", from)
}
