//! Why a metric changed, in a line for each place, for formats that have words and no tables.
//!
//! ```text
//! +404,710 (+53.8%) lab::count_words src/lib.rs:10: calls malloc 0 -> 20 times
//! ```

use super::{cause_row, file_text, function_row, percent, shown_rows, PlaceRow, ShownRow};
use crate::numbers;
use base::counted::signed;
use explain::{Cause, ExplainedRow, Explanation, ExplanationBasis, FunctionDifference};

/// The largest places, and one line for all others. Without a difference there are none.
#[must_use]
pub fn explanation_lines(explanation: &Explanation, most: usize) -> Vec<String> {
    let of_causes = |cause: &Cause| cause.diff;
    let of_functions = |function: &FunctionDifference| function.diff;
    let old = explanation.old;
    match explanation.basis {
        _ if explanation.diff == 0 => Vec::new(),
        ExplanationBasis::Instructions => {
            lines(&explanation.causes, most, old, of_causes, cause_row)
        }
        ExplanationBasis::Functions => lines(
            &explanation.functions,
            most,
            old,
            of_functions,
            function_row,
        ),
    }
}

fn lines<'a, T>(
    rows: &'a [ExplainedRow<T>],
    most: usize,
    old: u64,
    diff: impl Fn(&T) -> i64,
    row: impl Fn(&'a T) -> PlaceRow<'a>,
) -> Vec<String> {
    let rows = shown_rows(rows, most, diff, "place").into_iter();
    rows.map(|shown| match shown {
        ShownRow::One(found) => line(&row(found), old),
        ShownRow::Others { text, diff } => format!("{} {text}", amount(diff, old)),
    })
    .collect()
}

fn line(row: &PlaceRow<'_>, old: u64) -> String {
    let file = row.file.map(|file| file_text(file, usize::MAX));
    let place: Vec<&str> = [Some(row.name), file.as_deref()]
        .into_iter()
        .flatten()
        .collect();
    let words = match row.text.is_empty() {
        true => String::new(),
        false => format!(": {}", row.text),
    };
    format!("{} {}{words}", amount(row.diff, old), place.join(" "))
}

/// `+404,710 (+53.8%)`
fn amount(diff: i64, old: u64) -> String {
    match percent(diff, old) {
        percent if percent.is_finite() => {
            format!("{} ({})", signed(diff), numbers::percent(percent))
        }
        _ => signed(diff),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{cause, explanation};
    use super::*;

    #[test]
    fn a_place_is_a_line() {
        let mut words = explanation(752_820, 403_347);
        words.causes = vec![
            cause(
                404_710,
                "lab::count_words src/lib.rs:10",
                "calls malloc 0 -> 20 times",
            ),
            cause(-1_363, "memcpy", ""),
        ];
        assert_eq!(
            explanation_lines(&words, 3),
            [
                "+404,710 (+53.8%) lab::count_words src/lib.rs:10: calls malloc 0 -> 20 times",
                "-1,363 (-0.18%) 1 more place",
            ]
        );
        words.old = 0;
        assert_eq!(
            explanation_lines(&words, 1)[0],
            "+404,710 lab::count_words src/lib.rs:10: calls malloc 0 -> 20 times"
        );
        words.diff = 0;
        assert_eq!(explanation_lines(&words, 3), [""; 0]);
    }
}
