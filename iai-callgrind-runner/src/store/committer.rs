//! The thread that waits for the disk, so that no benchmark does.
//!
//! To write a result to the disk takes as long as to measure a small benchmark. So replacements are collected for a
//! moment, written together beside the next benchmarks, and then carried out in their order. Whoever needs
//! them earlier waits: the next access to the same benchmark, and the end of the run.

use std::collections::BTreeSet;
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::commit::{self, Replacement, Unfinished};
use crate::error::{Error, Result};

/// How long a replacement waits for others. A killed runner loses the results of this time; the ones before
/// them stay.
const PATIENCE: Duration = Duration::from_millis(250);

/// The number of replacements that wait for no others. Their files are in private directories meanwhile.
const MOST: usize = 64;

/// Carries out replacements. All are done when this is dropped.
#[derive(Debug)]
pub(super) struct Committer {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
struct Shared {
    /// The directory of the bench file.
    base: PathBuf,
    state: Mutex<State>,
    /// Locked while replacements are carried out.
    unfinished: Mutex<Unfinished>,
    /// For the thread: there is something to do, or it is wanted at once.
    wanted: Condvar,
    /// For those who wait: something was done.
    done: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: Vec<Replacement>,
    /// The directories of benchmarks whose replacement is being carried out.
    under_way: Vec<PathBuf>,
    /// The number of those who wait for everything to be done.
    in_a_hurry: usize,
    /// Nothing more will come.
    ends: bool,
    /// Replacements that could not be carried out.
    failed: Vec<Error>,
    /// The directories of benchmarks whose decided results are not in their places, with the reasons.
    stuck: Vec<(PathBuf, String)>,
}

impl State {
    fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.under_way.is_empty()
    }

    fn knows(&self, directory: &Path) -> bool {
        let waiting = self.waiting.iter().map(Replacement::directory);
        let mut all = waiting.chain(self.under_way.iter().map(PathBuf::as_path));
        // Paths are compared part by part, and these are made in one way.
        all.any(|other| other.as_os_str() == directory.as_os_str())
    }

    fn hurries(&self) -> bool {
        self.ends || self.in_a_hurry > 0 || self.waiting.len() >= MOST
    }
}

impl Committer {
    /// Carries out replacements below this directory, where some are unfinished.
    pub(super) fn new(base: PathBuf, unfinished: Unfinished) -> Self {
        let state = State {
            stuck: unfinished.reasons(&base),
            ..State::default()
        };
        Self {
            shared: Arc::new(Shared {
                base,
                state: Mutex::new(state),
                unfinished: Mutex::new(unfinished),
                wanted: Condvar::new(),
                done: Condvar::new(),
            }),
            thread: Mutex::default(),
        }
    }

    /// The reason why decided results of this benchmark are not in their places, if they are not.
    pub(super) fn unfinished(&self, directory: &Path) -> Option<String> {
        let state = self.shared.lock();
        let mut stuck = state.stuck.iter();
        let found = stuck.find(|(other, _)| other == directory);
        found.map(|(_, reason)| reason.clone())
    }

