//! Texts and their formats.

use std::fmt::Write;
use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group};

use crate::numbers;

const TEXT: &str =
    "Straße für die Größe, naïve café; 日本語 and some ASCII words, again and again.";

#[library_benchmark]
fn format() -> Vec<String> {
    let line = |n: u64| format!("{:>8}|{n:#x}|{:?}|{:.3}", n % 1000, n % 2 == 0, n as f64);
    numbers(40).into_iter().map(line).collect()
}

#[library_benchmark]
fn parse() -> f64 {
    let texts = numbers(40).into_iter().map(|n| (n % 1_000_000).to_string());
    let whole: Vec<String> = texts.collect();
    let floats = whole
        .iter()
        .map(|text| format!("{text}.25").parse::<f64>().unwrap());
    floats.sum::<f64>()
        + whole
            .iter()
            .map(|text| f64::from(text.parse::<u32>().unwrap()))
            .sum::<f64>()
}

#[library_benchmark]
fn split_and_join() -> String {
    let mut words: Vec<&str> = black_box(TEXT).split_whitespace().collect();
    words.sort_unstable();
    words.join("-")
}

#[library_benchmark]
fn characters() -> String {
    let upper = black_box(TEXT).to_uppercase();
    upper.chars().rev().filter(|c| c.is_alphabetic()).collect()
}

#[library_benchmark]
fn search_and_replace() -> String {
    let text = black_box(TEXT).repeat(5);
    text.replace("again", "once more").replace('ß', "ss")
}

#[library_benchmark]
fn append() -> String {
    let mut text = String::new();
    for n in 0..100 {
        write!(text, "{n},").unwrap();
    }
    text
}

library_benchmark_group!(
    name = text,
    benchmarks = [
        format,
        parse,
        split_and_join,
        characters,
        search_and_replace,
        append
    ]
);
