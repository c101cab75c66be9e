//! A benchmark executable under Valgrind that forks for each benchmark.
//!
//! Starting Valgrind costs a third of a second, a fork a few milliseconds. A server is good for all
//! benchmarks with the same [`ServerKey`], and counts do not depend on the benchmarks before, as
//! long as the server's loop stays at the fixed point that the warm-ups brought it to. A server
//! that deviates in any way is replaced.

use std::ffi::OsString;
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::capture::StreamFiles;
use super::measured::MeasuredFunctions;
use super::packets::{Conversation, ConversationEnd};
use super::processes::{ProcessGroup, Processes};
use super::returned::ReturnPipe;
use super::running::Running;
use super::thread_records::ThreadRecords;
use super::{file_of_process, refusal, ProcessEnd, ReturnFacts};
use crate::error::{FileContext, FileResult, Result};
use crate::plan::{Instrumentation, Job, Moment, PlannedCase, ToolArgs};
use base::tool::{Execution, Tool};
use iai_callgrind::protocol::wire::{
    Hello, COUNT_THREADS, DETERMINISTIC_RANDOM, ENDS_AFTER, ENDS_BEFORE, END_SNAPSHOT, FAST_SETUP,
    FRAMED, MARKED, QUICK_END, REHEARSAL, WARM_UP, WARM_UPS,
};
use store::WorkDirectory;
use symbols::allocator;

/// Time limit for the greeting. After it a server is given up, and its benchmarks run in processes
/// of their own.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

/// Name of the link in the directory of a server.
const LINK: &str = "job";

/// Properties that two benchmarks must have in common to be run by one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServerKey {
    program: Arc<Path>,
    directory: Arc<Path>,
    tool: Tool,
    args: DecidingArgs,
    /// The only function at which the count may begin. `None`: any measured function.
    entry: Option<String>,
    environment: Arc<[(OsString, OsString)]>,
    single_cpu: bool,
    /// Threads that a benchmark may have at a time.
    pub(super) thread_records: ThreadRecords,
    /// Flags of the rehearsal. The heap of a server depends on them.
    rehearsal: u32,
}

/// Arguments of the tool, compared by those that decide about the figures.
#[derive(Debug, Clone)]
struct DecidingArgs(Arc<ToolArgs>);

impl PartialEq for DecidingArgs {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.decide_as(&other.0)
    }
}

impl Eq for DecidingArgs {}

impl ServerKey {
    pub(super) fn of(job: &Job, measured: &MeasuredFunctions) -> Self {
        Self {
            program: Arc::clone(&job.target.program),
            directory: Arc::clone(&job.target.directory),
            tool: job.tool,
            args: DecidingArgs(Arc::clone(&job.args)),
            entry: measured.only(job).map(str::to_owned),
            environment: Arc::clone(&job.environment),
            single_cpu: job.single_cpu,
            thread_records: ThreadRecords::of_server(job),
            rehearsal: REHEARSAL | flags(job) & (QUICK_END | FAST_SETUP | FRAMED),
        }
    }

    /// Arguments of a server that decide about no figure.
    pub(super) fn arguments(&self) -> Vec<String> {
        self.thread_records.argument().into_iter().collect()
    }
}

/// A server that is ready for benchmarks. Killed when dropped, so that the tool writes no result of
/// the server itself.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) key: ServerKey,
    conversation: Conversation,
    /// Killed when dropped, before the directory is removed.
    running: Running,
    directory: ServerDirectory,
    /// The pipe in which benchmarks tell that they return. `None`: not made yet, or it may hold
    /// more than it should.
    returned: Option<ReturnPipe>,
}

/// The private directory of a server. The tool writes below a link in it, which leads to the
/// directory of the job that runs: so files need not be moved there.
#[derive(Debug)]
pub(super) struct ServerDirectory {
    directory: WorkDirectory,
    /// The directory to which the link leads.
    target: PathBuf,
}

