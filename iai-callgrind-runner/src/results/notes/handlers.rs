//! Signal handlers that ran while the benchmark was measured.
//!
//! Callgrind switches its count off when a handler begins, and on again when it returns. A handler
//! that leaves by `siglongjmp` does not return: then the count stays off until the function in
//! which the signal arrived has returned. If the handler jumped to a place above of it, that is so
//! at once. If it jumped back into this function, everything until its return is not counted.
//!
//! The profile does not show that anything is missing, so Valgrind's log has to name the handlers
//! (`--trace-signals=yes`).

use super::once_each;
use crate::execute::{EntryFault, JobFailure};
use crate::plan::Job;
use crate::results::{ToolFiles, MEASURING};
use base::measured_function::{benchmark_of, is_region};
use base::signal::signal_name;
use formats::log::HandledSignal;

/// The note where Valgrind failed with a look at the handlers, and was run again without.
const UNTRACED: &str = "handlers of signals ran on a stack that Valgrind cannot read: Callgrind does not count what a \
                        handler executes, and whether they returned is not known\n  \
                        hint: `--verify` counts without Valgrind";

/// Where in a stack the functions that count are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrival {
    /// Nothing was counted when the signal arrived.
    Outside,
    /// The signal arrived in the entry function itself.
    InEntry,
    /// The signal arrived in a function that the entry function called.
    Below,
}

impl Arrival {
    fn of(handled: &HandledSignal, job: &Job) -> Self {
        if handled.thread != MEASURING || !job.args.leaves_handlers_out() {
            return Self::Outside;
        }
        let counts = |name: &String| job.args.entry.has(name) || is_region(name);
        match handled.stack.iter().position(counts) {
            Some(0) => Self::InEntry,
            Some(_) => Self::Below,
            // Valgrind writes a few functions of a deep stack.
            None if handled.stack.iter().any(|name| is_outermost(name)) => Self::Outside,
            None => Self::Below,
        }
    }
}

/// Is this the function at which all stacks of the thread begin?
fn is_outermost(name: &str) -> bool {
    ["main", "(below main)", "__libc_start_call_main"].contains(&name)
}

impl ToolFiles {
    /// Fails if a handler jumped back into the function in which its signal arrived.
    pub(in crate::results) fn check_handlers(&self, job: &Job) -> Result<(), JobFailure> {
        let sets = self.of_processes(job.tool);
        let sets = sets.iter().flat_map(|(_, sets)| sets.iter());
        let landings: Vec<&String> = sets
            .filter_map(|set| set.entered.as_ref())
            .flat_map(|entered| &entered.landings)
            .collect();
        for handled in self.handled() {
            let Some(function) = handled.stack.first() else {
                continue;
            };
            let is_lost = match Arrival::of(handled, job) {
                Arrival::Outside => false,
                Arrival::InEntry => true,
                Arrival::Below => landings.contains(&function),
            };
            if is_lost && handled.returned < handled.entered {
                return Err(JobFailure::Entry(EntryFault::Jumped {
                    signal: handled.signal as i32,
                    function: in_words(function),
                }));
            }
        }
        Ok(())
    }

    /// Did Valgrind fail when it was to write where a handler began?
    pub(in crate::results) fn are_cut_at_handler(&self) -> bool {
        self.logs.iter().any(|(_, log)| log.cut_at_handler)
    }

    /// Did a handler jump out of a function while the benchmark was counted?
    pub(in crate::results) fn has_jumps(&self, job: &Job) -> bool {
        self.handled().any(|handled| {
            handled.returned < handled.entered && Arrival::of(handled, job) != Arrival::Outside
        })
    }

    /// Notes on the handlers that ran while the benchmark was counted.
    pub(in crate::results) fn of_handlers(&self, job: &Job) -> Vec<String> {
        if job.args.untraced {
            return vec![UNTRACED.to_owned()];
        }
        let inside = self
            .handled()
            .filter(|handled| Arrival::of(handled, job) != Arrival::Outside);
        once_each(inside.map(note).collect())
    }

    fn handled(&self) -> impl Iterator<Item = &HandledSignal> {
        self.logs.iter().flat_map(|(_, log)| &log.handlers)
    }
}

/// The function as a part of a sentence; the names of our own functions say nothing to users.
fn in_words(function: &str) -> String {
    if is_region(function) {
        "a region of `measure`".to_owned()
    } else if benchmark_of(function).is_some() {
        "the benchmark function".to_owned()
    } else {
        format!("`{function}`")
    }
}

fn note(handled: &HandledSignal) -> String {
    let signal = signal_name(handled.signal as i32);
    if handled.returned == handled.entered {
        return format!(
            "a handler of {signal} ran inside of the benchmark, and Callgrind does not count what a handler \
             executes"
        );
    }
    let function = handled.stack.first().map_or_else(
        || "a function without a name".to_owned(),
        |name| in_words(name),
    );
    format!(
        "a handler of {signal} ran inside of the benchmark and jumped out of {function}: Callgrind does not \
         count what a handler executes, nor what runs in this function afterwards if the handler jumped \
         back into it\n  hint: `--verify` counts without Valgrind"
    )
}
