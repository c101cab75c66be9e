//! The form of results for people in front of a terminal.
//!
//! It keeps to the width of the terminal, rounds to the digits that matter, and uses colors only
//! where they have a meaning. Programs read another form from pipes, which `piped_rows.rs` and
//! `exceeded.rs` write.

mod blocks;
mod exceeded;
mod layout;
mod screen_rows;

pub use self::exceeded::exceeded_limit;
use crate::room::wrapped;
use crate::text::Style;

/// The terminal that shows results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Its columns.
    pub width: usize,
    /// Colors and lines.
    pub style: Style,
}

impl Screen {
    /// The same terminal with the lines of a grid, or without.
    pub fn with_grid(self, grid: bool) -> Self {
        Self {
            style: self.style.with_grid(grid),
            ..self
        }
    }

    /// Wraps lines at the width of the terminal. Continued lines begin with `indent`.
    pub fn wrapped(self, text: &str, indent: &str) -> String {
        wrapped(text, self.width, indent)
    }
}
