//! Table of the explanations of all edits.

use super::edits::PlantedEdit;
use super::records::ExplainedChange;
use super::variants::BuildVariant;

/// Least share of the change in percent that the row of the edited function has.
const LEAST_SHARE: f64 = 80.0;

/// The same of edits in [`DIVIDED`].
const LEAST_SHARE_OF_DIVIDED: f64 = 50.0;

/// Edits that change several functions at once, such as a closure and the function that it is in,
/// or two instances: each has a row of its own.
const DIVIDED: [&str; 6] = [
    "temporary",
    "generic_function",
    "closure_body",
    "default_method",
    "collected",
    "type_alias",
];

const PAGE: &str = include_str!("page.md");

/// The edits of one variant, with what was explained.
pub(super) struct EditTable {
    variant: &'static BuildVariant,
    rows: Vec<(&'static PlantedEdit, ExplainedChange)>,
}

impl EditTable {
    pub(super) fn new(variant: &'static BuildVariant) -> Self {
        Self {
            variant,
            rows: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, edit: &'static PlantedEdit, change: ExplainedChange) {
        self.rows.push((edit, change));
    }

    /// For a terminal: two lines for each edit.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (edit, change) in &self.rows {
            let sign = if is_named(edit, change, self.variant.has_stems) {
                "ok"
            } else {
                "NO"
            };
            text += &format!(
                "{sign}  {:16} {:+} ({:+.1} %), share {:.1} %\n      {}\n",
                edit.benchmark,
                change.diff,
                percent(change),
                change.share(),
                row(change)
            );
            if sign == "NO" {
                text += &format!("      expected: {}\n", edit.function);
            }
            if !change.notes.is_empty() {
                text += &format!("      notes: {}\n", change.notes.join("; "));
            }
            if let Some(sums) = &change.sums {
                text += &format!("      sums: {sums}\n");
            }
        }
        let rows = self.rows.len();
        let exact = self.rows.iter().filter(|(_, change)| change.sums.is_none());
        text + &format!(
            "{}: {} of {rows} named first with most of the change, {} of {rows} with exact sums",
            self.variant.name,
            self.named(),
            exact.count()
        )
    }

    /// The page of the documentation.
    pub(super) fn page(&self) -> String {
        let rows = self.rows.iter().map(|(edit, change)| {
            format!(
                "| `{}` | {} | {:+} ({:+.1} %) | {} | {:.1} % |\n",
                edit.benchmark,
                edit.title.replace('|', "\\|"),
                change.diff,
                percent(change),
                code(&row(change)),
                change.share()
            )
        });
        PAGE.replace("{{rows}}\n", &rows.collect::<String>())
    }

    /// Expectations that the variant does not meet.
    pub(super) fn mistakes(&self) -> Vec<String> {
        let variant = self.variant.name;
        let mut mistakes: Vec<String> = Vec::new();
        for (edit, change) in &self.rows {
            if let Some(sums) = &change.sums {
                mistakes.push(format!("{variant}: `{}`: {sums}", edit.benchmark));
            }
        }
        let named = self.named();
        if named * 100 < self.variant.least_named * self.rows.len() {
            mistakes.push(format!(
                "{variant}: {named} of {} edits are named first, and {} % have to be",
                self.rows.len(),
                self.variant.least_named
            ));
        }
        mistakes
    }

    fn named(&self) -> usize {
        let rows = self.rows.iter();
        rows.filter(|(edit, change)| is_named(edit, change, self.variant.has_stems))
            .count()
    }
}

fn is_named(edit: &PlantedEdit, change: &ExplainedChange, has_stems: bool) -> bool {
    let Some(first) = &change.first else {
        return false;
    };
    // A closure is written in the function.
    let [named, edited] = [first.function.as_str(), edit.function].map(|name| {
        let name = name.trim_end_matches("::{closure}");
        match has_stems {
            true => name.rsplit("::").next().unwrap_or(name),
            false => name,
        }
    });
    let least = match DIVIDED.contains(&edit.benchmark) {
        true => LEAST_SHARE_OF_DIVIDED,
        false => LEAST_SHARE,
    };
    named == edited && change.share() >= least
}

fn percent(change: &ExplainedChange) -> f64 {
    100.0 * change.diff as f64 / change.old.max(1) as f64
}

/// The first row as the terminal has it.
fn row(change: &ExplainedChange) -> String {
    let Some(row) = &change.first else {
        return "not explained".to_owned();
    };
    let parts = [&row.function, &row.place, &row.text];
    let parts: Vec<&str> = parts
        .into_iter()
        .map(String::as_str)
        .filter(|part| !part.is_empty())
        .collect();
    parts.join("  ")
}

/// A text as code in a table of Markdown.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::super::edits::EDITS;
    use super::super::records::FirstRow;
    use super::super::variants::VARIANTS;
    use super::*;

    fn change(function: &str, diff: i64, first: i64) -> ExplainedChange {
        ExplainedChange {
            old: 100,
            diff,
            first: Some(FirstRow {
                function: function.to_owned(),
                place: "src/lib.rs:1".to_owned(),
                text: "own code, 1 -> 2".to_owned(),
                diff: first,
            }),
            sums: None,
            notes: Vec::new(),
        }
    }

    #[test]
    fn the_edited_function_has_to_come_first_with_most_of_the_change() {
        let divided = EDITS
            .iter()
            .filter(|edit| DIVIDED.contains(&edit.benchmark));
        assert_eq!(divided.clone().count(), DIVIDED.len());
        for edit in divided {
            assert!(is_named(edit, &change(edit.function, -10, -5), false));
            assert!(!is_named(edit, &change(edit.function, -100, -49), false));
        }
        let edit = &EDITS[0];
        assert!(is_named(edit, &change(edit.function, -10, -8), false));
        assert!(!is_named(edit, &change(edit.function, -100, -79), false));
        assert!(!is_named(edit, &change(edit.function, 100, -100), false));
        assert!(!is_named(edit, &change("lab::other", 10, 10), false));
        let fib = &EDITS[2];
        assert!(!is_named(fib, &change("user::fib", 10, 10), false));
        assert!(is_named(fib, &change("user::fib", 10, 10), true));
    }

    #[test]
    fn what_does_not_hold_is_told() {
        let mut table = EditTable::new(&VARIANTS[0]);
        table.add(&EDITS[0], change(EDITS[0].function, 10, 10));
        assert_eq!(table.mistakes(), [""; 0]);
        assert!(table.page().contains("own code, 1 -> 2` | 100.0 % |"));
        let mut wrong = change("lab::other", 10, 10);
        wrong.sums = Some("`where` adds up to 9 and not to 10".to_owned());
        table.add(&EDITS[1], wrong);
        assert_eq!(table.mistakes().len(), 2);
        assert!(table.text().contains("expected: lab::user::count_words"));
    }
}
