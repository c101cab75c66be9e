//! The file of a digest, and what is compressed in it: a checksum would keep the fuzzer out.
#![no_main]

use iai_callgrind_runner::explain::format::{read, read_content, write};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for digest in [read(bytes), read_content(bytes)].into_iter().flatten() {
        assert!(digest.check().is_ok());
        assert_eq!(read(&write(&digest)), Ok(digest));
    }
});
