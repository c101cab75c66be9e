//! Answers of programs to a question, such as `--version`, within a time limit.
//!
//! In: a command. Out: what it writes to stdout. A program that goes on without an answer, which may not be
//! the one that it is taken for, is killed.

use std::io::{self, ErrorKind, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Time in which every program answers, also on a machine that is busy, or from a slow disk.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Most bytes of an answer that are read.
const MOST: u64 = 64 * 1024;

/// Delay between two looks at a process that has answered and is about to end.
const SHORT: Duration = Duration::from_micros(100);

/// Starts a program, which reads nothing, and waits for its answer and its end.
///
/// # Errors
///
/// The program cannot be started, or it does not answer in time ([`ErrorKind::TimedOut`]).
pub fn answer(command: &mut Command, limit: Duration) -> io::Result<String> {
    let deadline = Instant::now() + limit;
    let command = command.stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let answer = read(&mut child, limit);
    let ended = answer.is_ok() && ends(&mut child, deadline)?;
    if !ended {
        // It may have ended in this moment.
        let _ = child.kill();
        child.wait()?;
        answer.as_ref().map_err(|error| error.kind())?;
        return Err(ErrorKind::TimedOut.into());
    }
    Ok(String::from_utf8_lossy(&answer?).into_owned())
}

/// Reads stdout to its end, in a thread: nobody knows when the next byte comes.
fn read(child: &mut Child, limit: Duration) -> io::Result<Vec<u8>> {
    let Some(stdout) = child.stdout.take() else {
        return Ok(Vec::new());
    };
    let (tell, told) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.take(MOST).read_to_end(&mut bytes);
        // After the time limit nobody wants to know.
        let _ = tell.send(read.map(|_| bytes));
    })?;
    told.recv_timeout(limit)
        .unwrap_or_else(|_| Err(ErrorKind::TimedOut.into()))
}

/// Does the process end before the deadline?
fn ends(child: &mut Child, deadline: Instant) -> io::Result<bool> {
    loop {
        let ended: Option<ExitStatus> = child.try_wait()?;
        if ended.is_some() || Instant::now() > deadline {
            return Ok(ended.is_some());
        }
        thread::sleep(SHORT);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_millis(200);

    fn of_script(script: &str, limit: Duration) -> io::Result<String> {
        answer(Command::new("/bin/sh").args(["-c", script]), limit)
    }

    #[track_caller]
    fn check_late(script: &str) {
        let begin = Instant::now();
        let error = of_script(script, LIMIT).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut, "{script}");
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
        check_late("echo program 1.2; exec sleep 60");
        check_late("echo program 1.2; exec >&-; exec sleep 60");
    }

    #[test]
    fn an_answer_without_an_end_is_cut() {
        let text = of_script("while :; do echo aaaaaaaaaaaaaaaaaaaa; done", PATIENCE).unwrap();
        assert_eq!(text.len() as u64, MOST);
    }

    #[test]
    fn what_is_no_program_is_not_late() {
        let error = answer(&mut Command::new("/no/such/program"), LIMIT).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
    }
}
