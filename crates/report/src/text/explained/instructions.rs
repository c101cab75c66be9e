//! Instructions of a function, with how often each was executed.

use super::super::explanation::fit_name;
use super::super::Style;
use super::counts::{fit_begin, with_context, CountColumns};
use explain::{FunctionInstructions, InstructionDifference};

/// Instructions that are shown before and behind one that differs.
const CONTEXT: usize = 3;

/// Width of the number of a line.
const LINE: usize = 6;

/// The instructions that differ, or are executed more or less often, with those around them.
pub(super) fn text(function: &FunctionInstructions, width: usize, style: Style) -> String {
    let FunctionInstructions { old, new, .. } = function;
    let is_different = |one: &InstructionDifference| one.old != one.new;
    let is_different: Vec<bool> = function.instructions.iter().map(is_different).collect();
    let counts = match old == new && function.alike() == *new {
        true => format!("{new}, as before"),
        false => format!("{old} -> {new}, {} alike", function.alike()),
    };
    let begin = "  Instructions of ";
    let room = width.saturating_sub(begin.len() + 2 + counts.len());
    let name = fit_name(&function.function, room);
    let mut text = format!("{begin}{name}: {counts}\n");
    let is_shown = with_context(&is_different, CONTEXT);
    if !is_shown.contains(&true) {
        return text;
    }
    let shown = function.instructions.iter().zip(&is_shown);
    let shown = shown.filter(|(_, is_shown)| **is_shown);
    let columns = CountColumns::of(shown.map(|(one, _)| (one.old, one.new)), 0);
    text += &format!("   {}{:>LINE$}\n", columns.heads(), "line");
    let room = width.saturating_sub(3 + columns.width() + LINE + 2);
    let mut is_first = true;
    let mut was_shown = true;
    for (one, is_shown) in function.instructions.iter().zip(&is_shown) {
        if *is_shown {
            if !was_shown && !is_first {
                text += "   ...\n";
            }
            is_first = false;
            text += &row(one, columns, room, style);
        }
        was_shown = *is_shown;
    }
    text
}

fn row(one: &InstructionDifference, columns: CountColumns, room: usize, style: Style) -> String {
    let mark = match (one.old, one.new) {
        (Some(_), None) => '-',
        (None, Some(_)) => '+',
        _ => ' ',
    };
    let [before, now, change] = columns.cells(one.old, one.new, style);
    let line = match one.line {
        0 => String::new(),
        line => line.to_string(),
    };
    let text = fit_begin(&one.text, room);
    format!("  {mark}  {before}  {now}  {change}{line:>LINE$}  {text}\n")
}
