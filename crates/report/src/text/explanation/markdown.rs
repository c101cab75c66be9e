//! Why a metric changed, as Markdown.
//!
//! ```markdown
//! **`app::sort`** Instructions 639,507 → 6,110,487 (**+855%**): std +2,763,945, lab +53,383
//!
//! | Δ | | place | |
//! | ---: | ---: | --- | --- |
//! | +5,380,545 | +841% | `lab::sort::{closure}` src/lib.rs:26 | calls `str::to_lowercase` 0 → 20,602 times |
//! ```

use super::{owners, percent_text, shown_rows, ShownRow};
use crate::markdown::{address, code, escaped, LONGEST_CODE};
use base::counted::{grouped, signed};
use explain::stories::{texts, TextForm};
use explain::{Cause, ExplainedRow, Explanation, ExplanationBasis, FunctionDifference};

/// Places at most.
const PLACES: usize = 6;

/// Names as code.
const FORM: TextForm = TextForm {
    name: code,
    arrow: "→",
};

/// The explanation of a benchmark's difference. `sources` is the address before the path of a
/// source file, such as `https://example.org/owner/project/blob/<commit>/`. Without a difference
/// there is no text.
#[must_use]
pub fn explanation_markdown(
    explanation: &Explanation,
    benchmark: &str,
    sources: Option<&str>,
) -> String {
    if explanation.diff == 0 {
        return String::new();
    }
    let mut text = head(explanation, benchmark);
    if !explanation.notes.is_empty() {
        let notes: Vec<String> = explanation.notes.iter().map(|note| escaped(note)).collect();
        text += &format!("{}\n\n", notes.join("; "));
    }
    text += "| Δ | | place | |\n| ---: | ---: | --- | --- |\n";
    let old = explanation.old;
    text += &match explanation.basis {
        ExplanationBasis::Instructions => rows(
            &explanation.causes,
            |cause: &Cause| cause.diff,
            |cause| {
                let file = cause.file.as_deref().map(|file| (file, cause.line));
                let place = place(&cause.function, file, sources);
                // A record of others may have words alone.
                let words = match texts(cause, &FORM).0 {
                    none if none.is_empty() => escaped(&cause.text),
                    words => words,
                };
                (place, words)
            },
            old,
        ),
        ExplanationBasis::Functions => rows(
            &explanation.functions,
            |function: &FunctionDifference| function.diff,
            |function| {
                let costs = format!("{} → {}", grouped(function.old), grouped(function.new));
                (place(&function.function, None, sources), costs)
            },
            old,
        ),
    };
    text
}

/// The line above the table.
fn head(explanation: &Explanation, benchmark: &str) -> String {
    let Explanation {
        label,
        old,
        new,
        diff,
        origins,
        ..
    } = explanation;
    let owners = owners(origins, escaped, signed);
    let owners = match owners.is_empty() {
        true => String::new(),
        false => format!(": {}", owners.join(", ")),
    };
    format!(
        "**{}** {label} {} → {} (**{}**){owners}\n\n",
        code(benchmark),
        grouped(*old),
        grouped(*new),
        percent_text(*diff, *old),
    )
}

fn rows<T>(
    rows: &[ExplainedRow<T>],
    diff: impl Fn(&T) -> i64,
    row: impl Fn(&T) -> (String, String),
    old: u64,
) -> String {
    let mut text = String::new();
    for shown in shown_rows(rows, PLACES, &diff, "place") {
        let (diff, place, words) = match shown {
            ShownRow::One(found) => {
                let (place, words) = row(found);
                (diff(found), place, words)
            }
            ShownRow::Others { text, diff } => (diff, text, String::new()),
        };
        let percent = percent_text(diff, old);
        text += &format!("| {} | {percent} | {place} | {words} |\n", signed(diff));
    }
    text
}

fn place(function: &str, file: Option<(&str, Option<u32>)>, sources: Option<&str>) -> String {
    let Some((path, line)) = file else {
        return code(function);
    };
    let (text, anchor) = match line {
        Some(line) => (format!("{path}:{line}"), format!("#L{line}")),
        None => (path.to_owned(), String::new()),
    };
    let text = escaped(&text);
    // Texts are cut and addresses are not: without this bound a record decides on the length of a
    // comment.
    match sources.filter(|_| path.len() <= LONGEST_CODE) {
        Some(sources) => {
            let address = format!("{sources}{}{anchor}", address(path));
            format!("{} [{text}]({address})", code(function))
        }
        None => format!("{} {text}", code(function)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{cause, explanation, origins};
    use super::*;
    use explain::{CauseDetail, DetailKind};

    fn sort() -> Explanation {
        let mut sort = explanation(639_507, 5_470_980);
        sort.origins = origins(&[
            ("std", 2_763_945),
            ("libc.so.6", 2_591_846),
            ("lab", 115_189),
        ]);
        let mut first = cause(5_380_545, "lab::sort_records::{closure} src/lib.rs:26", "");
        if let ExplainedRow::One(cause) = &mut first {
            cause.parts = vec![CauseDetail {
                kind: DetailKind::Calls,
                callee: Some("str::to_lowercase".to_owned()),
                old: 0,
                new: 20_602,
                entries: None,
                diff: 5_380_545,
                estimate: false,
                executed: None,
                merged: Vec::new(),
                line: Some(26),
                through: Vec::new(),
            }];
        }
        sort.causes = vec![
            first,
            ExplainedRow::Rest {
                rest: 5,
                diff: 90_435,
            },
        ];
        sort
    }

    #[test]
    fn a_table_with_links() {
        let head = "**`app::sort::records`** Instructions 639,507 → 6,110,487 (**+855%**): \
            std +2,763,945, libc.so.6 +2,591,846, lab +115,189\n\n\
            | Δ | | place | |\n| ---: | ---: | --- | --- |\n";
        let words = "calls `str::to_lowercase` 0 → 20,602 times |\n\
            | +90,435 | +14.1% | 5 more places |  |\n";
        let name = "| +5,380,545 | +841% | `lab::sort_records::{closure}`";
        assert_eq!(
            explanation_markdown(&sort(), "app::sort::records", Some("https://x.org/blob/1/")),
            format!("{head}{name} [src/lib.rs:26](https://x.org/blob/1/src/lib.rs#L26) | {words}")
        );
        assert_eq!(
            explanation_markdown(&sort(), "app::sort::records", None),
            format!("{head}{name} src/lib.rs:26 | {words}")
        );
    }
}
