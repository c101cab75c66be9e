//! Code that the targets share. A target reads bytes of any kind and checks invariants of the
//! result; `cargo xtask fuzz` builds and runs them.

use std::fmt::{Debug, Display};
use std::io::{self, Read};

/// Gives out a few bytes at a time, as a pipe may do: no reader may depend on where a read ends.
pub struct Dribble<'a>(pub &'a [u8]);

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.len().min(buffer.len()).min(1 + self.0.len() % 13);
        let (given, rest) = self.0.split_at(length);
        buffer[..length].copy_from_slice(given);
        self.0 = rest;
        Ok(length)
    }
}

/// Both are the same value, or the same error.
#[track_caller]
pub fn same<T: PartialEq + Debug, E: Display + Debug>(left: &Result<T, E>, right: &Result<T, E>) {
    match (left, right) {
        (Ok(left), Ok(right)) => assert_eq!(left, right),
        (Err(left), Err(right)) => assert_eq!(left.to_string(), right.to_string()),
        _ => panic!("{left:?}\n{right:?}"),
    }
}

/// Adds up without a chance to overflow.
pub fn add(sums: &mut Vec<u128>, counts: &[u64]) {
    if sums.len() < counts.len() {
        sums.resize(counts.len(), 0);
    }
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += u128::from(*count);
    }
}

/// The numbers, wider.
pub fn wide(counts: &[u64]) -> Vec<u128> {
    counts.iter().copied().map(u128::from).collect()
}

/// Replaces the C library's source of the keys of hash maps, so that an input takes the same path
/// through the code each time, and `cargo xtask fuzz --replay` executes the same inputs in every
/// run.
///
/// # Safety
///
/// `buffer` has room for `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, _flags: u32) -> isize {
    // SAFETY: the caller says so.
    unsafe { buffer.write_bytes(0, length) };
    length as isize
}
