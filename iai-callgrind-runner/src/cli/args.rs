//! The two command lines: the runner's own, and the one that users write after `cargo bench --`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use iai_callgrind::protocol::{
    BbvMetric, CachegrindMetric, DhatMetric, ErrorMetric, EventKind, MassifMetric, Metric,
    Partition, Tool,
};

use super::baseline::BaselineOptions;
use super::metrics::{limits, Limits};
use crate::metrics::Kind;

/// The runner's own command line. Users see it only when they start the runner by hand.
#[derive(Debug, Parser)]
#[command(name = "iai-callgrind-runner", version, about)]
pub struct Program {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the runner can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the benchmarks of a benchmark executable
    Bench(Bench),
    /// Print completions of this program's command line for a shell
    Completions(Completions),
    /// Look for what keeps benchmarks from running, or from counting what they should
    Doctor(Doctor),
}

/// Arguments of `completions`.
#[derive(Debug, ClapArgs)]
pub struct Completions {
    /// The shell that reads them
    pub shell: Shell,
}

/// Arguments of `doctor`.
#[derive(Debug, Default, ClapArgs)]
pub struct Doctor {
    /// The project's manifest [default: the nearest `Cargo.toml`]
    #[arg(long, value_name = "FILE")]
    pub manifest_path: Option<PathBuf>,
    /// The Valgrind to look at [default: the one in PATH]
    #[arg(long, value_name = "FILE")]
    pub valgrind_bin: Option<PathBuf>,
}

/// Arguments of `bench`.
#[derive(Debug, ClapArgs)]
pub struct Bench {
    /// The benchmark executable, as `cargo bench --no-run` built it
    #[arg(long, value_name = "FILE")]
    pub exe: PathBuf,
    /// What a user would write after `cargo bench --`
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub arguments: Vec<OsString>,
}

/// What users write after `cargo bench --`, exactly as it was typed.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "cargo bench --",
    version,
    no_binary_name = true,
    args_override_self = true,
    about = "Run benchmarks under Valgrind and compare them with the last run",
    after_help = "Exit codes: 0 success, 1 error, 2 wrong command line, 3 regression"
)]
pub struct Args {
    /// Run only benchmarks whose path `file::group::function::id` contains this text, or matches it
    /// if it contains `*`, `?` or `[`; several are alternatives
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,

    /// Filters are whole paths
    #[arg(long)]
    pub exact: bool,

    /// Leave out benchmarks that match this filter
    #[arg(long, value_name = "FILTER", action = clap::ArgAction::Append)]
    pub skip: Vec<String>,

    /// Run only one part of the benchmarks that the filters select: with `hash:M/N` those whose
    /// path has the hash M of N, with `count:M/N` each N-th, starting with the M-th
    #[arg(long, value_name = "PART")]
    pub partition: Option<Partition>,

    /// Which results are kept under a name, and compared with.
    #[command(flatten)]
    pub baselines: BaselineOptions,

    /// What is missing is an error, not a warning: a benchmark that the filter selects, a result to
    /// compare with in a baseline, a metric that has a limit [default: no]
    #[arg(
        long,
        value_name = "BOOL",
        value_parser = clap::builder::BoolishValueParser::new(),
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub strict: Option<bool>,

    /// Print the names of the benchmarks and run nothing
    #[arg(long)]
    pub list: bool,

    /// Keep results below this directory; relative to the workspace
    /// [default: `iai` in the target directory]
    #[arg(long, value_name = "DIRECTORY")]
    pub home: Option<PathBuf>,

    /// Show what the benchmarks print
    #[arg(
        long,
        alias = "no-capture",
        value_name = "BOOL",
        value_parser = clap::builder::BoolishValueParser::new(),
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub nocapture: Option<bool>,

    /// Measure in forks of one process, which is started once for all benchmarks, instead of in a
    /// process for each [default: yes]
    #[arg(
        long,
        value_name = "BOOL",
        value_parser = clap::builder::BoolishValueParser::new(),
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub fork: Option<bool>,

