//! The two command lines: the runner's own, and the one that users write after `cargo bench --`.
//!
//! The options of users stand in one file for each heading of the help: `selection.rs` (Selection),
//! `baseline.rs` (Baselines), `running.rs` (Running), `tool_options.rs` (Tools),
//! `metric_options.rs` (Metrics and limits), `time_options.rs` (Wall time), `output.rs` (Output),
//! `file_options.rs` (Files and programs). Those that every tool has are made in `per_tool.rs`. A
//! yes/no option is an `Option<bool>` with `#[arg(long)]` and nothing else; [`finished`] gives it
//! its grammar.
//!
//! The comment of an option has two paragraphs: one line for `-h`, and for `--help` the effect, the
//! unit and at the end `[default: …]`. The name of its variable is added.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::ValueParser;
use clap::error::Result as ClapResult;
use clap::{Arg, ArgAction, Args as ClapArgs, Parser, Subcommand};
use clap_complete::Shell;
use iai_callgrind::shared::yes_no::yes_or_no;

use super::accept::AcceptArgs;
use super::base_options::{self, BaseOptions};
use super::baseline::BaselineOptions;
use super::env::variable_of;
use super::explain::ExplainArgs;
use super::file_options::FileOptions;
use super::history::HistoryArgs;
use super::libtest::LibtestOptions;
use super::metric_options::MetricOptions;
use super::misplaced;
use super::open::OpenArgs;
use super::output::OutputOptions;
use super::results::{CompareArgs, MergeArgs, ReportArgs};
use super::running::RunningOptions;
use super::selection::SelectionOptions;
use super::time_options::TimeOptions;
use super::tool_options::ToolOptions;

/// The runner's own command line. Users see it only when they start the runner by hand.
#[derive(Debug, Parser)]
#[command(
    name = "iai-callgrind-runner",
    version,
    about = "Count, compare and explain benchmarks that `cargo bench` runs under Valgrind",
    after_help = "The book: https://iai-callgrind.github.io/iai-callgrind/"
)]
pub struct CommandLine {
    /// The command to run.
    #[command(subcommand)]
    pub command: RunnerCommand,
}

impl CommandLine {
    /// Reads the words of a command line, of which the first one is the program.
    ///
    /// # Errors
    ///
    /// The text of a mistake, or of the help.
    pub fn of(words: impl IntoIterator<Item = OsString>) -> ClapResult<Self> {
        let mut words: Vec<OsString> = words.into_iter().collect();
        // Clap takes the dashes for one of the words of cargo, in which words with dashes are
        // allowed.
        let is_bench = words.get(1).is_some_and(|word| word == "bench");
        let dashes = words.iter().position(|word| word == "--");
        let arguments = dashes.filter(|_| is_bench).map(|dashes| {
            let arguments = words.split_off(dashes + 1);
            words.pop();
            arguments
        });
        if is_bench {
            let typed = words.split_off(2);
            misplaced::check(&typed, arguments.as_deref().unwrap_or_default())?;
            words.extend(base_options::first(typed));
        }
        let mut line = Self::try_parse_from(words)?;
        if let (RunnerCommand::Bench(bench), Some(arguments)) = (&mut line.command, arguments) {
            bench.arguments = arguments;
        }
        Ok(line)
    }
}

/// Commands of the runner.
#[derive(Debug, Subcommand)]
pub enum RunnerCommand {
    /// Accept regressions, or all counts: write them to `iai-accepted.toml`
    Accept(AcceptArgs),
    /// Run all benchmarks of a workspace, or of one executable, with one verdict
    Bench(BenchArgs),
    /// Compare results of two sides over all bench targets, packages and machines, with one verdict
    Compare(CompareArgs),
    /// Print a script that completes options, values and names of benchmarks in a shell
    Completions(CompletionsArgs),
    /// Find what keeps benchmarks from running or from counting correctly
    Doctor(DoctorArgs),
    /// Explain why the last results differ from those before: functions, lines and calls
    Explain(ExplainArgs),
    /// Show at which commits counts changed
    History(HistoryArgs),
    /// Check results, such as those of all parts of a suite, and merge them into one file
    Merge(MergeArgs),
    /// Write the last results and their changes as a page, and open it in a browser
    Open(OpenArgs),
    /// Report results without an old side, such as those of the first run
    Report(ReportArgs),
    /// Count benchmarks under Callgrind and in single steps of the processor, and compare
    Verify(VerifyArgs),
}

