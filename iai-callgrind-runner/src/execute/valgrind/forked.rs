//! A case in a fork of a server, and the servers that wait for cases.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::PoisonError;
use std::time::Duration;

use super::direct::{to_file, Process};
use super::{how, ValgrindLauncher};
use crate::error::Result;
use crate::execute::capture::Capture;
use crate::execute::deadline::Deadline;
use crate::execute::server::{Server, ServerDirectory, ServerKey, StartedBenchmark};
use crate::execute::thread_records::{self, ThreadRecords};
use crate::execute::working_directory::{self, PreparedDirectory};
use crate::execute::{BegunJob, EndedAhead, EndedProcess};
use crate::plan::{Job, PlannedCase, Subject};
use records::summary::Mode;
use store::WorkDirectory;

/// Most servers that wait for the next benchmark with their key; each holds about 30 MB.
const MOST_IDLE: usize = 16;

/// The servers of a run that are not busy.
#[derive(Debug, Default)]
pub(super) struct Servers {
    /// Servers that are ready and run nothing.
    idle: Vec<Server>,
    /// Keys of servers in which a benchmark had too many threads.
    crowded: Vec<ServerKey>,
    /// Keys for which no server could be made ready.
    hopeless: Vec<ServerKey>,
}

impl Servers {
    /// The key of a server in which the benchmarks of this one have enough threads.
    fn with_enough_threads(&self, mut key: ServerKey) -> ServerKey {
        if self.crowded.contains(&key) {
            key.thread_records = ThreadRecords::Default;
        }
        key
    }

    /// Takes a server with this key that runs nothing.
    fn idle(&mut self, key: &ServerKey) -> Option<Server> {
        let mut idle = self.idle.iter();
        let index = idle.position(|server| server.key == *key)?;
        Some(self.idle.remove(index))
    }
}

impl Drop for Servers {
    /// Kills all servers before the first one is dropped, which waits for its end: so they end at
    /// the same time.
    fn drop(&mut self) {
        self.idle.iter().for_each(Server::kill);
    }
}

/// A job that runs in a fork of a server. Dropping it ends the fork, and then the server.
pub(super) struct ForkedJob<'a> {
    launcher: &'a ValgrindLauncher<'a>,
    job: &'a Job,
    started: StartedBenchmark,
    deadline: Option<Deadline>,
    server: Server,
    /// Removed after the end.
    _place: PreparedDirectory,
    directory: PathBuf,
}

/// A job in a fork that was begun before its turn.
struct ForkedAhead<'a> {
    forked: ForkedJob<'a>,
    capture: Capture,
    /// Removed when the tool does not write into it any more.
    directory: WorkDirectory,
}

impl BegunJob for ForkedAhead<'_> {
    fn end(self: Box<Self>) -> Result<(EndedAhead, WorkDirectory)> {
        let Self {
            forked,
            capture,
            directory,
        } = *self;
        let ended = forked.end(&capture)?;
        Ok((ended, directory))
    }

    fn ends_within(&self, time: Duration) -> bool {
        self.forked.server.ends_within(time)
    }
}

impl ForkedJob<'_> {
    /// Waits for the end of the fork. `None`: the job has to run again, in another server.
    pub(super) fn end(self, capture: &Capture) -> Result<Option<EndedProcess>> {
        let Self {
            launcher,
            job,
            started,
            deadline,
            mut server,
            directory,
            _place,
        } = self;
        let Ok((status, cpu)) = server.end() else {
            // A server that only answered wrongly is still there, and so is the fork.
            drop(started.group);
            launcher.lost(job)?;
            return Ok(None);
        };
        // Before its files are read: nobody may write them any more.
        server.end_rest(started.group, job)?;
        launcher.processes.check()?;
        let (how, at_return) = server.judge(how(ExitStatus::from_raw(status)));
        if server.key.thread_records == ThreadRecords::Few
            && thread_records::were_too_few(&directory, started.pid, &how)?
        {
            log::debug!(
                "{}: needs more threads than its process may have, and runs again in another one",
                job.benchmark_path
            );
            capture.forget()?;
            // The server ends here: from now on all benchmarks with its key go to one with more
            // records.
            launcher.servers().crowded.push(server.key.clone());
            return Ok(None);
        }
        let ended = EndedProcess {
            how: match deadline {
                Some(deadline) => deadline.judge(how),
                None => how,
            },
            output: capture.read()?,
            mode: Mode::Fork,
            pid: Some(started.pid),
            cpu: Some(cpu),
            at_return,
            hooks: Vec::new(),
        };
        launcher.keep(server);
        Ok(Some(ended))
    }
}