    /// Run up to this many benchmarks of a group at the same time; without a number, one for each
    /// processor. Counts do not depend on it [default: 1]
    #[arg(
        long,
        value_name = "N",
        value_parser = workers,
        num_args = 0..=1,
        default_missing_value = "auto"
    )]
    pub parallel: Option<usize>,

    /// Stop a benchmark that takes longer than this [default: never]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Arguments for every Valgrind tool, separated by blanks as in a shell
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    pub valgrind_args: Vec<String>,

    /// Show each process, thread and part of a benchmark, not only their total [default: no]
    #[arg(
        long,
        value_name = "BOOL",
        value_parser = clap::builder::BoolishValueParser::new(),
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub show_intermediate: Option<bool>,

    /// What concerns single tools.
    #[command(flatten)]
    pub tools: ToolOptions,

    /// The Valgrind to use [default: the one in PATH]
    #[arg(long, value_name = "FILE")]
    pub valgrind_bin: Option<PathBuf>,

    /// When to use colours [default: auto, on a terminal]
    #[arg(long, value_name = "WHEN")]
    pub color: Option<Color>,

    #[command(flatten)]
    libtest: Libtest,
}

/// Which tools run, and with which arguments.
#[derive(Debug, Clone, ClapArgs)]
pub struct ToolOptions {
    /// Show the metrics of this tool first: callgrind, cachegrind, dhat, massif, exp-bbv, memcheck,
    /// helgrind or drd [default: as configured, else callgrind]
    #[arg(long, value_name = "TOOL")]
    pub default_tool: Option<Tool>,

    /// Run these tools as well, instead of those that are configured; several are separated by
    /// commas
    #[arg(long, value_name = "TOOLS", value_delimiter = ',', action = clap::ArgAction::Set)]
    pub tools: Vec<Tool>,

    /// Arguments for Callgrind, separated by blanks as in a shell
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    callgrind_args: Vec<String>,

    /// Arguments for Cachegrind
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    cachegrind_args: Vec<String>,

    /// Arguments for DHAT
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    dhat_args: Vec<String>,

    /// Arguments for Massif
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    massif_args: Vec<String>,

    /// Arguments for exp-bbv
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    bbv_args: Vec<String>,

    /// Arguments for Memcheck
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    memcheck_args: Vec<String>,

    /// Arguments for Helgrind
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    helgrind_args: Vec<String>,

    /// Arguments for DRD
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    drd_args: Vec<String>,

    /// Show these metrics of Callgrind, in this order: names and `@groups`, separated by commas
    #[arg(long, value_name = "METRICS", value_parser = metrics::<EventKind>)]
    callgrind_metrics: Option<Metrics>,

    /// Show these metrics of Cachegrind
    #[arg(long, value_name = "METRICS", value_parser = metrics::<CachegrindMetric>)]
    cachegrind_metrics: Option<Metrics>,

    /// Show these metrics of DHAT
    #[arg(long, value_name = "METRICS", value_parser = metrics::<DhatMetric>)]
    dhat_metrics: Option<Metrics>,

    /// Show these metrics of Massif
    #[arg(long, value_name = "METRICS", value_parser = metrics::<MassifMetric>)]
    massif_metrics: Option<Metrics>,

    /// Show these metrics of exp-bbv
    #[arg(long, value_name = "METRICS", value_parser = metrics::<BbvMetric>)]
    bbv_metrics: Option<Metrics>,

    /// Show these metrics of Memcheck
    #[arg(long, value_name = "METRICS", value_parser = metrics::<ErrorMetric>)]
    memcheck_metrics: Option<Metrics>,

    /// Show these metrics of Helgrind
    #[arg(long, value_name = "METRICS", value_parser = metrics::<ErrorMetric>)]
    helgrind_metrics: Option<Metrics>,

    /// Show these metrics of DRD
    #[arg(long, value_name = "METRICS", value_parser = metrics::<ErrorMetric>)]
    drd_metrics: Option<Metrics>,

