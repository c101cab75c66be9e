//! Lines of accepted counts: the one shape that is written.

use std::fmt::Write;

use super::model::{AcceptedBenchmark, AcceptedFacts, AcceptedName, AcceptedPlace};
use base::invisible::is_invisible;
use base::tool::Tool;
use records::summary::Number;

/// The lines that a file needs for these benchmarks: each table once, before its benchmarks.
#[must_use]
pub fn benchmark_lines<'a>(
    benchmarks: impl IntoIterator<Item = (&'a AcceptedName, &'a AcceptedBenchmark)>,
) -> Vec<String> {
    let mut lines = Vec::new();
    let mut table = None;
    for (name, benchmark) in benchmarks {
        let own_table = header(&name.place, Some(&name.package));
        if table.as_ref() != Some(&own_table) {
            lines.push(own_table.clone());
            table = Some(own_table);
        }
        lines.push(benchmark_line(&name.path, benchmark));
    }
    lines
}

/// The head of the table of a place, or of one of its packages.
pub(super) fn header(place: &AcceptedPlace, package: Option<&str>) -> String {
    let place = quoted(&place.to_string());
    match package {
        Some(package) => format!("[{place}.{}]", key(package)),
        None => format!("[{place}]"),
    }
}

/// The line of a benchmark, without its end.
pub(super) fn benchmark_line(path: &str, benchmark: &AcceptedBenchmark) -> String {
    let mut fields: Vec<String> = Vec::new();
    for count in &benchmark.counts {
        let prefix = match count.tool {
            Tool::Callgrind => String::new(),
            tool => format!("{}.", tool.id()),
        };
        let value = match count.count {
            Number::Count(count) => number(count),
            // `Debug` writes a point in any case: TOML would take `1` for a whole number.
            Number::Rate(rate) => format!("{rate:?}"),
        };
        fields.push(format!("{prefix}{} = {value}", key(&count.kind)));
        // It is a part of this count.
        if count.tool == Tool::Callgrind && count.kind == "Ir" {
            fields.extend(benchmark.own.map(|own| format!("own = {}", number(own))));
        }
    }
    let libc = benchmark.libc.as_deref();
    fields.extend(libc.map(|libc| format!("libc = {}", quoted(libc))));
    let input = benchmark.input.as_deref();
    fields.extend(input.map(|input| format!("input = {}", quoted(input))));
    let reason = benchmark.reason.as_deref();
    fields.extend(reason.map(|reason| format!("reason = {}", quoted(reason))));
    format!("{} = {{ {} }}", quoted(path), fields.join(", "))
}

/// A count, as far as TOML has numbers.
fn number(count: u64) -> String {
    count.min(i64::MAX as u64).to_string()
}

/// The lines of the facts of a place.
pub(super) fn fact_lines(facts: &AcceptedFacts) -> Vec<String> {
    let named = [
        ("rustc", &facts.rustc),
        ("libc", &facts.libc),
        ("cpu", &facts.cpu),
    ];
    let mut lines = Vec::new();
    for (name, fact) in named {
        lines.extend(
            fact.as_deref()
                .map(|fact| format!("{name} = {}", quoted(fact))),
        );
    }
    lines
}

/// A key, which needs quotes unless it is of letters, digits, `_` and `-`.
fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    match !name.is_empty() && name.bytes().all(is_bare) {
        true => name.to_owned(),
        false => quoted(name),
    }
}

/// A text of TOML that stays on its line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            // Who reviews the file sees all of it.
            character if character.is_control() || is_invisible(character) => {
                let _ = match u32::from(character) {
                    code @ ..=0xFFFF => write!(quoted, "\\u{code:04X}"),
                    code => write!(quoted, "\\U{code:08X}"),
                };
            }
            character => quoted.push(character),
        }
    }
    quoted + "\""
}
