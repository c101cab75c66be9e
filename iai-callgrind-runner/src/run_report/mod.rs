//! Reports: the only place that prints.
//!
//! In: [`Event`]s, which the stages pass to [`Reports`]. Out: for people results on stdout and
//! messages on stderr (`text/`), for programs objects on stdout (`json.rs`, `json_v6.rs`) beside
//! the messages. In pipes the layout of the results is read by other programs and stays as it is,
//! byte for byte.

mod changes;
mod event;
mod json;
mod json_v6;
mod kept_records;
mod patient;
mod progress;
mod reports;
mod run_numbers;
mod run_record;
mod streams;
mod text;

pub use event::{Event, OutcomeCounts, UnderTool};
pub use reports::{Form, Reports};