impl ServerDirectory {
    /// Makes the link in a directory, to that directory itself.
    pub(super) fn new(directory: WorkDirectory) -> Result<Self> {
        let target = PathBuf::from(".");
        let directory = Self { directory, target };
        directory.link()?;
        Ok(directory)
    }

    /// The directory itself.
    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The path of the link below which the tool writes.
    pub(super) fn place(&self) -> PathBuf {
        self.path().join(LINK)
    }

    /// Makes the tool write into the directory of a job from now on.
    #[expect(
        clippy::disallowed_methods,
        reason = "the link lies in the private directory of the server; no result"
    )]
    fn lead_to(&mut self, directory: &Path) -> FileResult<()> {
        if self.target == directory {
            return Ok(());
        }
        let link = self.place();
        fs::remove_file(&link).context("remove", &link)?;
        directory.clone_into(&mut self.target);
        self.link()
    }

    fn link(&self) -> FileResult<()> {
        let link = self.place();
        symlink(&self.target, &link).context("create", &link)
    }
}

/// A benchmark that a server runs.
#[derive(Debug)]
pub(super) struct StartedBenchmark {
    /// The process id of the fork.
    pub(super) pid: i32,
    /// The process group of the fork.
    pub(super) group: ProcessGroup,
}

impl Server {
    /// Makes a server of a process that was just started: waits for its greeting and warms it up.
    pub(super) fn ready(
        key: ServerKey,
        case: &PlannedCase,
        running: Running,
        mut conversation: Conversation,
        directory: ServerDirectory,
    ) -> Result<std::result::Result<Self, ConversationEnd>> {
        let null = null_streams()?;
        let own = running.pid() as u32;
        let outcome = conversation
            .greeting(case, Execution::Simulated, Some(PATIENCE))
            .and_then(|Hello { threads, .. }| {
                if threads == 0 {
                    // One of them may hold a lock, which would be held for ever in a fork.
                    return Err(
                        "it cannot see how many threads it has: is /proc missing?".to_owned()
                    );
                }
                if threads > 1 {
                    // A fork has only the thread that called it.
                    return Err(format!(
                        "it has {threads} threads before the first benchmark"
                    ));
                }
                let streams = [null[0].as_fd(), null[1].as_fd()];
                // Before the warm-ups, which bring the caches that it has changed to their fixed
                // point.
                conversation.command(case, key.rehearsal, None, streams, streams[0])?;
                conversation.end()?;
                for _ in 0..WARM_UPS {
                    conversation.command(case, WARM_UP, None, streams, streams[0])?;
                    conversation.end()?;
                }
                Ok(())
            });
        // In a process of its own the benchmark has this in its log, which is read with its result.
        let outcome = match outcome {
            Ok(()) if refusal::skips_debug_info(directory.path(), &key.program)? => {
                Err("Valgrind cannot read its debug information".to_owned())
            }
            outcome => outcome,
        };
        // The files of the warm-ups: the system may give the ids of these processes to benchmarks.
        forget(of_others(directory.path(), own)?)?;
        Ok(match outcome {
            Ok(()) => Ok(Self {
                key,
                conversation,
                running,
                directory,
                returned: None,
            }),
            Err(lost) => {
                // The process must end before its directory is removed, in which it would write
                // otherwise.
                running.kill();
                running.wait()?;
                Err(lost)
            }
        })
    }

    /// Starts a benchmark in a fork.
    pub(super) fn start(
        &mut self,
        job: &Job,
        case: &PlannedCase,
        place: Option<&Path>,
        streams: &StreamFiles,
        processes: &Processes,
    ) -> Result<std::result::Result<StartedBenchmark, ConversationEnd>> {
        let returned = match &mut self.returned {
            Some(returned) => returned,
            none => none.insert(ReturnPipe::new()?),
        };
        let told = returned.there.as_fd();
        let pid = self
            .conversation
            .command(case, flags(job), place, streams.both(), told);
        Ok(pid.map(|pid| StartedBenchmark {
            pid,
            group: processes.watch(pid),
        }))
    }

