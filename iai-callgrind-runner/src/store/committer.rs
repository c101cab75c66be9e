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

use super::commit::Replacement;
use super::sync;
use crate::error::{Error, Result};

/// How long a replacement waits for others. A killed runner loses the results of this time; the ones before
/// them stay.
const PATIENCE: Duration = Duration::from_millis(250);

/// The number of replacements that wait for no others. Their private directories are on the disk meanwhile.
const MOST: usize = 64;

/// The number of replacements from which on they are written to the disk at once.
const MANY: usize = 8;

/// Carries out replacements. All are done when this is dropped.
#[derive(Debug, Default)]
pub(super) struct Committer {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
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
}

impl State {
    fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.under_way.is_empty()
    }

    fn knows(&self, directory: &Path) -> bool {
        let waiting = self.waiting.iter().map(Replacement::directory);
        let mut all = waiting.chain(self.under_way.iter().map(PathBuf::as_path));
        all.any(|other| other == directory)
    }

    fn hurries(&self) -> bool {
        self.ends || self.in_a_hurry > 0 || self.waiting.len() >= MOST
    }
}

impl Committer {
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
                    return carry_out(vec![replacement]).pop().map_or(Ok(()), Err);
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
            let done = panic::catch_unwind(AssertUnwindSafe(|| carry_out(batch)));
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

/// Carries out replacements of different benchmarks, and returns what failed. The disk has the new files of all
/// before anything is decided, and the decisions before anything is deleted.
fn carry_out(batch: Vec<Replacement>) -> Vec<Error> {
    let mut failed = Vec::new();
    let mut each = |mut batch: Vec<Replacement>, step: fn(&mut Replacement) -> Result<()>| {
        batch.retain_mut(|replacement| match step(replacement) {
            Ok(()) => true,
            Err(error) => {
                failed.push(error);
                false
            }
        });
        batch
    };
    let mut batch = each(batch, Replacement::tidy);
    if !all_at_once(&batch) {
        batch.iter().for_each(Replacement::begin_sync);
        batch = each(batch, Replacement::sync);
    }
    batch = each(batch, Replacement::decide);
    if !all_at_once(&batch) {
        batch = each(batch, Replacement::sync_decision);
    }
    let done = batch.into_iter().map(Replacement::carry_out);
    failed.extend(done.filter_map(Result::err));
    failed
}

/// Writes everything to the disk at once, if there is much of ours and little of others. That takes a tenth of
/// the time of writing file after file.
fn all_at_once(batch: &[Replacement]) -> bool {
    match batch {
        [first, ..] if batch.len() >= MANY => sync::file_system(first.directory()),
        _ => false,
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "files of the tests")]
mod tests {
    use std::cell::RefCell;
    use std::fs;
    use std::rc::Rc;

    use tempfile::TempDir;

    use super::super::commit::{self, NewFile, NewResult};
    use super::super::Slot;
    use super::*;
    use crate::listed_directory::list;
    use crate::tool::Tool;

    fn replacement(root: &TempDir, benchmark: &str, text: &str) -> Replacement {
        let work = tempfile::tempdir_in(root).unwrap();
        let path = work.path().join("raw");
        fs::write(&path, text).unwrap();
        let file = NewFile {
            path,
            name: "callgrind.f.out".to_owned(),
        };
        let directory = root.path().join(benchmark);
        collect(&directory, &[Tool::Callgrind], work, file)
    }

    fn collect(directory: &Path, tools: &[Tool], work: TempDir, file: NewFile) -> Replacement {
        let result = NewResult {
            slot: &Slot::Last,
            tools,
            work: vec![work],
            files: &[file],
            stays: &[],
            left: Vec::new(),
        };
        let present = list(directory).unwrap_or_default();
        commit::collect(directory, &present, result).unwrap()
    }

    fn kept(root: &TempDir, benchmark: &str) -> Option<String> {
        fs::read_to_string(root.path().join(benchmark).join("callgrind.f.out")).ok()
    }

    #[test]
    fn whoever_waits_finds_everything_done() {
        let root = tempfile::tempdir().unwrap();
        let committer = Committer::default();
        for round in 0..3 {
            let text = round.to_string();
            for benchmark in ["a", "b"] {
                committer.wait_for(&root.path().join(benchmark));
                let replacement = replacement(&root, benchmark, &text);
                committer.add(replacement).unwrap();
            }
            committer.wait_for(&root.path().join("a"));
            assert_eq!(kept(&root, "a"), Some(text.clone()));
            assert!(committer.wait().is_empty());
            assert_eq!(kept(&root, "b"), Some(text));
        }
        committer.add(replacement(&root, "a", "last")).unwrap();
        drop(committer);
        assert_eq!(kept(&root, "a").as_deref(), Some("last"));
        // The private directories are gone.
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2);
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
            assert!(carry_out(all("1")).is_empty());
            let place = root.path().to_owned();
            let seen = Rc::new(RefCell::new(Vec::new()));
            let log = Rc::clone(&seen);
            let benchmarks = names.clone();
            sync::watch::with(move |_| {
                let decided = |name: &&String| place.join(name).join(".pending").is_dir();
                let kept = fs::read(place.join("0/callgrind.f.out")).unwrap();
                assert_eq!(kept, b"1");
                log.borrow_mut()
                    .push(benchmarks.iter().filter(decided).count());
            });
            assert!(carry_out(all("2")).is_empty());
            sync::watch::with(|_| {});
            let seen = seen.borrow();
            let (before, after): (Vec<usize>, Vec<usize>) =
                seen.iter().partition(|decided| **decided == 0);
            assert!(seen.starts_with(&before), "{seen:?}");
            assert!(after.iter().all(|decided| *decided == number), "{seen:?}");
            // Out and note, and the directory of both; then the directory of the benchmark. Or once for all.
            let is_each = |count: usize, files: usize| count == files * number;
            let is_once = |count: usize| number >= MANY && count == 1;
            assert!(
                is_each(before.len(), 3) || is_once(before.len()),
                "{seen:?}"
            );
            assert!(is_each(after.len(), 1) || is_once(after.len()), "{seen:?}");
            assert_eq!(kept(&root, "0").as_deref(), Some("2"));
        }
    }

    #[test]
    fn a_record_is_completed_while_it_waits() {
        let root = tempfile::tempdir().unwrap();
        let committer = Committer::default();
        let directory = root.path().join("a");
        assert!(!committer.complete_summary(&directory, b"whole").unwrap());
        let work = tempfile::tempdir_in(&root).unwrap();
        let path = work.path().join("raw");
        fs::write(&path, "part").unwrap();
        let file = NewFile {
            path,
            name: "summary.json".to_owned(),
        };
        let replacement = collect(&directory, &[], work, file);
        assert!(replacement.complete_summary(b"whole").unwrap());
        committer.add(replacement).unwrap();
        assert!(committer.wait().is_empty());
        assert_eq!(fs::read(directory.join("summary.json")).unwrap(), b"whole");
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
    }

    #[test]
    fn one_that_fails_is_told_and_the_others_are_done() {
        let root = tempfile::tempdir().unwrap();
        let committer = Committer::default();
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
        assert!(committer.wait().is_empty());
        assert_eq!(kept(&root, "a").as_deref(), Some("1"));
        assert_eq!(kept(&root, "b"), None);
        assert_eq!(kept(&root, "c").as_deref(), Some("1"));
    }
}
