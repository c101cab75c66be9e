//! The proof that the figures are those of the measured function.
//!
//! Callgrind's profile has the number of calls of each function and their inclusive costs. The
//! measured function must have been called exactly once, in the thread that runs the benchmark, and
//! the costs of this call must be all costs of this thread in the figures.

use super::nothing_counted::not_entered;
use super::{ToolFiles, MEASURING};
use crate::execute::{EntryFault, JobFailure};
use crate::plan::{Instrumentation, Job};
use base::tool::Tool;
use formats::callgrind::EnteredCalls;
use metrics::CounterSet;

/// Events whose sum Callgrind does not divide among functions in full.
const OF_SYSTEM_CALLS: [&str; 3] = ["sysCount", "sysTime", "sysCpuTime"];

/// Arguments with which users control collection themselves.
const OF_USERS: [&str; 6] = [
    "--collect-atstart",
    "--toggle-collect",
    "--zero-before",
    "--dump-before",
    "--dump-after",
    "--instr-atstart",
];

impl ToolFiles {
    /// Fails unless the figures are those of the measured function.
    ///
    /// `regions`: only parts of it count. `stopped`: the function switched instrumentation off.
    /// Returns notes about what client requests left out.
    pub(super) fn check_proof(
        &self,
        job: &Job,
        regions: bool,
        stopped: bool,
    ) -> Result<Vec<String>, JobFailure> {
        if is_of_program(job) {
            return Ok(self.lost_in_program(job));
        }
        self.prove(job, regions, stopped)
            .map_err(|fault| match fault {
                EntryFault::NotEntered => JobFailure::NothingCounted(not_entered(job)),
                fault => JobFailure::Entry(fault),
            })
    }

    /// Checks the figures of the process that ran the benchmark, if its measured function counts.
    fn prove(&self, job: &Job, regions: bool, stopped: bool) -> Result<Vec<String>, EntryFault> {
        if !job.args.toggles() {
            return Ok(Vec::new());
        }
        let root = self.root().and_then(|log| log.pid);
        let processes = self.of_processes(job.tool);
        let of_root = processes.iter().filter(|(pid, _)| *pid == root);
        let sets: Vec<&CounterSet> = of_root.flat_map(|(_, sets)| sets.iter()).collect();
        let measuring: Vec<&CounterSet> = sets
            .iter()
            .copied()
            .filter(|set| set.thread.is_none_or(|thread| thread == MEASURING))
            .collect();
        let entered = || measuring.iter().filter_map(|set| set.entered.as_ref());
        match entered().map(|entered| entered.calls).sum() {
            1 => {}
            // The benchmark forgot its own call, with `zero_stats`.
            0 if entered().any(|entered| entered.has_own) => return Ok(Vec::new()),
            0 => return Err(EntryFault::NotEntered),
            calls => return Err(EntryFault::Several(calls)),
        }
        let others = entered().flat_map(|entered| &entered.benchmarks);
        if let Some(other) = others
            .into_iter()
            .find(|name| *name != job.measured_function())
        {
            return Err(EntryFault::Other(other.clone()));
        }
        if is_of_user(job) {
            return Ok(Vec::new());
        }
        // Several dumps divide the call, and the figures of regions are a part of it.
        if !regions && measuring.len() == 1 {
            measuring.iter().try_for_each(|set| is_total(set))?;
        }
        // Where instrumentation begins with the function, the head has less than the lines anyway.
        let watched = job.args.instrumentation == Instrumentation::Function;
        // After a jump out of a handler Callgrind divides the costs among functions in another way.
        // The head of one of several threads has less than its lines as well.
        let divided = self.has_jumps(job) || sets.len() > 1;
        let lost = |entered: &EnteredCalls| is_cut(entered) && !watched && !divided;
        let mut notes = Vec::new();
        if stopped || entered().any(|entered| lost(entered)) {
            notes.push(STOPPED.to_owned());
        } else if entered().any(|entered| entered.is_left_on()) {
            notes.push(LEFT_OFF.to_owned());
        }
        Ok(notes)
    }

