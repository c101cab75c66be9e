//! Why a metric changed, below the rows of a benchmark.
//!
//! ```text
//!   Why  Instructions +403,347 (+53.6%): std +347,395, hashbrown +52,226
//!       +404,710   +53.8%  lab::count_words                    src/lib.rs:10   calls malloc 0 -> 20 times
//!         -1,363    -0.18%  ... 6 more places
//!        allocations 1 -> 10
//! ```
//!
//! On narrow terminals, and where it is long, the text of a cause is on lines of its own.

mod fit;
mod heap;
mod lines;
mod markdown;
#[cfg(test)]
mod tests;

use crate::numbers;
use base::counted::{grouped, signed};
use iai_callgrind::protocol::{Direction, EventKind};

pub use self::fit::wrap;
pub(super) use self::fit::{fit_name, fit_path};
pub use self::heap::heap_sites_text;
pub use self::lines::explanation_lines;
pub use self::markdown::explanation_markdown;
use super::paint::Ink;
use super::Style;
use crate::room::columns;
use explain::{
    Cause, ExplainedRow, Explanation, ExplanationBasis, FunctionDifference, OriginDifference,
};

/// Width from which a cause stands on one line, if it is not longer than that.
const WIDE: usize = 120;
/// Least width.
const LEAST: usize = 80;
/// Width of differences.
const DIFFERENCE: usize = 14;
/// Width of percentages.
const PERCENT: usize = 8;
/// Columns before the name of a place.
const BEFORE_PLACE: usize = DIFFERENCE + 2 + PERCENT + 2;
/// Width of the name of a place on a wide line.
const NAME: usize = 36;
/// Width of file and line on a wide line.
const FILE: usize = 16;
/// Columns before texts that belong to no place.
const BEFORE_TEXT: usize = 7;
/// Longest path that stays whole: one that begins at the root of the workspace can be opened.
const LONGEST_FILE: usize = LEAST - BEFORE_PLACE;
/// Owners that are named on the first line, at most.
const OWNERS: usize = 4;
/// Smallest share of the sum of all rows that a row of its own needs.
const LEAST_SHARE: f64 = 0.02;

/// The explanation as lines of a terminal of this width, with at most so many causes. Without a
/// difference there are none.
#[must_use]
pub fn explanation_text(
    explanation: &Explanation,
    width: usize,
    most: Option<usize>,
    style: Style,
) -> String {
    let metric = explanation.metric.parse::<EventKind>();
    let page = ExplanationPage {
        explanation,
        width: width.max(LEAST),
        most,
        style,
        direction: metric.map_or(Direction::Lower, EventKind::direction),
    };
    match explanation.diff {
        0 => String::new(),
        _ => page.text(),
    }
}

/// An explanation that is written for a terminal.
struct ExplanationPage<'a> {
    explanation: &'a Explanation,
    width: usize,
    most: Option<usize>,
    style: Style,
    direction: Direction,
}

/// A row that is shown, or all others.
enum ShownRow<'a, T> {
    One(&'a T),
    /// `6 more places`
    Others {
        text: String,
        diff: i64,
    },
}

/// A row below the first line.
struct PlaceRow<'a> {
    diff: i64,
    name: &'a str,
    /// File and line.
    file: Option<(&'a str, Option<u32>)>,
    text: String,
    also: Option<&'a str>,
}

