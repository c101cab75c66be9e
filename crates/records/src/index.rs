//! The records of a bench file by the directory of the benchmark.
//!
//! `summary.json` is about the last run of a benchmark. One under other tools, such as `--tool=dhat`, leaves the results of
//! the others as they are, and then only the lines of `results.jsonl` tell what these were made with.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::text::RecordText;
use crate::layout::{BenchmarkEntry, Slot};
use base::regular_file;

/// The lines of the records that a run found, read when the first benchmark asks for them.
#[derive(Debug, Default)]
pub struct RecordIndex {
    files: Mutex<HashMap<PathBuf, Arc<IndexedRecords>>>,
}

/// A file with the places of its records.
#[derive(Debug, Default)]
pub(super) struct IndexedRecords {
    text: String,
    lines: HashMap<String, Vec<Range<usize>>>,
}

impl RecordIndex {
    /// The records of the bench file of a benchmark. An unreadable file has none: `compare` reports
    /// the damage.
    pub(super) fn records(&self, entry: &BenchmarkEntry, slot: &Slot) -> Arc<IndexedRecords> {
        let path = entry.records(slot);
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let records = files.entry(path).or_insert_with_key(|path| {
            let bytes = regular_file::read(path, u64::MAX).unwrap_or_default();
            Arc::new(IndexedRecords::of(
                String::from_utf8(bytes).unwrap_or_default(),
            ))
        });
        Arc::clone(records)
    }
}

impl IndexedRecords {
    fn of(text: String) -> Self {
        let mut lines: HashMap<_, Vec<_>> = HashMap::new();
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            let begin = end;
            end += line.len();
            let record = RecordText::of(line).ok();
            let directory = record.and_then(|record| record.directory.read::<String>().ok());
            if let Some(directory) = directory {
                lines.entry(directory).or_default().push(begin..end);
            }
        }
        Self { text, lines }
    }

    /// The records of a benchmark, the last one first.
    pub(super) fn of_benchmark(
        &self,
        entry: &BenchmarkEntry,
    ) -> impl Iterator<Item = RecordText<'_>> {
        let lines = self.lines.get(&entry.name()).into_iter().flatten();
        let records = lines
            .rev()
            .map(|line| RecordText::of(self.text[line.clone()].trim_end()));
        records.filter_map(Result::ok)
    }
}
