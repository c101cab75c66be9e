//! Failures of a benchmark, which has no result then. The other benchmarks still run.

use std::path::PathBuf;

use iai_callgrind::protocol::wire::{RETURNED, RETURNED_WITH_REGIONS};
use iai_callgrind::protocol::ExitWith;
use iai_callgrind::shared::exit::wording;
use thiserror::Error;

use super::{Hook, ProcessEnd};
use crate::error::{Error as RunError, FileOperationError};
use crate::plan::suite::PANICKED;
use base::signal::signal_name;
use base::tool::{self, Tool};
use formats::log::{Amount, ErrorRecords};
use formats::perf::MissingCount;
use formats::{FileError, ParseErrorKind};
use store::StoreError;
use symbols::allocator::UnseenHeap;

/// Failure of one benchmark.
#[derive(Debug, Error)]
pub enum JobFailure {
    /// The benchmark did not return.
    #[error("{}", ended(how, valgrind, *passes_natively, hint.as_deref()))]
    Ended {
        /// End of the process.
        how: ProcessEnd,
        /// Lines of Valgrind's log about this end.
        valgrind: Box<[String]>,
        /// It passes without the tool.
        passes_natively: bool,
        /// Advice that helps to find the reason.
        hint: Option<String>,
    },
    /// The benchmark did not end as `exit_with` says.
    #[error("{}", unexpected(how, *expected, valgrind, notes))]
    Unexpected {
        /// End of the process.
        how: ProcessEnd,
        /// Expected end.
        expected: ExitWith,
        /// Lines of Valgrind's log about this end.
        valgrind: Vec<String>,
        /// Further lines about the benchmark, such as its command.
        notes: Vec<String>,
    },
    /// The benchmark ended as expected, but its setup or teardown failed.
    #[error("ran, but {}", hooks_text(.0))]
    Hooks(Vec<(Hook, ProcessEnd)>),
    /// The benchmark failed, and so did its setup or teardown.
    #[error("{failure}\n  {}", hooks_text(hooks))]
    WithHooks {
        /// Failure of the benchmark.
        failure: Box<JobFailure>,
        /// The hooks that failed.
        hooks: Vec<(Hook, ProcessEnd)>,
    },
    /// The tool found errors in it.
    #[error("{}", errors(*tool, found))]
    Errors {
        /// The tool.
        tool: Tool,
        /// Errors, one entry for each process that has some.
        found: Vec<FoundErrors>,
    },
    /// The count of the benchmark is zero.
    #[error("counted nothing: {0}")]
    NothingCounted(NothingCounted),
    /// The figures are not those of the benchmark function.
    #[error("{0}")]
    Entry(EntryFault),
    /// Costs of other threads cannot be divided into regions.
    #[error(
        "returned, but `measure` and `count_threads(true)` exclude each other\n  \
         hint: what other threads execute cannot be divided into regions; use one of the two"
    )]
    RegionsOfThreads,
    /// Cachegrind counts no calls, so the costs outside of a region cannot be left out.
    #[error(
        "returned, but Cachegrind cannot count the regions of `measure`\n  \
         hint: it has no counts of calls; `default_tool(Tool::Callgrind)` counts regions"
    )]
    RegionsOfCachegrind,
    /// The tool left no profile, or an empty one.
    #[error(
        "returned, but {tool} wrote no result\n  \
         hint: is the program that runs the benchmarks really Valgrind?"
    )]
    NoResult {
        /// The tool.
        tool: &'static str,
    },
    /// The profile is cut off.
    #[error(
        "returned, but the result that {tool} wrote is not complete\n  \
         hint: is there space left below the directory for results? `--home=<directory>` chooses \
         another one"
    )]
    Incomplete {
        /// The tool.
        tool: &'static str,
    },
    /// The profile cannot be read.
    #[error("has a result that cannot be read")]
    Unreadable(#[from] FileError),
    /// Counts are too large to be added up.
    #[error("has a result that cannot be added up")]
    Sum(#[from] ParseErrorKind),
    /// Several runs of it differ. The text lists the differences and likely reasons.
    #[error("is not deterministic: {0}")]
    NotDeterministic(String),
    /// The tool does not see the heap of the program.
    #[error("ran, but {0}")]
    HeapNotSeen(UnseenHeap),
    /// Something is missing, and `--strict` was given.
    #[error("was measured, but {0}")]
    Strict(String),
    /// A step of the runner did not work.
    #[error("could not be measured")]
    Run(#[from] RunError),
}

impl From<FileOperationError> for JobFailure {
    fn from(error: FileOperationError) -> Self {
        Self::Run(error.into())
    }
}

impl From<StoreError> for JobFailure {
    fn from(error: StoreError) -> Self {
        Self::Run(error.into())
    }
}

/// Errors that an error tool found in one process.
#[derive(Debug)]
pub struct FoundErrors {
    /// Number of errors, each as often as it happened.
    pub errors: u64,
    /// Number of different errors.
    pub contexts: u64,
    /// The log with all errors.
    pub log: PathBuf,
    /// Memory that was lost, if that is an error.
    pub lost: Vec<(String, Amount)>,
    /// Text of the first errors.
    pub records: ErrorRecords,
}

impl FoundErrors {
    /// The lines of the first errors, as the tool writes them.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        let more = self.records.cut.then_some("…");
        self.records.lines.iter().map(String::as_str).chain(more)
    }
}

/// Reason why the figures are not those of the measured function.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EntryFault {
    /// The function was never called in the thread that runs the benchmark.
    #[error("returned, but its function was never entered")]
    NotEntered,
    /// The function was called more than once.
    #[error(
        "returned, but its function was entered {0} times, and only one of them is the benchmark\n  \
         hint: does the process run the benchmark again, or does the benchmark change to a stack above that \
         of the process, where Callgrind takes the change for a return?"
    )]
    Several(u64),
    /// The copy of another benchmark function was entered.
    #[error(
        "returned, but the benchmark function `{0}` was entered instead of its own\n  \
         hint: the compiler or the linker (`--icf=all`) has merged two benchmark functions with the same code"
    )]
    Other(String),
    /// A signal handler jumped back, and the count was off from then on.
    #[error(
        "returned, but counting was off in {function} after a handler of {} had jumped back into it\n  \
         hint: Callgrind does not count inside of a handler, and goes on when the function in which the \
         signal arrived has returned; let the signal arrive in a function below the one that calls \
         `sigsetjmp`", signal_name(*signal)
    )]
    Jumped {
        /// The signal.
        signal: i32,
        /// The function in which it arrived, as a part of a sentence.
        function: String,
    },
    /// The figures differ from the costs of the function.
    #[error(
        "returned, but {event} is {total} in all and {inside} inside of its function\n  \
         hint: client requests such as `toggle_collect` outside of the benchmark function change what \
         is counted; `EntryPoint::None` leaves it to them"
    )]
    Rest {
        /// The event.
        event: String,
        /// Count in the figures.
        total: u64,
        /// Count inside of the call of the function.
        inside: u64,
    },
}

