//! Lines of the user's files that were executed, kept since the files will have been edited.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use super::names::NameTable;
use crate::digest::{Digest, FileId, SourceText};
use symbols::{SourceError, Symbolizer};

/// Adds the executed lines of the user's files, and two around each. A file that cannot be read has
/// none.
pub(super) fn add(
    digest: &mut Digest,
    built: SystemTime,
    symbolizer: &Symbolizer,
    names: &mut NameTable,
) {
    let lines = executed(digest);
    let mut texts = Vec::new();
    for (file, path) in names.files_of_user() {
        let Some(lines) = lines.get(&file) else {
            continue;
        };
        match symbolizer.source_lines(path, built, lines) {
            Ok(found) => texts.extend(found.into_iter().map(|(line, text)| (file, line, text))),
            Err(SourceError::Newer(_)) => digest.head.newer_sources = true,
            // Costs are right without texts: lines are shown by their numbers then.
            Err(error @ SourceError::Unreadable { .. }) => log::debug!("no source lines: {error}"),
        }
    }
    digest.texts = texts
        .into_iter()
        .map(|(file, line, text)| SourceText {
            file,
            line,
            text: names.text(&text),
        })
        .collect();
}

/// The lines of each file that have costs, or from which a function was inlined.
fn executed(digest: &Digest) -> BTreeMap<FileId, BTreeSet<u32>> {
    let rows = digest.rows.iter().map(|row| (row.file, row.line));
    let nodes = digest.nodes.iter();
    let inlined = nodes.map(|node| (node.call_file, node.call_line));
    let mut lines: BTreeMap<FileId, BTreeSet<u32>> = BTreeMap::new();
    for (file, line) in rows.chain(inlined) {
        if let (Some(file), true) = (file, line > 0) {
            lines.entry(file).or_default().insert(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::{DigestHead, DigestRow, NodeId};

    /// Texts are missing until the executable is built again, so making the digest anew finds none.
    #[test]
    fn a_digest_with_a_newer_source_keeps_its_fingerprint() {
        let workspace = tempfile::tempdir().unwrap();
        let source = workspace.path().join("lib.rs");
        std::fs::write(&source, "fn edited() {}\n").unwrap();
        let mut names = NameTable::new(workspace.path());
        let row = DigestRow {
            node: NodeId(0),
            file: Some(names.file(source.to_str().unwrap(), None)),
            line: 1,
        };
        let mut with_texts = |built| {
            let head = DigestHead {
                fingerprint: 7,
                ..DigestHead::default()
            };
            let mut digest = Digest {
                head,
                rows: vec![row],
                ..Digest::default()
            };
            add(&mut digest, built, &Symbolizer::default(), &mut names);
            let head = digest.head;
            (head.newer_sources, head.fingerprint, digest.texts.len())
        };
        let written = std::fs::metadata(&source).unwrap().modified().unwrap();
        assert_eq!(with_texts(written), (false, 7, 1));
        assert_eq!(with_texts(SystemTime::UNIX_EPOCH), (true, 7, 0));
    }
}
