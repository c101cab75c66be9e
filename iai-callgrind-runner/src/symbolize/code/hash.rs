//! A hash of code that is the same on all machines and in all versions of the runner.

use std::hash::Hasher;

use iai_callgrind::shared::hash::Fnv;

/// FNV-1a, mixed at the end.
#[derive(Debug, Default)]
pub(super) struct CodeHasher(Fnv);

impl CodeHasher {
    /// Adds a piece. Its length counts, so that two pieces are not the same as one.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0.write(&[bytes.len() as u8]);
        self.0.write(bytes);
    }

    /// The hash, which is never 0.
    pub(super) fn finish(&self) -> u64 {
        // The last bytes would only change some bits otherwise.
        let hash = self.0.finish();
        let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        (mixed ^ (mixed >> 33)).max(1)
    }
}
