//! The proof that the figures are those of the measured function.
//!
//! Callgrind's profile has the number of calls of each function and their inclusive costs. The
//! measured function must have been called exactly once, in the thread that runs the benchmark, and
//! the costs of this call must be all costs of this thread in the figures.

use super::nothing_counted::not_entered;
use super::ToolFiles;
use crate::execute::{EntryFault, JobFailure};
use crate::plan::Job;
use metrics::CounterSet;

/// The thread that runs the benchmark, by Callgrind's number.
const MEASURING: u64 = 1;

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
    /// `regions`: only parts of it count.
    pub(super) fn check_proof(
        &self,
        job: &Job,
        regions: bool,
    ) -> Result<Option<String>, JobFailure> {
        self.prove(job, regions).map_err(|fault| match fault {
            EntryFault::NotEntered => JobFailure::NothingCounted(not_entered(job)),
            fault => JobFailure::Entry(fault),
        })
    }

    /// Checks the figures of the process that ran the benchmark, if its measured function counts.
    fn prove(&self, job: &Job, regions: bool) -> Result<Option<String>, EntryFault> {
        if !job.args.toggles() {
            return Ok(None);
        }
        let root = self.root().and_then(|log| log.pid);
        let processes = self.of_processes(job.tool);
        let of_root = processes.iter().filter(|(pid, _)| *pid == root);
        let sets = of_root.flat_map(|(_, sets)| sets.iter());
        let measuring: Vec<&CounterSet> = sets
            .filter(|set| set.thread.is_none_or(|thread| thread == MEASURING))
            .collect();
        let entered = || measuring.iter().filter_map(|set| set.entered.as_ref());
        match entered().map(|entered| entered.calls).sum() {
            1 => {}
            // The benchmark forgot its own call, with `zero_stats`.
            0 if entered().any(|entered| entered.has_own) => return Ok(None),
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
        let is_of_user = |word: &String| {
            let key = word.split('=').next().unwrap_or_default();
            OF_USERS.contains(&key)
        };
        // Several dumps divide the call, and the figures of regions are a part of it.
        let is_divided = regions || measuring.len() > 1;
        if is_divided || job.args.words.iter().any(is_of_user) {
            return Ok(None);
        }
        let mut ended = false;
        for set in measuring {
            ended |= is_total(set)? == Rest::Ended;
        }
        // After a jump out of a handler Callgrind divides the costs among functions in another way.
        let ended = ended && !self.has_jumps(job);
        Ok(ended.then(|| ENDED.to_owned()))
    }
}

/// The note where the profile shows that a program used `stop_instrumentation`.
const ENDED: &str =
    "instrumentation was switched off inside of the benchmark function; what ran later is \
                     not counted, also if it was switched on again";

/// The counts besides those of the call of the measured function.
#[derive(Debug, PartialEq, Eq)]
enum Rest {
    Nothing,
    /// Callgrind forgot the call before it ended, as it does when instrumentation is switched off.
    Ended,
}

/// Are the counts of the set those of the measured function?
fn is_total(set: &CounterSet) -> Result<Rest, EntryFault> {
    let mut rest = Rest::Nothing;
    let Some(entered) = &set.entered else {
        return Ok(rest);
    };
    for (index, (event, total)) in set.counters.iter().enumerate() {
        let inside = entered.costs.get(index).copied().unwrap_or_default();
        // Where several threads run, Callgrind's sum over functions misses this one by a few.
        let summary = entered.summary.get(index).copied();
        let is_all = *total == inside || summary == Some(inside);
        if is_all || OF_SYSTEM_CALLS.contains(&event.as_str()) {
            continue;
        }
        if *total < inside {
            rest = Rest::Ended;
        } else {
            return Err(EntryFault::Rest {
                event: event.clone(),
                total: *total,
                inside,
            });
        }
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use formats::callgrind::EnteredCalls;

    #[test]
    fn all_that_was_counted_is_what_the_function_executed() {
        #[track_caller]
        fn check(event: &str, total: u64, inside: u64, expected: Option<Rest>) {
            check_with(event, total, inside, total, expected);
        }
        #[track_caller]
        fn check_with(event: &str, total: u64, inside: u64, summary: u64, expected: Option<Rest>) {
            let set = CounterSet {
                counters: vec![("Dr".to_owned(), 7), (event.to_owned(), total)],
                entered: Some(Arc::new(EnteredCalls {
                    benchmarks: vec!["f".to_owned()],
                    calls: 1,
                    costs: vec![7, inside],
                    has_own: true,
                    summary: vec![7, summary],
                    landings: Vec::new(),
                    objects: Vec::new(),
                })),
                ..CounterSet::default()
            };
            assert_eq!(is_total(&set).ok(), expected, "{event}");
        }
        check("Ir", 100, 100, Some(Rest::Nothing));
        check("Ir", 100, 99, None);
        check("Ir", 99, 100, Some(Rest::Ended));
        check("sysCount", 2, 1, Some(Rest::Nothing));
        check_with("Ir", 102, 100, 100, Some(Rest::Nothing));
        check_with("Ir", 102, 100, 101, None);
    }
}