impl ValgrindLauncher<'_> {
    /// Starts a job in a fork of a server. `None`: it has to run again, in another one.
    pub(super) fn forked<'a>(
        &'a self,
        mut server: Server,
        job: &'a Job,
        case: &PlannedCase,
        directory: &Path,
        capture: &Capture,
    ) -> Result<Option<ForkedJob<'a>>> {
        let place = working_directory::prepare(job.working_directory.as_ref(), directory)?;
        server.lead_to(directory)?;
        let Ok(started) = server.start(
            job,
            case,
            place.directory(),
            &capture.streams,
            &self.processes,
        )?
        else {
            self.lost(job)?;
            return Ok(None);
        };
        Ok(Some(ForkedJob {
            launcher: self,
            job,
            deadline: self.processes.deadline(started.pid, job.timeout)?,
            started,
            server,
            _place: place,
            directory: directory.to_owned(),
        }))
    }

    /// Starts a job in a fork of a server that is ready. `None`: there is none, or it was lost.
    pub(super) fn begin_forked<'a>(
        &'a self,
        job: &'a Job,
    ) -> Result<Option<Box<dyn BegunJob + Send + 'a>>> {
        let Subject::Case(case) = &job.target.subject else {
            return Ok(None);
        };
        // The lock is released before the fork: other workers look for servers as well.
        let idle = {
            let mut servers = self.servers();
            let key = servers.with_enough_threads(ServerKey::of(job, &self.measured));
            servers.idle(&key)
        };
        let Some(server) = idle else {
            return Ok(None);
        };
        let directory = self.store.work_directory()?;
        let capture = Capture::hidden(directory.path())?;
        let forked = self.forked(server, job, case, directory.path(), &capture)?;
        Ok(match forked {
            Some(forked) => Some(Box::new(ForkedAhead {
                forked,
                capture,
                directory,
            })),
            None => None,
        })
    }

    /// Tells of a job whose server was lost, if that is not the end of the run.
    fn lost(&self, job: &Job) -> Result<()> {
        self.processes.check()?;
        log::warn!(
            "{}: its process was lost and is replaced",
            job.benchmark_path
        );
        Ok(())
    }

    /// Keeps a server for the next benchmark with its key. If there are too many, the least
    /// recently used one ends.
    fn keep(&self, server: Server) {
        let mut servers = self.servers();
        servers.idle.push(server);
        let oldest = (servers.idle.len() > MOST_IDLE).then(|| servers.idle.remove(0));
        // The end of the oldest server takes a moment in which other threads may want the lock.
        drop(servers);
        drop(oldest);
    }

    /// A server for this job, an idle one or a new one. `None`: no server with its key becomes
    /// ready.
    pub(super) fn server(&self, job: &Job, case: &PlannedCase) -> Result<Option<Server>> {
        let mut key = ServerKey::of(job, &self.measured);
        {
            let mut servers = self.servers();
            key = servers.with_enough_threads(key);
            if servers.hopeless.contains(&key) {
                return Ok(None);
            }
            if let Some(server) = servers.idle(&key) {
                return Ok(Some(server));
            }
        }
        let directory = ServerDirectory::new(self.store.work_directory()?)?;
        let streams = to_file(&directory.path().join("messages"))?;
        let Process {
            running,
            conversation,
        } = self.start(job, &directory.place(), streams, &key.arguments())?;
        let ready = match conversation {
            Ok(conversation) => Server::ready(key.clone(), case, running, conversation, directory)?,
            Err(lost) => Err(lost),
        };
        match ready {
            Ok(server) => Ok(Some(server)),
            Err(lost) => {
                self.processes.check()?;
                log::debug!(
                    "{}: no server can be made ready: {lost}",
                    job.benchmark_path
                );
                // Otherwise every benchmark with this key would wait for another failed start.
                self.servers().hopeless.push(key);
                Ok(None)
            }
        }
    }

    fn servers(&self) -> std::sync::MutexGuard<'_, Servers> {
        // Each change is complete in itself.
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
