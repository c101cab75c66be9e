//! The report for people: results on stdout ([`Results`]), everything else on stderr
//! ([`Messages`]).
//!
//! In pipes results have one form, byte for byte, which programs read (`totals.rs`,
//! `report::text::piped_rows`). On a terminal (`Styles::terminal_width`) `terminal.rs` and
//! `report::text::screen` write them: rows in the first layout of a list in which all fit.

mod explanations;
mod findings;
mod flamegraph_places;
mod messages;
mod not_judged;
mod percent_signs;
mod results;
mod terminal;
mod totals;

pub(super) use self::explanations::Explanations;
pub(super) use self::flamegraph_places::FlamegraphPlaces;
pub(super) use self::messages::Messages;
pub(super) use self::results::Results;
