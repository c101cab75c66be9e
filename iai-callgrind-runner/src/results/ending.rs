//! Whether a benchmark ended as it has to.
//!
//! In: a job, and the end of its run. Out: nothing, or the failure with its reason. A benchmark
//! with another end has no figures, whatever is in the files.

use iai_callgrind::protocol::ExitWith;

use super::ToolFiles;
use crate::execute::{EndedProcess, JobFailure, ProcessEnd};
use crate::plan::Job;
use base::tool::Tool;
use findings::cures;
use symbols::allocator::ElfImage;

/// Fails if the benchmark or a hook around it ended in an unexpected way, or if it ended with
/// regions that the tool cannot count.
pub(super) fn check(job: &Job, ended: &EndedProcess, files: &ToolFiles) -> Result<(), JobFailure> {
    let EndedProcess {
        how, output, hooks, ..
    } = ended;
    // Before the hooks: a teardown often fails since its benchmark did, and is told with it then.
    if !how.is_expected(job.exit_with) {
        let failure = unexpected(job, how.clone(), files.fatal(), output);
        return Err(match hooks.is_empty() {
            true => failure,
            false => JobFailure::WithHooks {
                failure: Box::new(failure),
                hooks: hooks.clone(),
            },
        });
    }
    if !hooks.is_empty() {
        return Err(JobFailure::Hooks(hooks.clone()));
    }
    if *how == ProcessEnd::ReturnedWithRegions {
        if job.args.count_threads {
            return Err(JobFailure::RegionsOfThreads);
        }
        if job.tool == Tool::Cachegrind && job.target.has_brackets() {
            return Err(JobFailure::RegionsOfCachegrind);
        }
    }
    Ok(())
}

/// The failure of a benchmark that did not end as it has to.
fn unexpected(job: &Job, how: ProcessEnd, valgrind: Vec<String>, output: &[u8]) -> JobFailure {
    let ended = matches!(
        how,
        ProcessEnd::Returned
            | ProcessEnd::ReturnedWithRegions
            | ProcessEnd::Exited(_)
            | ProcessEnd::Signaled(_)
    );
    match job.exit_with {
        expected if ended && expected != ExitWith::Success => JobFailure::Unexpected {
            how,
            expected,
            valgrind,
            notes: job.exit_notes.clone(),
        },
        _ => JobFailure::Ended {
            how,
            passes_natively: false,
            // The most certain reason first: Valgrind names its own, a panic names its variable,
            // and of an allocator there are only symbols.
            hint: cures::of(&valgrind)
                .map(str::to_owned)
                .or_else(|| backtrace_hint(job, output))
                .or_else(|| allocator_hint(job)),
            valgrind: valgrind.into(),
        },
    }
}

/// Hint for a panic that asks for a variable that benchmarks do not see.
fn backtrace_hint(job: &Job, output: &[u8]) -> Option<String> {
    let note: &[u8] = b"run with `RUST_BACKTRACE=1`";
    let is_told = job.target.command_line().is_none();
    let asks = is_told && output.windows(note.len()).any(|window| window == note);
    asks.then(|| {
        let benchmark_path = &job.benchmark_path;
        format!(
            "`RUST_BACKTRACE=1 cargo bench --bench {} -- --test --exact {benchmark_path}` shows a \
             backtrace; measured runs do not get this variable",
            benchmark_path.file
        )
    })
}

/// The hint where an end of the process may come from a tool that replaces some functions of an
/// allocator, but not all of them.
fn allocator_hint(job: &Job) -> Option<String> {
    let replaces = matches!(
        job.tool,
        Tool::Dhat | Tool::Massif | Tool::Memcheck | Tool::Helgrind | Tool::Drd
    );
    let image = replaces
        .then(|| ElfImage::of(&job.target.program))
        .flatten()?;
    let allocator = image.allocator().filter(|_| image.has_malloc)?;
    Some(format!(
        "the executable has a `malloc` of its own, of {allocator}: Valgrind replaces that one and not \
         the allocator's other functions, so blocks of one are freed by the other; leave the allocator \
         out where the heap is measured"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_as_expected_or_not() {
        #[track_caller]
        fn check(expected: ExitWith, how: ProcessEnd, is_fine: bool) {
            assert_eq!(how.is_expected(expected), is_fine, "{expected:?} {how:?}");
        }
        let signals = ExitWith::Signals([6, 15]);
        for (how, fine) in [
            (
                ProcessEnd::Returned,
                &[ExitWith::Success, ExitWith::Code(0)][..],
            ),
            (
                ProcessEnd::ReturnedWithRegions,
                &[ExitWith::Success, ExitWith::Code(0)],
            ),
            (ProcessEnd::Exited(0), &[ExitWith::Code(0)]),
            (
                ProcessEnd::Exited(3),
                &[ExitWith::Failure, ExitWith::Code(3)],
            ),
            (
                ProcessEnd::Signaled(6),
                &[ExitWith::Failure, ExitWith::Signal(6), signals],
            ),
            (ProcessEnd::TimedOut(std::time::Duration::ZERO), &[]),
            (ProcessEnd::NotStarted(String::new()), &[]),
        ] {
            for expected in [
                ExitWith::Success,
                ExitWith::Failure,
                ExitWith::Code(0),
                ExitWith::Code(3),
                ExitWith::Code(4),
                ExitWith::Signal(6),
                ExitWith::Signal(9),
                signals,
            ] {
                check(expected, how.clone(), fine.contains(&expected));
            }
        }
    }
}
