//! The reader of Cachegrind's files, against a plain adding-up of the lines.

use crate::{add, same, wide, Dribble};
use formats::cachegrind::{self, CachegrindFlag};

pub(crate) fn check(bytes: &[u8]) {
    let result = cachegrind::read(bytes);
    same(&result, &cachegrind::read(Dribble(bytes)));
    let Ok(Some(profile)) = result else { return };
    assert_eq!(profile.totals.len(), profile.events.len());
    assert!(!profile.events.is_empty());
    if !profile.flags.contains(&CachegrindFlag::Inconsistent) {
        assert_eq!(wide(&profile.totals), sums(bytes, profile.events.len()));
    }
    if profile.flags.is_empty() {
        // Whatever is missing at the end, the file is not taken for a whole one.
        let cut = before_end_of_summary(bytes);
        let is_whole = |profile: cachegrind::CachegrindProfile| profile.flags.is_empty();
        assert!(!cachegrind::read(cut).is_ok_and(|profile| profile.is_some_and(is_whole)));
    }
}

/// The sums of the complete lines that begin with a digit, after `events:`.
fn sums(bytes: &[u8], events: usize) -> Vec<u128> {
    let complete = bytes.split_inclusive(|byte| *byte == b'\n');
    let lines = complete.filter_map(|line| line.strip_suffix(b"\n"));
    let mut sums = vec![0; events];
    for line in lines
        .skip_while(|line| !line.starts_with(b"events:"))
        .filter(|line| line.first().is_some_and(u8::is_ascii_digit))
    {
        let text = std::str::from_utf8(line).expect("the reader takes numbers only");
        let words = text.split_ascii_whitespace().skip(1);
        let counts: Vec<u64> = words.map(number).collect();
        add(&mut sums, &counts);
    }
    sums
}

fn number(word: &str) -> u64 {
    match (word, word.strip_prefix("0x")) {
        (".", _) => 0,
        (_, Some(digits)) => u64::from_str_radix(digits, 16).expect("hexadecimal"),
        _ => word.parse().expect("decimal"),
    }
}

/// The file up to the end of the line `summary:`, without that end.
fn before_end_of_summary(bytes: &[u8]) -> &[u8] {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let mut length = 0;
    let mut end = 0;
    for line in lines {
        length += line.len();
        if line.starts_with(b"summary:") {
            end = length - 1;
        }
    }
    &bytes[..end]
}
