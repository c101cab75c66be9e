//! Reports: comparisons, histories and explanations as text, Markdown, tables, pages and the
//! formats of services.
//!
//! **In**: the values of the crates below: [`ComparisonReport`](verdict::sides::ComparisonReport),
//! `History`, `Explanation`, digests. **Out**: text for a terminal or a pipe, and files. The report
//! of a run is the runner's: nothing here knows how benchmarks ran.
//!
//! Values contain texts of others: names, arguments, labels. Each writer escapes them for its
//! format; [`visible()`] does so for terminals, with all that goes to stdout and stderr.
//!
//! ```
//! use iai_callgrind_report::{visible, ComparisonFormat, ComparisonWriter};
//! use records::sample;
//! use verdict::sides::{compare_sides, ComparisonOptions, NothingAgreed, ResultSide, SideOptions};
//!
//! // Records of two benchmarks; the first one executes as many instructions as this says.
//! let side = |instructions: u64| {
//!     let text = sample::run(|records| {
//!         records[0]["profiles"][0]["metrics"][0]["new"] = instructions.into();
//!     });
//!     ResultSide::of(sample::set(&[&text]), &SideOptions::default())
//! };
//! let options = ComparisonOptions::default();
//! let report = compare_sides(Some(&side(100)), &side(120), &options, &NothingAgreed);
//!
//! let mut text = Vec::new();
//! ComparisonWriter::default().write(&report, ComparisonFormat::Text, &mut text)?;
//! let text = String::from_utf8(text)?;
//! assert!(text.contains("+20"), "{text}");
//!
//! assert_eq!(visible("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg(unix)]

pub mod comparison;
pub mod csv_table;
pub mod history_csv;
pub mod html;
pub mod kept_digests;
pub mod links;
pub mod markdown;
pub mod numbers;
pub mod pictures;
pub mod room;
pub mod status;
pub mod text;
pub mod verdict_word;
pub mod visible;

pub use comparison::{ComparisonFormat, ComparisonWriter, SourcePlaces};
pub use html::PageSources;
pub use links::FileLinks;
pub use text::explained::ExplainedResult;
pub use text::{explanation_markdown, explanation_text, Color, Sparklines, Style, Styles};
pub use visible::{visible, without_colors};