impl ExplanationPage<'_> {
    fn text(&self) -> String {
        let mut text = self.head();
        let indent = " ".repeat(BEFORE_TEXT);
        let notes = self.explanation.notes.join("; ");
        for line in wrap(&notes, self.width - BEFORE_TEXT) {
            text += &format!("{indent}{line}\n");
        }
        match self.explanation.basis {
            ExplanationBasis::Instructions => {
                text += &self.rows(
                    &self.explanation.causes,
                    |cause: &Cause| cause.diff,
                    cause_row,
                );
            }
            ExplanationBasis::Functions => {
                let diff = |function: &FunctionDifference| function.diff;
                text += &self.rows(&self.explanation.functions, diff, function_row);
            }
        }
        if let Some(counts) = self.explanation.allocations {
            if let (Some(old), Some(new)) = (counts.old.calls, counts.new.calls) {
                if old != new {
                    text += &format!("{indent}allocations {} -> {}\n", grouped(old), grouped(new));
                }
            }
        }
        text
    }

    /// `  Why  Instructions +403,347 (+53.6%): std +347,395, hashbrown +52,226, other +3,726`
    fn head(&self) -> String {
        let Explanation {
            label, diff, old, ..
        } = self.explanation;
        let percent = percent_text(*diff, *old);
        let difference = signed(*diff);
        let mut length = format!("  Why  {label} {difference} ({percent}):")
            .chars()
            .count();
        let owners = owners(&self.explanation.origins, str::to_owned, signed);
        let colon = if owners.is_empty() { "" } else { ":" };
        let mut head = format!(
            "  {}  {label} {} ({}){colon}",
            self.style.paint(Ink::Strong, "Why"),
            self.judged(*diff, &difference),
            self.judged(*diff, &percent)
        );
        for (index, owner) in owners.iter().enumerate() {
            let is_last = index + 1 == owners.len();
            let comma = if is_last { "" } else { "," };
            let part = format!(" {owner}{comma}");
            // The sign that some are left out needs room as well.
            let needed = part.chars().count() + if is_last { 0 } else { 4 };
            if length + needed > self.width {
                head += " ...";
                break;
            }
            length += part.chars().count();
            head += &part;
        }
        head.push('\n');
        head
    }

    /// The largest rows, then one for all others.
    fn rows<'a, T>(
        &self,
        rows: &'a [ExplainedRow<T>],
        diff: impl Fn(&T) -> i64,
        row: impl Fn(&'a T) -> PlaceRow<'a>,
    ) -> String {
        let usual = if self.width < WIDE { 3 } else { 6 };
        let most = self.most.unwrap_or(usual);
        let rows = shown_rows(rows, most, diff, "place").into_iter();
        rows.map(|shown| match shown {
            ShownRow::One(found) => self.place(&row(found)),
            ShownRow::Others { text, diff } => format!("{}... {text}\n", self.amount(diff)),
        })
        .collect()
    }

    fn place(&self, row: &PlaceRow<'_>) -> String {
        match self.width < WIDE {
            true => self.narrow(row),
            false => self.wide(row),
        }
    }

    /// One line, unless it is too long: the second part of a cause only if it fits.
    fn wide(&self, row: &PlaceRow<'_>) -> String {
        let name = fit_name(row.name, NAME - 1);
        let file = row
            .file
            .map_or(String::new(), |file| file_text(file, LONGEST_FILE));
        let gap = if columns(&file) < FILE { "" } else { "  " };
        let line = format!("{name:NAME$}{file:FILE$}{gap}{}", row.text);
        if BEFORE_PLACE + columns(line.trim_end()) > self.width {
            return self.narrow(row);
        }
        let also = row.also.map(|also| format!("; {also}")).filter(|also| {
            let length = line.chars().count() + also.chars().count();
            BEFORE_PLACE + length <= self.width
        });
        let line = line + &also.unwrap_or_default();
        format!("{}{}\n", self.amount(row.diff), line.trim_end())
    }

    /// The place, then the words on lines of their own.
    fn narrow(&self, row: &PlaceRow<'_>) -> String {
        // The width is `LEAST` or more, and a file beside the name takes half of the room, so
        // nothing here wraps.
        let room = self.width - BEFORE_PLACE;
        let file = row
            .file
            .map_or(String::new(), |file| file_text(file, LONGEST_FILE));
        let indent = " ".repeat(BEFORE_PLACE);
        // A long path has a line of its own, so that it begins at the root of the workspace.
        let (for_name, before_file) = match columns(&file) {
            0 => (room, String::new()),
            length if length <= room / 2 => (room - length - 2, "  ".to_owned()),
            _ => (room, format!("\n{indent}")),
        };
        let place = fit_name(row.name, for_name) + &before_file + &file;
        let mut text = format!("{}{place}\n", self.amount(row.diff));
        for line in wrap(&row.text, room) {
            text += &format!("{indent}{line}\n");
        }
        text
    }

    /// `      +404,710   +53.8%  `
    fn amount(&self, diff: i64) -> String {
        let signed = signed(diff);
        let percent = percent_text(diff, self.explanation.old);
        format!(
            "{}  {}  ",
            self.judged(diff, &format!("{signed:>DIFFERENCE$}")),
            self.judged(diff, &format!("{percent:>PERCENT$}")),
        )
    }

    fn judged(&self, diff: i64, text: &str) -> String {
        let is_worse = match self.direction {
            Direction::Lower => diff > 0,
            Direction::Higher => diff < 0,
        };
        let ink = if is_worse { Ink::Worse } else { Ink::Better };
        self.style.paint(ink, text)
    }
}

