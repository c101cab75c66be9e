//! Stacks that allocated, with the names of all functions: DHAT's profiles and executables to
//! values that later results can be compared with.
//!
//! ```text
//! profile → stacks with addresses              address_stacks.rs
//!         → place of the executable in memory  load_bias.rs
//!         → functions, inlined ones as well    resolve.rs
//!           and the files of their lines       files.rs
//! values ↔ bytes                               format.rs
//! values old × new → places that differ        sites.rs
//! ```
//!
//! Valgrind has no names for most functions that were inlined from another crate
//! (`UnknownInlinedFun`), and the executable that has them is replaced by the next build. So names
//! are looked up again while it is there, and kept.

mod address_stacks;
mod files;
pub mod format;
mod load_bias;
mod resolve;
mod sites;

use serde::{Deserialize, Serialize};

pub use self::resolve::{HeapSources, ResolvedProfile};
pub use self::sites::heap_sites;
use symbols::SourceOrigin;

/// Stacks of a benchmark that count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeapStacks {
    /// Numbers are units and events of the program, and not bytes and blocks (`--mode=ad-hoc`).
    pub is_ad_hoc: bool,
    /// Source files of frames, each once.
    #[serde(default)]
    pub files: Vec<HeapFile>,
    /// Frames, each once.
    pub frames: Vec<HeapFrame>,
    /// Stacks with their allocations.
    pub points: Vec<HeapPoint>,
}

/// A source file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeapFile {
    /// Path below the root of the workspace, package or library.
    pub path: String,
    /// Its owner.
    pub origin: SourceOrigin,
    /// Name and version of the package; empty if it is in none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub package: String,
}

/// A function on a stack.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HeapFrame {
    /// Canonical name.
    pub name: String,
    /// The compiler put the function into its caller.
    pub is_inlined: bool,
    /// Position of the file with the line; without line that of the function. Absent where only
    /// Valgrind knows the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<u32>,
    /// The line of the call of the next frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// The blocks of one stack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeapPoint {
    /// Bytes of all blocks.
    pub bytes: u64,
    /// Number of all blocks.
    pub blocks: u64,
    /// Bytes when the whole heap was largest.
    pub gmax_bytes: u64,
    /// Positions of frames, outermost first.
    pub stack: Vec<u32>,
}

impl HeapStacks {
    /// The frames of a point, outermost first.
    pub fn stack<'a>(&'a self, point: &'a HeapPoint) -> impl Iterator<Item = &'a HeapFrame> {
        let frames = point.stack.iter();
        frames.filter_map(|frame| self.frames.get(*frame as usize))
    }

    /// The file of a frame.
    #[must_use]
    pub fn file(&self, frame: &HeapFrame) -> Option<&HeapFile> {
        self.files.get(frame.file? as usize)
    }

    /// Owner of the code of a frame.
    #[must_use]
    pub fn origin(&self, frame: &HeapFrame) -> SourceOrigin {
        let file = self.file(frame);
        file.map_or(SourceOrigin::Unknown, |file| file.origin)
    }
}
