//! Where the files of one run of a tool lie: in a private directory of its own, or in one that runs have in turn.
//!
//! To make and to remove a directory for each run takes longer than everything that is read of a small benchmark. So
//! runs that need nothing but a place for the tool's files have one in turn: no two of them run in it at a time, and
//! what was there before a run is not its own.

#![expect(
    clippy::disallowed_methods,
    reason = "removes files of private directories, which are no results"
)]

use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::kept_place::KeptPlace;
use super::memory::Memory;
use super::{remove_directory, WorkDirectory};
use crate::listed_directory::{list, list_others, Listed};

/// The most runs that have a directory in turn: their files are listed at the end of each.
const MOST: u32 = 16;

/// A private directory, or a turn in one. The files of the run are removed when this is dropped.
#[derive(Debug)]
pub struct RunDirectory {
    directory: WorkDirectory,
    /// `None`: nobody else has the directory.
    turn: Option<Turn>,
    /// `None`: it lies on the file system of the results.
    in_memory: Option<InMemory>,
}

/// What belongs to directories in memory.
#[derive(Debug, Clone)]
pub(super) struct InMemory {
    pub(super) memory: Arc<Memory>,
    /// Where files go that are kept.
    pub(super) kept: Arc<KeptPlace>,
    /// Directories that runs have in turn.
    pub(super) free: Arc<FreeDirectories>,
}

/// A run among others in a directory.
#[derive(Debug)]
struct Turn {
    number: u32,
    /// What was there before the run, and is of others.
    before: Vec<String>,
    /// What the run left. `None`: it has not ended.
    own: Option<Vec<String>>,
    free: Arc<FreeDirectories>,
}

/// The directories in which no run has its turn.
#[derive(Debug, Default)]
pub(super) struct FreeDirectories(Mutex<Vec<FreeDirectory>>);

#[derive(Debug)]
struct FreeDirectory {
    directory: WorkDirectory,
    turns: u32,
    names: Vec<String>,
}

impl From<WorkDirectory> for RunDirectory {
    fn from(directory: WorkDirectory) -> Self {
        Self {
            directory,
            turn: None,
            in_memory: None,
        }
    }
}

impl RunDirectory {
    /// A turn in a free directory, in this one if it is free. `Err`: there is none.
    pub(super) fn in_turn(
        free: &Arc<FreeDirectories>,
        preferred: &Path,
        make: impl FnOnce() -> crate::error::Result<WorkDirectory>,
    ) -> crate::error::Result<Self> {
        let FreeDirectory {
            directory,
            turns,
            names,
        } = match free.take(preferred) {
            Some(taken) => taken,
            None => FreeDirectory {
                directory: make()?,
                turns: 0,
                names: Vec::new(),
            },
        };
        let turn = Turn {
            number: turns + 1,
            before: names,
            own: None,
            free: Arc::clone(free),
        };
        Ok(Self {
            directory,
            turn: Some(turn),
            in_memory: None,
        })
    }

    /// The same, in a directory in memory.
    pub(super) fn in_memory(preferred: &Path, in_memory: &InMemory) -> crate::error::Result<Self> {
        let InMemory { memory, free, .. } = in_memory;
        let mut made = Self::in_turn(free, preferred, || memory.directory())?;
        made.in_memory = Some(in_memory.clone());
        Ok(made)
    }

    /// The path of the directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The path of a new file with this name at its end, which no other run has. It lies on the file system of the results.
    ///
    /// # Errors
    ///
    /// There can be no directory for it.
    pub fn file(&self, name: &str) -> crate::error::Result<PathBuf> {
        match (&self.in_memory, &self.turn) {
            (Some(InMemory { kept, .. }), _) => kept.file(name),
            (None, Some(turn)) => Ok(self.path().join(format!("{}-{name}", turn.number))),
            (None, None) => Ok(self.path().join(name)),
        }
    }

    /// Does a file of the run lie on the file system of the results?
    pub(crate) fn keeps(&self, path: &Path) -> bool {
        match &self.in_memory {
            Some(InMemory { kept, .. }) => kept.has(path),
            None => path.parent() == Some(self.path()),
        }
    }

    /// Is everything there that the run has written? There may have been too little room in memory, or somebody has removed the
    /// directory; then no other run has its files in memory.
    pub(crate) fn is_whole(&self) -> bool {
        let in_memory = self.in_memory.as_ref();
        in_memory.is_none_or(|it| it.memory.had_room())
    }

