//! A file of accepted counts as it is written, of which single lines are replaced.

use std::borrow::Cow;

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

    /// Replaces the line of a benchmark, or adds one at its place.
    pub fn set(&mut self, name: &AcceptedName, benchmark: AcceptedBenchmark) {
        let line = benchmark_line(&name.path, &benchmark);
        let table = self.table(&name.place, Some(&name.package));
        let existing = table.lines.iter_mut().find_map(|line| match line {
            AcceptedTableLine::Benchmark { path, text, .. } if *path == name.path => Some(text),
            _ => None,
        });
        match existing {
            Some(text) => *text = line,
            None => insert(&mut table.lines, &name.path, line),
        }
        self.counts.benchmarks.insert(name.clone(), benchmark);
    }

    /// Removes the line of a benchmark, and its table if nothing else is there.
    pub fn remove(&mut self, name: &AcceptedName) {
        self.counts.benchmarks.remove(name);
        let key = (&name.place, Some(name.package.as_str()));
        let is_line = |line: &AcceptedTableLine| matches!(line, AcceptedTableLine::Benchmark { path, .. } if *path == name.path);
        for table in &mut self.tables {
            if table.head.as_ref().map(AcceptedTableHead::key) == Some(key) {
                table.lines.retain(|line| !is_line(line));
            }
        }
        let is_empty = |table: &AcceptedTable| {
            let is_blank = |line: &AcceptedTableLine| matches!(line, AcceptedTableLine::Other(text) if text.is_empty());
            table.lead.is_empty() && table.lines.iter().all(is_blank)
        };
        let is_it =
            |table: &AcceptedTable| table.head.as_ref().map(AcceptedTableHead::key) == Some(key);
        self.tables
            .retain(|table| !(is_it(table) && is_empty(table)));
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

/// Adds the line of a benchmark before the first one that comes after it, above the comments of that one.
fn insert(lines: &mut Vec<AcceptedTableLine>, path: &str, text: String) {
    let is_benchmark =
        |line: &AcceptedTableLine| matches!(line, AcceptedTableLine::Benchmark { .. });
    let is_after = |line: &AcceptedTableLine| matches!(line, AcceptedTableLine::Benchmark { path: other, .. } if other.as_str() > path);
    let is_blank = |line: &AcceptedTableLine| matches!(line, AcceptedTableLine::Other(text) if text.is_empty());
    let place = match lines.iter().position(is_after) {
        Some(next) => {
            let above = lines[..next].iter().rev();
            let is_comment = |line: &&AcceptedTableLine| !is_benchmark(line) && !is_blank(line);
            next - above.take_while(is_comment).count()
        }
        // Comments and empty lines at the end stay there.
        None => lines
            .iter()
            .rposition(is_benchmark)
            .map_or(0, |last| last + 1),
    };
    let line = AcceptedTableLine::Benchmark {
        path: path.to_owned(),
        text,
        comment: String::new(),
    };
    lines.insert(place, line);
}
