//! Hashes of code that are the same on all machines and in all versions of the runner.

use std::hash::Hasher;

use iai_callgrind::shared::hash::Fnv;

use super::FunctionName;

/// FNV-1a, mixed at the end.
#[derive(Debug, Default)]
pub(crate) struct CodeHasher(Fnv);

impl CodeHasher {
    /// Adds a piece. Its length counts, so that two pieces are not the same as one.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.write(&[bytes.len() as u8]);
        self.0.write(bytes);
    }

    /// The hash, which is never 0.
    pub(crate) fn finish(&self) -> u64 {
        // The last bytes would only change some bits otherwise.
        let hash = self.0.finish();
        let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        (mixed ^ (mixed >> 33)).max(1)
    }
}

/// Hashes of the code of a function that do not depend on addresses; 0: not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CodeHashes {
    /// Hash of the instructions and of the canonical names of the functions that they refer to.
    pub code: u64,
    /// Hash of the instructions alone, without any names.
    pub shape: u64,
    /// Hash of the names of the instances that the instructions refer to.
    pub instances: u64,
}

/// Computes all hashes of a function in one pass.
#[derive(Debug, Default)]
pub(super) struct CodeHashers {
    code: CodeHasher,
    shape: CodeHasher,
    instances: CodeHasher,
}

impl CodeHashers {
    /// Adds a piece of the instructions.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.code.add(bytes);
        self.shape.add(bytes);
    }

    /// Adds a function that the next instruction refers to.
    pub(super) fn refer(&mut self, name: &FunctionName) {
        self.code.add(name.canonical.as_bytes());
        self.instances.add(name.instance.as_bytes());
    }

    pub(super) fn finish(&self) -> CodeHashes {
        CodeHashes {
            code: self.code.finish(),
            shape: self.shape.finish(),
            instances: self.instances.finish(),
        }
    }
}