/// Reason why nothing was counted.
#[derive(Debug, Error)]
pub enum NothingCounted {
    /// The executable was stripped.
    #[error(
        "the executable has no symbols, so Valgrind cannot see where the benchmark begins\n  \
         hint: set `strip = false` and `debug = true` in `[profile.bench]` of `Cargo.toml`"
    )]
    Stripped,
    /// The regions were not collected.
    #[error(
        "`measure` was called, but nothing in its regions was counted\n  \
         hint: they must run on the thread that runs the benchmark, and inside of the entry point"
    )]
    NoRegion,
    /// The compiler or linker left the function out or merged it with another one.
    #[error(
        "the executable has no function whose name matches `{0}`\n  \
         hint: it may have been inlined, or merged with a function of the same code"
    )]
    NoFunction(String),
    /// The executable has the function, but nothing was counted in it.
    #[error(
        "no function whose name matches `{0}` was entered, or collection was switched off inside\n  \
         hint: arguments such as `--toggle-collect` and `--collect-atstart` change what is counted"
    )]
    NotEntered(String),
    /// Valgrind skipped the executable's debug information and its symbols.
    #[error(
        "Valgrind cannot read the debug information of `{file}`, nor the names of its functions: {reason}\n  \
         hint: a newer Valgrind may read it; with debug information that is compressed, leave \
         `--compress-debug-sections=zstd` out of the linker's arguments"
    )]
    UnreadDebugInfo {
        /// The executable.
        file: String,
        /// Valgrind's words.
        reason: String,
    },
    /// The measured copy of the benchmark function is not in the executable.
    #[error(
        "the executable has no copy of the function `{0}` that could be measured\n  \
         hint: the compiler or the linker has merged it with a function of the same code"
    )]
    NoCopy(String),
    /// The linker gave the copy and another function one address.
    #[error(
        "the linker has folded the measured copy of the function `{benchmark}` with `{other}`, which has \
         the same code, so Valgrind cannot tell them apart\n  \
         hint: leave `--icf=all` (identical code folding) out of the linker's arguments"
    )]
    Folded {
        /// The benchmark function.
        benchmark: String,
        /// The other function.
        other: String,
    },
    /// The executable has the measured copy, but nothing was counted in it.
    #[error(
        "the benchmark function was never entered, or collection was switched off inside\n  \
         hint: arguments such as `--toggle-collect`, `--collect-atstart` and `--instr-atstart` change \
         what is counted"
    )]
    NeverEntered,
    /// perf has no figure of an event set.
    #[error("{}", no_events(.0))]
    Events(Vec<(String, MissingCount)>),
    /// The tool was never switched on.
    #[error(
        "no instruction ran while the tool was on\n  \
         hint: arguments such as `--instr-at-start=no` leave it off until the program switches it on"
    )]
    NeverInstrumented,
    /// Without an entry point collection was never switched on.
    #[error(
        "collection was never switched on\n  \
         hint: without an entry point, `--collect-atstart=yes` counts everything"
    )]
    NeverOn,
}

