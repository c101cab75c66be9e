//! Data of a page in little room: deflated, as text.

use data_encoding::BASE64;
use miniz_oxide::deflate::compress_to_vec;

/// Most of the gain for a fraction of the time that the best one takes: a page of many benchmarks
/// has 100 MB of data.
const LEVEL: u8 = 1;

/// Bytes as raw deflate in Base64 (RFC 4648, with padding).
pub(super) fn packed(bytes: &[u8]) -> String {
    BASE64.encode(&compress_to_vec(bytes, LEVEL))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples of RFC 4648, section 10.
    #[test]
    fn base64_is_that_of_the_standard() {
        let texts = [
            "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
        ];
        for (length, expected) in texts.into_iter().enumerate() {
            assert_eq!(BASE64.encode(&b"foobar"[..length]), expected);
        }
        assert_eq!(BASE64.encode(&[0xfb, 0xef, 0xff]), "++//");
    }
}
