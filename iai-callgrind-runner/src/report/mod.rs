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

/// How the terminal report looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Write ANSI colours.
    pub color: bool,
}
