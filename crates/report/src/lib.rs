//! Reports: what was found, as text, Markdown, tables, pages and the formats of services.
//!
//! In: comparisons, histories, explanations and records. Out: text for a terminal or a pipe, and
//! files. Nothing here knows how benchmarks ran: the report of a run is the runner's.

#![cfg(unix)]

pub mod comparison;
pub mod csv_table;
pub mod history_csv;
pub mod html;
pub mod kept_digests;
pub mod links;
pub mod markdown;
pub mod numbers;
pub mod room;
pub mod text;
pub mod verdict_word;
pub mod visible;

pub use comparison::{ComparisonFormat, ComparisonWriter, SourcePlaces};
pub use html::PageSources;
pub use links::FileLinks;
pub use text::explained::ExplainedResult;
pub use text::{explanation_markdown, explanation_text, Color, Sparklines, Style, Styles};
pub use visible::{visible, without_colors};
