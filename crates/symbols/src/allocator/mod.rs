//! The allocator of an executable, and whether Valgrind's tools see its blocks.
//!
//! Valgrind replaces `malloc` and its like in dynamically linked programs; an allocator that takes
//! its memory elsewhere stays unseen. In: an executable. Out: its allocator, and whether a tool
//! sees it. The caller judges whether a result is true.

mod image;

use std::path::Path;

use thiserror::Error;

use base::entry_functions::EntryFunctions;
use base::tool::Tool;

pub use image::ElfImage;

/// Reason why a tool of Valgrind does not see the allocations of a program, with a hint for the
/// user.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UnseenHeap {
    /// The executable is linked statically, so Valgrind cannot replace `malloc` in it.
    #[error(
        "{tool} cannot see what it allocates: the executable is linked statically, and Valgrind \
         replaces `malloc` in dynamically linked ones only\n  \
         hint: build without `-Ctarget-feature=+crt-static`; Callgrind counts static executables as well"
    )]
    Static {
        /// The name of the tool, as its authors write it.
        tool: &'static str,
    },
    /// Rust's global allocator is not that of the system.
    #[error(
        "{tool} cannot see what it allocates: {}\n  \
         hint: leave the allocator out where the heap is measured, with a feature of your crate: \
         `#[cfg(not(feature = \"measure-heap\"))]` before `#[global_allocator]`; Callgrind counts with any \
         allocator",
        global(allocator.as_deref())
    )]
    Global {
        /// The name of the tool, as its authors write it.
        tool: &'static str,
        /// Name of the allocator and the symbol by which it was found.
        allocator: Option<String>,
    },
}

fn global(allocator: Option<&str>) -> String {
    match allocator {
        Some(name) => {
            format!("its global allocator is {name}, and Valgrind replaces `malloc` only")
        }
        None => {
            "its global allocator does not take each block from `malloc`, which is what Valgrind \
                 replaces"
                .to_owned()
        }
    }
}

/// Can a bench file of iai-callgrind show DHAT that its heap is seen, by allocating marked blocks?
/// Not if everything counts: the blocks would be in the sums.
#[doc(hidden)]
#[must_use]
pub fn can_be_marked(tool: Tool, entry: &EntryFunctions, program: &Path) -> bool {
    tool == Tool::Dhat
        && !entry.is_everything()
        && ElfImage::of(program).is_some_and(|image| image.has_marks)
}
