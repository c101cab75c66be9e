//! What the user sees: the only place that prints.
//!
//! Events come in (a benchmark started, finished, failed; the run is done), text goes to two
//! sinks: results to the first, everything else to the second. The layout of the results is read
//! by other programs and stays as it is, byte for byte.

mod columns;
mod findings;
mod finish;
mod header;
mod paint;
mod parts;
mod progress;
mod terminal;

pub use finish::Counts;
pub use terminal::Terminal;

use crate::cli::env::Environment;
use crate::cli::Color;

/// How the terminal report looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Write ANSI colours.
    pub color: bool,
}

impl Style {
    /// Colours are for terminals, unless the command line or what cargo was told says otherwise.
    pub fn detect(asked: Option<Color>, environment: &Environment) -> Self {
        let cargo = environment
            .get("CARGO_TERM_COLOR")
            .and_then(|value| value.to_str());
        let color = match (asked, cargo) {
            (Some(Color::Always), _) | (None, Some("always")) => true,
            (Some(Color::Never), _) | (None, Some("never")) => false,
            _ => terminal::is_on_terminal() && environment.get("NO_COLOR").is_none(),
        };
        Self { color }
    }
}