    /// Limits of Callgrind instead of the configured ones: `ir=5%` is the largest change, `ir=10000` the
    /// largest value, `ir=5%|10000,@hits=10%` several
    #[arg(long, value_name = "LIMITS", value_parser = limits::<EventKind>)]
    callgrind_limits: Option<Limits>,

    /// Limits of Cachegrind instead of the configured ones
    #[arg(long, value_name = "LIMITS", value_parser = limits::<CachegrindMetric>)]
    cachegrind_limits: Option<Limits>,

    /// Limits of DHAT instead of the configured ones
    #[arg(long, value_name = "LIMITS", value_parser = limits::<DhatMetric>)]
    dhat_limits: Option<Limits>,

    /// Limits of Massif instead of the configured ones
    #[arg(long, value_name = "LIMITS", value_parser = limits::<MassifMetric>)]
    massif_limits: Option<Limits>,

    /// Limits of exp-bbv instead of the configured ones
    #[arg(long, value_name = "LIMITS", value_parser = limits::<BbvMetric>)]
    bbv_limits: Option<Limits>,

    /// Stop the run at the first exceeded limit [default: as configured, else no]
    #[arg(
        long,
        value_name = "BOOL",
        value_parser = clap::builder::BoolishValueParser::new(),
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub regression_fail_fast: Option<bool>,
}

/// The metrics to show. Not a list for clap, which would take several values.
#[derive(Debug, Clone)]
struct Metrics(Vec<Kind>);

fn metrics<M: Metric + Into<Kind>>(text: &str) -> Result<Metrics, String> {
    super::metrics::metrics::<M>(text).map(Metrics)
}

impl ToolOptions {
    /// The arguments for a tool, as they were typed.
    pub fn args(&self, tool: Tool) -> &[String] {
        match tool {
            Tool::Callgrind => &self.callgrind_args,
            Tool::Cachegrind => &self.cachegrind_args,
            Tool::Dhat => &self.dhat_args,
            Tool::Massif => &self.massif_args,
            Tool::Bbv => &self.bbv_args,
            Tool::Memcheck => &self.memcheck_args,
            Tool::Helgrind => &self.helgrind_args,
            Tool::Drd => &self.drd_args,
        }
    }

    /// The metrics of a tool to show, if that was said.
    pub fn metrics(&self, tool: Tool) -> Option<&[Kind]> {
        let metrics = match tool {
            Tool::Callgrind => &self.callgrind_metrics,
            Tool::Cachegrind => &self.cachegrind_metrics,
            Tool::Dhat => &self.dhat_metrics,
            Tool::Massif => &self.massif_metrics,
            Tool::Bbv => &self.bbv_metrics,
            Tool::Memcheck => &self.memcheck_metrics,
            Tool::Helgrind => &self.helgrind_metrics,
            Tool::Drd => &self.drd_metrics,
        };
        metrics.as_ref().map(|Metrics(kinds)| kinds.as_slice())
    }

    /// The limits of a tool, if some were given. Error tools have none.
    pub fn limits(&self, tool: Tool) -> Option<&Limits> {
        match tool {
            Tool::Callgrind => self.callgrind_limits.as_ref(),
            Tool::Cachegrind => self.cachegrind_limits.as_ref(),
            Tool::Dhat => self.dhat_limits.as_ref(),
            Tool::Massif => self.massif_limits.as_ref(),
            Tool::Bbv => self.bbv_limits.as_ref(),
            Tool::Memcheck | Tool::Helgrind | Tool::Drd => None,
        }
    }
}

/// A positive number of workers, or `auto`.
fn workers(text: &str) -> Result<usize, String> {
    if text.eq_ignore_ascii_case("auto") {
        return Ok(std::thread::available_parallelism().map_or(1, Into::into));
    }
    text.parse()
        .ok()
        .filter(|workers| *workers > 0)
        .ok_or_else(|| "expected a number above 0, or `auto` for one for each processor".to_owned())
}

