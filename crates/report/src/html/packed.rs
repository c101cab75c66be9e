//! Data of a page in little room: deflated, as text.

use miniz_oxide::deflate::compress_to_vec;

/// Most of the gain for a fraction of the time that the best one takes: a page of many benchmarks
/// has 100 MB of data.
const LEVEL: u8 = 1;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as raw deflate in Base64 (RFC 4648, with padding).
pub(super) fn packed(bytes: &[u8]) -> String {
    base64(&compress_to_vec(bytes, LEVEL))
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            // n bytes need n + 1 digits of six bits each; the others are padding.
            text.push(match digit <= chunk.len() {
                true => char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]),
                false => '=',
            });
        }
    }
    text
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
            assert_eq!(base64(&b"foobar"[..length]), expected);
        }
        assert_eq!(base64(&[0xfb, 0xef, 0xff]), "++//");
    }
}