fn no_events(without: &[(String, MissingCount)]) -> String {
    let mut text = "perf has no figure of any event".to_owned();
    for (event, missing) in without {
        let reason = match missing {
            MissingCount::NotSupported => "is not supported here",
            MissingCount::NotCounted => "was never counted",
            MissingCount::Multiplexed => "was counted for a part of the time only",
            MissingCount::NothingCounted => "was counted beside an event that cannot be 0 and was",
        };
        text += &format!("\n  {event} {reason}");
    }
    text + "\n  hint: virtual machines and containers often have no counters of the processor; \
            `--perf-events=task-clock,faults,context-switches` counts events of the kernel"
}

/// The line about a benchmark that fails under the tool alone.
pub(crate) const PASSES_NATIVELY: &str = "passes without Valgrind";

/// Hint on the exit codes of benchmarks that return, if the runner was not told of the return.
const UNHEARD: &str = "\n  hint: a benchmark that returns tells the runner so and ends with this code, but the runner was \
    told nothing: the benchmark closed or replaced file descriptors that it did not open, as \
    `close_range` and `closefrom` do, or it called `exit` itself; close only your own descriptors";

/// Hint on other exit codes.
const LEFT: &str = "\n  hint: return from the benchmark function instead of ending the process";

fn ended(
    how: &ProcessEnd,
    valgrind: &[String],
    passes_natively: bool,
    hint: Option<&str>,
) -> String {
    let mut text = how_text(how);
    if matches!(how, ProcessEnd::Exited(code) if *code != PANICKED) {
        text += " before it returned; its count would not be whole";
    }
    // After a time limit, Valgrind's log only names the signal of the runner.
    if !matches!(how, ProcessEnd::TimedOut(_)) {
        text += &said(valgrind);
    }
    if passes_natively {
        text += "\n  ";
        text += PASSES_NATIVELY;
    }
    text += match how {
        ProcessEnd::Exited(RETURNED | RETURNED_WITH_REGIONS) => UNHEARD,
        ProcessEnd::Exited(code) if *code != PANICKED => LEFT,
        _ => "",
    };
    if let Some(hint) = hint {
        text += "\n  hint: ";
        text += hint;
    }
    text
}

fn unexpected(
    how: &ProcessEnd,
    expected: ExitWith,
    valgrind: &[String],
    notes: &[String],
) -> String {
    let how = match how {
        ProcessEnd::Returned if expected != ExitWith::Code(0) && !notes.is_empty() => {
            "ended with exit code 0".to_owned()
        }
        // Programs in other languages may exit with this code, too.
        ProcessEnd::Exited(PANICKED) if !notes.is_empty() => {
            format!("ended with exit code {PANICKED} (of a Rust program: it panicked)")
        }
        how => how_text(how),
    };
    let mut text = format!("{how}, but was to {}", wording(expected, &signal_name));
    text += &said(valgrind);
    for note in notes {
        text += "\n  ";
        text += note;
    }
    let passes_natively = notes.iter().any(|note| note == PASSES_NATIVELY);
    if !notes.is_empty() && !passes_natively {
        text += "\n  hint: `exit_with(..)` says how a program has to end";
    }
    text
}

