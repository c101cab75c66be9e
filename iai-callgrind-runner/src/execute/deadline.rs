//! The time limit of a benchmark.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use nix::sys::signal::{killpg, Signal};
use nix::unistd::Pid;

use super::processes::Processes;
use super::ProcessEnd;

/// Time between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_secs(1);

/// Time after which processes are continued again that somebody keeps stopping.
pub(super) const PERIOD: Duration = Duration::from_millis(100);

/// A time limit that runs beside a benchmark.
#[derive(Debug)]
pub(super) struct Deadline {
    limit: Duration,
    expired: Arc<AtomicBool>,
    /// Dropped to stop the clock.
    stop: Option<Sender<()>>,
    clock: Option<JoinHandle<()>>,
}

impl Deadline {
    /// Asks the group to end after `limit`, and kills it a second later. Guardians and servers that
    /// the group has stopped are continued then, since they have to notice its end.
    ///
    /// # Errors
    ///
    /// The clock, a thread, cannot be started; then nothing would stop the group.
    pub(super) fn start(group: Pid, limit: Duration, processes: Processes) -> io::Result<Self> {
        let (stop, stopped) = channel::<()>();
        let expired = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&expired);
        let clock = thread::Builder::new().spawn(move || {
            for (wait, signal) in [(limit, Signal::SIGTERM), (GRACE, Signal::SIGKILL)] {
                if stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                flag.store(true, Ordering::Relaxed);
                // The group may have ended in this moment.
                let _ = killpg(group, signal);
                // The group may have stopped its guardian or server, which has to tell of its end.
                processes.wake();
            }
            while stopped.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                processes.wake();
            }
        })?;
        Ok(Self {
            limit,
            expired,
            stop: Some(stop),
            clock: Some(clock),
        })
    }

    /// Stops the clock. A process that ended after our signals has timed out, whatever its end
    /// looks like.
    pub(super) fn judge(mut self, how: ProcessEnd) -> ProcessEnd {
        self.stop();
        if self.expired.load(Ordering::Relaxed) {
            ProcessEnd::TimedOut(self.limit)
        } else {
            how
        }
    }

    fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(clock) = self.clock.take() {
            // The thread cannot panic; if it did, no process would be stopped any more.
            let _ = clock.join();
        }
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.stop();
    }
}
