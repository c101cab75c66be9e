//! The report for people: results on stdout ([`Results`]), everything else on stderr
//! ([`Messages`]).
//!
//! In pipes results have one form, byte for byte, which programs read (`piped_rows.rs`,
//! `totals.rs`, `columns.rs`). On a terminal (`Styles::terminal_width`) `terminal/` writes them:
//! rows in the first layout of a list in which all fit.

mod accepted;
mod by_id_table;
mod columns;
mod expectations;
mod explained;
mod explanation;
mod explanations;
mod findings;
mod flamegraph_places;
mod header;
mod history;
mod messages;
mod not_judged;
mod paint;
mod parts;
mod piped_rows;
mod results;
mod scaling;
mod sparkline;
mod style;
mod terminal;
mod totals;
mod verdicts;

use self::explanation::heap_sites_text;
pub use self::explanation::{explanation_markdown, explanation_text};
pub(super) use self::explanations::Explanations;
pub(super) use self::flamegraph_places::FlamegraphPlaces;
pub(super) use self::messages::Messages;
pub(super) use self::paint::Ink;
pub(super) use self::results::Results;
pub use self::sparkline::Sparklines;
pub(super) use self::style::columns_of_stderr;
pub use self::style::{Style, Styles};
