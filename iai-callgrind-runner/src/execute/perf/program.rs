//! A program of a binary benchmark under perf.

use std::ffi::OsString;
use std::fs;
use std::os::fd::RawFd;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use super::said::{not_started, signal};
use super::{stop, PerfRun, Purpose};
use crate::error::Result;
use crate::execute::capture::Capture;
use crate::execute::command::RunUnderTool;
use crate::execute::running::Running;
use crate::execute::ProcessEnd;

/// Interval of the looks at the out-file of perf.
const LOOK: Duration = Duration::from_millis(5);

impl RunUnderTool for PerfRun<'_> {
    fn command(&self, environment: Vec<(OsString, OsString)>, working: &Path) -> Result<Command> {
        Ok(self.command_line(environment, working))
    }

    fn start(&self, command: Command, first: RawFd) -> Result<Running> {
        self.begin(command, first)
    }

    fn pid_of_program(&self, _running: &Running) -> Option<i32> {
        // That is the id of perf.
        None
    }

    /// Waits for the end of the program, or of the time in which perf repeats it.
    fn wait(&self, running: Running) -> Result<(ProcessEnd, ExitStatus)> {
        let Some(duration) = self.invocation.repeats() else {
            let status = running.wait()?;
            return Ok((ProcessEnd::exited(status), status));
        };
        let output = self.invocation.output(self.directory);
        let length = || fs::metadata(&output).map_or(0, |data| data.len());
        let start = Instant::now();
        let mut last = length();
        while running.has_ended()?.is_none() {
            thread::sleep(LOOK);
            let now = length();
            // The first record has to be whole: perf writes it in one piece with the comment before it.
            if start.elapsed() >= duration && now > 0 && (now == last || has_two_runs(&output)) {
                stop(&running);
                return Ok((ProcessEnd::Returned, running.wait()?));
            }
            last = now;
        }
        let status = running.wait()?;
        Ok((ProcessEnd::exited(status), status))
    }

    fn judge(&self, how: ProcessEnd, status: ExitStatus, capture: &Capture) -> Result<ProcessEnd> {
        let said = capture.so_far()?;
        let said = String::from_utf8_lossy(&said);
        let written = fs::read(self.invocation.output(self.directory)).unwrap_or_default();
        // perf opens its file only when it knows all events, and may run the program all the same.
        if !written.contains(&b'{') && self.invocation.purpose != Purpose::Record {
            let text = format!("perf did not run it ({status})");
            return Ok(ProcessEnd::NotStarted(not_started(&text, &said)));
        }
        Ok(signal(self.job, &said).map_or(how, ProcessEnd::Signaled))
    }
}

/// Did perf write more than the first run, which is complete then? An incomplete run at the end
/// does not count. Programs may be so short that perf never stops writing.
fn has_two_runs(output: &Path) -> bool {
    let written = formats::perf::read_file(output);
    written.is_ok_and(|profile| profile.is_some_and(|profile| profile.groups().len() > 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_at_the_end_that_is_cut_does_not_count() {
        let line =
            |event: &str| format!("{{\"counter-value\" : \"1\", \"event\" : \"{event}\"}}\n");
        let (a, b) = (line("a"), line("b"));
        for (text, expected) in [
            (String::new(), false),
            (a.clone(), false),
            (format!("{a}{b}"), false),
            (format!("{a}{b}{a}"), false),
            (format!("{a}{b}{a}{}", &b[..20]), false),
            (format!("{a}{b}{a}{b}"), true),
            (format!("{a}{b}{a}{b}{}", &a[..20]), true),
        ] {
            let file = tempfile::NamedTempFile::new().unwrap();
            fs::write(file.path(), &text).unwrap();
            assert_eq!(has_two_runs(file.path()), expected, "{text}");
        }
    }
}
