//! Addresses of executables and libraries to functions, lines and machine code.
//!
//! In: ELF files, and source files for their lines. Out: values that are true when the executable
//! is long gone: stacks of inlined functions, names that do not depend on hashes and instances,
//! hashes of machine code. Nothing here starts a process.
//!
//! [`Symbolizer`] keeps opened files. Executables take milliseconds to open, so one that will be
//! needed is opened in a thread beside the first benchmark, and its first user waits for the rest.
//! Whether a file is the same as before is known without opening it.
//!
//! Nothing is mapped: sections are read, since a linker that truncates a mapped file would kill the
//! process. Damaged or split debug information is no error: there is less, and `DebugFacts` says
//! why.

pub mod code;
mod code_mark;
mod constants;
mod debug_facts;
mod entries;
mod frames;
mod functions;
mod library;
mod linked_addresses;
mod loaded_content;
mod loaded_libraries;
pub mod names;
mod object;
mod origin;
mod sections;
mod sources;
mod symbol_table;

pub use code_mark::code_mark;
pub use debug_facts::{DebugFacts, UnreadDebug};
pub use frames::{FrameReader, SourceFrame};
pub use functions::{SourceFileId, SourceFunction, SourceFunctionId};
pub use library::LibraryFacts;
pub use loaded_content::{loaded_content, WordHasher};
pub use loaded_libraries::loads_c_library_only;
pub use object::{CodeObject, ObjectError};
pub use origin::SourceOwner;
pub use sources::SourceError;
pub use symbol_table::CodeBody;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, Metadata};
use std::hash::{Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::SystemTime;

use iai_callgrind::shared::hash::Fnv;

use sources::SourceFiles;

/// The executables, libraries and source files of a bench file, each opened once. Dropping it frees them.
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
    /// Begins to open a file in a thread of its own, unless it was begun already.
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

    /// The object, as soon as it is open.
    ///
    /// # Errors
    ///
    /// The same errors as [`CodeObject::open`], and [`ObjectError::Replaced`].
    pub fn object(&self, path: &Path) -> Result<Arc<CodeObject>, Arc<ObjectError>> {
        let opening = self.opening(path).map_err(Arc::new)?;
        opening.open_once(path)
    }

    /// Properties of a library without its symbols. `None`: it cannot be read, or was replaced.
    pub fn library(&self, path: &Path) -> Option<Arc<LibraryFacts>> {
        let opening = self.opening(path).ok()?;
        let open = || LibraryFacts::open(path).map(Arc::new).ok();
        opening.library.get_or_init(open).clone()
    }

    /// A number for the file and its current content, without opening it: it stays the same until
    /// the file is written or replaced. Never 0.
    ///
    /// # Errors
    ///
    /// The system does not give it, or [`ObjectError::Replaced`].
    pub fn identity(&self, path: &Path) -> Result<u64, ObjectError> {
        self.opening(path).map(|opening| opening.identity)
    }

    /// The [identity](Self::identity) that the file had when it was first asked for: each benchmark
    /// asks for the same libraries. `None`: there is no such file.
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

    /// The text of these lines of a source file and of two around each, by their numbers.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or was written after `built`, the time of the executable.
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
