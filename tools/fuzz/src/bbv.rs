//! The reader of exp-bbv's files, against a plain adding-up.

use crate::{same, Dribble};
use formats::bbv::{self, BbvFlag};

pub(crate) fn check(bytes: &[u8]) {
    let result = bbv::read(bytes);
    same(&result, &bbv::read(Dribble(bytes)));
    let Ok(Some(profile)) = result else { return };
    let complete = bytes.split_inclusive(|byte| *byte == b'\n');
    let intervals: Vec<&[u8]> = complete
        .filter(|line| line.starts_with(b"T") && line.ends_with(b"\n"))
        .collect();
    assert_eq!(profile.intervals, intervals.len() as u64);
    let has = |flag| profile.flags.contains(&flag);
    assert_eq!(profile.totals.is_none(), has(BbvFlag::Incomplete));
    assert_eq!(profile.in_intervals.is_none(), has(BbvFlag::Wrapped));
    if let Some(sum) = profile.in_intervals {
        let counts = intervals.iter().flat_map(|line| counts(line));
        assert_eq!(u128::from(sum), counts.sum::<u128>());
    }
}

/// The second numbers of `T:1:11   :2:21`.
fn counts(line: &[u8]) -> Vec<u128> {
    let text = std::str::from_utf8(line).expect("the reader takes numbers only");
    let words = text[1..].split_ascii_whitespace();
    words
        .filter_map(|word| word.rsplit(':').next())
        .map(number)
        .collect()
}

fn number(word: &str) -> u128 {
    match word.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).expect("hexadecimal"),
        None => word.parse().expect("decimal"),
    }
}
