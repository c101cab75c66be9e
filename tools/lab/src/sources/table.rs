//! Results of each file, as a table for people and as a page of the documentation.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::counts::{Counts, INSTRUCTIONS};
use super::list::{ForeignSource, Framework};

/// A row for each file.
#[derive(Debug, Default)]
pub(super) struct SourceTable {
    rows: Vec<SourceRow>,
}

#[derive(Debug)]
struct SourceRow {
    name: String,
    version: &'static str,
    framework: Framework,
    /// Benchmarks that were counted.
    counted: usize,
    /// Why counts are not the same in each run, where that is known.
    varies: Option<&'static str>,
    /// Benchmarks that have another number of instructions in the second run.
    changed: Vec<String>,
    /// Number of benchmarks with equal instructions, but a different count of another event.
    other_events: usize,
    /// Benchmarks that were not counted, by their reason.
    refused: BTreeMap<String, usize>,
}

impl SourceTable {
    /// Adds a file with the counts of two runs.
    pub(super) fn add(&mut self, source: &ForeignSource, first: &Counts, second: &Counts) {
        let mut row = SourceRow {
            name: source.name(),
            version: source.parts().1,
            framework: source.framework,
            counted: 0,
            varies: source.varies,
            changed: Vec::new(),
            other_events: 0,
            refused: BTreeMap::new(),
        };
        for (path, counted) in first {
            match (counted, second.get(path)) {
                (Err(reason), _) => *row.refused.entry(reason.clone()).or_default() += 1,
                (Ok(first), Some(Ok(second))) => {
                    row.counted += 1;
                    if first[INSTRUCTIONS] != second[INSTRUCTIONS] {
                        let [first, second] = [first, second].map(|events| events[INSTRUCTIONS]);
                        row.changed.push(format!("{path} {first} -> {second}"));
                    } else if first != second {
                        row.other_events += 1;
                    }
                }
                (Ok(_), other) => {
                    row.counted += 1;
                    row.changed
                        .push(format!("{path} was not counted again: {other:?}"));
                }
            }
        }
        self.rows.push(row);
    }

    /// The table for a terminal.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let _ = writeln!(
                text,
                "{:32} {:10} {:4} counted, {} changed, {} other events{}",
                row.name,
                row.version,
                row.counted,
                row.changed.len(),
                row.other_events,
                reasons(row).map_or_else(String::new, |reasons| format!("; {reasons}"))
            );
        }
        text.trim_end().to_owned()
    }

    /// The page of the documentation.
    pub(super) fn page(&self) -> String {
        let mut rows = String::new();
        for row in &self.rows {
            let _ = writeln!(
                rows,
                "| `{}` {} | {} | {} | {} | {} | {} |",
                row.name,
                row.version,
                row.framework.dependency(),
                row.counted,
                row.counted - row.changed.len(),
                row.counted - row.changed.len() - row.other_events,
                reasons(row).unwrap_or_default().replace('|', "\\|")
            );
        }
        include_str!("page.md").replace("@ROWS@\n", &rows)
    }

    /// Counts that are not the same in both runs.
    pub(super) fn mistakes(&self) -> Vec<String> {
        let rows = self.rows.iter().filter(|row| row.varies.is_none());
        let changed = rows.flat_map(|row| &row.changed);
        let changed = changed.map(|text| format!("another count in the second run: {text}"));
        let nothing = self.rows.iter().filter(|row| row.counted == 0);
        let nothing = nothing.map(|row| format!("nothing was counted of `{}`", row.name));
        changed.chain(nothing).collect()
    }
}

/// Why counts change, and which benchmarks were not counted.
fn reasons(row: &SourceRow) -> Option<String> {
    let refused = row.refused.iter();
    let refused = refused.map(|(reason, number)| format!("{number} not counted: {reason}"));
    let reasons: Vec<String> = row
        .varies
        .map(str::to_owned)
        .into_iter()
        .chain(refused)
        .collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

#[cfg(test)]
mod tests {
    use super::super::list::SOURCES;
    use super::*;

    #[test]
    fn what_changes_is_told() {
        let counts = |ir: u64, dr: u64| {
            let events = [("Ir", ir), ("Dr", dr)];
            let events = events.map(|(event, count)| (event.to_owned(), count));
            let mut counts = Counts::new();
            counts.insert("b::g::f".to_owned(), Ok(events.into()));
            counts.insert("b::g::no".to_owned(), Err("no | routine".to_owned()));
            counts
        };
        let mut table = SourceTable::default();
        table.add(&SOURCES[0], &counts(5, 1), &counts(5, 1));
        table.add(&SOURCES[0], &counts(5, 1), &counts(5, 2));
        assert_eq!(table.mistakes(), [""; 0]);
        table.add(&SOURCES[0], &counts(5, 1), &counts(6, 1));
        assert_eq!(
            table.mistakes(),
            ["another count in the second run: b::g::f 5 -> 6"]
        );
        let text = table.text();
        assert!(text.contains("1 counted, 0 changed, 1 other events; 1 not counted: no | routine"));
        let page = table.page();
        assert!(page.contains(
            "| `itoa/bench` 1.0.19 | criterion | 1 | 1 | 0 | 1 not counted: no \\| routine |"
        ));
    }
}
