//! The options about output.

use clap::{Args, ValueEnum};
use iai_callgrind::protocol::options::variable;
pub use iai_callgrind::protocol::options::{ShownStreams, Stream};
use iai_callgrind::protocol::{FlamegraphKind, Truncate};
use iai_callgrind::shared::yes_no::yes_or_no;

use base::benchmark_path::DESCRIPTION_WIDTH;

use report::{Color, Styles};

use super::env::RunnerEnvironment;

/// Options about the output and its format.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputOptions {
    /// Show what the benchmarks print
    ///
    /// Show what the benchmarks print while they run: `yes`, `no`, or only `stdout` or `stderr`. Of
    /// several tools the first one shows it [default: no]
    #[arg(
        long,
        alias = "no-capture",
        value_name = "STREAMS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "yes"
    )]
    pub nocapture: Option<ShownStreams>,

    /// Show only errors and the final lines
    ///
    /// Show only warnings, errors, and the final lines with the regressions [default: no]
    #[arg(long, short)]
    pub quiet: bool,

    /// Leave out the final lines
    ///
    /// Leave out the final lines: regressions, and numbers of benchmarks by outcome [default: no]
    #[arg(long, alias = "no-summary")]
    pub nosummary: Option<bool>,

    /// Show each process, thread and part
    ///
    /// Show each process, thread and part of a benchmark, not only their total [default: as
    /// configured, else no]
    #[arg(long)]
    pub show_intermediate: Option<bool>,

    /// Show only comparisons of benchmarks
    ///
    /// Show only headlines, comparisons with benchmarks of the same id, and regressions [default:
    /// as configured, else no]
    #[arg(long)]
    pub show_only_comparison: Option<bool>,

    /// Show comparisons as table or pairs
    ///
    /// Show comparisons of groups with `compare_by_id` as a `table` for each id, or in `pairs`
    /// below each benchmark, for programs; `auto` is a table on a terminal and pairs elsewhere
    /// [default: auto]
    #[arg(long, value_name = "FORM", hide_possible_values = true)]
    pub show_comparison: Option<ShownComparisons>,

    /// Draw lines along benchmarks
    ///
    /// Draw lines along the left edge of the rows of a benchmark [default: as configured, else no]
    #[arg(long)]
    pub show_grid: Option<bool>,

    /// Say why counts changed
    ///
    /// Name the functions and lines that caused a change, below the benchmark: `yes`, `no`, or
    /// `auto`, which with `--quiet` explains only exceeded limits, on stderr. Without a value: yes
    /// [default: auto]
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "yes",
        hide_possible_values = true
    )]
    pub explain: Option<ShownExplanations>,

    /// Draw flamegraphs
    ///
    /// Draw flamegraphs beside the other results: `regular` ones of this run and the one before,
    /// `differential` ones of what changed, `all`, or `none`. Without a value: all. Other settings
    /// are those of the configuration [default: as configured, else none]
    #[arg(
        long,
        value_name = "KINDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        hide_possible_values = true
    )]
    pub flamegraph: Option<ChosenFlamegraphs>,

    /// Hide small differences
    ///
    /// Show differences of at most this percentage as `(Tolerance)`; limits ignore it. Without a
    /// number: just below 0.00001 [default: as configured, else show all]
    #[arg(
        long,
        value_name = "PERCENT",
        value_parser = percentage,
        num_args = 0..=1,
        // A difference that reads as 0.00001 is shown.
        default_missing_value = "0.000009999999999999999"
    )]
    pub tolerance: Option<f64>,

    /// Cut long headlines
    ///
    /// Cut arguments and commands in headlines in the middle if they are longer than N characters;
    /// `yes` is 50, `no` cuts nothing. Without a number: 50 [default: as configured, else 50]
    #[arg(
        long,
        value_name = "N",
        value_parser = truncate,
        num_args = 0..=1,
        default_missing_value = "yes"
    )]
    pub truncate_description: Option<Truncate>,

    /// Choose the form: default, human, or json
    ///
    /// Write this format to stdout: `default` is text, `human` the text of a terminal anywhere,
    /// `json` an object on a line for each benchmark and one for the run, `pretty-json` the same
    /// indented; `json-v6` and `pretty-json-v6` are the format of iai-callgrind 0.16. With JSON
    /// everything else goes to stderr [default: default]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub output_format: Option<OutputFormat>,

    /// Indent the results in files
    ///
    /// Write the `summary.json` of each benchmark on one line (`json`) or indented (`pretty-json`).
    /// Without a value: json [default: json]
    #[arg(
        long,
        value_name = "FORMAT",
        num_args = 0..=1,
        default_missing_value = "json",
        hide_possible_values = true
    )]
    pub save_summary: Option<JsonFormat>,

    /// Tell these results from others
    ///
    /// Mark the results with this text of letters, digits and `_-.+`, to tell those with other
    /// features apart, for example. Each label needs a `--home` of its own [default: none]
    #[arg(long, value_name = "TEXT", value_parser = label)]
    pub label: Option<String>,

    /// Use colors: auto, always or never
    ///
    /// Use colors: `always`, `never`, or `auto`, on a terminal unless NO_COLOR is set [default:
    /// CARGO_TERM_COLOR, else auto]
    #[arg(long, value_name = "WHEN", hide_possible_values = true)]
    pub color: Option<Color>,
}

impl OutputOptions {
    /// The look of text.
    pub fn styles(&self, environment: &RunnerEnvironment) -> Styles {
        let styles = Styles::detect(self.color, environment);
        match self.output_format {
            Some(OutputFormat::Human) => styles.for_people(),
            _ => styles,
        }
    }
}

