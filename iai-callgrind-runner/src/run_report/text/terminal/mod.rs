//! The form of results for people in front of a terminal.
//!
//! It keeps to the width of the terminal, rounds to the digits that matter, and uses colors only
//! where they have a meaning. Programs read another form from pipes, which `piped_rows.rs` and
//! `totals.rs` write.

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

    /// Wraps lines at the width of the terminal. Continued lines begin with `indent`.
    pub(super) fn wrapped(self, text: &str, indent: &str) -> String {
        wrapped(text, self.width, indent)
    }
}
