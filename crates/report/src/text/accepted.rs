//! The lines that `accept` changed.

use super::paint::Ink;
use super::Style;
use verdict::accepted::AcceptedChanges;

/// Each line that was added, changed or removed, below the head of its table, and their number.
pub fn text(changes: &AcceptedChanges, file: &str, nothing: &str, style: Style) -> String {
    if changes.lines.is_empty() {
        return format!("{nothing}\n");
    }
    let mut text = String::new();
    let mut table = "";
    let mut counts = [0_usize; 3];
    for line in &changes.lines {
        if line.table != table {
            table = &line.table;
            text += &format!("{table}\n");
        }
        if let Some(old) = &line.old {
            text += &(style.paint(Ink::Worse, &format!("- {old}")) + "\n");
        }
        if let Some(new) = &line.new {
            text += &(style.paint(Ink::Better, &format!("+ {new}")) + "\n");
        }
        let kind = match (&line.old, &line.new) {
            (None, _) => 0,
            (Some(_), Some(_)) => 1,
            (Some(_), None) => 2,
        };
        counts[kind] += 1;
    }
    let done = ["added", "changed", "removed"];
    let counted = counts.iter().zip(done).filter(|(count, _)| **count > 0);
    let counted = counted.map(|(count, done)| format!("{count} {done}"));
    let counted = counted.collect::<Vec<_>>().join(", ");
    text + &format!("`{file}`: {counted}\n")
}
