//! A file of accepted counts as it is written, of which single lines are replaced.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use super::line::{benchmark_line, fact_lines};
use super::model::{AcceptedBenchmark, AcceptedCounts, AcceptedFacts, AcceptedName, AcceptedPlace};
use super::read::{parse, AcceptedError};
use super::table::{tables, AcceptedTable, AcceptedTableHead, AcceptedTableLine};
use super::VERSION;

const TITLE: &str =
    "# Accepted counts of iai-callgrind: a change here is an accepted change of performance.";

/// A file of accepted counts, with its comments and its order.
#[derive(Debug, Clone)]
pub struct AcceptedDocument {
    counts: AcceptedCounts,
    tables: Vec<AcceptedTable>,
    line_end: &'static str,
}

/// A file in which nothing is accepted.
impl Default for AcceptedDocument {
    fn default() -> Self {
        let lines = [TITLE.to_owned(), format!("version = {VERSION}")];
        let first = AcceptedTable {
            lines: lines.map(AcceptedTableLine::Other).into(),
            ..AcceptedTable::default()
        };
        Self {
            counts: AcceptedCounts::default(),
            tables: vec![first],
            line_end: "\n",
        }
    }
}

impl AcceptedDocument {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The text is no file of accepted counts, or has another shape than the one that is written.
    pub fn parse(text: &str) -> Result<Self, AcceptedError> {
        Ok(Self {
            counts: parse(text)?,
            tables: tables(text)?,
            line_end: if text.contains("\r\n") { "\r\n" } else { "\n" },
        })
    }

    /// The counts.
    #[must_use]
    pub fn counts(&self) -> &AcceptedCounts {
        &self.counts
    }

    /// Replaces the lines of benchmarks, or adds them at their places.
    pub fn set(&mut self, benchmarks: BTreeMap<AcceptedName, AcceptedBenchmark>) {
        let mut by_table: BTreeMap<_, BTreeMap<&str, String>> = BTreeMap::new();
        for (name, benchmark) in &benchmarks {
            let lines = by_table.entry((&name.place, &name.package)).or_default();
            lines.insert(&name.path, benchmark_line(&name.path, benchmark));
        }
        for ((place, package), mut lines) in by_table {
            let table = self.table(place, Some(package));
            for line in &mut table.lines {
                if let AcceptedTableLine::Benchmark { path, text, .. } = line {
                    if let Some(line) = lines.remove(path.as_str()) {
                        *text = line;
                    }
                }
            }
            insert(&mut table.lines, lines);
        }
        self.counts.benchmarks.extend(benchmarks);
    }

    /// Removes the lines of benchmarks, and those of their tables that have nothing else.
    pub fn remove(&mut self, names: &BTreeSet<AcceptedName>) {
        for name in names {
            self.counts.benchmarks.remove(name);
        }
        let is_blank = |line: &AcceptedTableLine| matches!(line, AcceptedTableLine::Other(text) if text.is_empty());
        let tables = names
            .iter()
            .map(|name| (&name.place, name.package.as_str()));
        let tables: BTreeSet<_> = tables.collect();
        self.tables.retain_mut(|table| {
            let head = table.head.as_ref().map(AcceptedTableHead::key);
            let Some((place, Some(package))) = head else {
                return true;
            };
            if !tables.contains(&(place, package)) {
                return true;
            }
            let is_removed = |path: &str| {
                let name = AcceptedName {
                    place: place.clone(),
                    package: package.to_owned(),
                    path: path.to_owned(),
                };
                names.contains(&name)
            };
            table.lines.retain(|line| {
                !matches!(line, AcceptedTableLine::Benchmark { path, .. } if is_removed(path))
            });
            !table.lead.is_empty() || !table.lines.iter().all(is_blank)
        });
    }

    /// Replaces the facts of a place.
    pub fn set_facts(&mut self, place: &AcceptedPlace, facts: AcceptedFacts) {
        let lines = fact_lines(&facts);
        let table = self.table(place, None);
        let is_fact = |text: &str| {
            let key = text.split('=').next().unwrap_or_default().trim();
            ["rustc", "libc", "cpu"].contains(&key.trim_matches(['"', '\'']))
        };
        table
            .lines
            .retain(|line| !matches!(line, AcceptedTableLine::Other(text) if is_fact(text)));
        table
            .lines
            .splice(0..0, lines.into_iter().map(AcceptedTableLine::Other));
        self.counts.facts.insert(place.clone(), facts);
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines: Vec<Cow<'_, str>> = Vec::new();
        for table in &self.tables {
            let head = table.head.as_ref().map(|head| head.text.as_str());
            // A table of its own begins after an empty line.
            if head.is_some() && lines.last().is_some_and(|line| !line.is_empty()) {
                lines.push("".into());
            }
            lines.extend(table.lead.iter().map(Cow::from));
            lines.extend(head.map(Cow::from));
            lines.extend(table.lines.iter().map(|line| match line {
                AcceptedTableLine::Other(text) => Cow::from(text),
                AcceptedTableLine::Benchmark { text, comment, .. } => {
                    format!("{text}{comment}").into()
                }
            }));
        }
        let mut text = lines.join(self.line_end);
        text.truncate(text.trim_end().len());
        text + self.line_end
    }

    /// The table of a place or of one of its packages. A new one stands where the order wants it.
    fn table(&mut self, place: &AcceptedPlace, package: Option<&str>) -> &mut AcceptedTable {
        let key = (place, package);
        let is_it =
            |table: &AcceptedTable| table.head.as_ref().map(AcceptedTableHead::key) == Some(key);
        let is_after =
            |table: &AcceptedTable| matches!(&table.head, Some(head) if head.key() > key);
        let index = self.tables.iter().position(is_it).unwrap_or_else(|| {
            let next = self.tables.iter().position(is_after);
            let index = next.unwrap_or(self.tables.len());
            let table = AcceptedTable {
                head: Some(AcceptedTableHead::new(place, package)),
                ..AcceptedTable::default()
            };
            self.tables.insert(index, table);
            index
        });
        &mut self.tables[index]
    }
}

/// Adds lines of benchmarks, each before the first one that comes after it, above the comments of that one.
fn insert(lines: &mut Vec<AcceptedTableLine>, new: BTreeMap<&str, String>) {
    let mut new = new
        .into_iter()
        .map(|(path, text)| AcceptedTableLine::Benchmark {
            path: path.to_owned(),
            text,
            comment: String::new(),
        })
        .peekable();
    if new.peek().is_none() {
        return;
    }
    let is_blank = |line: &AcceptedTableLine| matches!(line, AcceptedTableLine::Other(text) if text.is_empty());
    let old = mem::take(lines);
    // Comments above the next benchmark.
    let mut above = Vec::new();
    // Where the last benchmark ends: comments and empty lines at the end of a table stay there.
    let mut end = 0;
    for line in old {
        match path(&line) {
            None if is_blank(&line) => {
                lines.append(&mut above);
                lines.push(line);
            }
            None => above.push(line),
            Some(next) => {
                while let Some(first) = new.next_if(|new| path(new).is_some_and(|new| new < next)) {
                    lines.push(first);
                }
                lines.append(&mut above);
                lines.push(line);
                end = lines.len();
            }
        }
    }
    lines.append(&mut above);
    lines.splice(end..end, new);
}

/// The path of the benchmark that a line is about.
fn path(line: &AcceptedTableLine) -> Option<&str> {
    match line {
        AcceptedTableLine::Benchmark { path, .. } => Some(path),
        AcceptedTableLine::Other(_) => None,
    }
}
