//! Functions that a user wrote. They use the standard library and packages.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use indexmap::IndexMap;
use itertools::Itertools;
use pulldown_cmark::{html, Options, Parser};
use regex::Regex;
use serde::Serialize;
use smallvec::SmallVec;

/// A hasher without a random seed.
pub type Hasher = BuildHasherDefault<DefaultHasher>;

#[derive(Clone, Serialize)]
pub struct Record {
    pub name: String,
    pub score: f64,
}

type Fields<'a> = SmallVec<[&'a str; 16]>;

const DATE: &str = "[0-9]{4}-[0-9]{2}-[0-9]{2}";

const NAMES: [&str; 6] = ["link", "item", "another", "section", "example", "nothing"];

pub fn sort_records(records: &mut [Record]) {
    records.sort_unstable_by(|a, b| {
        a.name.cmp(&b.name).then_with(|| a.score.total_cmp(&b.score))
    });
}

pub fn count_words(text: &str) -> HashMap<&str, u32, Hasher> {
    let mut counts = HashMap::with_capacity_and_hasher(1024, Hasher::default());
    for word in text.split(' ') {
        *counts.entry(word).or_insert(0) += 1;
    }
    counts
}

pub fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    fib(n - 1) + fib(n - 2)
}

pub fn distances(points: &[(f64, f64)]) -> f64 {
    points.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

#[inline]
fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    let (dx, dy) = (a.0 - b.0, a.1 - b.1);
    (dx * dx + dy * dy).sqrt()
}

pub fn write_json(records: &[Record]) -> String {
    serde_json::to_string(records).unwrap()
}

pub fn find_dates(text: &str) -> usize {
    let date = Regex::new(DATE).unwrap();
    let mut found = 0;
    for line in text.lines() {
        found += date.find_iter(line).count();
    }
    found
}

pub fn render_markdown(text: &str) -> String {
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(text, Options::empty()));
    page
}

pub fn look_up(map: &IndexMap<String, u32, Hasher>, keys: &[String]) -> u32 {
    keys.iter().filter_map(|key| map.get(key)).sum()
}

pub fn count_fields(lines: &str) -> usize {
    let fields = |line| Fields::from_iter(str::split(line, ' ')).len();
    lines.lines().map(fields).sum()
}

pub fn distinct_words(text: &str) -> usize {
    text.split(' ').sorted_unstable().dedup().count()
}

pub fn find_names(text: &str) -> usize {
    let names = AhoCorasick::builder().kind(None::<AhoCorasickKind>).build(NAMES).unwrap();
    names.find_iter(text).count()
}

pub fn count_lines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}
