//! The command lines of `compare`, `report` and `merge`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use iai_callgrind::protocol::options::ToolOption;
use iai_callgrind::protocol::{Filter, PerfLimits};

use super::base_options::BaseOptions;
use super::per_tool::ToolLimits;
use super::perf::{perf_limits, typed_perf_limits};
use base::per_tool::PerTool;
use base::tool::Tool;
use metrics::typed_metrics::{of_any_tool, AnyMetrics};
use metrics::{MetricKind, TypedLimits};
use report::{Color, ComparisonFormat};

const RESULTS: &str = "\
Results are a file with records, `-` for stdin, a directory with `*.jsonl` files, or `@NAME` for the baseline NAME of \
this project. Without any, the last results of this project are read.

Exit codes: 0 all is well, 1 a failure or results that are not whole, 2 a wrong command line, 3 a regression, 4 \
incomplete (benchmarks of OLD are gone, without `--allow-missing`) or not comparable (only with `--require-comparable`)";

/// Arguments of `compare`.
#[derive(Debug, Default, Args)]
#[command(after_help = RESULTS)]
pub struct CompareArgs {
    /// Baseline results [default: what the last run was compared with]
    #[arg(value_name = "OLD")]
    pub old: Option<OsString>,
    /// Results to judge
    #[arg(value_name = "NEW")]
    pub new: Vec<OsString>,
    /// Everything that `report` has as well.
    #[command(flatten)]
    pub options: JudgingOptions,
}

/// Arguments of `report`.
#[derive(Debug, Default, Args)]
#[command(after_help = RESULTS)]
pub struct ReportArgs {
    /// Results to report
    #[arg(value_name = "RESULTS")]
    pub new: Vec<OsString>,
    /// Everything that `compare` has as well.
    #[command(flatten)]
    pub options: JudgingOptions,
}

/// Arguments of `merge`.
#[derive(Debug, Default, Args)]
#[command(after_help = RESULTS)]
pub struct MergeArgs {
    /// Write to this file; `-` is stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Results to merge
    #[arg(value_name = "RESULTS")]
    pub results: Vec<OsString>,
    /// Fail if conditions differ among the results, such as the C library
    #[arg(long)]
    pub strict: bool,
    /// Leave out the digests, from which `compare` finds causes
    #[arg(long)]
    pub without_digests: bool,
    /// The results that are read.
    #[command(flatten)]
    pub read: ReadOptions,
}

/// The results that are read.
#[derive(Debug, Default, Args)]
pub struct ReadOptions {
    /// Look only at benchmarks that match, as after `cargo bench --` [default: all]
    #[arg(long, value_name = "FILTER")]
    pub only: Vec<String>,
    /// Ignore missing parts and records, incomplete runs, and benchmarks that are gone
    #[arg(long)]
    pub allow_missing: bool,
    /// Read the results of this project here [default: `iai` in the target directory]
    #[arg(long, value_name = "DIRECTORY")]
    pub home: Option<PathBuf>,
}

/// How results are judged.
#[derive(Debug, Default, Args)]
pub struct JudgementOptions {
    /// The results that are read.
    #[command(flatten)]
    pub read: ReadOptions,
    /// `--callgrind-limits`, …
    #[command(flatten)]
    limits: ToolLimits,
    /// Set limits for perf, on events that match a pattern [default: as configured, else none]
    #[arg(long, value_name = "LIMITS", value_parser = perf_limits)]
    pub perf_limits: Option<PerfLimits>,
    /// Ignore increases below N counts, whatever the percentage [default: 0]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub floor: u64,
    /// Read accepted counts from this file [default: `iai-accepted.toml` of the workspace]
    #[arg(long, value_name = "FILE")]
    pub accepted: Option<PathBuf>,
}

/// How results are judged and reported.
#[derive(Debug, Default, Args)]
pub struct JudgingOptions {
    /// How results are judged.
    #[command(flatten)]
    pub judgement: JudgementOptions,
    /// List further metrics, which are not judged, as in `history` [default: none]
    #[arg(long, value_name = "METRICS", value_parser = of_any_tool)]
    metrics: Option<AnyMetrics>,
    /// Write this format to stdout
    #[arg(long, value_enum, default_value_t)]
    pub format: ComparisonFormat,
    /// Write a file in this format as well; can be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = export)]
    pub export: Vec<ComparisonExport>,
    /// Show the history in `html` from these results of earlier commits; can be repeated
    #[arg(long, value_name = "RESULTS")]
    pub history: Vec<PathBuf>,
    /// Fail on changes that are not judged, also outside own code, on no limits, and on several
    /// commits, builds or conditions on one side
    #[arg(long)]
    pub strict: bool,
    /// Exit with 4 if the results are not comparable because conditions differ
    #[arg(long)]
    pub require_comparable: bool,
    /// Use colors [default: auto]
    #[arg(long, value_name = "WHEN")]
    pub color: Option<Color>,
}

