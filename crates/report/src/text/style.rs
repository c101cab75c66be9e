//! The look of text on each of the two streams.

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;

use terminal_size::{terminal_size_of, Width};

use super::paint::Ink;
use base::variables::EnvironmentVariables;

/// Use of colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(any(test, feature = "clap"), derive(clap::ValueEnum))]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The look of text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Write ANSI colors.
    pub color: bool,
    /// Connect the rows of a headline by lines.
    pub grid: bool,
}

impl Style {
    /// Style of a stream that is a terminal or not. Colors are for terminals, unless the user,
    /// cargo, or the environment of all programs says otherwise, in this order.
    fn detect(asked: Option<Color>, environment: &EnvironmentVariables, terminal: bool) -> Self {
        let is = |name: &str, value: &str| environment.get(name).is_some_and(|set| set == value);
        let cargo = ["always", "never", "auto"].map(|value| is("CARGO_TERM_COLOR", value));
        let asked = asked.or(match cargo {
            [true, ..] => Some(Color::Always),
            [_, true, _] => Some(Color::Never),
            _ => None,
        });
        // By the convention of CLICOLOR any value but 0 forces colors.
        let forced = environment.get("CLICOLOR_FORCE").is_some() && !is("CLICOLOR_FORCE", "0");
        let color = match asked {
            Some(Color::Always) => true,
            Some(Color::Never) => false,
            Some(Color::Auto) | None if environment.get("NO_COLOR").is_some() => false,
            Some(Color::Auto) | None => forced || (terminal && !is("TERM", "dumb")),
        };
        Self { color, grid: false }
    }

    /// The style with or without a grid.
    pub fn with_grid(self, grid: bool) -> Self {
        Self { grid, ..self }
    }

    /// Name of a log level, as in other messages.
    pub fn log_level(self, level: log::Level) -> String {
        let (text, ink) = match level {
            log::Level::Error => ("error", Ink::Error),
            log::Level::Warn => ("warning", Ink::Warning),
            log::Level::Info => ("info", Ink::Info),
            log::Level::Debug => ("debug", Ink::Debug),
            log::Level::Trace => ("trace", Ink::Trace),
        };
        self.paint(ink, text)
    }
}

/// Styles of the two streams. One stream may be a terminal, and the other one a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Styles {
    /// Results.
    pub out: Style,
    /// Everything else.
    pub err: Style,
    /// Columns of the terminal that shows results, or of a file that is written as one; `None`:
    /// programs may read them.
    pub width: Option<usize>,
    /// Both streams are the log of a job of GitHub, which takes lines of them for commands.
    pub is_log_of_github: bool,
}

impl Styles {
    /// Styles for stdout and stderr of this process.
    #[expect(clippy::disallowed_methods, reason = "asks, does not write")]
    pub fn detect(asked: Option<Color>, environment: &EnvironmentVariables) -> Self {
        let detect = |terminal| Style::detect(asked, environment, terminal);
        Self {
            out: detect(io::stdout().is_terminal()),
            err: detect(io::stderr().is_terminal()),
            width: columns_of(io::stdout()),
            is_log_of_github: environment
                .get("GITHUB_ACTIONS")
                .is_some_and(|set| set == "true"),
        }
    }
}

/// Columns of a terminal, which may be 0. `None`: it is none.
fn columns_of(stream: impl AsFd + IsTerminal) -> Option<usize> {
    match terminal_size_of(&stream) {
        Some((Width(columns), _)) => Some(columns.into()),
        // A terminal need not know its size, as one behind a serial line.
        None => stream.is_terminal().then_some(0),
    }
}

/// The usual number of columns for a terminal that does not say how many it has.
fn usual(width: usize) -> usize {
    if width == 0 {
        NARROWEST
    } else {
        width
    }
}

/// Columns of the terminal behind stderr.
#[expect(clippy::disallowed_methods, reason = "asks, does not write")]
pub fn columns_of_stderr() -> usize {
    usual(columns_of(io::stderr()).unwrap_or(0))
}

/// Width without a terminal.
const WIDTH: usize = 100;

/// Fewest columns: a narrower terminal breaks the lines.
const NARROWEST: usize = 80;

/// Fewest columns of results: each row fits.
const LEAST: usize = 40;

impl Styles {
    /// Results as on a terminal, whatever reads them.
    #[must_use]
    pub fn for_people(self) -> Self {
        Self {
            width: self.width.or(Some(WIDTH)),
            ..self
        }
    }

    /// Are results shown on a terminal, in colors?
    pub fn is_colored_terminal(self) -> bool {
        self.width.is_some() && self.out.color
    }

    /// Columns of the terminal that shows results. One that does not say how many it has gets the
    /// usual number.
    pub fn terminal_width(self) -> Option<usize> {
        self.width.map(|width| usual(width).max(LEAST))
    }

    /// Columns for explanations and tables.
    pub fn columns(self) -> usize {
        self.width.unwrap_or(WIDTH).max(NARROWEST)
    }

    /// Columns for tables that leave out nothing where it is narrow.
    pub fn table_columns(self) -> usize {
        self.terminal_width().unwrap_or(WIDTH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(asked: Option<Color>, variables: &[(&str, &str)], terminal: bool, color: bool) {
        let environment: EnvironmentVariables = variables.iter().copied().collect();
        let style = Style::detect(asked, &environment, terminal);
        assert_eq!(style.color, color, "{asked:?} {variables:?} {terminal}");
    }

    #[test]
    fn terminals_have_colours() {
        check(None, &[], true, true);
        check(None, &[], false, false);
        check(None, &[("TERM", "dumb")], true, false);
    }

    #[test]
    fn what_people_read_in_a_file_has_the_width_of_a_log() {
        let width = |width| {
            let styles = Styles {
                width,
                ..Styles::default()
            };
            styles.for_people().terminal_width()
        };
        assert_eq!(width(None), Some(100));
        assert_eq!(width(Some(132)), Some(132));
        assert_eq!(width(Some(0)), Some(80));
    }

    #[test]
    fn the_user_wins_over_cargo_and_cargo_over_all_programs() {
        let always = ("CARGO_TERM_COLOR", "always");
        let never = ("CARGO_TERM_COLOR", "never");
        let auto = ("CARGO_TERM_COLOR", "auto");
        let forced = ("CLICOLOR_FORCE", "1");
        let none = ("NO_COLOR", "1");
        for terminal in [true, false] {
            check(Some(Color::Always), &[never, none], terminal, true);
            check(Some(Color::Never), &[always, forced], terminal, false);
            check(Some(Color::Auto), &[always], terminal, terminal);
            check(Some(Color::Auto), &[never], terminal, terminal);
            check(None, &[always, none], terminal, true);
            check(None, &[never, forced], terminal, false);
            check(None, &[auto, forced], terminal, true);
            check(None, &[none, forced], terminal, false);
            check(None, &[forced], terminal, true);
            check(None, &[("CLICOLOR_FORCE", "0")], terminal, terminal);
            check(None, &[("NO_COLOR", "")], terminal, terminal);
        }
    }
}
