//! A case in a fork of a server, and the servers that wait for cases.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::PoisonError;

use super::direct::{to_file, Process};
use super::{how, ValgrindLauncher};
use crate::error::Result;
use crate::execute::capture::Capture;
use crate::execute::returned::ReturnPipe;
use crate::execute::server::{Server, ServerKey};
use crate::execute::thread_records::{self, ThreadRecords};
use crate::execute::{working_directory, EndedProcess};
use crate::plan::{Job, Mode, PlannedCase};

/// Most servers that wait for the next benchmark with their key; each holds some 30 MB.
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

impl ValgrindLauncher<'_> {
    /// Runs a job in a fork of a server. `None`: it has to run again, in another one.
    pub(super) fn forked(
        &self,
        mut server: Server,
        job: &Job,
        case: &PlannedCase,
        directory: &Path,
        capture: &Capture,
    ) -> Result<Option<EndedProcess>> {
        let place = working_directory::prepare(job.working_directory.as_ref(), directory)?;
        let streams = &capture.descriptors;
        let returned = ReturnPipe::new()?;
        let Ok(started) = server.start(
            job,
            case,
            place.directory(),
            streams,
            &returned.there,
            &self.processes,
        ) else {
            return self.lost(job);
        };
        let deadline = self.processes.deadline(started.pid, job.timeout)?;
        let Ok((status, cpu)) = server.end() else {
            drop(started.group);
            return self.lost(job);
        };
        // Before its files are moved: nobody may write them any more.
        server.end_rest(started.group, job)?;
        self.processes.check()?;
        let how = returned.judge(how(ExitStatus::from_raw(status)), server.sequence());
        let files = server.files()?;
        if server.key.thread_records == ThreadRecords::Few
            && thread_records::were_too_few(&files, started.pid, &how)?
        {
            log::debug!(
                "{}: needs more threads than its process may have, and runs again in another one",
                job.benchmark_path
            );
            capture.forget()?;
            self.servers().crowded.push(server.key.clone());
            return Ok(None);
        }
        Server::hand_over(files, directory)?;
        let ended = EndedProcess {
            how: match deadline {
                Some(deadline) => deadline.judge(how),
                None => how,
            },
            output: capture.read()?,
            mode: Mode::Fork,
            pid: Some(started.pid),
            cpu: Some(cpu),
            hooks: Vec::new(),
        };
        self.keep(server);
        Ok(Some(ended))
    }

    /// What becomes of a job whose server was lost.
    fn lost(&self, job: &Job) -> Result<Option<EndedProcess>> {
        self.processes.check()?;
        log::warn!(
            "{}: its process was lost and is replaced",
            job.benchmark_path
        );
        Ok(None)
    }

    /// Keeps a server for the next benchmark with its key. If there are too many, the least recently used
    /// one ends.
    fn keep(&self, server: Server) {
        let mut servers = self.servers();
        servers.idle.push(server);
        let oldest = (servers.idle.len() > MOST_IDLE).then(|| servers.idle.remove(0));
        // The end of the oldest server takes a moment in which other threads may want the lock.
        drop(servers);
        drop(oldest);
    }

    /// A server for this job, an idle one or a new one. `None`: no server with its key becomes ready.
    pub(super) fn server(&self, job: &Job, case: &PlannedCase) -> Result<Option<Server>> {
        let mut key = ServerKey::of(job, &self.measured);
        {
            let mut servers = self.servers();
            if servers.crowded.contains(&key) {
                key.thread_records = ThreadRecords::Default;
            }
            if servers.hopeless.contains(&key) {
                return Ok(None);
            }
            if let Some(index) = servers.idle.iter().position(|server| server.key == key) {
                return Ok(Some(servers.idle.remove(index)));
            }
        }
        let directory = self.store.work_directory()?;
        let streams = to_file(&directory.path().join("messages"))?;
        let Process {
            running,
            conversation,
        } = self.start(job, directory.path(), streams, &key.arguments())?;
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