/// A file to write in a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonExport {
    /// The format.
    pub format: ComparisonFormat,
    /// The file.
    pub file: PathBuf,
}

impl JudgementOptions {
    /// Limits of tools with a table of metrics, instead of those of records.
    pub fn limits(&self) -> PerTool<Option<TypedLimits>> {
        self.limits.0.clone()
    }

    /// The options as they can be typed, for another command that is to judge alike.
    pub fn typed(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        for tool in Tool::ALL {
            if let Some(limits) = &self.limits.0[tool] {
                let option = ToolOption::Limits.of(tool);
                words.push(format!("{option}={}", limits.typed()).into());
            }
        }
        if let Some(limits) = &self.perf_limits {
            words.push(format!("--perf-limits={}", typed_perf_limits(limits)).into());
        }
        if self.floor > 0 {
            words.push(format!("--floor={}", self.floor).into());
        }
        let ReadOptions {
            only,
            allow_missing,
            home,
        } = &self.read;
        words.extend(only.iter().map(|filter| format!("--only={filter}").into()));
        if *allow_missing {
            words.push("--allow-missing".into());
        }
        for (option, path) in [("--home=", home), ("--accepted=", &self.accepted)] {
            if let Some(path) = path {
                let mut word = OsString::from(option);
                word.push(path);
                words.push(word);
            }
        }
        words
    }
}

impl JudgingOptions {
    /// Options for the page of the last results, which is written even if results are missing.
    pub fn of_page(home: Option<PathBuf>, history: Vec<PathBuf>) -> Self {
        Self {
            judgement: JudgementOptions {
                read: ReadOptions {
                    allow_missing: true,
                    home,
                    ..ReadOptions::default()
                },
                ..JudgementOptions::default()
            },
            format: ComparisonFormat::Html,
            history,
            ..Self::default()
        }
    }

    /// Options for the verdict about a base: the limits are those of the records.
    pub fn of_base(base: &BaseOptions, color: Option<Color>, strict: bool) -> Self {
        Self {
            format: base.format,
            export: base.export.clone(),
            strict,
            require_comparable: base.require_comparable,
            color,
            ..Self::default()
        }
    }

    /// Is something written in this format?
    pub fn wants(&self, format: ComparisonFormat) -> bool {
        let mut exports = self.export.iter();
        self.format == format || exports.any(|export| export.format == format)
    }

    /// Further metrics to list.
    pub fn metrics(&self) -> Vec<MetricKind> {
        self.metrics.clone().unwrap_or_default().0
    }
}

impl ReadOptions {
    /// The benchmarks to look at. `Err`: the mistake in a filter.
    ///
    /// # Errors
    ///
    /// A pattern has a bracket that nothing closes.
    pub fn filter(&self) -> Result<Filter, String> {
        selecting(&self.only)
    }
}

/// The filter of an option or of words that select benchmarks. `Err`: the mistake in one.
///
/// # Errors
///
/// A pattern has a bracket that nothing closes.
pub fn selecting(words: &[String]) -> Result<Filter, String> {
    let filter = Filter {
        select: words.to_vec(),
        ..Filter::default()
    };
    match filter.mistake() {
        Some(mistake) => Err(mistake),
        None => Ok(filter),
    }
}

/// `json=report.json`
pub(super) fn export(text: &str) -> Result<ComparisonExport, String> {
    let (format, file) = text
        .split_once('=')
        .filter(|(_, file)| !file.is_empty())
        .ok_or("expected a format and a file, such as `markdown=report.md`")?;
    let format = ComparisonFormat::from_str(format, false).map_err(|_| {
        let all = ComparisonFormat::value_variants().iter();
        let names = all.filter_map(|it| Some(it.to_possible_value()?.get_name().to_owned()));
        format!(
            "unknown format `{format}`; there are {}",
            names.collect::<Vec<_>>().join(", ")
        )
    })?;
    Ok(ComparisonExport {
        format,
        file: file.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exports_have_a_format_and_a_file() {
        let found = export("json=a=b.json").unwrap();
        assert_eq!(
            (found.format, found.file),
            (ComparisonFormat::Json, "a=b.json".into())
        );
        for wrong in ["", "json", "json=", "yaml=x", "=x"] {
            assert!(export(wrong).is_err(), "{wrong}");
        }
    }
}
