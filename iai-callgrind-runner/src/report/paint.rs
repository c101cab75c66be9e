//! Colours. Written by hand since readers of the coloured text know `1;91` as one sequence, which
//! general crates write as two.

use super::Style;

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Indents and texts that say that nothing happened.
    Faint,
    /// New values.
    Strong,
    Path,
    Id,
    Arguments,
    Title,
    Better,
    Worse,
    Fine,
    /// `##`, and where the output of a benchmark ends.
    Mark,
    /// What ran before.
    OldCommand,
    Error,
    Warning,
    Info,
    Debug,
    Trace,
}

impl Ink {
    fn code(self) -> &'static str {
        match self {
            Self::Faint => "90",
            Self::Strong => "1",
            Self::Path => "32",
            Self::Id => "36",
            Self::Arguments => "1;34",
            Self::Title | Self::Warning => "1;33",
            Self::Better => "1;92",
            Self::Worse => "1;91",
            Self::Fine => "1;32",
            Self::Mark => "33",
            Self::OldCommand | Self::Debug => "34",
            Self::Error => "1;31",
            Self::Info => "32",
            Self::Trace => "36",
        }
    }
}

/// What a line below a headline is. It shows only with a grid.
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
    pub(super) fn paint(self, ink: Ink, text: &str) -> String {
        if self.color {
            format!("\x1b[{}m{text}\x1b[0m", ink.code())
        } else {
            text.to_owned()
        }
    }

    /// The beginning of each line below a headline.
    pub(super) fn edge(self, edge: Edge) -> String {
        let text = match (self.grid, edge) {
            (false, _) => "  ",
            (true, Edge::Row) => "| ",
            (true, Edge::Branch) => "|-",
            (true, Edge::Tool) => "|=",
        };
        self.paint(Ink::Faint, text)
    }
}
