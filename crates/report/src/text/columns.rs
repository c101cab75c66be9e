//! The columns below a headline: name, left value, `|`, right value, difference.
//!
//! ```text
//!   Baselines:                           main|main (old)
//! ```

use super::paint::{Edge, Ink};
use super::Style;
use base::tool::Tool;

/// Column of the old values.
pub const MIDDLE: usize = 2 + NAME + VALUE;

/// The name with its colon; wider if a longer name is printed in the block.
pub const NAME: usize = 21;
/// Text in place of a missing side.
pub const MISSING: &str = "N/A";
/// Wide enough for every count.
const VALUE: usize = 20;

/// The columns below a headline.
pub struct Columns {
    /// The width of names with their colon.
    pub name: usize,
    /// Colors and edges of the lines.
    pub style: Style,
}

/// The columns behind a name.
pub struct RowColumns<'a> {
    /// The new value and its color.
    pub left: (&'a str, Ink),
    /// The old value, or [`MISSING`].
    pub right: &'a str,
    /// The last column, already colored. `None`: the line ends after the old value.
    pub difference: Option<String>,
}

impl Columns {
    /// One line, or two: a left value that is too long for its column moves the right one to the
    /// next line.
    pub fn line(&self, name: &str, line: &RowColumns<'_>) -> String {
        let RowColumns {
            left: (left, ink),
            right,
            difference,
        } = line;
        let length = left.chars().count();
        // Rows are most of what is written of a run, so each is one text from its begin.
        let mut text = self.name(name);
        pad(&mut text, VALUE.saturating_sub(length));
        if !left.is_empty() {
            self.style.push(&mut text, *ink, left);
        }
        if length > VALUE {
            text.push('\n');
            text += &self.blank(self.name + VALUE);
        }
        text.push('|');
        text += right;
        if let Some(difference) = difference {
            pad(&mut text, VALUE.saturating_sub(right.chars().count()) + 1);
            text += difference;
        }
        text.push('\n');
        text
    }

    /// `  Command:             `
    fn name(&self, name: &str) -> String {
        let mut text = String::with_capacity(2 * MIDDLE);
        self.style.push_edge(&mut text, Edge::Row);
        text += name;
        text.push(':');
        pad(
            &mut text,
            self.name.saturating_sub(name.chars().count() + 1),
        );
        text
    }

    /// The beginning of a line that continues the one above.
    fn blank(&self, width: usize) -> String {
        let mut text = self.style.edge(Edge::Row);
        pad(&mut text, width);
        text
    }
}

/// Adds blanks.
fn pad(text: &mut String, width: usize) {
    text.extend(std::iter::repeat_n(' ', width));
}

/// `  ======= DHAT =======…`: as wide as the rows.
pub fn tool_headline(tool: Tool, style: Style) -> String {
    const WIDTH: usize = 2 + NAME + VALUE + 1 + VALUE + 22;
    tool_headline_of_width(tool, WIDTH + 2, style)
}

/// The same in this many columns.
pub fn tool_headline_of_width(tool: Tool, width: usize, style: Style) -> String {
    let id = tool.id().to_uppercase();
    let begin = "=======";
    let around = 2 + begin.len() + 1 + id.len() + 1;
    let end = "=".repeat(width.saturating_sub(around));
    format!(
        "{}{} {id} {}\n",
        style.edge(Edge::Tool),
        style.paint(Ink::Faint, begin),
        style.paint(Ink::Faint, &end)
    )
}

/// `  ------- DHAT`: above the rows of one tool in a comparison with another benchmark.
pub fn tool_subheadline(tool: Tool, style: Style) -> String {
    let id = tool.id().to_uppercase();
    let begin = style.paint(Ink::Faint, "-------");
    format!("{}{begin} {id}\n", style.edge(Edge::Branch))
}

