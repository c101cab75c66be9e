//! Tables of a file of accepted counts as they are written: their lines, and which of them are about a benchmark.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::de::DeTable;

use super::line::header;
use super::model::AcceptedPlace;
use super::read::AcceptedError;

/// A table with its head, or what stands before the first one.
#[derive(Debug, Clone, Default)]
pub(super) struct AcceptedTable {
    /// Comments right above the head.
    pub(super) lead: Vec<String>,
    /// The head.
    pub(super) head: Option<AcceptedTableHead>,
    /// The lines below it.
    pub(super) lines: Vec<AcceptedTableLine>,
}

/// The head of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AcceptedTableHead {
    pub(super) text: String,
    pub(super) place: AcceptedPlace,
    /// Absent in the table of the facts of a place.
    pub(super) package: Option<String>,
}

/// A line of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AcceptedTableLine {
    /// A comment, an empty line, or a fact.
    Other(String),
    /// A benchmark. It may stand on several lines.
    Benchmark {
        path: String,
        text: String,
        /// The comment behind it.
        comment: String,
    },
}

impl AcceptedTableHead {
    pub(super) fn new(place: &AcceptedPlace, package: Option<&str>) -> Self {
        Self {
            text: header(place, package),
            place: place.clone(),
            package: package.map(str::to_owned),
        }
    }

    /// The order of tables: the facts of a place stand before its packages.
    pub(super) fn key(&self) -> (&AcceptedPlace, Option<&str>) {
        (&self.place, self.package.as_deref())
    }
}

/// The tables of a text that was read without a mistake.
pub(super) fn tables(text: &str) -> Result<Vec<AcceptedTable>, AcceptedError> {
    let benchmarks = benchmarks(text)?;
    let mut tables = vec![AcceptedTable::default()];
    let mut start = 0;
    while start < text.len() {
        let table = tables.last_mut().expect("it begins with one");
        if let Some((path, value)) = benchmarks.get(&start) {
            let end = line_end(text, value.end);
            table.lines.push(AcceptedTableLine::Benchmark {
                path: path.clone(),
                text: text[start..value.end].to_owned(),
                comment: text[value.end..end].trim_end().to_owned(),
            });
            start = end;
            continue;
        }
        let end = line_end(text, start);
        let line = text[start..end].trim_end();
        match line.trim_start().starts_with('[') {
            false => table.lines.push(AcceptedTableLine::Other(line.to_owned())),
            true => {
                let lead = take_lead(&mut table.lines);
                let head = head(line).ok_or_else(|| unusual(text, start))?;
                tables.push(AcceptedTable {
                    lead,
                    head: Some(head),
                    lines: Vec::new(),
                });
            }
        }
        start = end;
    }
    Ok(tables)
}

/// The benchmarks by the place where their lines begin, each with the place of its value.
fn benchmarks(text: &str) -> Result<BTreeMap<usize, (String, Range<usize>)>, AcceptedError> {
    let mut found = BTreeMap::new();
    let root = DeTable::parse(text).map_err(|_| unusual(text, 0))?;
    for target in nested(root.get_ref()) {
        for package in nested(target) {
            for (key, value) in package {
                let (begin, value) = (key.span(), value.span());
                let before = &text[..begin.start];
                let line = before.rfind('\n').map_or(0, |newline| newline + 1);
                let between = text.get(begin.end..value.start).map(str::trim);
                let is_usual = text[line..begin.start].trim().is_empty()
                    && between == Some("=")
                    && text[value.clone()].starts_with('{');
                if !is_usual {
                    return Err(unusual(text, begin.start));
                }
                found.insert(line, (key.get_ref().clone().into_owned(), value));
            }
        }
    }
    Ok(found)
}

fn nested<'t, 'i>(table: &'t DeTable<'i>) -> impl Iterator<Item = &'t DeTable<'i>> {
    table
        .values()
        .filter_map(|value| value.get_ref().as_table())
}

fn unusual(text: &str, place: usize) -> AcceptedError {
    AcceptedError {
        line: text[..place].matches('\n').count() + 1,
        reason: "this is read, but no lines are written around it: tables are `[\"TARGET\"]` and \
                 `[\"TARGET\".PACKAGE]`, and a benchmark is a line `\"PATH\" = { Ir = 1734 }`"
            .to_owned(),
    }
}

fn line_end(text: &str, start: usize) -> usize {
    text[start..]
        .find('\n')
        .map_or(text.len(), |newline| start + newline + 1)
}

fn head(line: &str) -> Option<AcceptedTableHead> {
    let parsed = DeTable::parse(line).ok()?;
    let (place, table) = parsed.get_ref().iter().next()?;
    let package = table.get_ref().as_table()?.iter().next();
    let nested = package.and_then(|(_, table)| table.get_ref().as_table());
    if nested.is_some_and(|table| !table.is_empty()) {
        return None;
    }
    Some(AcceptedTableHead {
        text: line.to_owned(),
        place: AcceptedPlace::of_key(place.get_ref()),
        package: package.map(|(name, _)| name.get_ref().clone().into_owned()),
    })
}

/// The comments at the end of a table, which are about the next one.
fn take_lead(lines: &mut Vec<AcceptedTableLine>) -> Vec<String> {
    let is_comment = |line: &AcceptedTableLine| matches!(line, AcceptedTableLine::Other(text) if text.trim_start().starts_with('#'));
    let comments = lines
        .iter()
        .rev()
        .take_while(|line| is_comment(line))
        .count();
    let lead = lines.split_off(lines.len() - comments);
    let texts = lead.into_iter().map(|line| match line {
        AcceptedTableLine::Other(text) | AcceptedTableLine::Benchmark { text, .. } => text,
    });
    texts.collect()
}
