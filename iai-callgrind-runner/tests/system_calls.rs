//! The system calls of the runner for one further benchmark: kept few, since they are most of its time.
//!
//! A second process of this test runs a replayed suite, and this one counts its calls. What plays the tool stands between
//! two marks and is not counted. In a run with Valgrind there are ten calls more for a benchmark: seven for the
//! conversation with its server, two of which ask whether the next benchmark has ended, one look at what it left and one at what it printed,
//! and its name is written before its results. There it has no directory of its own, which is one call less.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![expect(clippy::disallowed_methods, reason = "starts itself")]

#[allow(dead_code, reason = "only one suite is run")]
mod replayed;

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::{env, io};

use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{waitpid, WaitPidFlag, WaitStatus};
use nix::unistd::{getppid, Pid};
use replayed::launcher::AroundReplay;
use replayed::Replayed;

/// Tells the second process which suite it is to run.
const TRACED: &str = "IAI_CALLGRIND_TEST_TRACED";

/// The mark around what is not counted.
const MARK: u64 = libc::SYS_getppid as u64;

/// The number of benchmarks.
const BENCHMARKS: usize = 40;

/// Most calls for a benchmark in the thread that measures, until the next one runs. Four of them read the old digest, which saves
/// making one, and nine the digest, the profile and the log before, which saves writing and renaming all of them; one of them only every
/// tenth benchmark has, which writes the records of ten to the file of all.
const MOST: usize = 45;

/// Renames for a benchmark in the thread that replaces results. There is one more for the note of many.
const RENAMES: usize = 5;

/// Those of a benchmark whose files stay: of its record.
const RENAMES_OF_RECORD: usize = 1;

/// Files of the old result that are renamed: profile and log.
const RETIRED: usize = 2;

/// Renames of a digest in the first two runs: it gets its name, becomes the old one, and there is a new one.
const RENAMES_OF_DIGEST: usize = 3;

/// Runs of the benchmarks. From the third one on the files of the last two results are there and the same.
const RUNS: usize = 3;

/// Removals for a benchmark there: its directory. The note of many is removed, and what may be in its way before. What
/// the tool left and is not kept becomes the record.
const REMOVALS: usize = 1;

/// Further ones where files stay: of the new profile and the new log.
const REMOVALS_OF_SAME: usize = 2;

/// The calls of one run.
#[derive(Default)]
struct Calls {
    /// The calls of the measuring thread between one benchmark and the next.
    between: Vec<BTreeMap<u64, usize>>,
    /// The calls of other threads.
    beside: BTreeMap<u64, usize>,
    /// Threads between the begin and the end of a call.
    inside: Vec<Pid>,
    /// The thread that measures.
    measuring: Option<Pid>,
    /// The tool plays.
    is_marked: bool,
}

#[test]
fn a_further_benchmark_takes_few_calls() {
    if env::var_os(TRACED).is_some() {
        return run_often();
    }
    let calls = trace();
    // The first ones make directories, and the last one waits for everything.
    let usual = &calls.between[(RUNS - 1) * BENCHMARKS + 2..RUNS * BENCHMARKS - 2];
    let without_waits = |calls: &BTreeMap<u64, usize>| -> usize {
        // Waits, memory, and checks of debug builds.
        let others = [
            libc::SYS_futex,
            libc::SYS_brk,
            libc::SYS_mmap,
            libc::SYS_munmap,
            libc::SYS_fcntl,
        ];
        let counted = calls.iter();
        let others = counted.filter(|(call, _)| !others.contains(&(**call as i64)));
        others.map(|(_, count)| count).sum()
    };
    let most = usual
        .iter()
        .max_by_key(|calls| without_waits(calls))
        .unwrap();
    assert!(
        without_waits(most) <= MOST,
        "{} {most:?}",
        without_waits(most)
    );
    let number = |names: &[i64]| -> usize {
        names
            .iter()
            .filter_map(|name| calls.beside.get(&(*name as u64)))
            .sum()
    };
    let renames = number(&[libc::SYS_rename, libc::SYS_renameat, libc::SYS_renameat2]);
    // The first run has nothing to retire.
    let usual = (RUNS - 1) * RENAMES - RETIRED + RENAMES_OF_DIGEST;
    let least = BENCHMARKS * (usual + RENAMES_OF_RECORD);
    // How many have a note in common depends on the time that they take.
    let notes = least..least + BENCHMARKS;
    assert!(notes.contains(&renames), "{renames}, {least} without notes");
    let removals = number(&[libc::SYS_unlink, libc::SYS_unlinkat, libc::SYS_rmdir]);
    let least = BENCHMARKS * (RUNS * REMOVALS + REMOVALS_OF_SAME);
    let notes = least..least + BENCHMARKS;
    assert!(
        notes.contains(&removals),
        "{removals}, {least} without notes"
    );
}

