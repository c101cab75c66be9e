//! The options that tools have in common: `--<tool>-args`, `--<tool>-metrics` and
//! `--<tool>-limits`.
//!
//! The rows of help of all tools are made in one loop for each kind of option, with clap's builder,
//! and their values are read into [`PerTool`]. A new tool has these options without a line here,
//! unless its metrics are new.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use iai_callgrind::protocol::options::ToolOption;
use iai_callgrind::protocol::{
    BbvMetric, CachegrindMetric, DhatMetric, ErrorMetric, EventKind, MassifMetric, Metric, Tool,
};

use base::per_tool::PerTool;
use base::tool;
use metrics::typed_metrics::{limits, metrics};
use metrics::{MetricKind, TypedLimits};

/// The arguments for each tool, as they were typed.
pub(super) type ArgumentsByTool = OfTools<Arguments>;
/// The metrics of each tool to show, in this order.
pub(super) type ToolMetrics = OfTools<Option<Vec<MetricKind>>>;
/// The limits of each tool.
pub(super) type ToolLimits = OfTools<Option<TypedLimits>>;

/// The values of one option, by tool.
#[derive(Debug, Clone, Default)]
pub(super) struct OfTools<T>(pub(super) PerTool<T>);

/// The value of an option that several tools have.
pub(super) trait OfTool: Sized + Default {
    /// The option, such as `--<tool>-args`.
    const OPTION: ToolOption;

    /// The tools that have it, unless their option is of another kind.
    fn tools() -> impl Iterator<Item = Tool> {
        Self::OPTION.tools()
    }

    /// Adds the help and the parser of the value to an option that has only its name.
    fn described(arg: Arg, tool: Tool) -> Arg;

    /// The value that was given; else none.
    fn taken(matches: &ArgMatches, id: &str) -> Self;
}

/// `dhat-args`: the name of the option without its dashes, and its id in clap.
fn name(option: ToolOption, tool: Tool) -> String {
    option.of(tool).trim_start_matches('-').to_owned()
}

impl<T: OfTool> Args for OfTools<T> {
    fn augment_args(command: Command) -> Command {
        T::tools().fold(command, |command, tool| {
            let name = name(T::OPTION, tool);
            command.arg(T::described(Arg::new(name.clone()).long(name), tool))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: OfTool> FromArgMatches for OfTools<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut values = PerTool::default();
        for tool in T::tools() {
            values[tool] = T::taken(matches, &name(T::OPTION, tool));
        }
        Ok(Self(values))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Arguments for a tool, each as it was typed: words as in a shell.
#[derive(Debug, Clone, Default)]
pub(super) struct Arguments(pub(super) Vec<String>);

impl OfTool for Arguments {
    const OPTION: ToolOption = ToolOption::Args;

    fn described(arg: Arg, tool: Tool) -> Arg {
        let title = tool::row(tool).title;
        let (whose, which) = match tool {
            Tool::Perf => (
                "`perf stat`",
                "; those that change what is measured are dropped with a warning",
            ),
            _ => (title, ""),
        };
        arg.value_name("ARGS")
            .allow_hyphen_values(true)
            .action(ArgAction::Append)
            .help(format!("Pass arguments to {title}"))
            .long_help(format!(
                "Pass these arguments to {whose}, split as in a shell, after the configured \
                 ones{which} [default: none]"
            ))
    }

    fn taken(matches: &ArgMatches, id: &str) -> Self {
        let given = matches.get_many(id).into_iter().flatten();
        Self(given.cloned().collect())
    }
}

/// Parsers of the values of two options.
struct Readers {
    metrics: fn(&str) -> Result<Vec<MetricKind>, String>,
    limits: fn(&str) -> Result<TypedLimits, String>,
}

impl Readers {
    /// `None`: the tool has no table of metrics.
    fn of(tool: Tool) -> Option<Self> {
        fn named<M: Metric + Into<MetricKind>>() -> Option<Readers> {
            Some(Readers {
                metrics: metrics::<M>,
                limits: limits::<M>,
            })
        }
        match tool {
            Tool::Callgrind => named::<EventKind>(),
            Tool::Cachegrind => named::<CachegrindMetric>(),
            Tool::Dhat => named::<DhatMetric>(),
            Tool::Massif => named::<MassifMetric>(),
            Tool::Bbv => named::<BbvMetric>(),
            Tool::Memcheck | Tool::Helgrind | Tool::Drd => named::<ErrorMetric>(),
            Tool::Perf => None,
        }
    }
}

impl OfTool for Option<Vec<MetricKind>> {
    const OPTION: ToolOption = ToolOption::Metrics;

    fn described(arg: Arg, tool: Tool) -> Arg {
        let title = tool::row(tool).title;
        let how = match tool {
            Tool::Callgrind => {
                ": names and `@groups`, separated by commas, such as `ir,@hits`. Does not make the \
                 tool collect them"
            }
            _ => "",
        };
        let default = match tool {
            Tool::Memcheck | Tool::Helgrind => "the group `all`",
            Tool::Drd => "errors,contexts",
            _ => "the group `default`",
        };
        let arg = match Readers::of(tool) {
            Some(readers) => arg.value_parser(readers.metrics),
            None => arg,
        };
        arg.value_name("METRICS")
            .help(format!("Show these metrics of {title}"))
            .long_help(format!(
                "Show these metrics of {title}, in this order{how} [default: as configured, else \
                 {default}]"
            ))
    }

    fn taken(matches: &ArgMatches, id: &str) -> Self {
        matches.get_one(id).cloned()
    }
}

impl OfTool for Option<TypedLimits> {
    const OPTION: ToolOption = ToolOption::Limits;

    /// Limits on metrics without a table are an option of another kind: they are globs.
    fn tools() -> impl Iterator<Item = Tool> {
        let has_table = |tool: &Tool| Readers::of(*tool).is_some();
        Self::OPTION.tools().filter(has_table)
    }

    fn described(arg: Arg, tool: Tool) -> Arg {
        let title = tool::row(tool).title;
        let how = match tool {
            Tool::Callgrind => {
                ": `ir=5%` is the largest change in percent, `ir=10000` the largest value, \
                 `ir=5%|10000,@hits=10%` several"
            }
            Tool::Memcheck => {
                ": `errors=3` accepts three errors if `--error-exitcode=0` takes errors as figures"
            }
            _ => "",
        };
        let arg = match Readers::of(tool) {
            Some(readers) => arg.value_parser(readers.limits),
            None => arg,
        };
        arg.value_name("LIMITS")
            .help(match tool {
                Tool::Callgrind => "Fail on more than a limit, such as `ir=5%`".to_owned(),
                _ => format!("Set limits for {title}"),
            })
            .long_help(format!(
                "Set limits for {title} instead of the configured ones{how} [default: as configured, \
                 else none]"
            ))
    }

    fn taken(matches: &ArgMatches, id: &str) -> Self {
        matches.get_one(id).cloned()
    }
}