/// A row of one text: `  Command:   new`
pub fn text(name: &str, text: &str, style: Style) -> String {
    format!("{}{}\n", text_name(name, style), shown_text(text, style))
}

/// The name of a row of one text.
pub fn text_name(name: &str, style: Style) -> String {
    Columns { name: NAME, style }.name(name)
}

/// The text of such a row.
pub fn shown_text(text: &str, style: Style) -> String {
    style.paint(Ink::Arguments, text)
}

/// A row of two texts: `  Command:   new|old`
pub fn texts(name: &str, new: Option<&str>, old: Option<&str>, style: Style) -> String {
    let columns = Columns { name: NAME, style };
    let right = old.map(|old| style.paint(Ink::OldCommand, old));
    let line = RowColumns {
        left: new.map_or((MISSING, Ink::Strong), |new| (new, Ink::Arguments)),
        right: right.as_deref().unwrap_or(MISSING),
        difference: None,
    };
    columns.line(name, &line)
}

/// `  Baselines:   new|old`
pub fn baselines(new: Option<&str>, old: Option<&str>, style: Style) -> String {
    let columns = Columns { name: NAME, style };
    let line = RowColumns {
        left: (new.unwrap_or_default(), Ink::Strong),
        right: old.unwrap_or_default(),
        difference: None,
    };
    columns.line("Baselines", &line)
}

/// Lines of text: `  Details:   first`, the others below the first.
pub fn details(lines: &[String], style: Style) -> String {
    let columns = Columns { name: NAME, style };
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let begin = match index {
            0 => columns.name("Details"),
            // Blanks alone would end a line; with a grid the edge goes on.
            _ if line.is_empty() && !style.grid => String::new(),
            _ => columns.blank(NAME),
        };
        text += &format!("{begin}{line}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style {
        color: false,
        grid: false,
    };
    const GRID: Style = Style {
        color: false,
        grid: true,
    };
    const COLOR: Style = Style {
        color: true,
        grid: false,
    };

    #[test]
    #[rustfmt::skip]
    fn headlines_of_tools_are_as_wide_as_rows() {
        let line = "  ======= CALLGRIND ====================================================================\n";
        assert_eq!(tool_headline(Tool::Callgrind, PLAIN), line);
        let line = "  ======= DHAT =========================================================================\n";
        assert_eq!(tool_headline(Tool::Dhat, PLAIN), line);
        let line = "  ======= EXP-BBV ======================================================================\n";
        assert_eq!(tool_headline(Tool::Bbv, PLAIN), line);
        assert_eq!(tool_subheadline(Tool::Dhat, PLAIN), "  ------- DHAT\n");
        let line = "|======== CALLGRIND ====================================================================\n";
        assert_eq!(tool_headline(Tool::Callgrind, GRID), line);
        assert_eq!(tool_subheadline(Tool::Dhat, GRID), "|-------- DHAT\n");
        assert_eq!(
            tool_subheadline(Tool::Dhat, COLOR),
            "\x1b[90m  \x1b[0m\x1b[90m-------\x1b[0m DHAT\n"
        );
    }

    #[test]
    #[rustfmt::skip]
    fn baselines_line() {
        #[track_caller]
        fn check(new: Option<&str>, old: Option<&str>, expected: &str) {
            assert_eq!(baselines(new, old, PLAIN), format!("{expected}\n"));
        }
        check(Some("main"), Some("main (old)"), "  Baselines:                           main|main (old)");
        check(None, Some("main"),               "  Baselines:                               |main");
        check(Some("feat"), Some("main"),       "  Baselines:                           feat|main");
        let long = "a_very_long_baseline_name_over_twenty_characters_long_really_long_name";
        check(
            Some(long),
            Some(&format!("{long} (old)")),
            "  Baselines:           a_very_long_baseline_name_over_twenty_characters_long_really_long_name
                                           |a_very_long_baseline_name_over_twenty_characters_long_really_long_name (old)",
        );
    }
}
