//! Counts the words of a text, in two ways.

use std::collections::BTreeMap;

/// Every word and how often it is there, by a map.
pub fn count(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

/// The same, by sorting all words first.
pub fn count_sorted(text: &str) -> Vec<(&str, usize)> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_unstable();
    words
        .chunk_by(|a, b| a == b)
        .map(|same| (same[0], same.len()))
        .collect()
}
