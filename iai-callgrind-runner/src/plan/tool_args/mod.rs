//! Arguments for Valgrind: the runner's own, those that users may change, and those that they may
//! not.
//!
//! An argument has one of three kinds. *Held once*: a default in [`tool`], a user's value replaces
//! ours. *Managed*: output files and whatever would keep us from reading them, ignored with a
//! warning. Everything else is passed on in the order given; Valgrind rejects what it does not
//! know. Messages say where an argument came from.

mod configured;
mod instrumentation;

use iai_callgrind::protocol::EntryPoint;

pub(super) use self::configured::configured;
pub use self::instrumentation::Instrumentation;
use super::argument_origin::{ArgumentOrigin, OriginArgument, OriginArguments};
use crate::error::{Error, Result};
use base::entry_functions::{EntryFunctions, EVERYTHING};
use base::tool::{self, Accepts, Tool};

/// Caller of `main` in a Rust program: the closure of the standard library. DHAT does not see a
/// function that has ended with a jump to another one.
const CALLER_OF_MAIN: &str = "std::rt::lang_start::*{*";

/// For tools that find errors: 0 takes them as figures, everything else (the default) as a failure.
/// Valgrind always gets a 0: the exit code of the process has to stay the benchmark's own.
const ERROR_EXITCODE: &str = "--error-exitcode";

/// Arguments that users cannot give, and why.
const MANAGED: &[(&str, &[&str])] = &[
    (
        "output and log files have their names from the benchmark",
        &[
            "--bb-out-file",
            "--cachegrind-out-file",
            "--callgrind-out-file",
            "--dhat-out-file",
            "--log-fd",
            "--log-file",
            "--log-socket",
            "--massif-out-file",
            "--pc-out-file",
            "--xml",
            "--xml-fd",
            "--xml-file",
            "--xml-socket",
            "--xml-user-comment",
            "--xtree-leak-file",
            "--xtree-memory-file",
        ],
    ),
    (
        "nothing would be measured",
        &[
            "--help",
            "--help-debug",
            "--help-dyn-options",
            "--version",
            "-h",
        ],
    ),
    ("the log is read after the run", &["--quiet", "-q"]),
    ("the tool is chosen by the benchmark", &["--tool"]),
];

/// The arguments of one tool for one benchmark, without those that name files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolArgs {
    /// Arguments that decide about the figures, as Valgrind gets them. The names of the measured
    /// functions are known when the executable runs, see `command_line`.
    pub words: Vec<String>,
    /// The functions that count, with all that they call.
    pub entry: EntryFunctions,
    /// Every thread counts, so the measuring one has to switch its count off until the entry.
    pub count_threads: bool,
    /// Time in which Callgrind looks at the process.
    pub instrumentation: Instrumentation,
    /// Valgrind does not write which signal handlers ran, although they are not counted: it failed
    /// when it did.
    pub untraced: bool,
    /// Errors that the tool finds are a failure of the benchmark.
    pub errors_fail: bool,
    /// Arguments of the user, the stronger ones last.
    pub given: Vec<OriginArgument>,
}

impl ToolArgs {
    /// Does Valgrind follow processes into the programs that they start?
    pub(crate) fn traces_children(&self) -> bool {
        !self.words.iter().any(|word| word == "--trace-children=no")
    }

    /// Do the names of functions in Callgrind's profile tell who called them, or which round of a
    /// recursion they are?
    pub(crate) fn separates_stacks(&self) -> bool {
        let separates = ["--separate-callers", "--separate-recs"];
        let mut words = self.words.iter();
        words.any(|word| separates.iter().any(|option| word.starts_with(option)))
    }

    /// Origin of an argument that Valgrind refuses. `None`: the runner's own.
    pub fn origin(&self, refused: &str) -> Option<&ArgumentOrigin> {
        let mut given = self.given.iter().rev();
        let found = given.find(|given| given.word == refused);
        found.map(|given| &given.origin)
    }
}