/// A positive number of seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let duration = text
        .parse()
        .ok()
        .and_then(|s| Duration::try_from_secs_f64(s).ok());
    duration
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "expected a number of seconds above 0, such as `30` or `0.5`".to_owned())
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Options of libtest that cargo and test runners pass and that change nothing here.
#[derive(Debug, Clone, ClapArgs)]
struct Libtest {
    #[arg(long, hide = true)]
    bench: bool,
    #[arg(long, hide = true)]
    test: bool,
    #[arg(long, hide = true)]
    ignored: bool,
    #[arg(long, hide = true)]
    include_ignored: bool,
    #[arg(long, hide = true)]
    show_output: bool,
    #[arg(long, short, hide = true)]
    quiet: bool,
    #[arg(long, hide = true)]
    format: Option<String>,
    #[arg(long, hide = true)]
    logfile: Option<String>,
    #[arg(long, hide = true)]
    shuffle: bool,
    #[arg(long, hide = true)]
    shuffle_seed: Option<String>,
    #[arg(long, hide = true)]
    test_threads: Option<String>,
    #[arg(short = 'Z', hide = true)]
    unstable: Option<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use iai_callgrind::protocol::options::{WITH_OPTIONAL_VALUE, WITH_VALUE};

    use super::*;

    fn parse(line: &str) -> Args {
        Args::try_parse_from(line.split_whitespace()).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
        Program::command().debug_assert();
    }

    /// The options whose number of values is `least` to 1, with a value that may be the next word.
    fn options_with_values(least: usize) -> Vec<String> {
        let mut options: Vec<String> = Args::command()
            .get_arguments()
            .filter(|arg| arg.get_action().takes_values() && !arg.is_require_equals_set())
            .filter(|arg| arg.get_num_args().map_or(1, |range| range.min_values()) == least)
            .filter_map(|arg| {
                let long = arg.get_long().map(|long| format!("--{long}"));
                long.or_else(|| arg.get_short().map(|short| format!("-{short}")))
            })
            .collect();
        options.sort_unstable();
        options
    }

    #[test]
    fn the_harness_knows_which_options_take_the_next_word() {
        for (known, least) in [(WITH_VALUE, 1), (WITH_OPTIONAL_VALUE, 0)] {
            let mut known = known.to_vec();
            known.sort_unstable();
            assert_eq!(options_with_values(least), known);
        }
    }

    #[test]
    fn a_value_that_may_be_left_out_is_the_next_word_unless_that_is_an_option() {
        assert_eq!(parse("--parallel 2 sort").parallel, Some(2));
        assert!(parse("--parallel --exact").parallel.is_some());
    }

    #[test]
    fn what_cargo_and_libtest_pass_is_accepted() {
        parse("--bench");
        parse("-q --color never --format terse --test-threads 1 -Z unstable-options --bench");
    }

    #[test]
    fn yes_no_options_take_a_value_only_behind_an_equals_sign() {
        let args = parse("--nocapture sort");
        assert_eq!(args.nocapture, Some(true));
        assert_eq!(args.filters, ["sort"]);
        assert_eq!(parse("--nocapture=no").nocapture, Some(false));
    }

    #[test]
    fn arguments_of_tools_may_begin_with_a_dash() {
        let args = parse("--callgrind-args --branch-sim=yes --callgrind-args=--cacheuse=yes");
        assert_eq!(
            args.tools.args(Tool::Callgrind),
            ["--branch-sim=yes", "--cacheuse=yes"]
        );
        let args = parse("--bbv-args --interval-size=10");
        assert_eq!(args.tools.args(Tool::Bbv), ["--interval-size=10"]);
    }

    #[test]
    fn tools_are_named_as_valgrind_names_them_in_any_case() {
        let args = parse("--tools=DHAT,exp-bbv --default-tool cachegrind");
        assert_eq!(args.tools.tools, [Tool::Dhat, Tool::Bbv]);
        assert_eq!(args.tools.default_tool, Some(Tool::Cachegrind));
        let error = Args::try_parse_from(["--tools=foo"])
            .unwrap_err()
            .to_string();
        assert!(error.contains("unknown tool `foo`"), "{error}");
    }

    #[test]
    fn the_last_of_equal_options_wins() {
        assert_eq!(parse("--home a --home b").home, Some("b".into()));
    }
}