    /// Takes a replacement over, and carries it out soon.
    ///
    /// # Errors
    ///
    /// Only where there can be no further thread: the replacement could not be carried out.
    pub(super) fn add(&self, replacement: Replacement) -> Result<()> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            let shared = Arc::clone(&self.shared);
            let builder = thread::Builder::new().name("commit".to_owned());
            match builder.spawn(move || shared.work()) {
                Ok(started) => *thread = Some(started),
                Err(error) => {
                    log::debug!("results are kept without a thread of their own: {error}");
                    let failed = self.shared.carry_out(vec![replacement]).pop();
                    return failed.map_or(Ok(()), Err);
                }
            }
        }
        let mut state = self.shared.lock();
        state.waiting.push(replacement);
        // The thread has its own clock from the first one on.
        let is_wanted = state.waiting.len() == 1 || state.hurries();
        drop(state);
        if is_wanted {
            self.shared.wanted.notify_one();
        }
        Ok(())
    }

    /// Completes the record of a replacement that still waits. `Ok(false)`: there is none.
    pub(super) fn complete_summary(&self, directory: &Path, json: &[u8]) -> Result<bool> {
        let state = self.shared.lock();
        let mut waiting = state.waiting.iter();
        match waiting.find(|replacement| replacement.directory() == directory) {
            Some(replacement) => replacement.complete_summary(json),
            None => Ok(false),
        }
    }

    /// Waits until nothing is left to be done for the benchmark of this directory. Was there something?
    pub(super) fn wait_for(&self, directory: &Path) -> bool {
        let is_known = self.shared.lock().knows(directory);
        if is_known {
            drop(self.shared.wait_while(|state| state.knows(directory)));
        }
        is_known
    }

    /// Waits until everything is done, and returns what failed since the last call.
    pub(super) fn wait(&self) -> Vec<Error> {
        let mut state = self.shared.wait_while(|state| !state.is_idle());
        mem::take(&mut state.failed)
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        self.shared.lock().ends = true;
        self.shared.wanted.notify_one();
        let thread = self
            .thread
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = thread.take() {
            // It panics only where this program is wrong, and has said so then.
            let _ = thread.join();
        }
        for error in &self.shared.lock().failed {
            log::error!("{}", crate::error::with_causes(error));
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn carry_out(&self, batch: Vec<Replacement>) -> Vec<Error> {
        let unfinished = self.unfinished.lock();
        let mut unfinished = unfinished.unwrap_or_else(PoisonError::into_inner);
        let failed = commit::replace(&self.base, batch, &mut unfinished);
        if !failed.is_empty() {
            self.lock().stuck = unfinished.reasons(&self.base);
        }
        failed
    }

    fn wait_while(&self, is_not_done: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        if !is_not_done(&state) {
            return state;
        }
        state.in_a_hurry += 1;
        self.wanted.notify_one();
        let mut state = self
            .done
            .wait_while(state, |state| is_not_done(state))
            .unwrap_or_else(PoisonError::into_inner);
        state.in_a_hurry -= 1;
        state
    }

    /// The work of the thread: everything that comes, until nothing more will.
    fn work(&self) {
        while let Some(batch) = self.next() {
            // Whoever waits would wait for ever if this thread ended.
            let done = panic::catch_unwind(AssertUnwindSafe(|| self.carry_out(batch)));
            let failed = done.unwrap_or_else(|_| vec![Error::Panicked]);
            let mut state = self.lock();
            state.failed.extend(failed);
            state.under_way.clear();
            self.done.notify_all();
        }
    }

    /// Waits for the next replacements. `None`: no more will come.
    fn next(&self) -> Option<Vec<Replacement>> {
        let mut state = self.lock();
        while state.waiting.is_empty() {
            if state.ends {
                return None;
            }
            state = self
                .wanted
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        let until = Instant::now() + PATIENCE;
        while !state.hurries() {
            let rest = until.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                break;
            }
            let waited = self.wanted.wait_timeout(state, rest);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        // A second one of the same benchmark comes after the first.
        let mut directories = BTreeSet::new();
        let waiting = state.waiting.iter().map(Replacement::directory);
        let count = waiting.take_while(|it| directories.insert(*it)).count();
        let batch: Vec<Replacement> = state.waiting.drain(..count).collect();
        let directories = batch.iter().map(Replacement::directory);
        state.under_way = directories.map(Path::to_owned).collect();
        Some(batch)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "files of the tests")]
mod tests {
    use std::cell::RefCell;
    use std::fs;
    use std::rc::Rc;

    use tempfile::TempDir;

    use super::super::commit::{NewFile, NewResult, MANY};
    use super::super::{sync, Slot, WorkDirectory};
    use super::*;
    use crate::listed_directory::list;
    use crate::tool::Tool;

    fn committer(root: &TempDir) -> Committer {
        Committer::new(root.path().to_owned(), Unfinished::default())
    }

    fn directory(root: &TempDir, benchmark: &str) -> PathBuf {
        root.path().join("g").join(benchmark)
    }

    fn replacement(root: &TempDir, benchmark: &str, text: &str) -> Replacement {
        collect(root, benchmark, &[Tool::Callgrind], "callgrind.f.out", text)
    }

    fn collect(
        root: &TempDir,
        benchmark: &str,
        tools: &[Tool],
        name: &str,
        text: &str,
    ) -> Replacement {
        let work = tempfile::Builder::new().prefix(".work-").tempdir_in(root);
        let work = WorkDirectory::from(work.unwrap());
        let path = work.path().join("raw");
        fs::write(&path, text).unwrap();
        let file = NewFile {
            path,
            name: name.to_owned(),
        };
        let result = NewResult {
            slot: &Slot::Last,
            tools,
            work: vec![work.into()],
            files: &[file],
            stays: &[],
            left: Vec::new(),
        };
        let directory = directory(root, benchmark);
        let present = list(&directory).unwrap_or_default();
        commit::collect(root.path(), &directory, &present, result).unwrap()
    }

    fn kept(root: &TempDir, benchmark: &str) -> Option<String> {
        fs::read_to_string(directory(root, benchmark).join("callgrind.f.out")).ok()
    }

    #[test]
    fn whoever_waits_finds_everything_done() {
        let root = tempfile::tempdir().unwrap();
        let committer = committer(&root);
        for round in 0..3 {
            let text = round.to_string();
            for benchmark in ["a", "b"] {
                committer.wait_for(&directory(&root, benchmark));
                let replacement = replacement(&root, benchmark, &text);
                committer.add(replacement).unwrap();
            }
            committer.wait_for(&directory(&root, "a"));
            assert_eq!(kept(&root, "a"), Some(text.clone()));
            assert!(committer.wait().is_empty());
            assert_eq!(kept(&root, "b"), Some(text));
        }
        committer.add(replacement(&root, "a", "last")).unwrap();
        drop(committer);
        assert_eq!(kept(&root, "a").as_deref(), Some("last"));
        // The note and the private directories are gone.
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    /// After a failure of the machine the disk has what was written to it, in whatever state the rest is.
    #[test]
    fn the_disk_has_new_files_before_the_decision_and_this_before_anything_is_deleted() {
        for number in [1, 2 * MANY] {
            let root = tempfile::tempdir().unwrap();
            let names: Vec<String> = (0..number).map(|number| number.to_string()).collect();
            let all = |text| {
                names
                    .iter()
                    .map(|name| replacement(&root, name, text))
                    .collect()
            };
            let carry_out = |batch| {
                let failed = commit::replace(root.path(), batch, &mut Unfinished::default());
                assert!(failed.is_empty(), "{failed:?}");
            };
            carry_out(all("1"));
            let (place, first) = (root.path().to_owned(), directory(&root, "0"));
            let seen = Rc::new(RefCell::new(Vec::new()));
            let log = Rc::clone(&seen);
            sync::watch::with(move |_| {
                let kept = fs::read(first.join("callgrind.f.out")).unwrap();
                assert_eq!(kept, b"1");
                log.borrow_mut().push(place.join(".pending").exists());
            });
            carry_out(all("2"));
            sync::watch::with(|_| {});
            let seen = seen.borrow();
            let (decided, before) = seen.split_last().unwrap();
            assert!(decided);
            // The out of each and its directory, or all at once; then the note.
            let is_each = before.len() == 2 * number + 1;
            let is_once = number >= MANY && before.len() == 2;
            assert!(is_each || is_once, "{seen:?}");
            assert!(before.iter().all(|decided| !decided), "{seen:?}");
            assert_eq!(kept(&root, "0").as_deref(), Some("2"));
        }
    }

    #[test]
    fn a_record_is_completed_while_it_waits() {
        let root = tempfile::tempdir().unwrap();
        let committer = committer(&root);
        let directory = directory(&root, "a");
        assert!(!committer.complete_summary(&directory, b"whole").unwrap());
        let replacement = collect(&root, "a", &[], "summary.json", "part");
        assert!(replacement.complete_summary(b"whole").unwrap());
        committer.add(replacement).unwrap();
        assert!(committer.wait().is_empty());
        assert_eq!(fs::read(directory.join("summary.json")).unwrap(), b"whole");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
    }

    #[test]
    fn one_that_fails_is_told_and_the_others_are_done() {
        let root = tempfile::tempdir().unwrap();
        let committer = committer(&root);
        for benchmark in ["a", "b", "c"] {
            let replacement = replacement(&root, benchmark, "1");
            if benchmark == "b" {
                fs::remove_dir(replacement.directory()).unwrap();
            }
            committer.add(replacement).unwrap();
        }
        let failed: Vec<String> = committer.wait().iter().map(Error::to_string).collect();
        assert!(
            matches!(failed.as_slice(), [one] if one.starts_with("cannot move `")),
            "{failed:?}"
        );
        let reason = committer.unfinished(&directory(&root, "b")).unwrap();
        assert!(reason.starts_with(&failed[0]), "{reason}");
        assert_eq!(committer.unfinished(&directory(&root, "a")), None);
        assert!(committer.wait().is_empty());
        assert_eq!(kept(&root, "a").as_deref(), Some("1"));
        assert_eq!(kept(&root, "b"), None);
        assert_eq!(kept(&root, "c").as_deref(), Some("1"));
    }
}