    /// Notes about what client requests of a program left out or added. Only the profile shows
    /// them, since a program need not have requests of ours.
    fn lost_in_program(&self, job: &Job) -> Vec<String> {
        let mut notes = Vec::new();
        let processes = self.of_processes(job.tool);
        // Dumps and threads divide the calls.
        let sets = processes.iter().filter_map(|(_, sets)| match &**sets {
            [set] if !is_of_user(job) => set.entered.as_deref(),
            _ => None,
        });
        for entered in sets.filter(|entered| entered.calls > 0) {
            let (Some(counted), Some(inside)) = (entered.lines.first(), entered.costs.first())
            else {
                continue;
            };
            if is_cut(entered) {
                notes.push(STOPPED_IN_PROGRAM.to_owned());
            } else if counted > inside {
                notes.push(format!(
                    "{counted} instructions were counted, {inside} of them inside of the entry point: \
                     `toggle_collect` switched collection on outside of it, as a single one inside does at the return"
                ));
            }
        }
        notes
    }
}

/// Is it a job whose entry points are functions of the user, of which nothing is to be proven?
fn is_of_program(job: &Job) -> bool {
    let entry = &job.args.entry;
    job.tool == Tool::Callgrind && !entry.measured && !entry.patterns.is_empty()
}

/// Do users control collection themselves?
fn is_of_user(job: &Job) -> bool {
    let patterns = &job.args.entry.patterns;
    job.args.words.iter().any(|word| {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        // The entry points of a program are such arguments as well.
        OF_USERS.contains(&key) && !patterns.iter().any(|pattern| pattern == value)
    })
}

/// Does the head of the part have less than its lines? Callgrind begins the former anew when
/// instrumentation is switched off.
fn is_cut(entered: &EnteredCalls) -> bool {
    let both = entered.summary.first().zip(entered.lines.first());
    both.is_some_and(|(summary, lines)| summary < lines)
}

const STOPPED: &str =
    "instrumentation was switched off inside of the benchmark function; what ran later is \
     not counted, also if it was switched on again";

const LEFT_OFF: &str =
    "a single `toggle_collect` switched collection off inside of the benchmark function; what ran \
     later is not counted";

const STOPPED_IN_PROGRAM: &str =
    "the program switched instrumentation off; if that was inside of the entry point, what ran \
     later in it is not counted, also if it was switched on again";

/// Fails unless the counts of the set are those of the measured function.
fn is_total(set: &CounterSet) -> Result<(), EntryFault> {
    let Some(entered) = &set.entered else {
        return Ok(());
    };
    for (index, (event, total)) in set.counters.iter().enumerate() {
        let inside = entered.costs.get(index).copied().unwrap_or_default();
        // Where several threads run, Callgrind's sum over functions misses this one by a few.
        let summary = entered.summary.get(index).copied();
        let is_all = *total == inside || summary == Some(inside);
        // The lines lack the blocks in which a client request switched collection.
        if is_all || *total < inside || OF_SYSTEM_CALLS.contains(&event.as_str()) {
            continue;
        }
        return Err(EntryFault::Rest {
            event: event.clone(),
            total: *total,
            inside,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn all_that_was_counted_is_what_the_function_executed() {
        #[track_caller]
        fn check(event: &str, total: u64, inside: u64, is_fine: bool) {
            check_with(event, total, inside, total, is_fine);
        }
        #[track_caller]
        fn check_with(event: &str, total: u64, inside: u64, summary: u64, is_fine: bool) {
            let set = CounterSet {
                counters: vec![("Dr".to_owned(), 7), (event.to_owned(), total)],
                entered: Some(Arc::new(EnteredCalls {
                    benchmarks: vec!["f".to_owned()],
                    calls: 1,
                    costs: vec![7, inside],
                    has_own: true,
                    summary: vec![7, summary],
                    ..EnteredCalls::default()
                })),
                ..CounterSet::default()
            };
            assert_eq!(is_total(&set).is_ok(), is_fine, "{event}");
        }
        check("Ir", 100, 100, true);
        check("Ir", 100, 99, false);
        check("Ir", 99, 100, true);
        check("sysCount", 2, 1, true);
        check_with("Ir", 102, 100, 100, true);
        check_with("Ir", 102, 100, 101, false);
    }
}
