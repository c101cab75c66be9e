//! Functions, source lines, inlined frames and machine code of the addresses of an executable.
//!
//! **In**: ELF files, and source files for the text of their lines. **Out**: values that are true
//! when the executable is long gone. Nothing here starts a process or changes a file.
//!
//! | question | answered by |
//! | --- | --- |
//! | Which functions are in the file, and which one is at this address? | [`CodeObject::bodies`], [`CodeObject::body_at`] |
//! | Which inlined functions and lines is this address? | [`CodeObject::frames`], with DWARF |
//! | How is this function called in the source, whatever its mangling, hash and generics? | [`names::canonical`] |
//! | What are the instructions of this function? | [`CodeObject::instructions`], on x86 |
//! | Is this function the same in two builds? | [`CodeObject::code_hashes`], on x86 and ARM64 |
//! | Is this executable the same as that one? | [`code_mark()`], [`loaded_content()`] |
//! | Whose code is this source file: ours, a package's, the standard library's? | [`SourceOwner`] |
//! | Which function is at this offset of a file? | [`code_tables`] |
//! | Which allocator does this program use? | [`allocator`] |
//!
//! ```
//! use iai_callgrind_symbols::{names, CodeObject};
//!
//! let object = CodeObject::open(&std::env::current_exe()?)?;
//! let main = object.bodies().find(|body| body.symbol == "main").expect("every program has it");
//! assert_eq!(object.body_at(main.start + 1), Some(main));
//!
//! // `None` if the file has no debug information.
//! if let Some(mut frames) = object.frames() {
//!     for frame in frames.at(main.start).to_vec() {
//!         let file = frame.file.map(|file| frames.file(file));
//!         println!("{} {file:?} {:?}", frames.function(frame.function).name, frame.line);
//!     }
//! }
//! let symbol = "_ZN5bytes3buf7buf_mut6BufMut3put17h8d1d2bd0a6a8c2feE";
//! assert_eq!(names::canonical(symbol), "bytes::buf::buf_mut::BufMut::put");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Symbolizer`] keeps what was opened, for programs that ask for many addresses of many files.
//!
//! # What to expect
//!
//! - Addresses are those of the file, as `nm` and `objdump` show them. For an address of a running
//!   process subtract the place at which the file was loaded.
//! - A file that is not ELF is an error. Damaged, split or missing debug information is not: there
//!   is less then, and [`CodeObject::debug_facts`] says why.
//! - Files are read, not mapped: a linker that truncates a mapped file would kill the process.
//! - Items that the documentation hides are for iai-callgrind itself and not part of the stable
//!   interface: they may change in any version.

pub mod allocator;
pub mod code;
pub mod code_tables;
pub mod debug_file;
pub mod names;
pub mod symbol_table;

mod code_mark;
mod constants;
mod debug_facts;
mod entries;
mod frames;
mod function_symbols;
mod functions;
mod instrumented;
mod library;
mod linked_addresses;
mod loaded_content;
mod loaded_libraries;
mod object;
mod origin;
mod sections;
mod sources;
mod symbolizer;

pub use code_mark::code_mark;
pub use debug_facts::{DebugFacts, UnreadDebug};
pub use frames::{FrameReader, SourceFrame};
pub use function_symbols::CodeBody;
pub use functions::{SourceFileId, SourceFunction, SourceFunctionId};
pub use instrumented::is_instrumented;
pub use library::LibraryFacts;
pub use loaded_content::{loaded_content, WordHasher};
pub use loaded_libraries::{library_directories, loads_c_library_only};
pub use object::{CodeObject, ObjectError};
pub use origin::{SourceOrigin, SourceOwner};
pub use sources::SourceError;
pub use symbolizer::Symbolizer;

/// The example of the README is a test as well.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
