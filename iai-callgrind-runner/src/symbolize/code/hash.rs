//! A hash that is the same on all machines and in all versions of the runner.

/// FNV-1a with 64 bits, mixed at the end.
#[derive(Debug)]
pub(super) struct CodeHasher(u64);

impl Default for CodeHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl CodeHasher {
    /// Adds a piece. Its length counts, so that two pieces are not the same as one.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.byte(bytes.len() as u8);
        for byte in bytes {
            self.byte(*byte);
        }
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    /// The hash, which is never 0.
    pub(super) fn finish(&self) -> u64 {
        // The last bytes would only change some bits otherwise.
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        (mixed ^ (mixed >> 33)).max(1)
    }
}
