//! What the user sees: the only place that prints.
//!
//! Events come in (a benchmark started, finished, failed; the run is done), text goes to two
//! sinks: results to the first, everything else to the second. The layout of the results is read
//! by other programs and stays as it is, byte for byte.

mod columns;
mod finish;
mod header;
mod paint;
mod terminal;

pub use finish::Counts;
pub use terminal::Terminal;

use std::io::{self, IsTerminal};

use crate::cli::env::Environment;
use crate::cli::Color;

/// How the terminal report looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Write ANSI colours.
    pub color: bool,
}

impl Style {
    /// What was asked for; if nothing was, colours on a terminal that can show them.
    ///
    /// The results decide for both sinks.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "asks what kind of file it is, prints nothing"
    )]
    pub fn detect(color: Color, environment: &Environment) -> Self {
        let plain = environment.get("NO_COLOR").is_some()
            || environment
                .get("TERM")
                .is_some_and(|terminal| terminal == "dumb");
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => !plain && io::stdout().is_terminal(),
        };
        Self { color }
    }
}
