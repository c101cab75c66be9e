//! Kept results and why they differ: what `explain` shows.
//!
//! ```text
//! b::g::sort n1000
//!   Why  Instructions +5470980 (+855.500%): std +2763945, libc.so.6 +2591846
//!        …
//!   Functions                        before           now
//!          +597458                        0        597458  str::to_lowercase
//! ```

use super::paint::Ink;
use super::{explanation_text, Style};
use crate::explain::{ExplainedRow, Explanation, FunctionDifference};
use crate::report::event::ExplainedResult;

/// All results, each with its causes and the functions whose own costs differ most.
pub(super) fn text(
    results: &[ExplainedResult],
    functions: usize,
    width: usize,
    style: Style,
) -> String {
    if results.is_empty() {
        return "no result differs from the one before\n".to_owned();
    }
    let one = |result: &ExplainedResult| {
        let headline = style.paint(Ink::Strong, &result.benchmark);
        let explanation = &result.explanation;
        let causes = match explanation.diff {
            0 => format!("  {} {}, as before\n", explanation.label, explanation.new),
            _ => explanation_text(explanation, width, None, style),
        };
        format!("{headline}\n{causes}{}", table(explanation, functions))
    };
    results.iter().map(one).collect()
}

/// The functions with the largest differences of their own costs.
fn table(explanation: &Explanation, most: usize) -> String {
    let rows: Vec<&FunctionDifference> = explanation
        .functions
        .iter()
        .filter_map(ExplainedRow::one)
        .take(most)
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!("  {:<19}{:>14}{:>14}\n", "Functions", "before", "now");
    for row in rows {
        let FunctionDifference {
            function,
            old,
            new,
            diff,
            ..
        } = row;
        text += &format!("  {diff:>+19}{old:>14}{new:>14}  {function}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::digest::SourceOrigin;
    use crate::explain::ExplanationBasis;

    fn explanation() -> Explanation {
        let function = |function: &str, old: u64, new: u64| {
            ExplainedRow::One(FunctionDifference {
                function: function.to_owned(),
                file: None,
                origin: SourceOrigin::User,
                old,
                new,
                diff: new as i64 - old as i64,
            })
        };
        Explanation {
            metric: "Ir".to_owned(),
            label: "Instructions".to_owned(),
            old: 100,
            new: 100,
            diff: 0,
            basis: ExplanationBasis::Functions,
            origins: Vec::new(),
            causes: Vec::new(),
            functions: vec![function("f", 60, 70), function("g", 40, 30)],
            stories: Vec::new(),
            notes: Vec::new(),
            allocations: None,
        }
    }

    #[test]
    fn costs_that_moved_are_shown_where_the_sum_is_as_before() {
        let result = ExplainedResult {
            benchmark: "b::g::f".to_owned(),
            explanation: explanation(),
        };
        assert_eq!(
            text(&[result], 1, 80, Style::default()),
            "b::g::f\n  Instructions 100, as before\n\
             \x20 Functions                  before           now\n\
             \x20                 +10            60            70  f\n"
        );
        assert!(text(&[], 1, 80, Style::default()).starts_with("no result differs"));
    }
}
