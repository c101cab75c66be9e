//! The targets on their seeds, and on what a few edits make of these.

use std::fs;
use std::panic::{catch_unwind, AssertUnwindSafe};

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};

use super::{Check, TARGETS};

/// What is done to an input.
#[derive(Debug, Clone)]
enum Edit {
    /// Other bytes instead of so many from this place on.
    Replace(Index, usize, Vec<u8>),
    /// So many bytes once more, at the other place.
    Again(Index, usize, Index),
    /// Nothing behind this place.
    End(Index),
}

/// What parsers know, and numbers at their limits.
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
    let length = || prop_oneof![0_usize..8, 1_usize..400];
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        prop::sample::select(TEXTS).prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop_oneof![
        3 => (place(), length(), bytes).prop_map(|(from, length, by)| Edit::Replace(from, length, by)),
        1 => (place(), length(), place()).prop_map(|(from, length, to)| Edit::Again(from, length, to)),
        1 => place().prop_map(Edit::End),
    ]
}

impl Edit {
    fn apply(self, bytes: &mut Vec<u8>) {
        let place = |index: Index| index.index(bytes.len() + 1);
        let range = |from, length| {
            let from = place(from);
            from..bytes.len().min(from + length)
        };
        match self {
            Self::Replace(from, length, by) => {
                let range = range(from, length);
                bytes.splice(range, by);
            }
            Self::Again(from, length, to) => {
                let (copy, place) = (bytes[range(from, length)].to_vec(), place(to));
                bytes.splice(place..place, copy);
            }
            Self::End(index) => bytes.truncate(place(index)),
        }
    }
}

/// A parser that needs more for short files would need too much for long ones.
const MOST_KILOBYTES: u64 = 512 << 10;

/// The most memory that this process had at a time, where the system tells it.
fn peak_kilobytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// Runs a target on the inputs that each run has; `PROPTEST_RNG_SEED` makes others.
pub(super) fn replay(name: &str, check: Check) {
    let seeds = lab::fuzz::seeds(name).unwrap();
    for seed in &seeds {
        check(seed);
    }
    let edits = prop::collection::vec(edit(), 1..6);
    let inputs = (prop::sample::select(seeds), edits).prop_map(|(mut bytes, edits)| {
        edits.into_iter().for_each(|edit| edit.apply(&mut bytes));
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
        checked.map_err(|_| TestCaseError::fail("it panics"))
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, bytes)) => {
            panic!("{name}: {reason}, of `{}`", bytes.escape_ascii())
        }
        Err(TestError::Abort(reason)) => panic!("{name}: {reason}"),
    }
    let peak = peak_kilobytes().unwrap_or(0);
    assert!(peak <= MOST_KILOBYTES, "{name}: {peak} kB");
}

#[test]
fn every_target_has_seeds() {
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    let mut listed: Vec<&str> = lab::fuzz::TARGETS
        .iter()
        .map(|target| target.name)
        .collect();
    listed.sort_unstable();
    assert_eq!(names, listed);
}
