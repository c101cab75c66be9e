//! Executables, libraries and source files, each opened once and shared by threads.
//!
//! Executables take milliseconds to open. A caller who will need one can begin early, in a thread
//! of its own; whoever asks for the object waits for what is left of that. Whether a file is still
//! the same is known without opening it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, Metadata};
use std::hash::{Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::SystemTime;

use iai_callgrind::shared::hash::Fnv;

use super::library::LibraryFacts;
use super::object::{CodeObject, ObjectError};
use super::sources::{SourceError, SourceFiles};

/// Executables, libraries and source files, each opened once and kept until this and all its clones
/// are dropped. Clones share the files.
#[derive(Debug, Clone, Default)]
pub struct Symbolizer {
    opened: Arc<Mutex<HashMap<PathBuf, Arc<Opening>>>>,
    /// Identities of libraries as they were first; `None`: there is no such file.
    libraries: Arc<Mutex<HashMap<PathBuf, Option<u64>>>>,
    sources: Arc<Mutex<SourceFiles>>,
}

/// An object that is opened by its first user; others wait for it.
#[derive(Debug)]
struct Opening {
    /// The file as it was when it was first asked for.
    state: FileState,
    identity: u64,
    object: OnceLock<Result<Arc<CodeObject>, Arc<ObjectError>>>,
    /// The same file without its symbols. `None`: it cannot be read.
    library: OnceLock<Option<Arc<LibraryFacts>>>,
}

/// Metadata that shows whether a path still has the same file with the same content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct FileState {
    device: u64,
    inode: u64,
    length: u64,
    modified: (i64, i64),
}

impl Symbolizer {
    /// Begins to open a file in a thread of its own, unless that was done before. Errors are those
    /// of [`Self::object`] later.
    pub fn begin(&self, path: &Path) {
        let Ok(opening) = self.opening(path) else {
            return;
        };
        let path = path.to_owned();
        let open = move || {
            // An error is reported to the callers of `object`.
            if let Ok(object) = opening.open_once(&path) {
                object.instruction_set().prepare();
            }
        };
        // Without the thread, the first who needs the object opens it.
        let _ = thread::Builder::new().name("symbols".into()).spawn(open);
    }

    /// Opens an executable or library, or waits until it is open.
    ///
    /// # Errors
    ///
    /// As [`CodeObject::open`], and [`ObjectError::Replaced`] if the path has another file, or
    /// another content, than when it was first asked for.
    pub fn object(&self, path: &Path) -> Result<Arc<CodeObject>, Arc<ObjectError>> {
        let opening = self.opening(path).map_err(Arc::new)?;
        opening.open_once(path)
    }

    /// Facts about a library, without its symbols. `None`: it cannot be read, or was replaced.
    #[must_use]
    pub fn library(&self, path: &Path) -> Option<Arc<LibraryFacts>> {
        let opening = self.opening(path).ok()?;
        let open = || LibraryFacts::open(path).map(Arc::new).ok();
        opening.library.get_or_init(open).clone()
    }

    /// A number for the file and its content, which changes when the file is written or replaced.
    /// Found without opening the file, from inode, length and times; means nothing on other
    /// machines. Never 0.
    ///
    /// # Errors
    ///
    /// The file is not there, or [`ObjectError::Replaced`].
    pub fn identity(&self, path: &Path) -> Result<u64, ObjectError> {
        self.opening(path).map(|opening| opening.identity)
    }

    /// Returns the [`Self::identity`] of the time when this path was first asked for, without
    /// looking at the file again. `None`: there was no such file.
    #[must_use]
    pub fn first_identity(&self, path: &Path) -> Option<u64> {
        let mut known = self
            .libraries
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(identity) = known.get(path) {
            return *identity;
        }
        let identity = self.identity(path).ok();
        known.insert(path.to_owned(), identity);
        identity
    }

    /// Text of the lines `executed` of a source file and of two lines around each, by their
    /// numbers, counted from 1. `built` is the time at which the executable was written.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or was written after `built`.
    pub fn source_lines(
        &self,
        path: &Path,
        built: SystemTime,
        executed: &BTreeSet<u32>,
    ) -> Result<BTreeMap<u32, String>, SourceError> {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        sources.lines(path, built, executed)
    }

    /// The opening of this path. The measured process may have run the file of before or of now, so
    /// a file that was replaced is an error.
    fn opening(&self, path: &Path) -> Result<Arc<Opening>, ObjectError> {
        // Before the lock, so that no thread waits for the disk of another one.
        let data = fs::metadata(path);
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(opening) = opened.get(path) else {
            let data = data.map_err(|source| ObjectError::Unreadable {
                path: path.to_owned(),
                source,
            })?;
            let opening = Arc::new(Opening {
                state: FileState::of(&data),
                identity: identity(&data),
                object: OnceLock::new(),
                library: OnceLock::new(),
            });
            opened.insert(path.to_owned(), Arc::clone(&opening));
            return Ok(opening);
        };
        match data {
            Ok(data) if FileState::of(&data) == opening.state => Ok(Arc::clone(opening)),
            _ => Err(ObjectError::Replaced(path.to_owned())),
        }
    }
}

impl Opening {
    fn open_once(&self, path: &Path) -> Result<Arc<CodeObject>, Arc<ObjectError>> {
        let open = || CodeObject::open(path).map(Arc::new).map_err(Arc::new);
        self.object.get_or_init(open).clone()
    }
}

impl FileState {
    fn of(data: &Metadata) -> Self {
        Self {
            device: data.dev(),
            inode: data.ino(),
            length: data.len(),
            modified: (data.mtime(), data.mtime_nsec()),
        }
    }
}

/// A number for the file with this metadata. It contains the time of the last change of the inode,
/// which cannot be set, unlike that of the content, which copies set. A further hard link changes
/// it as well, so it is no part of [`FileState`].
fn identity(data: &Metadata) -> u64 {
    let mut hasher = Fnv::default();
    FileState::of(data).hash(&mut hasher);
    (data.ctime(), data.ctime_nsec()).hash(&mut hasher);
    hasher.finish().max(1)
}
