//! The file of a digest: bytes to model and back.
//!
//! ```text
//! `iaid`, version (one byte), XXH3 of all that follows (8 bytes), the preface, and then compressed (zlib):
//! head, strings, objects, files, functions, bodies, nodes, rows, calls, texts, code,
//! hashes, constants, merged
//! ```
//!
//! The checksum detects each changed byte without inflating anything. The preface (`preface.rs`)
//! has the facts that are needed of an unchanged digest.
//!
//! A section is the number of its items and the items; integers are LEB128, signed ones zigzag. An
//! index that may be missing is written plus one, and 0 is none. `write.rs` and `read.rs` have the
//! items in the same order. Whatever the bytes, a reader takes no more memory than a small multiple
//! of them.

mod numbers;
mod origin;
mod preface;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use self::preface::DigestPreface;
pub use self::read::{executable, BEGIN};
pub use self::read::{read, read_checked, read_content, read_preface};
pub use self::write::{without_preface, write, write_with};
use super::check::DigestFault;

/// The first bytes of a digest.
const MAGIC: &[u8] = b"iaid";

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u8 = 3;

/// Reason why a digest cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DigestError {
    /// The file is something else.
    #[error("the file is no digest: it does not begin with `iaid`")]
    NoDigest,
    /// The file was written by another version of the runner.
    #[error("the digest has version {0} of its format, and this runner reads version {VERSION}; run the benchmark again")]
    OtherVersion(u8),
    /// The bytes are cut, changed, or hold more than a digest of this length can.
    #[error("the digest is damaged: its bytes are cut, changed or too many")]
    Compression,
    /// A section ends too early, or a number in it is impossible.
    #[error("the digest is damaged in its section `{0}`")]
    Section(&'static str),
    /// The sections do not fit together.
    #[error("the digest is damaged: {0}")]
    Fault(#[from] DigestFault),
}
