//! A hash that is the same in every version and on every machine, for values that are kept.

use std::hash::Hasher;

/// FNV-1a (Fowler, Noll, Vo) with 64 bits. The field is the hash so far.
#[derive(Debug, Clone, Copy)]
pub struct Fnv(pub u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a byte, or a longer number in one step.
    pub fn add(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x0100_0000_01b3);
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.add(u64::from(*byte));
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// FNV-1a of a text.
pub fn hash(bytes: &[u8]) -> u64 {
    hash_all(&[bytes])
}

/// FNV-1a of several texts, as if they were one.
pub fn hash_all(texts: &[&[u8]]) -> u64 {
    let mut hash = Fnv::default();
    for text in texts {
        hash.write(text);
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other versions put benchmarks into the same parts and know the same arguments.
    #[test]
    fn the_hash_is_that_of_its_authors() {
        // http://www.isthe.com/chongo/tech/comp/fnv/
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(hash_all(&[b"foo", b"", b"bar"]), hash(b"foobar"));
    }
}
