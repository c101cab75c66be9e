//! Lines of the source with their inclusive costs.

use super::super::explanation::{fit_name, fit_path, wrap};
use super::super::Style;
use super::counts::{fit_begin, with_context, CountColumns};
use explain::{FunctionLines, LineCosts, LineDifference, LineDifferences};

/// Lines that are shown before and behind one that differs.
const CONTEXT: usize = 1;

/// Text of code for which the compiler gave no line.
const NO_LINE: &str = "(code without a line)";

/// Least width of numbers of lines.
const LEAST_NUMBER: usize = 4;

/// The lines that differ, by function.
pub(super) fn text(differences: &LineDifferences, width: usize, style: Style) -> String {
    if differences.functions.is_empty() {
        return "  Lines: no line of the workspace differs\n".to_owned();
    }
    let functions = differences.functions.iter();
    let mut text: String = functions
        .map(|function| of_function(function, width, style))
        .collect();
    match differences.rest {
        0 => {}
        1 => text += "  ... 1 more function\n",
        more => text += &format!("  ... {more} more functions\n"),
    }
    text
}

fn of_function(function: &FunctionLines, width: usize, style: Style) -> String {
    let lines = &function.lines;
    let is_different: Vec<bool> = lines.iter().map(is_different).collect();
    let is_shown = with_context(&is_different, CONTEXT);
    let shown = lines.iter().zip(&is_shown);
    let shown: Vec<&LineDifference> = shown
        .filter_map(|(line, is_shown)| is_shown.then_some(line))
        .collect();
    let layout = LineLayout::of(&shown, width, style);
    let number_width = layout.number;
    let mut text = headline(function, number_width + 2 + layout.text, layout.columns);
    if !function.has_texts {
        let note = "no texts: the source was newer than the executable, or not readable; lines are paired by \
                    their numbers";
        for line in wrap(note, width - 4) {
            text += &format!("    {line}\n");
        }
    }
    let mut is_first = true;
    let mut was_shown = true;
    for (line, is_shown) in lines.iter().zip(&is_shown) {
        if *is_shown {
            if !was_shown && !is_first {
                text += &format!("  {:>number_width$}\n", "...");
            }
            is_first = false;
            text += &layout.row(line);
        }
        was_shown = *is_shown;
    }
    text
}

/// Widths of the columns of one function.
struct LineLayout {
    number: usize,
    text: usize,
    columns: CountColumns,
    /// White space that all lines begin with.
    indent: usize,
    style: Style,
}

impl LineLayout {
    fn of(shown: &[&LineDifference], width: usize, style: Style) -> Self {
        let counts = shown.iter().map(|line| (costs(line.old), costs(line.new)));
        let columns = CountColumns::of(counts, 0);
        let widest = shown.iter().map(|line| number(line).len()).max();
        let number = widest.unwrap_or(0).max(LEAST_NUMBER);
        // An indent that all of them have takes room and says nothing.
        let indents = shown.iter().filter_map(|line| indent(&line.text));
        Self {
            number,
            text: width.saturating_sub(2 + number + 2 + columns.width()),
            columns,
            indent: indents.min().unwrap_or(0),
            style,
        }
    }

    fn row(&self, line: &LineDifference) -> String {
        let Self {
            number: number_width,
            text: room,
            ..
        } = *self;
        let mark = match (line.old, line.new) {
            (Some(_), None) => '-',
            (None, Some(_)) => '+',
            _ => ' ',
        };
        let source = match is_without_line(line) {
            true => NO_LINE.to_owned(),
            false => without_indent(&line.text, self.indent),
        };
        let source = fit_begin(&source, room);
        // Lines without costs are there for orientation, and have no figures.
        let counts = match is_free(line.old) && is_free(line.new) {
            true => String::new(),
            false => {
                let counts = (costs(line.old), costs(line.new));
                let [before, now, change] = self.columns.cells(counts.0, counts.1, self.style);
                format!("  {before}  {now}  {change}")
            }
        };
        let row = format!(
            "  {:>number_width$}{mark} {source:room$}{counts}",
            number(line)
        );
        format!("{}\n", row.trim_end())
    }
}

/// The line, as the new source counts if it has it.
fn number(line: &LineDifference) -> String {
    match line.new.or(line.old).map(|line| line.line) {
        None | Some(0) => "?".to_owned(),
        Some(line) => line.to_string(),
    }
}

/// `  Lines of lab::sort, src/lib.rs    before   now   change`
fn headline(function: &FunctionLines, room: usize, columns: CountColumns) -> String {
    let begin = "Lines of ";
    let file = fit_path(&function.file, room / 2);
    let left = room.saturating_sub(begin.len() + 2 + file.chars().count());
    let name = fit_name(&function.function, left);
    let place = format!("{begin}{name}, {file}");
    format!("  {place:room$}{}\n", columns.heads())
}

fn is_without_line(line: &LineDifference) -> bool {
    line.new.or(line.old).is_some_and(|line| line.line == 0)
}

fn is_different(line: &LineDifference) -> bool {
    let is_on_one_side = line.old.is_none() || line.new.is_none();
    // A blank line that came or went is no difference.
    is_different_costs(line) || is_on_one_side && !line.text.trim().is_empty()
}

fn is_different_costs(line: &LineDifference) -> bool {
    costs(line.old).unwrap_or(0) != costs(line.new).unwrap_or(0)
}

fn is_free(line: Option<LineCosts>) -> bool {
    line.is_none_or(|line| line.costs == 0)
}

fn costs(line: Option<LineCosts>) -> Option<u64> {
    line.map(|line| line.costs)
}

/// Columns before the first character. `None`: there is none.
fn indent(text: &str) -> Option<usize> {
    let spaces = |c: char| if c == '\t' { 4 } else { 1 };
    let white = text.chars().take_while(|c| c.is_whitespace());
    (!text.trim().is_empty()).then(|| white.map(spaces).sum())
}

fn without_indent(text: &str, columns: usize) -> String {
    let before = indent(text).unwrap_or(0).saturating_sub(columns);
    " ".repeat(before) + text.trim_start()
}