/// Labels are parts of records, reports and names of artifacts.
fn label(text: &str) -> Result<String, String> {
    let is_known = |c: char| c.is_ascii_alphanumeric() || "_-.+".contains(c);
    match text.chars().find(|c| !is_known(*c)) {
        _ if text.is_empty() => Err("a label has at least one character".to_owned()),
        Some(c) => Err(format!(
            "labels may contain only ASCII letters, digits, `_`, `-`, `.` and `+`; found `{}`",
            c.escape_debug()
        )),
        None => Ok(text.to_owned()),
    }
}

/// Form of the results on stdout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Text for people, whose rows programs can read where stdout is no terminal.
    #[default]
    Default,
    /// The text of a terminal.
    Human,
    /// JSON, an object on each line.
    Json,
    /// JSON, indented.
    PrettyJson,
    /// JSON of the public format, version 6, an object on each line.
    JsonV6,
    /// JSON of the public format, version 6, indented.
    PrettyJsonV6,
}

impl OutputFormat {
    /// Layout of JSON on stdout; `None`: stdout has text.
    pub fn json(self) -> Option<JsonFormat> {
        match self {
            Self::Default | Self::Human => None,
            Self::Json | Self::JsonV6 => Some(JsonFormat::Json),
            Self::PrettyJson | Self::PrettyJsonV6 => Some(JsonFormat::PrettyJson),
        }
    }

    /// Is stdout for programs that read version 6 of the public format?
    pub fn is_v6(self) -> bool {
        matches!(self, Self::JsonV6 | Self::PrettyJsonV6)
    }
}

/// Layout of JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum JsonFormat {
    /// On one line.
    #[default]
    Json,
    /// Indented.
    PrettyJson,
}

impl JsonFormat {
    /// Is JSON indented?
    pub fn is_pretty(self) -> bool {
        self == Self::PrettyJson
    }
}

/// Explanations that are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ShownExplanations {
    /// All; of results that are not shown those of benchmarks over their limits, on stderr.
    #[default]
    Auto,
    /// All.
    Yes,
    /// None.
    No,
}

/// Form of comparisons of benchmarks by their id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ShownComparisons {
    /// Tables on a terminal, else pairs.
    #[default]
    Auto,
    /// Each benchmark with each earlier one of the same id.
    Pairs,
    /// A table for each id at the end of the group.
    Table,
}

/// Flamegraphs that are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ChosenFlamegraphs {
    /// Regular and differential ones.
    #[value(alias = "yes")]
    All,
    /// Flamegraphs of this run and of the old one.
    Regular,
    /// Flamegraphs of the difference.
    Differential,
    /// None.
    #[value(alias = "no")]
    None,
}

impl From<ChosenFlamegraphs> for FlamegraphKind {
    fn from(chosen: ChosenFlamegraphs) -> Self {
        match chosen {
            ChosenFlamegraphs::All => Self::All,
            ChosenFlamegraphs::Regular => Self::Regular,
            ChosenFlamegraphs::Differential => Self::Differential,
            ChosenFlamegraphs::None => Self::None,
        }
    }
}

/// Color from the environment variable, for command lines without the option. `Err`: the mistake in
/// its value.
pub fn color_of(environment: &RunnerEnvironment) -> Result<Option<Color>, String> {
    let Some(value) = environment.get(variable("--color")) else {
        return Ok(None);
    };
    let value = value.to_string_lossy();
    let color = Color::from_str(&value, false);
    let wrong = |_| format!("`{value}` is none of `auto`, `always` and `never`");
    color.map(Some).map_err(wrong)
}

/// A percentage without its sign. No difference is within NaN.
fn percentage(text: &str) -> Result<f64, String> {
    let number: Result<f64, _> = text.parse();
    let number = number.map_err(|_| "expected a percentage, such as `0.5`".to_owned())?;
    Ok(number.abs())
}

/// `1` and `0` are numbers here.
fn truncate(text: &str) -> Result<Truncate, String> {
    if let Ok(limit) = text.parse() {
        return Ok(Truncate::At(limit));
    }
    match yes_or_no(text) {
        Ok(true) => Ok(Truncate::At(DESCRIPTION_WIDTH)),
        Ok(false) => Ok(Truncate::Never),
        Err(_) if text.eq_ignore_ascii_case("none") => Ok(Truncate::Never),
        Err(_) => Err("expected a number of characters, `yes` for 50 of them, or `no`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_cut_at_a_number_or_not_at_all() {
        for (text, expected) in [
            ("0", Truncate::At(0)),
            ("1", Truncate::At(1)),
            ("120", Truncate::At(120)),
            ("yes", Truncate::At(50)),
            ("True", Truncate::At(50)),
            ("on", Truncate::At(50)),
            ("no", Truncate::Never),
            ("none", Truncate::Never),
            ("F", Truncate::Never),
        ] {
            assert_eq!(truncate(text), Ok(expected), "{text}");
        }
        for bad in ["", "-1", "1.5", "maybe"] {
            truncate(bad).unwrap_err();
        }
    }

    #[test]
    fn a_tolerance_has_no_sign() {
        assert_eq!(percentage("0.5"), Ok(0.5));
        assert_eq!(percentage("-0.5"), Ok(0.5));
        assert_eq!(percentage("inf"), Ok(f64::INFINITY));
        assert!(percentage("NaN").unwrap().is_nan());
        percentage("5%").unwrap_err();
    }
}
