//! The tree of calls.

use super::super::Style;
use super::counts::{ChangeTable, NamedChange};
use explain::{CallTree, CallTreeKind, CallTreeRow};

/// The rows of a tree, each below the function that calls it.
pub(super) fn text(tree: &CallTree, width: usize, style: Style) -> String {
    let rows = tree.rows.iter().map(|row: &CallTreeRow| {
        let (name, note) = match &row.kind {
            CallTreeKind::Function { name, is_recursive } => {
                let note = if *is_recursive { " (recursive)" } else { "" };
                (name.clone(), note)
            }
            CallTreeKind::Own => ("own and inlined code".to_owned(), ""),
            CallTreeKind::Rest(count) => (format!("... {count} more"), ""),
        };
        NamedChange {
            depth: row.depth,
            name,
            note: note.to_owned(),
            old: row.old,
            new: row.new,
        }
    });
    let table = ChangeTable {
        title: "Calls",
        rows: rows.collect(),
    };
    table.text(width, style)
}
