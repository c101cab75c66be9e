//! Addresses of executables and libraries to functions, lines and machine code.
//!
//! In: ELF files, and source files for their lines. Out: values that are true when the executable is long gone: stacks of
//! inlined functions, names that do not depend on hashes and instances, hashes of machine code. Nothing here starts a process.
//!
//! [`Symbolizer`] keeps what was opened. Executables take milliseconds to open, so this begins in a thread beside the first
//! benchmark, and who needs one waits for what is left of that.

pub mod code;
mod debug_facts;
mod frames;
mod functions;
mod linked_addresses;
pub mod names;
mod object;
mod origin;
mod sections;
mod sources;
mod symbol_table;

pub use debug_facts::{DebugFacts, UnreadDebug};
pub use frames::{FrameReader, SourceFrame};
pub use functions::{SourceFileId, SourceFunction, SourceFunctionId};
pub use object::{CodeObject, ObjectError};
pub use origin::SourceOwner;
pub use sources::{source_lines, SourceError};
pub use symbol_table::CodeBody;

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

/// The executables and libraries of a bench file, each opened once. Dropping it frees them.
#[derive(Debug, Clone, Default)]
pub struct Symbolizer {
    opened: Arc<Mutex<HashMap<ObjectKey, Arc<Opening>>>>,
}

/// A file in one state: another one at the same path is another object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ObjectKey {
    path: PathBuf,
    device: u64,
    inode: u64,
    length: u64,
    modified: (i64, i64),
}

/// An object that is opened by whoever comes first; others wait for it.
type Opening = OnceLock<Result<Arc<CodeObject>, Arc<ObjectError>>>;

impl Symbolizer {
    /// Begins to open a file in a thread of its own, if nobody has.
    pub fn begin(&self, path: &Path) {
        let Ok(opening) = self.opening(path) else {
            return;
        };
        let path = path.to_owned();
        let open = move || {
            // An error is told to whoever asks for the object.
            let _ = open_once(&opening, &path);
        };
        // Without the thread, the first who needs the object opens it.
        let _ = thread::Builder::new().name("symbols".into()).spawn(open);
    }

    /// The object, as soon as it is open.
    ///
    /// # Errors
    ///
    /// As [`CodeObject::open`].
    pub fn object(&self, path: &Path) -> Result<Arc<CodeObject>, Arc<ObjectError>> {
        let opening = self.opening(path).map_err(|source| {
            Arc::new(ObjectError::Unreadable {
                path: path.to_owned(),
                source,
            })
        })?;
        open_once(&opening, path)
    }

    fn opening(&self, path: &Path) -> std::io::Result<Arc<Opening>> {
        let data = fs::metadata(path)?;
        let key = ObjectKey {
            path: path.to_owned(),
            device: data.dev(),
            inode: data.ino(),
            length: data.len(),
            modified: (data.mtime(), data.mtime_nsec()),
        };
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(opened.entry(key).or_default()))
    }
}

fn open_once(opening: &Opening, path: &Path) -> Result<Arc<CodeObject>, Arc<ObjectError>> {
    let open = || CodeObject::open(path).map(Arc::new).map_err(Arc::new);
    opening.get_or_init(open).clone()
}
