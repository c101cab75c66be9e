//! Colors: the look of a text follows from its meaning.
//!
//! Each look is one sequence: `1;91`, and not `1` and `91` after each other, as readers of the colored text know
//! it. [`Style`] decides on colors, for stdout and stderr separately.

use super::Style;

/// Meaning of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) enum Ink {
    /// Indents and texts that say that nothing happened.
    Faint,
    /// New values.
    Strong,
    /// Text on a terminal, in its own color.
    Plain,
    /// What is less important on a terminal. Dim, since the brighter black is the background of some of them.
    Quiet,
    /// Better on a terminal, whatever its background.
    Good,
    /// Worse on a terminal.
    Bad,
    Path,
    Id,
    Arguments,
    Title,
    Better,
    Worse,
    Fine,
    /// `##`, and where the output of a benchmark ends.
    Mark,
    /// Command of the old result.
    OldCommand,
    Error,
    Warning,
    Info,
    Debug,
    Trace,
}

impl Ink {
    /// The number of the color, with `1;` where the text is bold.
    fn code(self) -> &'static str {
        match self {
            Self::Faint => "90",
            Self::Strong => "1",
            Self::Plain => "0",
            Self::Quiet => "2",
            Self::Good => "32",
            Self::Bad => "1;31",
            Self::Path | Self::Info => "32",
            Self::Id | Self::Trace => "36",
            Self::Arguments => "1;34",
            Self::Title | Self::Warning => "1;33",
            Self::Better => "1;92",
            Self::Worse => "1;91",
            Self::Fine => "1;32",
            Self::Mark => "33",
            Self::OldCommand | Self::Debug => "34",
            Self::Error => "1;31",
        }
    }
}

/// Kind of a line below a headline. It shows only with a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// A row.
    Row,
    /// A headline of rows.
    Branch,
    /// The headline of a tool.
    Tool,
}

impl Style {
    pub(in crate::report) fn paint(self, ink: Ink, text: &str) -> String {
        let mut painted = String::new();
        self.push(&mut painted, ink, text);
        painted
    }

    /// Adds a text with its color to another one.
    pub(super) fn push(self, to: &mut String, ink: Ink, text: &str) {
        if !self.color || ink == Ink::Plain {
            to.push_str(text);
            return;
        }
        for part in ["\x1b[", ink.code(), "m", text, "\x1b[0m"] {
            to.push_str(part);
        }
    }

    /// The beginning of each line below a headline.
    pub(super) fn edge(self, edge: Edge) -> String {
        let mut text = String::new();
        self.push_edge(&mut text, edge);
        text
    }

    /// Begins a line in a text.
    pub(super) fn push_edge(self, to: &mut String, edge: Edge) {
        let text = match (self.grid, edge) {
            (false, _) => "  ",
            (true, Edge::Row) => "| ",
            (true, Edge::Branch) => "|-",
            (true, Edge::Tool) => "|=",
        };
        self.push(to, Ink::Faint, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::visible::is_own_color;

    #[test]
    fn every_ink_is_one_sequence() {
        let color = Style {
            color: true,
            grid: false,
        };
        for (ink, code) in [
            (Ink::Faint, "90"),
            (Ink::Strong, "1"),
            (Ink::Quiet, "2"),
            (Ink::Good, "32"),
            (Ink::Bad, "1;31"),
            (Ink::Path, "32"),
            (Ink::Id, "36"),
            (Ink::Arguments, "1;34"),
            (Ink::Title, "1;33"),
            (Ink::Better, "1;92"),
            (Ink::Worse, "1;91"),
            (Ink::Fine, "1;32"),
            (Ink::Mark, "33"),
            (Ink::OldCommand, "34"),
            (Ink::Error, "1;31"),
            (Ink::Warning, "1;33"),
            (Ink::Info, "32"),
            (Ink::Debug, "34"),
            (Ink::Trace, "36"),
        ] {
            for text in ["915", ""] {
                assert_eq!(color.paint(ink, text), format!("\x1b[{code}m{text}\x1b[0m"));
                assert!(is_own_color(code), "{code}");
                assert_eq!(Style::default().paint(ink, text), text);
            }
        }
        assert_eq!(color.paint(Ink::Plain, "915"), "915");
        for other in ["", "8", "5", "1;8", "31;8", "38;5;9", "7"] {
            assert!(!is_own_color(other), "{other}");
        }
    }
}