/// Arguments of `completions`.
#[derive(Debug, ClapArgs)]
pub struct CompletionsArgs {
    /// Shell that reads them
    pub shell: Shell,
    /// Propose what the last one of these words may become: what the shells ask
    #[arg(last = true, hide = true)]
    pub words: Vec<OsString>,
}

/// Arguments of `doctor`.
#[derive(Debug, Default, ClapArgs)]
pub struct DoctorArgs {
    /// Look at the project of this manifest [default: the nearest `Cargo.toml`]
    #[arg(long, value_name = "FILE")]
    pub manifest_path: Option<PathBuf>,
    /// Look at the debug information of this benchmark executable [default: the one that `cargo
    /// bench` built last]
    #[arg(long, value_name = "FILE")]
    pub exe: Option<PathBuf>,
    /// Look at this Valgrind [default: the one in PATH]
    #[arg(long, value_name = "FILE")]
    pub valgrind_bin: Option<PathBuf>,
}

/// Arguments of `bench`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Without --exe cargo builds all benchmarks first, then all of them run, even if one fails. The exit \
code is that of all together.

  iai-callgrind-runner bench --workspace
  iai-callgrind-runner bench --base
  iai-callgrind-runner bench --base=v1.4 -p my-crate -- sort
  iai-callgrind-runner bench --bisect v1.4 -- sort --callgrind-limits=ir=5%
  iai-callgrind-runner bench -p my-crate --features fast -- --save-baseline=main")]
pub struct BenchArgs {
    /// Run this benchmark executable, as `cargo bench --no-run` built it, instead of all that cargo
    /// selects
    #[arg(long, value_name = "FILE")]
    pub exe: Option<PathBuf>,
    /// Options of `cargo bench`: packages, bench targets, features, profile
    #[arg(
        value_name = "CARGO OPTIONS",
        allow_hyphen_values = true,
        conflicts_with = "exe"
    )]
    pub cargo: Vec<OsString>,
    /// Another revision to compare with.
    #[command(flatten)]
    pub base: BaseOptions,
    /// Filters and options, as after `cargo bench --`
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,
}

/// Arguments of `verify`.
#[derive(Debug, ClapArgs)]
pub struct VerifyArgs {
    /// Run this benchmark executable, as `cargo bench --no-run` built it
    #[arg(long, value_name = "FILE")]
    pub exe: PathBuf,
    /// Leave out benchmarks with more instructions [default: 10000000]
    #[arg(long, value_name = "NUMBER")]
    pub max_instructions: Option<u64>,
    /// Filters and options, as after `cargo bench --`
    #[arg(
        value_name = "FILTER",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub arguments: Vec<OsString>,
}

impl VerifyArgs {
    /// The arguments of `bench` that do the same: `verify` is `bench` with `--verify`.
    pub fn as_bench(self) -> BenchArgs {
        let most = self
            .max_instructions
            .map_or(String::new(), |most| format!("={most}"));
        let verify = OsString::from(format!("--verify{most}"));
        BenchArgs {
            exe: Some(self.exe),
            cargo: Vec::new(),
            base: BaseOptions::default(),
            arguments: [vec![verify], self.arguments].concat(),
        }
    }
}

const AFTER_LONG_HELP: &str = "\
BOOL is `yes` or `no`; without a value it is `yes`. The command line overrides variables, and these \
override the configuration of a benchmark. An empty variable counts as not set. The variable \
IAI_CALLGRIND_LOG sets what to log on stderr: `off`, `error`, `warn` (the default), `info`, `debug` \
with the command lines of all processes, or `trace`.

Exit codes:
  0  all is well
  1  an error: a benchmark failed, a file cannot be written, …
  2  a mistake on the command line or in a variable
  3  a regression: a limit is exceeded
  4  incomplete (with `--strict`): the old results have benchmarks that are gone

All options, and error messages: https://iai-callgrind.github.io/iai-callgrind/options.html";

/// Arguments that users write after `cargo bench --`, exactly as typed.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "cargo bench --",
    display_name = "iai-callgrind-runner",
    version,
    no_binary_name = true,
    args_override_self = true,
    about = "Run benchmarks under Valgrind and compare them with the last run",
    after_help = "Exit codes: 0 success, 1 error, 2 wrong command line, 3 regression, 4 incomplete",
    after_long_help = AFTER_LONG_HELP,
    mut_args = finished
)]
pub struct Args {
    /// Which benchmarks run.
    #[command(flatten)]
    pub selection: SelectionOptions,
    /// Which results are kept under a name, and compared with.
    #[command(flatten)]
    pub baselines: BaselineOptions,
    /// How they run.
    #[command(flatten)]
    pub running: RunningOptions,
    /// Under which tools, with which arguments.
    #[command(flatten)]
    pub tools: ToolOptions,
    /// Which metrics are shown, and which values are regressions.
    #[command(flatten)]
    pub metrics: MetricOptions,
    /// Wall time beside the counts.
    #[command(flatten)]
    pub time: TimeOptions,
    /// Options about the output.
    #[command(flatten)]
    pub output: OutputOptions,
    /// Where results and programs are.
    #[command(flatten)]
    pub files: FileOptions,
    /// Options of other test harnesses.
    #[command(flatten)]
    pub libtest: LibtestOptions,
}

