//! Proposed values of options and arguments, by the names of the values in the help: words that the
//! parsers of the options do not tell, and names from results.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, Command, ValueHint};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate};

use base::invisible::is_invisible;
use base::tool::Tool;
use metrics::typed_metrics::words_of;

/// Names that results have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// Names of baselines.
    Baselines,
    /// Whole names of benchmarks.
    Benchmarks,
}

/// Looks up names in the results below a directory, or in those of the project.
pub type NameSource = Arc<dyn Fn(NameKind, Option<&Path>) -> BTreeSet<String> + Send + Sync>;

/// Longer names are not proposed.
const LONGEST: usize = 1000;

/// Looks up names in the results that a command line is about.
#[derive(Clone)]
pub(crate) struct Lookup {
    pub(crate) source: NameSource,
    /// The value of `--home`.
    pub(crate) home: Option<PathBuf>,
}

impl Lookup {
    /// Proposes names, each behind `prefix`. One that begins with a dash would be an option, and
    /// fish does not quote a `~` at the beginning.
    fn proposes(&self, kind: NameKind, prefix: &'static str) -> ArgValueCompleter {
        let lookup = self.clone();
        ArgValueCompleter::new(move |typed: &OsStr| {
            let typed = typed.to_str().unwrap_or("-");
            let fits = typed.starts_with(prefix) || prefix.starts_with(typed);
            if !fits || typed.starts_with('-') {
                return Vec::new();
            }
            let names = (lookup.source)(kind, lookup.home.as_deref()).into_iter();
            let names = names.filter(|name| name.len() <= LONGEST && is_plain(name));
            let names = names.filter(|name| !name.starts_with(['-', '~']));
            let names = names.map(|name| format!("{prefix}{name}"));
            let names = names.filter(|name| name.starts_with(typed));
            names.map(CompletionCandidate::new).collect()
        })
    }
}

/// Can the text be shown, and be a line of its own?
pub(crate) fn is_plain(text: &str) -> bool {
    let is_odd = |char: char| char.is_control() || is_invisible(char);
    !text.is_empty() && !text.contains(is_odd)
}

/// The command with what its options and arguments take, and so its commands.
pub(crate) fn with_values(command: Command, lookup: &Lookup) -> Command {
    // A history is made of files.
    let takes_baselines = command.get_name() != "history";
    let formats = formats(&command);
    let command = command.mut_args(|arg| {
        // Shells complete paths better: they know `~` and `$HOME`.
        let arg = match arg.get_action().takes_values() {
            true => arg.value_hint(ValueHint::Other),
            false => arg,
        };
        let names = arg.get_value_names().unwrap_or_default();
        let value = names.first().map_or_else(String::new, ToString::to_string);
        let long = arg.get_long().map(str::to_owned);
        match (value.as_str(), long) {
            ("FILTER", _) => arg.add(lookup.proposes(NameKind::Benchmarks, "")),
            ("NAME", _) => arg.add(lookup.proposes(NameKind::Baselines, "")),
            ("OLD" | "NEW" | "RESULTS", None) if takes_baselines => {
                arg.add(lookup.proposes(NameKind::Baselines, "@"))
            }
            ("FORMAT=FILE", _) => arg.add(words(formats.clone())),
            (value, long) => known(arg, value, &long.unwrap_or_default()),
        }
    });
    command.mut_subcommands(|command| with_values(command, lookup))
}

/// The option with the words that it takes, if its parser does not tell them.
fn known(arg: Arg, value: &str, option: &str) -> Arg {
    let any_of = |all: &[&str]| words(all.iter().map(ToString::to_string));
    match value {
        "BOOL" => arg.add(any_of(&["yes", "no"])),
        "DURATION" => arg.add(any_of(&["yes", "no", "changed"])),
        "MODE" => arg.add(any_of(&["direct", "calibrate"])),
        "PART" => arg.add(any_of(&["hash:", "count:", "time:"])),
        "STREAMS" => arg.add(any_of(&["yes", "no", "stdout", "stderr"])),
        "TOOL" => arg.add(any_of(&Tool::ALL.map(Tool::id))),
        "TOOLS" => {
            let all = Tool::ALL.into_iter().map(Tool::id).chain(["time"]);
            arg.add(words(all.map(str::to_owned)))
        }
        "METRIC" => {
            let metrics = words_of(Tool::Callgrind).into_iter();
            arg.add(words(metrics.filter(|word| !word.starts_with('@'))))
        }
        "METRICS" => arg.add(listed(metrics(option), "")),
        "LIMITS" => arg.add(listed(metrics(option), "=")),
        _ => arg,
    }
}

/// The words of metrics that an option takes.
fn metrics(option: &str) -> Vec<String> {
    let tool = option
        .strip_suffix("-metrics")
        .or(option.strip_suffix("-limits"));
    match tool.map(str::parse) {
        Some(tool) => tool.map(words_of).unwrap_or_default(),
        // `ir,dhat.totalbytes`
        None => Tool::ALL.into_iter().flat_map(of_any_tool).collect(),
    }
}

fn of_any_tool(tool: Tool) -> Vec<String> {
    let words = words_of(tool).into_iter();
    let words = words.map(|word| match tool {
        Tool::Callgrind => word,
        tool => format!("{tool}.{word}"),
    });
    words.collect()
}

/// `json=`, `html=`: what an option about exports takes is what the one about the format does.
fn formats(command: &Command) -> Vec<String> {
    let mut arguments = command.get_arguments();
    let format = arguments.find(|arg| arg.get_long() == Some("format"));
    let values = format.map(Arg::get_possible_values).unwrap_or_default();
    let values = values.iter().map(|value| format!("{}=", value.get_name()));
    values.collect()
}

/// Proposes words.
fn words(all: impl IntoIterator<Item = String>) -> ArgValueCandidates {
    let all: Vec<String> = all.into_iter().collect();
    ArgValueCandidates::new(move || all.iter().map(CompletionCandidate::new).collect())
}

/// Proposes words that are separated by commas, each with this end.
fn listed(all: Vec<String>, end: &'static str) -> ArgValueCompleter {
    ArgValueCompleter::new(move |typed: &OsStr| {
        let Some(typed) = typed.to_str() else {
            return Vec::new();
        };
        let comma = typed.rfind(',').map_or(0, |comma| comma + 1);
        let (before, last) = typed.split_at(comma);
        let fitting = all.iter().filter(|word| word.starts_with(last));
        let whole = fitting.map(|word| format!("{before}{word}{end}"));
        whole.map(CompletionCandidate::new).collect()
    })
}
