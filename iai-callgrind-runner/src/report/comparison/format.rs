//! The formats of reports on two sides. A new one is a file beside this one, a name and an arm here.

use std::io::{self, Write};

use clap::ValueEnum;

use super::{csv, json, text};
use crate::comparison::ComparisonReport;
use crate::report::Styles;

/// Format of a report on two sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ComparisonFormat {
    /// Text for people.
    #[default]
    Text,
    /// One object of `schemas/comparison.v1.schema.json`.
    Json,
    /// A table with all rows, as RFC 4180 has it.
    Csv,
}

impl ComparisonFormat {
    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> String {
        let value = self.to_possible_value();
        value
            .map(|value| value.get_name().to_owned())
            .unwrap_or_default()
    }
}

/// Writes reports, with what some formats need beside the report.
#[derive(Debug, Clone, Default)]
pub struct ComparisonWriter {
    /// Colors and columns of text.
    pub styles: Styles,
}

impl ComparisonWriter {
    /// Writes a report.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn write(
        &self,
        report: &ComparisonReport,
        format: ComparisonFormat,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            ComparisonFormat::Text => text::write(report, self.styles, out),
            ComparisonFormat::Json => json::write(report, out),
            ComparisonFormat::Csv => csv::write(report, out),
        }
    }
}
