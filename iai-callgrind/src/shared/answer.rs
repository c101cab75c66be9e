//! Answers of programs to a question, such as `--version`, within a time limit.
//!
//! In: a command. Out: what it writes to stdout. A program that goes on without an answer, which
//! may not be the one that it is taken for, is killed.

use std::io;
use std::process::Command;
use std::time::Duration;

/// Time in which every program answers, also on a machine that is busy, or from a slow disk.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Starts a program, which reads nothing, and waits for its answer and its end. `None`: it does not
/// answer in time.
///
/// # Errors
///
/// The program cannot be started.
#[cfg(unix)]
pub fn answer(command: &mut Command, limit: Duration) -> io::Result<Option<String>> {
    let mut question = unix::Question::ask(command, limit)?;
    let answer = question.read();
    if let Ok(Some(bytes)) = &answer {
        if question.ends()? {
            return Ok(Some(String::from_utf8_lossy(bytes).into_owned()));
        }
    }
    question.kill()?;
    answer.map(|_| None)
}

/// Nothing is measured elsewhere, so there is nobody to ask.
#[cfg(not(unix))]
pub fn answer(_command: &mut Command, _limit: Duration) -> io::Result<Option<String>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
mod unix {
    use std::io::{self, Read};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::process::{Child, Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    /// Most bytes of an answer that are read.
    pub(super) const MOST: usize = 64 * 1024;

    /// Delay between two looks at a process that has answered and is about to end.
    const SHORT: Duration = Duration::from_micros(100);

    /// A program that was asked.
    pub(super) struct Question {
        child: Child,
        /// A socket, since reading from one can have a time limit. With a pipe it would take a
        /// thread, and with that a twelfth of what users compiled.
        stdout: UnixStream,
        deadline: Instant,
    }

    impl Question {
        pub(super) fn ask(command: &mut Command, limit: Duration) -> io::Result<Self> {
            let deadline = Instant::now() + limit;
            let (stdout, written) = UnixStream::pair()?;
            command
                .stdin(Stdio::null())
                .stdout(OwnedFd::from(written))
                .stderr(Stdio::null());
            let child = command.spawn();
            // The command has our copy of the other end, by which the answer would never be over.
            command.stdout(Stdio::null());
            Ok(Self {
                child: child?,
                stdout,
                deadline,
            })
        }

        /// Reads stdout to its end. `None`: that does not come before the deadline.
        pub(super) fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
            let mut bytes = vec![0; MOST];
            let mut length = 0;
            while length < MOST {
                let left = self.deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Ok(None);
                }
                self.stdout.set_read_timeout(Some(left))?;
                match self.stdout.read(&mut bytes[length..]) {
                    Ok(0) => break,
                    Ok(more) => length += more,
                    // The time is over, or a signal came: the deadline tells which.
                    Err(_) => thread::sleep(SHORT),
                }
            }
            bytes.truncate(length);
            // Who has more to say learns that nobody listens, as from a closed pipe.
            self.stdout.shutdown(std::net::Shutdown::Both)?;
            Ok(Some(bytes))
        }

        /// Does the process end before the deadline?
        pub(super) fn ends(&mut self) -> io::Result<bool> {
            loop {
                let ended = self.child.try_wait()?.is_some();
                if ended || Instant::now() > self.deadline {
                    return Ok(ended);
                }
                thread::sleep(SHORT);
            }
        }

        pub(super) fn kill(&mut self) -> io::Result<()> {
            // It may have ended in this moment.
            let _ = self.child.kill();
            self.child.wait().map(drop)
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Instant;

    use super::*;

    const LIMIT: Duration = Duration::from_millis(200);

    fn of_script(script: &str, limit: Duration) -> Option<String> {
        answer(Command::new("/bin/sh").args(["-c", script]), limit).unwrap()
    }

    #[track_caller]
    fn check_late(script: &str) {
        let begin = Instant::now();
        assert_eq!(of_script(script, LIMIT), None, "{script}");
        assert!(begin.elapsed() < PATIENCE / 2, "{script}");
    }

    #[test]
    fn an_answer_is_what_stands_on_stdout() {
        let script = "cat; echo program 1.2; echo more >&2; exit 3";
        assert_eq!(of_script(script, PATIENCE).unwrap(), "program 1.2\n");
        assert_eq!(of_script("true", PATIENCE).unwrap(), "");
    }

    #[test]
    fn who_does_not_answer_or_does_not_end_is_late() {
        check_late("exec sleep 60");
        check_late("sleep 60 & echo program 1.2");
        check_late("echo program 1.2; exec sleep 60");
        check_late("echo program 1.2; exec >&-; exec sleep 60");
    }

    #[test]
    fn an_answer_without_an_end_is_cut() {
        let text = of_script("while :; do echo aaaaaaaaaaaaaaaaaaaa; done", PATIENCE).unwrap();
        assert_eq!(text.len(), unix::MOST);
    }

    #[test]
    fn what_is_no_program_is_not_late() {
        let error = answer(&mut Command::new("/no/such/program"), LIMIT).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
