//! The file of a benchmark's stacks: JSON, since it is small and only few are read.

use serde::{Deserialize, Serialize};

use super::HeapStacks;

/// The only version of the format that is read: 1 had no files.
const VERSION: u32 = 2;

/// The file as it is written.
#[derive(Serialize, Deserialize)]
struct KeptStacks<T> {
    version: u32,
    stacks: T,
}

/// Reason why stacks cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum StacksFault {
    /// Another program wrote the file, or it is not whole.
    #[error("it is no file of stacks: {0}")]
    Json(#[from] serde_json::Error),
    /// Another version of this program wrote the file.
    #[error("its version is {0}, and this program knows version {VERSION}")]
    Version(u32),
    /// A stack has a frame that is not there, or none at all.
    #[error("a frame of a stack is missing")]
    MissingFrame,
    /// A frame has a file that is not there.
    #[error("a file of a frame is missing")]
    MissingFile,
}

/// The stacks as bytes.
///
/// # Errors
///
/// There is none that is known of.
pub fn write(stacks: &HeapStacks) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&KeptStacks {
        version: VERSION,
        stacks,
    })
}

/// Reads stacks.
///
/// # Errors
///
/// The bytes are something else.
pub fn read(bytes: &[u8]) -> Result<HeapStacks, StacksFault> {
    let kept: KeptStacks<HeapStacks> = serde_json::from_slice(bytes)?;
    if kept.version != VERSION {
        return Err(StacksFault::Version(kept.version));
    }
    let stacks = kept.stacks;
    // Checked once, so that no reader has to look before it follows a number.
    let mut files = stacks.frames.iter().filter_map(|frame| frame.file);
    if files.any(|file| file as usize >= stacks.files.len()) {
        return Err(StacksFault::MissingFile);
    }
    let is_missing = |frame: &u32| *frame as usize >= stacks.frames.len();
    let mut all = stacks.points.iter().map(|point| &point.stack);
    match all.any(|stack| stack.is_empty() || stack.iter().any(is_missing)) {
        true => Err(StacksFault::MissingFrame),
        false => Ok(stacks),
    }
}