fn cause_row(cause: &Cause) -> PlaceRow<'_> {
    PlaceRow {
        diff: cause.diff,
        name: &cause.function,
        file: cause.file.as_deref().map(|file| (file, cause.line)),
        text: cause.text.clone(),
        also: cause.also.as_deref(),
    }
}

fn function_row(function: &FunctionDifference) -> PlaceRow<'_> {
    PlaceRow {
        diff: function.diff,
        name: &function.function,
        file: function.file.as_deref().map(|file| (file, None)),
        text: format!("{} -> {}", grouped(function.old), grouped(function.new)),
        also: None,
    }
}

fn file_text((path, line): (&str, Option<u32>), room: usize) -> String {
    let line = line.map_or(String::new(), |line| format!(":{line}"));
    fit_path(path, room.saturating_sub(line.len())) + &line
}

/// The largest rows, at most `most` of them and none that is small, then one for all others.
fn shown_rows<'a, T>(
    rows: &'a [ExplainedRow<T>],
    most: usize,
    diff: impl Fn(&T) -> i64,
    noun: &str,
) -> Vec<ShownRow<'a, T>> {
    let size = |row: &ExplainedRow<T>| match row {
        ExplainedRow::One(row) => diff(row),
        ExplainedRow::Rest { diff, .. } => *diff,
    };
    // Differences are from records, which may be those of a stranger: sums stop at the largest.
    let sizes = rows.iter().map(|row| size(row).unsigned_abs());
    let all = sizes.fold(0, u64::saturating_add);
    let least = LEAST_SHARE * all as f64;
    let mut shown = Vec::new();
    let mut places = 0;
    let mut left = 0;
    for row in rows {
        match row {
            ExplainedRow::One(one)
                if shown.len() < most && diff(one).unsigned_abs() as f64 >= least =>
            {
                shown.push(ShownRow::One(one));
            }
            ExplainedRow::One(one) => {
                places += 1;
                left = i64::saturating_add(left, diff(one));
            }
            ExplainedRow::Rest { rest, diff } => {
                places += rest;
                left = left.saturating_add(*diff);
            }
        }
    }
    if places > 0 {
        let plural = if places == 1 { "" } else { "s" };
        shown.push(ShownRow::Others {
            text: format!("{places} more {noun}{plural}"),
            diff: left,
        });
    }
    shown
}

/// The owners with the largest differences, and the sum of the others.
fn owners(
    origins: &[OriginDifference],
    name: impl Fn(&str) -> String,
    number: impl Fn(i64) -> String,
) -> Vec<String> {
    // The sum of the others takes one of the places.
    let named = if origins.len() > OWNERS {
        OWNERS - 1
    } else {
        OWNERS
    };
    let (named, others) = origins.split_at(named.min(origins.len()));
    let named = named.iter();
    let mut texts: Vec<String> = named
        .map(|owner| format!("{} {}", name(&owner.name), number(owner.diff)))
        .collect();
    if !others.is_empty() {
        let sum = others.iter().map(|owner| owner.diff);
        let sum = sum.fold(0, i64::saturating_add);
        texts.push(format!("other {}", number(sum)));
    }
    texts
}

/// `+53.8%` of the old value; `new` from 0.
fn percent_text(diff: i64, old: u64) -> String {
    match percent(diff, old) {
        percent if percent.is_finite() => numbers::percent(percent),
        _ => "new".to_owned(),
    }
}

/// Percentage of the old value.
fn percent(diff: i64, old: u64) -> f64 {
    // Infinite from 0, which is shown as `new`.
    diff as f64 / old as f64 * 100.0
}
