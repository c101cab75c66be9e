//! Tables for profiles with millions of places.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table with a fast hash.
pub(crate) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Mixes words well enough for tables. The hash is no defence against names that were chosen to be slow:
/// names come from the user's own program.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mixer(u64);

impl Mixer {
    fn word(&mut self, word: u64) {
        // The factor of the golden ratio spreads differences to the upper bits.
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        let words = bytes.chunks_exact(8);
        let mut last = [0; 8];
        last[..words.remainder().len()].copy_from_slice(words.remainder());
        for word in words {
            let word = word.try_into().expect("eight bytes");
            self.word(u64::from_le_bytes(word));
        }
        self.word(u64::from_le_bytes(last));
        self.word(bytes.len() as u64);
    }

    fn write_u8(&mut self, number: u8) {
        self.word(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.word(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.word(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.word(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.word(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}