impl ToolArgs {
    /// All arguments for Valgrind. `measured` are the names of the measured functions of the
    /// executable.
    pub(crate) fn command_line<'a>(
        &'a self,
        measured: impl IntoIterator<Item = &'a str>,
    ) -> Vec<String> {
        let mut words = self.words.clone();
        if self.toggles() {
            // Nothing is to be counted if no function has such a name.
            words.push(format!("{ATSTART}=no"));
            words.extend(measured.into_iter().map(toggle));
        }
        words.extend(self.instrumentation.argument());
        if self.count_threads {
            // New threads begin with the count on; the measuring one switches its own off. The last
            // of this and of the toggles wins.
            words.push(format!("{ATSTART}=yes"));
        }
        words
    }

    /// Arguments that decide about the figures, for comparisons with later runs.
    pub(crate) fn recorded(&self) -> Vec<String> {
        let threads = self.count_threads.then(|| format!("{ATSTART}=yes"));
        self.words.iter().cloned().chain(threads).collect()
    }

    /// Do both jobs have the same arguments that decide about the figures, whatever their origin?
    pub(crate) fn decide_as(&self, other: &Self) -> bool {
        self.words == other.words
            && self.count_threads == other.count_threads
            && self.untraced == other.untraced
    }

    /// Does nothing but the benchmark function count, in its thread (Callgrind)?
    pub(crate) fn counts_only_the_function(&self) -> bool {
        self.entry.measured && self.entry.patterns.is_empty() && !self.count_threads
    }

    /// Does Callgrind switch its count off in signal handlers? A handler begins as a thread does.
    pub(crate) fn leaves_handlers_out(&self) -> bool {
        let on = format!("{ATSTART}=yes");
        let begins_on = self.count_threads || self.words.contains(&on);
        let is_callgrind = self.words.first().is_some_and(|tool| tool == CALLGRIND);
        is_callgrind && !self.entry.is_everything() && !begins_on
    }

    /// Does Valgrind write into its log which signal handlers ran?
    pub(crate) fn traces_handlers(&self) -> bool {
        self.leaves_handlers_out() && !self.untraced
    }

    /// Does Callgrind have to know the measured functions?
    pub(crate) fn toggles(&self) -> bool {
        self.entry.measured && self.words.first().is_some_and(|tool| tool == CALLGRIND)
    }

    /// Does Cachegrind count from the benchmark function on, and nothing before it?
    pub(crate) fn counts_later(&self) -> bool {
        let (key, value, _) = tool::LATER;
        self.words.contains(&format!("{key}={value}"))
    }
}

/// Option of Callgrind: does the count begin at once?
const ATSTART: &str = "--collect-atstart";

/// First of Callgrind's arguments.
const CALLGRIND: &str = "--tool=callgrind";

/// Argument that switches the count on at the entry of a function.
fn toggle(function: impl std::fmt::Display) -> String {
    format!("--toggle-collect={function}")
}

/// May one file of Callgrind hold several parts?
pub(crate) fn combines_dumps(words: &[String]) -> bool {
    words.iter().any(|word| word == "--combine-dumps=yes")
}

/// Number of callers that the arguments let a tool note of each allocation; `None` without such an
/// argument.
pub(crate) fn stack_depth(words: &[String]) -> Option<usize> {
    let mut words = words.iter().rev();
    let given = words.find_map(|word| word.strip_prefix("--num-callers="))?;
    given.parse().ok()
}

/// Is the pattern the runner's own, and not of the user's choice?
pub(crate) fn is_own_pattern(pattern: &str) -> bool {
    pattern == CALLER_OF_MAIN
}

/// Part of a process that a tool measures.
#[derive(Debug, Clone, Copy)]
struct Scope<'a> {
    /// Entry point, at which the count begins and ends; only Callgrind and DHAT know one.
    entry_point: &'a EntryPoint,
    /// Further functions that count (DHAT).
    frames: &'a [String],
    /// Count every thread that runs inside of the entry point (Callgrind).
    count_threads: bool,
    /// Callgrind simulates nothing.
    instructions_only: bool,
    /// The executable switches Cachegrind on for the benchmark.
    brackets: bool,
    /// A case of a benchmark executable, whose function counts by default, and no program.
    of_case: bool,
}

