//! The targets on their seeds, and on what a few edits make of these.

use std::panic::{catch_unwind, AssertUnwindSafe};

use lab::fuzz;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use super::{Check, TARGETS};

/// What is done to an input, in order.
#[derive(Debug, Clone)]
enum Edit {
    /// Another byte.
    Byte(Index, u8),
    /// A number, or another text that parsers know, in front of this place.
    Text(Index, &'static str),
    /// Without so many bytes.
    Without(Index, usize),
    /// So many bytes once more, at the other place.
    Again(Index, usize, Index),
    /// Nothing behind this place.
    End(Index),
}

const TEXTS: &[&str] = &[
    "0",
    "-1",
    "18446744073709551615",
    "18446744073709551616",
    "1e999",
    "NaN",
    "\n",
    "\n\n",
    " ",
    "\0",
    "\u{fffd}",
    "*",
    "+1",
    "(1)",
    "fn=(1)",
    "calls=1 1",
    "totals: 1",
    "{",
    "[[",
    "\"",
    "::<",
    "=",
];

fn edit() -> impl Strategy<Value = Edit> {
    let place = any::<Index>;
    let length = || prop_oneof![1_usize..8, 1_usize..400];
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(place, byte)| Edit::Byte(place, byte)),
        (place(), prop::sample::select(TEXTS)).prop_map(|(place, text)| Edit::Text(place, text)),
        (place(), length()).prop_map(|(place, length)| Edit::Without(place, length)),
        (place(), length(), place()).prop_map(|(from, length, to)| Edit::Again(from, length, to)),
        place().prop_map(Edit::End),
    ]
}

impl Edit {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let place = |index: &Index| index.index(bytes.len() + 1);
        let range = |from: &Index, length: usize| {
            let from = place(from);
            from..bytes.len().min(from + length)
        };
        match self {
            Self::Byte(index, byte) => match bytes.len() {
                0 => bytes.push(*byte),
                length => bytes[index.index(length)] = *byte,
            },
            Self::Text(index, text) => {
                let place = place(index);
                bytes.splice(place..place, text.bytes());
            }
            Self::Without(from, length) => {
                let range = range(from, *length);
                bytes.drain(range);
            }
            Self::Again(from, length, to) => {
                let (copy, place) = (bytes[range(from, *length)].to_vec(), place(to));
                bytes.splice(place..place, copy);
            }
            Self::End(index) => {
                let place = place(index);
                bytes.truncate(place);
            }
        }
    }
}

/// Runs a target on the inputs that each run has; `PROPTEST_RNG_SEED` makes others.
fn replay(name: &str, check: Check) {
    let seeds = fuzz::seeds(name).unwrap();
    for seed in &seeds {
        check(seed);
    }
    let edits = prop::collection::vec(edit(), 1..6);
    let inputs = (prop::sample::select(seeds), edits).prop_map(|(mut bytes, edits)| {
        edits.iter().for_each(|edit| edit.apply(&mut bytes));
        bytes
    });
    // Files of failures would be written beside the source.
    let config = Config {
        cases: 500,
        failure_persistence: None,
        ..Config::default()
    };
    let result = TestRunner::new(config).run(&inputs, |bytes| {
        let checked = catch_unwind(AssertUnwindSafe(|| check(&bytes)));
        checked.map_err(|_| TestCaseError::fail(String::from_utf8_lossy(&bytes).into_owned()))
    });
    if let Err(failure) = result {
        panic!("{name}: {failure}");
    }
}

#[test]
fn every_target_has_seeds() {
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    let mut listed: Vec<&str> = fuzz::TARGETS.iter().map(|target| target.name).collect();
    listed.sort_unstable();
    assert_eq!(names, listed);
}

#[test]
fn bbv() {
    replay("bbv", super::bbv::check);
}

#[test]
fn cachegrind() {
    replay("cachegrind", super::cachegrind::check);
}

#[test]
fn callgrind() {
    replay("callgrind", super::callgrind::check);
}

#[test]
fn callgrind_totals() {
    replay("callgrind_totals", super::callgrind_totals::check);
}

#[test]
fn canonical_name() {
    replay("canonical_name", super::canonical_name::check);
}

#[test]
fn dhat() {
    replay("dhat", super::dhat::check);
}

#[test]
fn digest() {
    replay("digest", super::digest::check);
}

#[test]
fn explain() {
    replay("explain", super::explain::check);
}

#[test]
fn flamegraph() {
    replay("flamegraph", super::flamegraph::check);
}

#[test]
fn log() {
    replay("log", super::log::check);
}

#[test]
fn massif() {
    replay("massif", super::massif::check);
}

#[test]
fn options() {
    replay("options", super::options::check);
}

#[test]
fn perf() {
    replay("perf", super::perf::check);
}

#[test]
fn results() {
    replay("results", super::results::check);
}

#[test]
fn suite() {
    replay("suite", super::suite::check);
}