/// Runs a suite of many benchmarks, and again with results to compare with.
fn run_often() {
    let folder = tempfile::tempdir().unwrap();
    let mut replayed = Replayed::new();
    replayed.have_small_ones(BENCHMARKS, folder.path());
    // One that is there, as most often.
    replayed.executable = env::current_exe().unwrap();
    let marked = AroundReplay::new(folder.path(), |_, _, replayed| {
        getppid();
        let ended = replayed();
        getppid();
        ended
    });
    for _ in 0..RUNS {
        let shown = replayed.run_by(&marked, &["--nosummary=no"]);
        assert!(shown.out.contains("works c1"), "{}{}", shown.out, shown.err);
    }
}

/// Traces the second process with all of its threads.
#[expect(clippy::zombie_processes, reason = "is waited for by its id")]
fn trace() -> Calls {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args([
            "--exact",
            "a_further_benchmark_takes_few_calls",
            "--test-threads=1",
            "-q",
        ])
        .env(TRACED, "1");
    // SAFETY: a plain system call.
    unsafe { command.pre_exec(|| ptrace::traceme().map_err(io::Error::from)) };
    let child = command.spawn().unwrap();
    let child = Pid::from_raw(child.id() as i32);
    waitpid(child, None).unwrap();
    let options = ptrace::Options::PTRACE_O_TRACECLONE
        | ptrace::Options::PTRACE_O_TRACESYSGOOD
        | ptrace::Options::PTRACE_O_EXITKILL;
    ptrace::setoptions(child, options).unwrap();
    ptrace::syscall(child, None).unwrap();
    let mut calls = Calls::default();
    loop {
        let status = waitpid(None, Some(WaitPidFlag::__WALL)).unwrap();
        let (thread, signal) = match status {
            WaitStatus::Exited(pid, code) if pid == child => {
                assert_eq!(code, 0);
                return calls;
            }
            WaitStatus::PtraceSyscall(thread) => {
                calls.stopped(thread);
                (thread, None)
            }
            // A new thread, or a signal of ptrace's own.
            WaitStatus::Stopped(thread, Signal::SIGSTOP | Signal::SIGTRAP) => (thread, None),
            WaitStatus::Stopped(thread, signal) => (thread, Some(signal)),
            WaitStatus::PtraceEvent(thread, ..) => (thread, None),
            WaitStatus::Exited(..) => continue,
            other => panic!("{other:?}"),
        };
        ptrace::syscall(thread, signal).unwrap();
    }
}

impl Calls {
    /// A thread stands at the begin or at the end of a call.
    fn stopped(&mut self, thread: Pid) {
        if let Some(place) = self.inside.iter().position(|other| *other == thread) {
            self.inside.swap_remove(place);
            return;
        }
        self.inside.push(thread);
        let number = ptrace::getregs(thread).unwrap().orig_rax;
        if number == MARK {
            self.measuring = Some(thread);
            self.is_marked = !self.is_marked;
            self.between.extend(self.is_marked.then(BTreeMap::new));
        } else if self.measuring != Some(thread) {
            *self.beside.entry(number).or_default() += 1;
        } else if !self.is_marked {
            let last = self.between.last_mut().unwrap();
            *last.entry(number).or_default() += 1;
        }
    }
}
