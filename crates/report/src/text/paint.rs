//! Colors: the look of a text follows from its meaning.
//!
//! [`Style`] decides on colors, for stdout and stderr separately. The meaning of a change is chosen
//! by `change` in `screen/screen_rows.rs` (terminal) and by `piped_rows.rs`, after
//! `verdict::Difference::trend`; for wall time by `wall_time.rs`, in histories by `history.rs`, and
//! in `compare` by `comparison/text.rs`, after the class of the row.

use std::fmt::Write;

use colored::{control, ColoredString, Colorize};

use super::Style;

/// Meaning of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Indents and texts that say that nothing happened.
    Faint,
    /// New values.
    Strong,
    /// Text on a terminal, in its own color.
    Plain,
    /// Less important text on a terminal. Dim, since some themes use bright black as the
    /// background.
    Quiet,
    /// Better on a terminal, whatever its background.
    Good,
    /// Worse on a terminal.
    Bad,
    /// A benchmark path in a headline.
    Path,
    /// The id of a case in a headline.
    Id,
    /// Arguments of a case in a headline, and texts in place of values.
    Arguments,
    /// Headlines, and results that are neither good nor bad.
    Title,
    /// A change in the direction of the metric.
    Better,
    /// A change against the direction of the metric, or an exceeded limit.
    Worse,
    /// A check that passed.
    Fine,
    /// `##`, and where the output of a benchmark ends.
    Mark,
    /// Command of the old result.
    OldCommand,
    /// Message of the level *error*: the run fails.
    Error,
    /// Message of the level *warning*: the run goes on.
    Warning,
    /// Message of the level *info*.
    Info,
    /// Message of the level *debug*.
    Debug,
    /// Message of the level *trace*.
    Trace,
}

impl Ink {
    /// The text with its color.
    fn color(self, text: &str) -> ColoredString {
        match self {
            Self::Plain => text.normal(),
            Self::Faint => text.bright_black(),
            Self::Strong => text.bold(),
            Self::Quiet => text.dimmed(),
            Self::Good | Self::Path | Self::Info => text.green(),
            Self::Bad | Self::Error => text.red().bold(),
            Self::Id | Self::Trace => text.cyan(),
            Self::Arguments => text.blue().bold(),
            Self::Title | Self::Warning => text.yellow().bold(),
            Self::Better => text.bright_green().bold(),
            Self::Worse => text.bright_red().bold(),
            Self::Fine => text.green().bold(),
            Self::Mark => text.yellow(),
            Self::OldCommand | Self::Debug => text.blue(),
        }
    }
}

/// Kind of a line below a headline. It shows only with a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// A row.
    Row,
    /// A headline of rows.
    Branch,
    /// The headline of a tool.
    Tool,
}

impl Style {
    /// The text with its color, or unchanged in a style without colors.
    pub fn paint(self, ink: Ink, text: &str) -> String {
        let mut painted = String::new();
        self.push(&mut painted, ink, text);
        painted
    }

    /// Adds a text with its color to another one.
    pub fn push(self, to: &mut String, ink: Ink, text: &str) {
        if !self.color {
            to.push_str(text);
            return;
        }
        // The crate would decide once for both streams.
        control::set_override(true);
        let _ = write!(to, "{}", ink.color(text));
    }

    /// The beginning of each line below a headline.
    pub fn edge(self, edge: Edge) -> String {
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
    use crate::visible::is_own_color;

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
