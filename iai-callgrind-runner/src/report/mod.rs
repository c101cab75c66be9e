//! What the user sees: the only place that prints.
//!
//! In: [`Event`]s, which the stages tell to [`Reports`]. Out: what each consumer makes of them. For people
//! these are results on stdout and messages on stderr (`text/`), for programs objects on stdout (`json/`) beside
//! the messages. The layout of the results is read by other programs and stays as it is, byte for byte.

mod event;
mod json;
mod progress;
mod reports;
mod streams;
mod text;

pub use event::{Counts, Event, UnderTool};
pub use reports::{Form, Reports};
pub use text::{Style, Styles};