    /// Has the run, which ended with these files, failed to write into memory? Then no other run has its files there.
    pub(crate) fn is_unreachable(&self, listed: &[Listed]) -> bool {
        let Some(it) = self.in_memory.as_ref().filter(|_| listed.is_empty()) else {
            return false;
        };
        it.memory.give_up();
        true
    }

    /// What the run left, which has ended: nobody writes files of it any more. The next run may have its turn.
    ///
    /// # Errors
    ///
    /// The directory cannot be listed.
    pub(crate) fn end(&mut self) -> io::Result<Vec<Listed>> {
        let Some(turn) = &mut self.turn else {
            return list(self.directory.path());
        };
        // Names of the runs before are most of them, and so are not copied.
        let mut is_left = vec![false; turn.before.len()];
        let mut listed = list_others(self.directory.path(), |name| {
            let place = turn.place_before(name);
            place.map(|place| is_left[place] = true).is_some()
        })?;
        let names = |listed: &[Listed]| Vec::from_iter(listed.iter().map(|it| it.name.clone()));
        let mut all = names(&listed);
        let left = mem::take(&mut turn.before).into_iter().zip(is_left);
        all.extend(left.filter_map(|(name, is_left)| is_left.then_some(name)));
        all.sort_unstable();
        listed.retain(|listed| turn.is_numbered(&listed.name) != Some(false));
        turn.own = Some(names(&listed));
        turn.free.give_back(FreeDirectory {
            directory: self.directory.clone(),
            turns: turn.number,
            names: all,
        });
        Ok(listed)
    }

    /// Where files of runs in memory go that are kept. `None`: this one is not in memory.
    pub(super) fn kept_place(&self) -> Option<&KeptPlace> {
        self.in_memory.as_ref().map(|it| it.kept.as_ref())
    }

    /// The private directory with files of the run that are kept, if there are some.
    pub(super) fn kept(&self) -> Option<WorkDirectory> {
        match &self.in_memory {
            Some(InMemory { kept, .. }) => kept.directory(),
            None => Some(self.directory.clone()),
        }
    }

    /// The files of the run have their places, or will get them.
    pub(super) fn let_go(&mut self) {
        if let Some(turn) = &mut self.turn {
            turn.own = Some(Vec::new());
        }
    }
}

impl Drop for RunDirectory {
    fn drop(&mut self) {
        let path = self.directory.path();
        let Some(turn) = &mut self.turn else {
            return;
        };
        let own = turn.own.take().unwrap_or_else(|| {
            let listed = list(path).unwrap_or_default().into_iter();
            let names = listed.map(|listed| listed.name);
            names.filter(|name| turn.is_own(name)).collect()
        });
        for name in own {
            let path = path.join(name);
            // What is left goes with the directory.
            let _ = fs::remove_file(&path).or_else(|_| remove_directory(&path));
        }
    }
}

impl Turn {
    /// Is this file of the run? Results of earlier runs are made while this one runs, and have their numbers.
    fn is_own(&self, name: &str) -> bool {
        self.is_numbered(name)
            .unwrap_or_else(|| self.place_before(name).is_none())
    }

    /// Has this name the number of the run? `None`: it has none.
    fn is_numbered(&self, name: &str) -> Option<bool> {
        let (number, _) = name.split_once('-')?;
        Some(number.parse::<u32>().ok()? == self.number)
    }

    /// The place of this name among those that were there before.
    fn place_before(&self, name: &str) -> Option<usize> {
        let before = &self.before;
        let place = before.binary_search_by(|other| other.as_str().cmp(name));
        place.ok()
    }
}

impl FreeDirectories {
    fn take(&self, preferred: &Path) -> Option<FreeDirectory> {
        let mut free = self.lock();
        let is_preferred = |it: &FreeDirectory| it.directory.path() == preferred;
        let index = free.iter().position(is_preferred);
        let index = index.or_else(|| free.len().checked_sub(1))?;
        Some(free.swap_remove(index))
    }

