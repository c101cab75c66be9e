//! The form of results for people in front of a terminal.
//!
//! It keeps to the columns that there are, has as many digits as somebody reads, and colors only where they say
//! something. Programs read another form from pipes, which `piped_rows.rs` and `totals.rs` write.

mod blocks;
mod layout;
mod screen_rows;
mod totals;

pub(super) use self::totals::{of_targets, RunTotals};
use report::room::wrapped;
use report::text::Style;

/// The terminal that shows results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Screen {
    pub(super) width: usize,
    pub(super) style: Style,
}

impl Screen {
    /// The same terminal with the lines of a grid, or without.
    pub(super) fn with_grid(self, grid: bool) -> Self {
        Self {
            style: self.style.with_grid(grid),
            ..self
        }
    }

    /// Lines that are at most as wide as the terminal. `indent` stands before each continued one.
    pub(super) fn wrapped(self, text: &str, indent: &str) -> String {
        wrapped(text, self.width, indent)
    }
}
