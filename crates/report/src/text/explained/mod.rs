//! Output of `explain`: kept results and the reasons why they differ.
//!
//! ```text
//! b::g::sort n1000
//!   Why  Instructions +5,470,980 (+856%): std +2,763,945, libc.so.6 +2,591,846
//!        …
//!   Functions  before        now
//!    +597,458       0    597,458  str::to_lowercase
//!   Calls       before        now
//!   +5,470,980  639,507  6,110,487  b::sort
//!   +5,470,980  639,000  6,109,980    lab::sort_records
//!   Lines of lab::sort_records, src/lib.rs               before        now      change
//!     25   records.sort_unstable_by(|a, b| {            639,000  6,109,980  +5,470,980
//!   Instructions of lab::sort_records: 22 -> 30, 21 alike
//!     before    now  change  line
//!   +         4,180  +4,180    66  lea rax,[rax+rax*2]
//! ```

mod counts;
mod instructions;
mod lines;
#[cfg(test)]
mod tests;
mod tree;

use self::counts::{ChangeTable, NamedChange};
use super::paint::Ink;
use super::{explanation_text, Style};
use base::counted::grouped;
use explain::{
    CallTree, ExplainedRow, Explanation, FunctionDifference, FunctionInstructions, LineDifferences,
};

/// Kept result with the reasons for its difference from another one.
#[derive(Debug)]
pub struct ExplainedResult {
    /// Whole name of the benchmark.
    pub benchmark: String,
    /// Reasons for the difference.
    pub explanation: Explanation,
    /// Calls from the roots down, as deep as it was asked for.
    pub tree: CallTree,
    /// Lines that differ, if they were asked for.
    pub lines: Option<LineDifferences>,
    /// Machine code of the function that was asked for.
    pub instructions: Vec<FunctionInstructions>,
}

/// Least width of a terminal.
const LEAST: usize = 80;

/// All results, each with its causes and everything else that was asked for.
pub fn text(results: &[ExplainedResult], functions: usize, width: usize, style: Style) -> String {
    if results.is_empty() {
        return "no result differs from the one before\n".to_owned();
    }
    let width = width.max(LEAST);
    let one = |result: &ExplainedResult| {
        let headline = style.paint(Ink::Strong, &result.benchmark);
        let explanation = &result.explanation;
        let causes = match explanation.diff {
            0 => {
                let new = grouped(explanation.new);
                format!("  {} {new}, as before\n", explanation.label)
            }
            _ => explanation_text(explanation, width, None, style),
        };
        let mut text = format!("{headline}\n{causes}");
        text += &table(explanation, functions, width, style);
        text += &tree::text(&result.tree, width, style);
        if let Some(differences) = &result.lines {
            text += &lines::text(differences, width, style);
        }
        for function in &result.instructions {
            text += &instructions::text(function, width, style);
        }
        text
    };
    results.iter().map(one).collect()
}

/// The functions with the largest differences of their own costs.
fn table(explanation: &Explanation, most: usize, width: usize, style: Style) -> String {
    let functions = explanation.functions.iter().filter_map(ExplainedRow::one);
    let rows = functions.take(most).map(|row: &FunctionDifference| {
        let name = row.function.clone();
        NamedChange {
            depth: 0,
            name,
            note: String::new(),
            old: row.old,
            new: row.new,
        }
    });
    let table = ChangeTable {
        title: "Functions",
        rows: rows.collect(),
    };
    table.text(width, style)
}
