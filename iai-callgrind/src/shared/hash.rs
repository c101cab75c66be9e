//! A hash that is the same in every version and on every machine.

/// FNV-1a of a text.
pub fn hash(bytes: &[u8]) -> u64 {
    hash_all(&[bytes])
}

/// FNV-1a of several texts, as if they were one.
pub fn hash_all(texts: &[&[u8]]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for text in texts {
        for byte in *text {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
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