/// Puts the arguments for a tool together. `user` holds those of the configuration and of the
/// command line, the stronger ones last. Also returns warnings.
fn build(
    tool: Tool,
    user: &[OriginArguments<'_>],
    scope: Scope<'_>,
) -> Result<(ToolArgs, Vec<String>)> {
    // All words of the user are read before any argument is written: a user's value takes the place
    // of a default, and whether errors fail depends on the last `--error-exitcode`.
    let row = tool::row(tool);
    // Any number but 0 will do: it says that errors fail the benchmark, and Valgrind gets a 0.
    let errors = if row.finds_errors { "201" } else { "0" };
    let own = row
        .defaults
        .iter()
        .chain((tool == Tool::Cachegrind && scope.brackets).then_some(&tool::LATER));
    let mut held: Vec<(&str, String, Accepts)> = tool::COMMON
        .iter()
        .chain([&(ERROR_EXITCODE, errors, Accepts::ExitCode)])
        .chain(own)
        .map(|(key, value, accepts)| (*key, (*value).to_owned(), *accepts))
        .collect();
    let mut others = Vec::new();
    let mut warnings = Vec::new();
    let mut given = Vec::new();
    for (origin, word) in user.iter().flat_map(OriginArguments::each) {
        let word = dashed(word).ok_or_else(|| bare(tool, origin, word))?;
        let (key, value) = match word.split_once('=') {
            Some((key, value)) => (key.trim(), Some(value.trim())),
            None => (word.as_str(), None),
        };
        if let Some(reason) = why_managed(key, value) {
            warnings.push(format!(
                "the argument `{key}` for {tool} in {origin} is ignored: {reason}"
            ));
            continue;
        }
        let passed = match held.iter_mut().find(|(default, ..)| *default == key) {
            Some(row) => {
                row.1 = checked(tool, origin, key, value, row.2)?;
                format!("{key}={}", row.1)
            }
            None => {
                others.push(word.clone());
                word
            }
        };
        given.push(OriginArgument {
            word: passed,
            origin: origin.clone(),
        });
    }
    if tool == Tool::Callgrind && scope.instructions_only {
        instructions_only(&mut held, &mut others);
    }
    let entry = entry(tool, scope);
    let mut errors_fail = false;
    // The tool comes first, by which `toggles` tells the arguments of Callgrind.
    let mut words = vec![format!("--tool={tool}")];
    for (key, value, _) in held {
        if key == ERROR_EXITCODE {
            errors_fail = row.finds_errors && value != "0";
            // Errors are read from the log: an exit code of Valgrind would hide that of the
            // benchmark.
            words.push(format!("{key}=0"));
        } else {
            words.push(format!("{key}={value}"));
        }
    }
    words.extend(others);
    if tool == Tool::Callgrind {
        words.extend(entry.patterns.iter().map(toggle));
        // Valgrind's default: it tells from the record that another part of the process counts than
        // by default.
        let is_said = words.iter().any(|word| word.starts_with(ATSTART));
        if scope.of_case && entry.is_everything() && !is_said {
            words.push(format!("{ATSTART}=yes"));
        }
    }
    // Where everything counts, so does every thread without a switch.
    let count_threads = tool == Tool::Callgrind && scope.count_threads && !entry.is_everything();
    let args = ToolArgs {
        words,
        entry,
        count_threads,
        instrumentation: Instrumentation::default(),
        untraced: false,
        errors_fail,
        given,
    };
    Ok((args, warnings))
}

/// Switches all simulations of Callgrind off, whether the user or a default switched them on.
fn instructions_only(held: &mut [(&str, String, Accepts)], others: &mut Vec<String>) {
    for (key, value, _) in held {
        if *key == "--cache-sim" {
            "no".clone_into(value);
        }
    }
    others.retain(|word| !word.starts_with("--branch-sim="));
}

/// The word with dashes, as Valgrind expects it. `None`: the word has neither dashes nor a value,
/// and Valgrind has no such argument.
fn dashed(word: &str) -> Option<String> {
    if word.starts_with('-') {
        return Some(word.to_owned());
    }
    let dashed = format!("--{word}");
    let is_known = word.contains('=') || word == "verbose" || why_managed(&dashed, None).is_some();
    is_known.then_some(dashed)
}

fn bare(tool: Tool, origin: &ArgumentOrigin, word: &str) -> Error {
    let reason =
        "the value is missing; values stand behind a `=` and without a blank before them, such \
                  as `--toggle-collect=main`";
    origin.refused(tool, word, reason.to_owned())
}

/// Reason why users cannot give this argument.
fn why_managed(key: &str, value: Option<&str>) -> Option<&'static str> {
    // The value is Valgrind's default.
    if (key, value) == ("--xml", Some("no")) {
        return None;
    }
    let mut rows = MANAGED.iter();
    let row = rows.find(|(_, keys)| keys.contains(&key));
    row.map(|(reason, _)| *reason)
}

/// The functions that count, by tool and scope.
fn entry(tool: Tool, scope: Scope<'_>) -> EntryFunctions {
    if !matches!(tool, Tool::Callgrind | Tool::Dhat) {
        return EVERYTHING.clone();
    }
    let mut entry = match scope.entry_point {
        EntryPoint::None => EVERYTHING.clone(),
        EntryPoint::Default => EntryFunctions {
            measured: true,
            patterns: Vec::new(),
        },
        // The target has looked up a better name if there is one.
        EntryPoint::Main => EntryFunctions::of_patterns(["main"]),
        EntryPoint::Custom(pattern) => EntryFunctions::of_patterns([pattern]),
    };
    entry.patterns.extend(scope.frames.iter().cloned());
    entry
}

fn checked(
    tool: Tool,
    origin: &ArgumentOrigin,
    key: &str,
    value: Option<&str>,
    accepts: Accepts,
) -> Result<String> {
    let given = value.unwrap_or_default();
    let reason = match accepts {
        _ if given.is_empty() => "a value is missing, which stands behind a `=`".to_owned(),
        Accepts::OneOf(values) if !values.contains(&given) => {
            format!("`{given}` is none of `{}`", values.join("`, `"))
        }
        Accepts::ExitCode if given.parse::<u8>().is_err() => {
            format!("`{given}` is no exit code, which is a number from 0 to 255")
        }
        _ => return Ok(given.to_owned()),
    };
    Err(origin.refused(tool, key, reason))
}

#[cfg(test)]
mod tests;