/// Is it an option whose value is yes or no?
pub(super) fn is_yes_no(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set)
        && arg.get_value_parser().type_id() == ValueParser::bool().type_id()
}

/// An option with the grammar of a yes/no option if it is one, and with its variable in the help.
fn finished(arg: Arg) -> Arg {
    let arg = match is_yes_no(&arg) {
        // A value only behind `=`, so that `--strict name` filters.
        true => arg
            .value_name("BOOL")
            .value_parser(yes_or_no)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("yes"),
        false => arg,
    };
    let Some(help) = arg.get_long_help().map(ToString::to_string) else {
        return arg;
    };
    // The first paragraph is for the short help, the second one says all.
    let all = help.rsplit("\n\n").next().unwrap_or_default();
    let all = all.replacen(" [default: ", "\n[default: ", 1);
    let variable = arg.get_long().and_then(variable_of);
    let variable = variable.map(|name| format!(" [variable: {name}]"));
    arg.long_help(all + &variable.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use iai_callgrind::protocol::options::{self, Takes};
    use iai_callgrind::protocol::Tool;

    use super::super::output::ShownStreams;
    use super::*;

    fn parse(line: &str) -> Args {
        Args::try_parse_from(line.split_whitespace()).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
        CommandLine::command().debug_assert();
    }

    /// The names of options with these numbers of values, as they stand on the command line.
    fn parsed(has: impl Fn(&Arg) -> bool) -> Vec<String> {
        let mut command = Args::command();
        command.build();
        let mut options: Vec<String> = command
            .get_arguments()
            .filter(|arg| !arg.is_positional() && has(arg))
            .flat_map(|arg| {
                let long = arg.get_long_and_visible_aliases().unwrap_or_default();
                let hidden = arg.get_all_aliases().unwrap_or_default();
                let short = arg.get_short().map(|short| format!("-{short}"));
                let long = long
                    .into_iter()
                    .chain(hidden)
                    .map(|long| format!("--{long}"));
                long.chain(short).collect::<Vec<_>>()
            })
            .collect();
        options.sort_unstable();
        options.dedup();
        options
    }

    #[test]
    fn words_of_cargo_stand_before_the_dashes() {
        let parse = |line: &str| {
            let words = ["iai-callgrind-runner", "bench"].into_iter();
            let words = words.chain(line.split_whitespace()).map(OsString::from);
            match CommandLine::of(words).map(|line| line.command) {
                Ok(RunnerCommand::Bench(bench)) => Ok((bench.exe, bench.cargo, bench.arguments)),
                Ok(other) => panic!("{other:?}"),
                Err(error) => Err(error.to_string()),
            }
        };
        let words =
            |line: &str| -> Vec<OsString> { line.split_whitespace().map(OsString::from).collect() };
        assert_eq!(parse(""), Ok((None, Vec::new(), Vec::new())));
        assert_eq!(
            parse("--workspace -p a --bench=b -F x -- --exact name"),
            Ok((
                None,
                words("--workspace -p a --bench=b -F x"),
                words("--exact name")
            ))
        );
        assert_eq!(
            parse("-p a -- name"),
            Ok((None, words("-p a"), words("name")))
        );
        assert_eq!(
            parse("-- name -- --bench"),
            Ok((None, Vec::new(), words("name -- --bench")))
        );
        assert_eq!(
            parse("--exe file -- --bench"),
            Ok((Some("file".into()), Vec::new(), words("--bench")))
        );
        let error = parse("--exe file --workspace").unwrap_err();
        assert!(error.contains("cannot be used with"), "{error}");
        let error = parse("-p a --save-baseline main -F x -- sort").unwrap_err();
        let expected =
            "error: `--save-baseline` is an option of the benchmarks, and stands after ` -- `\n  \
             hint: `iai-callgrind-runner bench -p a -F x -- --save-baseline main sort`\n\nUsage: ";
        assert!(error.starts_with(expected), "{error}");
    }

    #[test]
    fn the_harness_knows_all_options_and_which_take_the_next_word() {
        let takes_next =
            |arg: &Arg| arg.get_action().takes_values() && !arg.is_require_equals_set();
        let least = |arg: &Arg| arg.get_num_args().map_or(1, |range| range.min_values());
        for (takes, found) in [
            (Takes::Nothing, parsed(|arg| !takes_next(arg))),
            (
                Takes::Word,
                parsed(|arg| takes_next(arg) && least(arg) == 1),
            ),
            (
                Takes::MaybeWord,
                parsed(|arg| takes_next(arg) && least(arg) == 0),
            ),
        ] {
            let known = options::all().filter(|row| row.takes == takes);
            let mut known: Vec<_> = known.map(|row| row.name).collect();
            known.sort_unstable();
            assert_eq!(found, known);
        }
    }

    #[test]
    fn the_short_help_has_one_line_for_each_option() {
        let help = Args::command().term_width(100).render_help().to_string();
        let is_option = |line: &&str| line.trim_start().starts_with("-");
        let described = help.lines().filter(is_option);
        let all = Args::command();
        let visible = all.get_arguments().filter(|arg| !arg.is_hide_set());
        // And `--help`, `--version`, without the filter.
        assert_eq!(described.clone().count(), visible.count() + 1);
        for line in described {
            assert!(line.len() <= 100 && line.trim().contains("  "), "{line}");
        }
        let headings = |line: &&str| line.ends_with(':') && !line.starts_with(' ');
        let lines = help
            .lines()
            .filter(|line| !line.is_empty() && !headings(line));
        let others = lines.filter(|line| !is_option(line)).count();
        // One line each: about, usage, filter, exit codes. None of them is wrapped.
        assert_eq!(others, 4, "{help}");
    }

    #[test]
    fn the_long_help_says_defaults_and_variables() {
        for arg in Args::command()
            .get_arguments()
            .filter(|arg| !arg.is_hide_set())
        {
            let help = arg
                .get_long_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            assert!(help.contains("[default: "), "{:?}: {help}", arg.get_id());
            let variable = arg.get_long().and_then(variable_of).unwrap_or_default();
            assert!(help.contains(&variable), "{help}");
        }
    }

    #[test]
    fn a_value_that_may_be_left_out_is_the_next_word_unless_that_is_an_option() {
        assert_eq!(parse("--parallel 2 sort").running.parallel, Some(2));
        assert!(parse("--parallel --exact").running.parallel.is_some());
    }

    #[test]
    fn times_are_written_alike() {
        use std::time::Duration;
        let timeout = |line| parse(line).running.timeout;
        assert_eq!(timeout("--timeout=30s"), Some(Duration::from_secs(30)));
        assert_eq!(timeout("--timeout 0.5"), Some(Duration::from_millis(500)));
        let sampling = parse("--perf-sampling=500ms").tools.perf.sampling;
        assert_eq!(sampling, Some(Duration::from_millis(500)));
        assert!(Args::try_parse_from(["--timeout=0s"]).is_err());
    }

    #[test]
    fn what_cargo_and_libtest_pass_is_accepted() {
        parse("--bench");
        parse("-q --color never --format terse --test-threads 1 -Z unstable-options --bench");
    }

    #[test]
    fn yes_no_options_take_a_value_only_behind_an_equals_sign() {
        let args = parse("--nocapture sort");
        assert_eq!(args.output.nocapture, Some(ShownStreams::Both));
        assert_eq!(args.selection.filters, ["sort"]);
        let nocapture = |line| parse(line).output.nocapture;
        assert_eq!(nocapture("--nocapture=no"), Some(ShownStreams::None));
        assert_eq!(nocapture("--nocapture=on"), Some(ShownStreams::Both));
        assert_eq!(nocapture("--no-capture=stdout"), Some(ShownStreams::Stdout));
        assert_eq!(nocapture("--nocapture=stderr"), Some(ShownStreams::Stderr));
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
        let further: Vec<Tool> = args.tools.further().collect();
        assert_eq!(further, [Tool::Dhat, Tool::Bbv]);
        assert_eq!(args.tools.default_tool, Some(Tool::Cachegrind));
        let error = Args::try_parse_from(["--tools=foo"])
            .unwrap_err()
            .to_string();
        assert!(error.contains("unknown tool `foo`"), "{error}");
        let error = Args::try_parse_from(["--default-tool=Time"])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("beside the counts of the tools: `--time`"),
            "{error}"
        );
    }

    #[test]
    fn the_last_of_equal_options_wins() {
        assert_eq!(parse("--home a --home b").files.home, Some("b".into()));
    }
}
