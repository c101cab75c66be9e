//! The formats of reports on two sides. A new one is a file beside this one, a variant here, whose
//! name on the command line is made from its own, and an arm in `plain` and in `write`.

use std::io::{self, Write};

use super::markdown::write as write_markdown;
use super::{bmf, csv, github, github_action_benchmark, gitlab, json, junit, text, SourcePlaces};
use crate::html::{self, PageSources};
use crate::Styles;
use verdict::sides::ComparisonReport;

/// Format of a report on two sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(any(test, feature = "clap"), derive(clap::ValueEnum))]
pub enum ComparisonFormat {
    /// Text for people
    #[default]
    Text,
    /// A comment on a pull request, or a summary
    Markdown,
    /// One object of `schemas/comparison.v1.schema.json`
    Json,
    /// A table with all rows
    Csv,
    /// Text and commands of GitHub's workflows; the summary of the job is written as well
    Github,
    /// Code Quality of GitLab
    Gitlab,
    /// Test results
    Junit,
    /// Bencher Metric Format
    Bmf,
    /// A page for browsers, in one file
    Html,
    /// `customSmallerIsBetter` of github-action-benchmark
    GithubActionBenchmark,
}

/// Writes reports, with further input that some formats need.
#[derive(Debug, Clone, Default)]
pub struct ComparisonWriter {
    /// Colors and columns of text.
    pub styles: Styles,
    /// The place of the sources in their repository.
    pub places: SourcePlaces,
    /// Values of pages.
    pub page: PageSources,
    /// Options of the command line that decide on the judgement, for the command that accepts it.
    pub options: Vec<String>,
}

impl ComparisonWriter {
    /// Writes a report.
    ///
    /// # Errors
    ///
    /// The report cannot be written.
    pub fn write(
        &self,
        report: &ComparisonReport,
        format: ComparisonFormat,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if !self.styles.is_log_of_github {
            return self.plain(report, format, out);
        }
        // As a whole: a command is known by the begin of a line, which may be written in pieces.
        let mut bytes = Vec::new();
        self.plain(report, format, &mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let guarded = match format {
            ComparisonFormat::Text | ComparisonFormat::Markdown | ComparisonFormat::Csv => {
                github::without_commands(&text)
            }
            ComparisonFormat::Junit => github::referenced_commands(&text),
            // These have no command but their own.
            ComparisonFormat::Github | ComparisonFormat::Html => text.into_owned(),
            ComparisonFormat::Json
            | ComparisonFormat::Gitlab
            | ComparisonFormat::Bmf
            | ComparisonFormat::GithubActionBenchmark => github::json_without_commands(&text),
        };
        out.write_all(guarded.as_bytes())
    }

    /// The report as it is outside of a job of GitHub.
    fn plain(
        &self,
        report: &ComparisonReport,
        format: ComparisonFormat,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match format {
            ComparisonFormat::Text => text::write(report, &self.options, self.styles, out),
            ComparisonFormat::Markdown => write_markdown(report, &self.places, out),
            ComparisonFormat::Json => json::write(report, out),
            ComparisonFormat::Csv => csv::write(report, out),
            ComparisonFormat::Github => self.github(report, out),
            ComparisonFormat::Gitlab => gitlab::write(report, &self.places, out),
            ComparisonFormat::Junit => junit::write(report, out),
            ComparisonFormat::Bmf => bmf::write(report, out),
            ComparisonFormat::Html => html::write(report, &self.page, out),
            ComparisonFormat::GithubActionBenchmark => github_action_benchmark::write(report, out),
        }
    }

    /// The text, in which nothing is a command, and the commands.
    fn github(&self, report: &ComparisonReport, out: &mut dyn Write) -> io::Result<()> {
        let mut text = Vec::new();
        text::write(report, &self.options, self.styles, &mut text)?;
        let text = github::without_commands(&String::from_utf8_lossy(&text));
        out.write_all(text.as_bytes())?;
        github::commands(report, &self.places, out)
    }

    /// Notes on metrics that a format leaves out.
    #[must_use]
    pub fn left_out(report: &ComparisonReport, format: ComparisonFormat) -> Option<String> {
        match format {
            ComparisonFormat::GithubActionBenchmark => github_action_benchmark::left_out(report),
            _ => None,
        }
    }
}
