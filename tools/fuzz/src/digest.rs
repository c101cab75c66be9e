//! The file of a digest, what stands behind its checksum, and what is compressed in it: checksums
//! would keep the fuzzer out.

use explain::format::{read, read_checked, read_content, write};

pub(crate) fn check(bytes: &[u8]) {
    let read_all = [read(bytes), read_checked(bytes), read_content(bytes)];
    for digest in read_all.into_iter().flatten() {
        assert!(digest.check().is_ok());
        assert_eq!(read(&write(&digest)), Ok(digest));
    }
}
