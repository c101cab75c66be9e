//! Inputs, the same in each run.

use std::fmt::Write as _;

use indexmap::IndexMap;

use crate::user::{Hasher, Record};

/// Numbers that look random.
pub fn numbers(count: usize) -> impl Iterator<Item = u64> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    (0..count).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
}

pub fn records(count: usize) -> Vec<Record> {
    numbers(count)
        .map(|number| Record {
            name: format!("Name of {}", number % 512),
            score: (number % 100_000) as f64 / 7.0,
        })
        .collect()
}

pub fn words(count: usize) -> String {
    let words: Vec<String> = numbers(count).map(|number| format!("w{}", number % 700)).collect();
    words.join(" ")
}

pub fn log(lines: usize) -> String {
    let mut text = String::new();
    for (line, number) in numbers(lines).enumerate() {
        let day = number % 28 + 1;
        writeln!(text, "line {line}: seen on 2024-02-{day:02}, and once more").unwrap();
    }
    text
}

pub fn markdown(sections: usize) -> String {
    let mut text = String::new();
    for (section, number) in numbers(sections).enumerate() {
        write!(
            text,
            "# Section {section}\n\nSome *text* with `code` and [a link](https://example.org/{number}).\n\n\
             - one ~old~ item\n- another \"item\"\n\n| a | b |\n| - | - |\n| {number} | x |\n\n"
        )
        .unwrap();
    }
    text
}

pub fn points(count: usize) -> Vec<(f64, f64)> {
    numbers(count).map(|number| ((number % 1000) as f64, (number / 1000 % 1000) as f64)).collect()
}

pub fn keys(count: usize) -> Vec<String> {
    (0..count).map(|key| format!("key {key}")).collect()
}

pub fn map(count: usize) -> IndexMap<String, u32, Hasher> {
    keys(count).into_iter().zip(0..).collect()
}

pub fn indices(count: u32) -> IndexMap<u32, u32, Hasher> {
    (0..count).map(|key| (key, key)).collect()
}

pub fn strings(count: usize) -> Vec<String> {
    numbers(count)
        .map(|number| format!("a string without anything to escape, number {number}, until this \"quote\""))
        .collect()
}

pub fn json(count: usize) -> String {
    serde_json::to_string(&strings(count)).unwrap()
}

pub fn floats(count: usize) -> Vec<f64> {
    numbers(count).map(|number| number as f64 / 1e9).collect()
}

pub fn percent(count: usize) -> String {
    "a%20word%2C%20and%C3%A4nother%3F ".repeat(count)
}

pub fn toml(tables: usize) -> String {
    let mut text = String::new();
    for (table, number) in numbers(tables).enumerate() {
        writeln!(text, "[table_{table}]\nenabled = true\nsize = {}\nratio = 0.{table}1\n", number >> 1).unwrap();
    }
    text
}
