//! Reports: the only place that prints.
//!
//! In: [`Event`]s, which the stages pass to [`Reports`]. Out: for people results on stdout and messages
//! on stderr (`text/`), for programs objects on stdout (`json.rs`, `json_v6.rs`) beside the messages. In pipes the layout of the
//! results is read by other programs and stays as it is, byte for byte.

mod changes;
mod comparison;
mod csv_table;
mod event;
mod history_csv;
mod html;
mod json;
mod json_v6;
mod kept_records;
mod links;
mod markdown;
mod numbers;
mod patient;
mod progress;
mod remaining;
mod reports;
mod room;
mod run_numbers;
mod run_record;
mod status_line;
mod streams;
mod text;
mod verdict_word;
pub mod verification;
mod visible;

pub use comparison::{ComparisonWriter, SourcePlaces};
pub use event::{Event, ExplainedResult, OutcomeCounts, UnderTool};
pub use html::PageSources;
pub use links::FileLinks;
pub use reports::{Form, Reports};
pub use text::{explanation_markdown, explanation_text, Sparklines, Style, Styles};
pub(crate) use visible::{visible, without_colors};