    fn give_back(&self, directory: FreeDirectory) {
        if directory.turns < MOST {
            self.lock().push(directory);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<FreeDirectory>> {
        // Each change is complete in itself.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(free: &Arc<FreeDirectories>, preferred: &Path) -> RunDirectory {
        let made = || Ok(WorkDirectory::from(tempfile::tempdir().unwrap()));
        RunDirectory::in_turn(free, preferred, made).unwrap()
    }

    fn names(listed: &[Listed]) -> Vec<&str> {
        listed.iter().map(|listed| listed.name.as_str()).collect()
    }

    #[test]
    fn the_files_of_a_run_are_told_from_those_before() {
        let free = Arc::default();
        let none = Path::new("");
        let mut first = turn(&free, none);
        let place = first.path().to_owned();
        fs::write(place.join("out.1"), "").unwrap();
        fs::write(first.file("x").unwrap(), "").unwrap();
        // While it runs, nobody else is there.
        assert_ne!(turn(&free, &place).path(), place);
        assert_eq!(names(&first.end().unwrap()), ["1-x", "out.1"]);
        let mut second = turn(&free, none);
        assert_eq!(second.path(), place);
        // The first one is read meanwhile.
        fs::write(first.file("summary").unwrap(), "").unwrap();
        fs::create_dir(place.join("out.2")).unwrap();
        assert_ne!(second.file("x").unwrap(), first.file("x").unwrap());
        assert_eq!(names(&second.end().unwrap()), ["out.2"]);
        drop(second);
        assert_eq!(names(&list(&place).unwrap()), ["1-summary", "1-x", "out.1"]);
        // One that does not end.
        let third = turn(&free, none);
        assert_eq!(third.path(), place);
        fs::write(place.join("out.3"), "").unwrap();
        drop(third);
        assert_eq!(names(&list(&place).unwrap()), ["1-summary", "1-x", "out.1"]);
        first.let_go();
        drop(first);
        assert!(!place.exists());
    }

    /// Systems give numbers of processes again.
    #[test]
    fn a_name_that_is_gone_belongs_to_the_run_that_has_it_next() {
        let free = Arc::default();
        let none = Path::new("");
        let mut first = turn(&free, none);
        let out = first.path().join("out.1");
        fs::write(&out, "").unwrap();
        first.end().unwrap();
        let mut second = turn(&free, none);
        fs::remove_file(&out).unwrap();
        assert!(second.end().unwrap().is_empty());
        let mut third = turn(&free, none);
        assert_eq!(third.path(), first.path());
        fs::write(&out, "").unwrap();
        assert_eq!(names(&third.end().unwrap()), ["out.1"]);
    }

    #[test]
    fn the_preferred_one_is_taken_and_none_for_ever() {
        let free = Arc::default();
        let mut both = [(); 2].map(|()| turn(&free, Path::new("")));
        let place = both[0].path().to_owned();
        for run in &mut both {
            run.end().unwrap();
        }
        for _ in 1..MOST {
            let mut next = turn(&free, &place);
            assert_eq!(next.path(), place);
            next.end().unwrap();
        }
        assert_ne!(turn(&free, &place).path(), place);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_kept_of_a_run_in_memory_lies_on_the_file_system_of_the_results() {
        let root = tempfile::tempdir().unwrap();
        let in_memory = InMemory {
            memory: Arc::new(Memory::open_in(root.path()).unwrap().unwrap()),
            kept: Arc::new(KeptPlace::new(root.path().to_owned())),
            free: Arc::default(),
        };
        let turn = || RunDirectory::in_memory(Path::new(""), &in_memory).unwrap();
        let mut run = turn();
        assert!(run.kept().is_none());
        fs::write(run.path().join("out.1"), "").unwrap();
        let kept = run.file("digest").unwrap();
        assert!(run.keeps(&kept) && !run.keeps(&run.path().join("out.1")));
        assert_eq!(run.kept().unwrap().path(), kept.parent().unwrap());
        let listed = run.end().unwrap();
        assert_eq!(names(&listed), ["out.1"]);
        assert!(!run.is_unreachable(&listed) && in_memory.memory.has_room());
        // The tool cannot write there.
        let mut none = turn();
        let listed = none.end().unwrap();
        assert!(none.is_unreachable(&listed) && !in_memory.memory.has_room());
        let other = RunDirectory::from(WorkDirectory::from(tempfile::tempdir().unwrap()));
        assert!(!other.is_unreachable(&[]) && other.is_whole());
    }

    #[test]
    fn a_directory_of_its_own_has_all_files() {
        let mut run = RunDirectory::from(WorkDirectory::from(tempfile::tempdir().unwrap()));
        let place = run.path().to_owned();
        fs::write(run.file("x").unwrap(), "").unwrap();
        assert_eq!(names(&run.end().unwrap()), ["x"]);
        drop(run);
        assert!(!place.exists());
    }
}
