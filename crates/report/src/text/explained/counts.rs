//! Columns of counts, as wide as the largest one.

use super::super::explanation::fit_name;
use super::super::paint::Ink;
use super::super::Style;
use base::counted::{grouped, signed};

/// Columns between two others.
const GAP: usize = 2;

/// A row of a table of names.
pub(super) struct NamedChange {
    /// Number of rows that it is below.
    pub depth: usize,
    pub name: String,
    /// Words behind the name, which are never cut.
    pub note: String,
    pub old: u64,
    pub new: u64,
}

/// A table with a change, both counts and a name in each row.
pub(super) struct ChangeTable {
    pub title: &'static str,
    pub rows: Vec<NamedChange>,
}

impl ChangeTable {
    /// Lines with a headline. Without rows there are none.
    pub(super) fn text(&self, width: usize, style: Style) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let counts = self.rows.iter().map(|row| (Some(row.old), Some(row.new)));
        let columns = CountColumns::of(counts, self.title.len());
        let CountColumns {
            before,
            now,
            change,
        } = columns;
        let title = self.title;
        let mut text = format!(
            "  {title:<change$}  {:>before$}  {:>now$}\n",
            "before", "now"
        );
        let room = width.saturating_sub(GAP + change + GAP + before + GAP + now + GAP);
        for row in &self.rows {
            let cells = columns.cells(Some(row.old), Some(row.new), style);
            // A deep tree must not push the names out of the line.
            let indent = "  ".repeat(row.depth.min(room / 4));
            let room = room.saturating_sub(indent.len() + row.note.len());
            let name = fit_name(&row.name, room);
            let [before, now, change] = cells;
            text += &format!("  {change}  {before}  {now}  {indent}{name}{}\n", row.note);
        }
        text
    }
}

/// Widths of the columns of both counts and of the change.
#[derive(Clone, Copy)]
pub(super) struct CountColumns {
    pub before: usize,
    pub now: usize,
    pub change: usize,
}

impl CountColumns {
    /// Widths for these counts, and a change of at least this width.
    pub(super) fn of(
        counts: impl Iterator<Item = (Option<u64>, Option<u64>)>,
        change: usize,
    ) -> Self {
        let mut columns = Self {
            before: "before".len(),
            now: "now".len(),
            change: change.max("change".len()),
        };
        for (old, new) in counts {
            columns.before = columns.before.max(digits(old).len());
            columns.now = columns.now.max(digits(new).len());
            columns.change = columns.change.max(signed(change_of(old, new)).len());
        }
        columns
    }

    /// Columns that all of them need, with a gap before each.
    pub(super) fn width(self) -> usize {
        GAP + self.before + GAP + self.now + GAP + self.change
    }

    /// `before`, `now` and `change`, as wide as their columns.
    pub(super) fn heads(self) -> String {
        let Self {
            before,
            now,
            change,
        } = self;
        format!(
            "  {:>before$}  {:>now$}  {:>change$}",
            "before", "now", "change"
        )
    }

    /// The counts of a row and the change, as wide as their columns.
    pub(super) fn cells(self, old: Option<u64>, new: Option<u64>, style: Style) -> [String; 3] {
        let change = change_of(old, new);
        let text = format!("{:>1$}", signed(change), self.change);
        [
            format!("{:>1$}", digits(old), self.before),
            format!("{:>1$}", digits(new), self.now),
            match change {
                0 => text,
                1.. => style.paint(Ink::Worse, &text),
                _ => style.paint(Ink::Better, &text),
            },
        ]
    }
}

fn digits(count: Option<u64>) -> String {
    count.map_or(String::new(), grouped)
}

fn change_of(old: Option<u64>, new: Option<u64>) -> i64 {
    // Costs of a record, which may be a stranger's.
    let [old, new] = [old, new].map(|count| i128::from(count.unwrap_or(0)));
    i64::try_from(new - old).unwrap_or(if new < old { i64::MIN } else { i64::MAX })
}

/// Marks the chosen positions, and this many before and after each.
pub(super) fn with_context(is_chosen: &[bool], context: usize) -> Vec<bool> {
    let mut is_shown = vec![false; is_chosen.len()];
    // One position behind the last one that has to be shown.
    let mut end = 0;
    for (index, _) in is_chosen.iter().enumerate().filter(|(_, chosen)| **chosen) {
        let begin = index.saturating_sub(context).max(end);
        end = (index + context + 1).min(is_chosen.len());
        is_shown[begin.min(end)..end].fill(true);
    }
    is_shown
}

/// The beginning of a text that fits; `...` marks that it was cut.
pub(super) fn fit_begin(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let kept: String = text.chars().take(room.saturating_sub(3)).collect();
    kept + "..."
}
