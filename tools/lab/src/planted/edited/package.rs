//! Functions that call packages, which are edited. These functions stay as they are.

use aho_corasick::automaton::Automaton;
use indexmap::IndexMap;
use itertools::Itertools;
use regex::Regex;
use smallvec::SmallVec;

use crate::user::Hasher;

pub fn parse_strings(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap()
}

pub fn write_strings(strings: &[String]) -> String {
    serde_json::to_string(strings).unwrap()
}

pub fn write_floats(floats: &[f64]) -> String {
    serde_json::to_string(floats).unwrap()
}

pub fn decode_percent(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

pub fn grow_table(keys: &[String]) -> hashbrown::HashMap<&str, usize, Hasher> {
    let mut map = hashbrown::HashMap::default();
    for (index, key) in keys.iter().enumerate() {
        map.insert(key.as_str(), index);
    }
    map
}

pub fn remove_first(map: &mut IndexMap<u32, u32, Hasher>, count: usize) {
    for _ in 0..count {
        map.shift_remove_index(0);
    }
}

pub fn push_all(count: u32) -> SmallVec<[u32; 4]> {
    let mut numbers = SmallVec::new();
    for number in 0..count {
        numbers.push(number);
    }
    numbers
}

pub fn build_automaton(words: &[String]) -> usize {
    aho_corasick::nfa::noncontiguous::NFA::new(words).unwrap().patterns_len()
}

pub fn compile_regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

pub fn read_toml(text: &str) -> toml::Table {
    text.parse().unwrap()
}

pub fn markdown_events(text: &str) -> usize {
    pulldown_cmark::Parser::new(text).count()
}

pub fn join_numbers(numbers: &[u32]) -> String {
    numbers.iter().join(", ")
}
