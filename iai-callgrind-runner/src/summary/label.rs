//! The label of kept records, by their first one.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde::Deserialize;

use super::LONGEST_RECORD;
use crate::regular_file;

/// The part of a record that is read here.
#[derive(Deserialize)]
struct Labelled {
    #[serde(default)]
    label: Option<String>,
}

/// The label of the records in a file. `None`: there are none, or they cannot be read.
pub(crate) fn kept_label(records: &Path) -> Option<Option<String>> {
    let file = regular_file::open(records).ok()?;
    let mut line = Vec::new();
    let mut text = BufReader::new(file.take(LONGEST_RECORD));
    text.read_until(b'\n', &mut line).ok()?;
    let first: Labelled = serde_json::from_slice(&line).ok()?;
    Some(first.label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_record_has_the_label() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        let check = |text: &str, expected: Option<Option<&str>>| {
            std::fs::write(&path, text).unwrap();
            let label = kept_label(&path);
            assert_eq!(label.as_ref().map(Option::as_deref), expected, "{text}");
        };
        assert_eq!(kept_label(&path), None);
        check("", None);
        check("{", None);
        check("{\"type\":\"run\"}\n{", Some(None));
        check("{\"label\":null}", Some(None));
        check(
            "{\"label\":\"simd\"}\n{\"label\":\"other\"}\n",
            Some(Some("simd")),
        );
    }
}
