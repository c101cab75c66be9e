//! The message about a benchmark that fails under a tool and passes without it.
//!
//! A failed benchmark runs once more, without any tool, if its process ended by itself: by an exit
//! code, such as that of a panic, or by a signal that a process raises for its own fault. After a
//! time limit, and after a signal from outside, nothing is run again.

use iai_callgrind::protocol::wire::{REFUSED, RETURNED, RETURNED_WITH_REGIONS};
use nix::sys::signal::Signal;

use crate::execute::{FailedJob, JobFailure, JobRunner, ProcessEnd, PASSES_NATIVELY};
use crate::plan::Job;
use findings::cures;

/// Signals that a process gets for what it did itself.
const OF_FAULTS: [Signal; 7] = [
    Signal::SIGILL,
    Signal::SIGTRAP,
    Signal::SIGABRT,
    Signal::SIGBUS,
    Signal::SIGFPE,
    Signal::SIGSEGV,
    Signal::SIGSYS,
];

/// The operations that most often work only natively.
const REASONS: &str = "below Valgrind these fail most often: reservations of much address space (16 GiB work, 200 GiB \
                       do not), instructions and system calls that it does not know, and calls of the vDSO";

/// The knowledge of one benchmark, which is run once, whatever the number of its tools.
#[derive(Default)]
pub(super) struct WithoutTool {
    passes: Option<Option<bool>>,
}

impl WithoutTool {
    /// Adds to the failure that the benchmark passes without the tool, if it does.
    pub(super) fn add_to(&mut self, failed: &mut FailedJob, job: &Job, runner: &JobRunner<'_>) {
        if !ended_by_itself(&failed.failure) {
            return;
        }
        // A run that cannot be started leaves the failure as it is; a stop of the runner is seen
        // by the next job.
        let passes = *self
            .passes
            .get_or_insert_with(|| runner.launch.passes_without_tool(job).ok().flatten());
        if passes == Some(true) {
            add(&mut failed.failure);
        }
    }
}

fn ended_by_itself(failure: &JobFailure) -> bool {
    match failure {
        JobFailure::Ended { how, .. } | JobFailure::Unexpected { how, .. } => match how {
            // Without a tool these codes say that it returned, and a refusal is about counting.
            ProcessEnd::Exited(RETURNED | RETURNED_WITH_REGIONS | REFUSED) => false,
            ProcessEnd::Exited(_) => true,
            ProcessEnd::Signaled(signal) => {
                OF_FAULTS.iter().any(|of_fault| *of_fault as i32 == *signal)
            }
            _ => false,
        },
        JobFailure::WithHooks { failure, .. } => ended_by_itself(failure),
        _ => false,
    }
}

fn add(failure: &mut JobFailure) {
    match failure {
        JobFailure::Ended {
            valgrind,
            passes_natively,
            hint,
            ..
        } => {
            *passes_natively = true;
            // A known reason is better than a list; the test mode, which other hints are about,
            // passes.
            if cures::of(valgrind).is_none() {
                *hint = Some(REASONS.to_owned());
            }
        }
        JobFailure::Unexpected { notes, .. } => {
            // Other hints are about what fails natively as well.
            notes.retain(|note| !note.starts_with("hint: "));
            notes.push(PASSES_NATIVELY.to_owned());
            notes.push(format!("hint: {REASONS}"));
        }
        JobFailure::WithHooks { failure, .. } => add(failure),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::ExitWith;

    use super::*;

    fn ended(how: ProcessEnd, valgrind: &[&str]) -> JobFailure {
        JobFailure::Ended {
            how,
            valgrind: valgrind.iter().map(|line| (*line).to_owned()).collect(),
            passes_natively: false,
            hint: Some("other".to_owned()),
        }
    }

    #[test]
    fn ends_of_its_own_are_looked_at_and_others_are_not() {
        for (how, expected) in [
            (ProcessEnd::Exited(101), true),
            (ProcessEnd::Exited(RETURNED), false),
            (ProcessEnd::Exited(REFUSED), false),
            (ProcessEnd::Signaled(Signal::SIGSEGV as i32), true),
            (ProcessEnd::Signaled(Signal::SIGABRT as i32), true),
            (ProcessEnd::Signaled(Signal::SIGKILL as i32), false),
            (ProcessEnd::Signaled(Signal::SIGTERM as i32), false),
            (ProcessEnd::Signaled(Signal::SIGXCPU as i32), false),
            (ProcessEnd::TimedOut(std::time::Duration::ZERO), false),
            (ProcessEnd::NotStarted(String::new()), false),
        ] {
            assert_eq!(
                ended_by_itself(&ended(how.clone(), &[])),
                expected,
                "{how:?}"
            );
        }
    }

    #[test]
    fn a_program_has_no_other_hints() {
        let mut failure = JobFailure::Unexpected {
            how: ProcessEnd::Exited(3),
            expected: ExitWith::Success,
            valgrind: Vec::new(),
            notes: vec!["command: x".to_owned(), "hint: its environment".to_owned()],
        };
        add(&mut failure);
        let text = failure.to_string();
        let end = format!("\n  command: x\n  {PASSES_NATIVELY}\n  hint: {REASONS}");
        assert!(text.ends_with(&end), "{text}");
    }

    #[test]
    fn a_known_reason_is_kept() {
        let mut failure = ended(ProcessEnd::Exited(101), &[]);
        add(&mut failure);
        let expected = format!("panicked\n  passes without Valgrind\n  hint: {REASONS}");
        assert_eq!(failure.to_string(), expected);
        let mut failure = ended(ProcessEnd::Exited(101), &["Stack overflow in thread #1"]);
        add(&mut failure);
        let expected = "panicked\n  valgrind: Stack overflow in thread #1\n  \
                        passes without Valgrind\n  hint: other";
        assert_eq!(failure.to_string(), expected);
    }
}
