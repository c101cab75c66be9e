//! Whether a benchmark ended as it has to.
//!
//! In: a job, and the end of its run. Out: nothing, or the failure with its reason. A benchmark
//! with another end has no figures, whatever is in the files.

use iai_callgrind::protocol::ExitWith;

use super::ToolFiles;
use crate::execute::{EndedProcess, JobFailure, ProcessEnd};
use crate::plan::Job;
use base::tool::Tool;
use formats::log::{STACK_OVERFLOW, UNHANDLED_INSTRUCTION, UNREADABLE_DEBUG_INFO};
use symbols::allocator::ElfImage;

/// Words of Valgrind about a reason that is known, and what can be done.
const CURES: [(&str, &str); 3] = [
    (
        UNHANDLED_INSTRUCTION,
        "Valgrind does not know an instruction that was executed: build without `target-cpu=native`, \
         or use a newer Valgrind",
    ),
    (
        STACK_OVERFLOW,
        "the stack is full: `--valgrind-args=--main-stacksize=67108864` gives the main thread one of \
         64 MiB, as `ulimit -s` does without Valgrind; where recursion has no end, no stack is enough",
    ),
    (
        UNREADABLE_DEBUG_INFO,
        "Valgrind cannot read the debug information of the executable: build with \
         `RUSTFLAGS=-Cdwarf-version=4`, or use a newer Valgrind",
    ),
];

/// Fails if the benchmark or a hook around it ended in an unexpected way, or if it ended with
/// regions that the tool cannot count.
pub(super) fn check(job: &Job, ended: &EndedProcess, files: &ToolFiles) -> Result<(), JobFailure> {
    let EndedProcess {
        how, output, hooks, ..
    } = ended;
    // Before the hooks: a teardown often fails since its benchmark did, and is told with it then.
    if !is_expected(how, job.exit_with) {
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
            // The most certain reason first: Valgrind names its own, a panic names its variable,
            // and of an allocator there are only symbols.
            hint: cure(&valgrind)
                .or_else(|| backtrace_hint(job, output))
                .or_else(|| allocator_hint(job)),
            valgrind,
        },
    }
}

/// The hint for a reason that is known.
fn cure(valgrind: &[String]) -> Option<String> {
    let is_said = |words: &str| valgrind.iter().any(|line| line.contains(words));
    let cure = CURES.iter().find(|(words, _)| is_said(words));
    cure.map(|(_, cure)| (*cure).to_owned())
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
             backtrace; benchmarks that are measured do not see this variable",
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

/// Did the benchmark end as it has to?
fn is_expected(how: &ProcessEnd, expected: ExitWith) -> bool {
    how.end().is_some_and(|end| end.is_expected(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reasons_of_valgrind_come_with_what_can_be_done() {
        let log = b"vex amd64->IR: unhandled instruction bytes: 0x62 0xF1\n\
            ==7== Process terminating with default action of signal 4 (SIGILL)\n";
        let log = formats::log::read(&log[..]).unwrap().unwrap();
        assert_eq!(cure(&log.fatal).as_deref(), Some(CURES[0].1));
        let stack = b"==7== Stack overflow in thread #1: can't grow stack to 0x1ffe801000\n\
            ==7== Stack overflow in thread #1: can't grow stack to 0x1ffe801000\n==7== \n\
            ==7== Process terminating with default action of signal 11 (SIGSEGV)\n\
            ==7==  Access not within mapped region at address 0x1FFE801318\n\
            ==7==    at 0x11BEC0: prog::r (lib.rs:5)\n\
            ==7==  If you believe this happened as a result of a stack\n\
            ==7==  overflow in your program's main thread (unlikely but\n==7== \n\
            ==7== Events    : Ir\n==7== Collected : 1055878\n";
        let stack = formats::log::read(&stack[..]).unwrap().unwrap();
        let said = [
            "Stack overflow in thread #1: can't grow stack to 0x1ffe801000",
            "Process terminating with default action of signal 11 (SIGSEGV)",
            "Access not within mapped region at address 0x1FFE801318",
            "at 0x11BEC0: prog::r (lib.rs:5)",
        ];
        assert_eq!(stack.fatal, said);
        assert_eq!(
            (cure(&stack.fatal).as_deref(), stack.collected),
            (Some(CURES[1].1), vec![1_055_878])
        );
        let debug_info = b"### unhandled dwarf2 abbrev form code 0x25\n\
            ==7== Valgrind: debuginfo reader: ensure_valid failed:\n\
            ==7== Valgrind:   during call to ML_(img_get)\n==7== \n\
            ==7== Valgrind: I can't recover.  Giving up.  Sorry.\n";
        let debug_info = formats::log::read(&debug_info[..]).unwrap().unwrap();
        assert_eq!(debug_info.fatal.len(), 3);
        assert_eq!(cure(&debug_info.fatal).as_deref(), Some(CURES[2].1));
        // The words of a command are no words of Valgrind.
        let command = b"==7== Callgrind, a profiler\n==7== Command: ./x fatal error\n\
            ==7== Parent PID: 5\n==7== \n==7== Events    : Ir\n==7== Collected : 1\n";
        let command = formats::log::read(&command[..]).unwrap().unwrap();
        assert_eq!(command.fatal, [""; 0]);
        // `ud2` is known, and ends natively as well.
        assert_eq!(cure(&log.fatal[1..]), None);
    }

    #[test]
    fn ends_are_as_expected_or_not() {
        #[track_caller]
        fn check(expected: ExitWith, how: ProcessEnd, is_fine: bool) {
            assert_eq!(is_expected(&how, expected), is_fine, "{expected:?} {how:?}");
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
