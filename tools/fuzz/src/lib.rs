//! Checks for bytes of any kind, one for each module: a target reads them and looks at invariants of
//! the result.
//!
//! The tests run each on its seeds and on inputs that a fixed random number makes of them; `cargo
//! xtask fuzz` has libFuzzer look for others.

mod bbv;
mod cachegrind;
mod callgrind;
mod callgrind_totals;
mod canonical_name;
mod dhat;
mod digest;
mod explain;
mod flamegraph;
mod log;
mod massif;
mod options;
mod perf;
mod results;
mod suite;

use std::fmt::{Debug, Display};
use std::io::{self, Read};

/// Panics where an invariant does not hold.
type Check = fn(&[u8]);

/// Lists the targets by name, and gives each a test of this name.
macro_rules! targets {
    ($($name:ident)*) => {
        const TARGETS: &[(&str, Check)] = &[$((stringify!($name), $name::check)),*];

        #[cfg(test)]
        mod replays {
            $(#[test]
            fn $name() {
                crate::tests::replay(stringify!($name), crate::$name::check);
            })*
        }
    };
}

// Their seeds are in `lab::fuzz`.
targets! {
    bbv
    cachegrind
    callgrind
    callgrind_totals
    canonical_name
    dhat
    digest
    explain
    flamegraph
    log
    massif
    options
    perf
    results
    suite
}

/// The target of this name.
pub fn target(name: &str) -> Option<Check> {
    let found = TARGETS.iter().find(|(known, _)| *known == name)?;
    Some(found.1)
}

/// Gives out a few bytes at a time, as a pipe may do: no reader may depend on where a read ends.
struct Dribble<'a>(&'a [u8]);

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
fn same<T: PartialEq + Debug, E: Display + Debug>(left: &Result<T, E>, right: &Result<T, E>) {
    match (left, right) {
        (Ok(left), Ok(right)) => assert_eq!(left, right),
        (Err(left), Err(right)) => assert_eq!(left.to_string(), right.to_string()),
        _ => panic!("{left:?}\n{right:?}"),
    }
}

/// Adds up without a chance to overflow.
fn add(sums: &mut Vec<u128>, counts: &[u64]) {
    if sums.len() < counts.len() {
        sums.resize(counts.len(), 0);
    }
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += u128::from(*count);
    }
}

/// The numbers, wider.
fn wide(counts: &[u64]) -> Vec<u128> {
    counts.iter().copied().map(u128::from).collect()
}

#[cfg(test)]
mod tests;