/// `its setup ended with exit code 4, and its teardown panicked`
fn hooks_text(hooks: &[(Hook, ProcessEnd)]) -> String {
    let texts = hooks.iter();
    let texts: Vec<String> = texts
        .map(|(hook, how)| format!("its {} {}", hook.name(), how_text(how)))
        .collect();
    texts.join(", and ")
}

/// A line of the message for each line of Valgrind.
fn said(valgrind: &[String]) -> String {
    let lines = valgrind.iter();
    // Its own lines begin with its name already; those of its tools do not.
    let named = lines.map(|line| line.strip_prefix("valgrind: ").unwrap_or(line));
    named.map(|line| format!("\n  valgrind: {line}")).collect()
}

/// Continues the name of the process: `returned`, `ended with exit code 2`.
impl std::fmt::Display for ProcessEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&how_text(self))
    }
}

pub(super) fn how_text(how: &ProcessEnd) -> String {
    match how {
        ProcessEnd::Returned | ProcessEnd::ReturnedWithRegions => "returned".to_owned(),
        ProcessEnd::Exited(PANICKED) => "panicked".to_owned(),
        ProcessEnd::Exited(code) => format!("ended with exit code {code}"),
        ProcessEnd::Signaled(signal) => format!("was ended by {}", signal_name(*signal)),
        ProcessEnd::TimedOut(limit) => format!(
            "took longer than {limit:?} and was stopped\n  \
             hint: `--timeout=<seconds>` sets another limit"
        ),
        ProcessEnd::NotStarted(said) => format!("could not be started: {said}"),
        ProcessEnd::NotSetUp(how) => format!("did not run, since its setup {}", how_text(how)),
    }
}

fn errors(tool: Tool, found: &[FoundErrors]) -> String {
    let sum =
        |number: fn(&FoundErrors) -> u64| found.iter().map(number).fold(0, u64::saturating_add);
    let (errors, contexts) = (sum(|found| found.errors), sum(|found| found.contexts));
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let mut text = format!(
        "has {errors} error{} from {contexts} context{}, found by {}",
        plural(errors),
        plural(contexts),
        tool::row(tool).title
    );
    for found in found {
        text += &format!("\n  log: {}", found.log.display());
    }
    for (kind, amount) in found.iter().flat_map(|found| &found.lost) {
        text += &format!(
            "\n  {kind}: {} bytes in {} blocks",
            amount.bytes, amount.blocks
        );
    }
    // The first process with errors is most often the benchmark itself.
    for line in found.first().into_iter().flat_map(FoundErrors::lines) {
        text += format!("\n  | {line}").trim_end();
    }
    text + "\n  hint: `--error-exitcode=0` takes errors as figures and not as a failure"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_of_a_return_that_nobody_heard_have_a_hint() {
        for (code, expected) in [(86, true), (87, true), (3, false), (101, false)] {
            let text = ended(&ProcessEnd::Exited(code), &[], false, None);
            assert_eq!(text.contains("close only your own"), expected, "{text}");
        }
    }

    #[test]
    fn every_end_reads_as_a_sentence_about_the_benchmark() {
        for (how, expected) in [
            (ProcessEnd::Exited(101), "panicked"),
            (
                ProcessEnd::Exited(0),
                "ended with exit code 0 before it returned; its count would not be whole\n  \
                 hint: return from the benchmark function instead of ending the process",
            ),
            (ProcessEnd::Signaled(9), "was ended by signal 9 (SIGKILL)"),
        ] {
            assert_eq!(ended(&how, &[], false, None), expected);
        }
    }

    #[test]
    fn lines_of_valgrind_have_its_name_once() {
        let lines = ["valgrind:  Fatal error at startup", "a line of its log"];
        assert_eq!(
            said(&lines.map(str::to_owned)),
            "\n  valgrind:  Fatal error at startup\n  valgrind: a line of its log"
        );
    }
}
