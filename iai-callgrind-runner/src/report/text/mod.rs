//! The report for people: results on stdout ([`Results`]), everything else on stderr ([`Messages`]).

mod columns;
mod findings;
mod header;
mod messages;
mod paint;
mod parts;
mod results;
mod rows;
mod style;
mod totals;
mod verdicts;

use iai_callgrind::protocol::Truncate;

pub(super) use self::messages::Messages;
pub(super) use self::results::Results;
pub use self::style::{Style, Styles};
use crate::identity::Identity;

/// The headline of a benchmark as plain text, for other places than the terminal.
pub(crate) fn headline(identity: &Identity, truncate: Truncate) -> String {
    header::headline(identity, truncate, Style::default())
}