    /// The end of the benchmark that has ended so, if that is not its return.
    pub(super) fn judge(&mut self, how: ProcessEnd) -> (ProcessEnd, ReturnFacts) {
        let Some(returned) = &self.returned else {
            return (how, ReturnFacts::default());
        };
        let end = returned.judge(how, self.conversation.sequence());
        // The rest of this benchmark's answers must not be taken for those of the next one.
        if !end.is_empty {
            self.returned = None;
        }
        (end.how, end.facts)
    }

    /// Waits for the end of the benchmark that was started, and returns its status and its
    /// processor time.
    pub(super) fn end(&mut self) -> std::result::Result<(i32, Duration), ConversationEnd> {
        self.conversation.end()
    }

    /// Does the benchmark that was started end within this time?
    pub(super) fn ends_within(&self, time: Duration) -> bool {
        self.conversation.is_answered_within(time)
    }

    /// Kills the server, which then has to be dropped.
    pub(super) fn kill(&self) {
        self.running.kill();
    }

    /// Ends the processes that the benchmark, which has ended, left running.
    pub(super) fn end_rest(&self, group: ProcessGroup, job: &Job) -> Result<()> {
        self.running
            .end_fork(group, format_args!("`{}`", job.benchmark_path))
    }

    /// Makes the tool write into the directory of the job that comes next.
    pub(super) fn lead_to(&mut self, directory: &Path) -> FileResult<()> {
        self.directory.lead_to(directory)
    }
}

/// Deletes the tool's files in the directory of a job whose process was lost.
pub(super) fn forget_lost(directory: &Path) -> Result<()> {
    // No process has this id.
    forget(of_others(directory, 0)?)
}

/// Deletes the tool's files of processes that were no benchmarks.
#[expect(
    clippy::disallowed_methods,
    reason = "lies in a private directory; no result yet"
)]
fn forget(files: Vec<PathBuf>) -> Result<()> {
    for path in files {
        fs::remove_file(&path).context("remove", &path)?;
    }
    Ok(())
}

/// The tool's files of other processes than this one.
fn of_others(directory: &Path, own: u32) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).context("list", directory)? {
        let entry = entry.context("list", directory)?;
        let file = file_of_process(&entry.file_name().to_string_lossy());
        if file.is_some_and(|(_, pid)| pid != own) {
            found.push(entry.path());
        }
    }
    Ok(found)
}

/// The flags of a job for the command to the process that runs it.
pub(super) fn flags(job: &Job) -> u32 {
    let wanted = [
        (job.deterministic_random, DETERMINISTIC_RANDOM),
        (job.args.count_threads, COUNT_THREADS),
        (job.quick_end, QUICK_END),
        (
            job.args.instrumentation == Instrumentation::Function,
            FAST_SETUP,
        ),
        (job.tool == Tool::Dhat, FRAMED),
        (job.tool == Tool::Massif, END_SNAPSHOT),
        (
            allocator::can_be_marked(job.tool, &job.args.entry, &job.target.program),
            MARKED,
        ),
        (job.ends == Some(Moment::BeforeFunction), ENDS_BEFORE),
        (job.ends == Some(Moment::AfterFunction), ENDS_AFTER),
    ];
    let wanted = wanted.iter().filter(|(wanted, _)| *wanted);
    wanted.fold(0, |flags, (_, flag)| flags | flag)
}

/// stdout and stderr for warm-ups, which print nothing but need descriptors as every benchmark
/// does.
fn null_streams() -> Result<[OwnedFd; 2]> {
    let path = Path::new("/dev/null");
    let open = || {
        fs::OpenOptions::new()
            .append(true)
            .open(path)
            .context("open", path)
    };
    Ok([open()?.into(), open()?.into()])
}
