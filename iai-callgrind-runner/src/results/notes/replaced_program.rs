//! Programs that replaced themselves by another one with `exec`.
//!
//! Valgrind begins anew in the same process then: it writes no result of what ran before and
//! truncates the log, so the only trace is a log that names another command than the one that was
//! started. A process that the benchmark started has no such trace: all of them fork first, and the
//! log of a fork names the command of its parent until it is truncated.

use std::os::unix::ffi::OsStrExt;

use super::super::ToolFiles;
use crate::plan::{Job, Subject};
use base::tool::Tool;
use formats::log::Log;
use metrics::CounterSet;

impl ToolFiles {
    /// A note if the program that was started is not the one that ended.
    pub(super) fn replaced(&self, job: &Job) -> Option<String> {
        let Subject::Command(started) = &job.target.subject else {
            return None;
        };
        // A loaded result may be of other arguments than those that are configured now.
        if !self.live {
            return None;
        }
        let args: Vec<&[u8]> = started.args.iter().map(|arg| arg.as_bytes()).collect();
        let program = job.target.program.as_os_str().as_bytes();
        let command = self.root().and_then(|log: &Log| log.command.as_deref())?;
        is_other(program, &args, command).then(|| {
            let how = match job.tool {
                // In a process that was forked the part would hold the counts of the one before as
                // well.
                Tool::Callgrind if !self.several_processes() => {
                    "; `--callgrind-args=--dump-before=execve` counts it as well"
                }
                _ => "",
            };
            format!(
                "the program became `{}` by `exec`, and what it counted before is lost{how}",
                String::from_utf8_lossy(command)
            )
        })
    }
}

impl ToolFiles {
    /// A note if processes count that were started by `fork` and `exec`.
    ///
    /// Between the two there is little to count most often, and no file shows where there is more.
    pub(in crate::results) fn lost_in_children(&self, job: &Job) -> Option<String> {
        if !job.args.count_threads || job.tool != Tool::Callgrind || !self.live {
            return None;
        }
        let root = self.root().and_then(|log| log.pid);
        let processes = self.of_processes(job.tool);
        let mut others = processes.iter().filter(|(pid, _)| *pid != root);
        let is_lost = others.any(|(pid, sets)| {
            !sets.iter().all(CounterSet::is_zero) && self.is_known(*pid) && !self.is_fork(*pid)
        });
        is_lost.then(|| {
            "what a started process counts between `fork` and `exec` is lost, since Callgrind begins anew \
             with the program"
                .to_owned()
        })
    }
}

/// Is this the command of a log of another program, or of the same one with other arguments?
fn is_other(program: &[u8], args: &[&[u8]], command: &[u8]) -> bool {
    let quoted_program = quoted(program);
    if let Some(rest) = command.strip_prefix(quoted_program.as_slice()) {
        let mut expected = Vec::new();
        for arg in args {
            // The log ends the line there.
            if arg.contains(&b'\n') {
                return false;
            }
            expected.push(b' ');
            expected.extend(quoted(arg));
        }
        return rest.trim_ascii() != expected.trim_ascii();
    }
    // A container sees the program in another folder.
    let mut quoting = false;
    let first = command.iter().position(|byte| {
        let ends = *byte == b' ' && !quoting;
        quoting = *byte == b'\\' && !quoting;
        ends
    });
    name(&command[..first.unwrap_or(command.len())]) != name(&quoted_program)
}

fn name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// A word of a command, quoted as Valgrind does it.
fn quoted(word: &[u8]) -> Vec<u8> {
    let mut quoted = Vec::with_capacity(word.len());
    for byte in word {
        if b" \\<>".contains(byte) {
            quoted.push(b'\\');
        }
        quoted.push(*byte);
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_command_in_the_log_is_another_program() {
        #[track_caller]
        fn check(program: &str, args: &[&str], command: &str, expected: bool) {
            let args: Vec<&[u8]> = args.iter().map(|arg| arg.as_bytes()).collect();
            let found = is_other(program.as_bytes(), &args, command.as_bytes());
            assert_eq!(found, expected, "{program} {args:?}: {command}");
        }
        check(
            "/bin/sh",
            &["-c", "exec prog"],
            "/bin/sh -c exec\\ prog",
            false,
        );
        check(
            "/bin/sh",
            &["-c", "a >> b; c"],
            "/bin/sh -c a\\ \\>\\>\\ b;\\ c",
            false,
        );
        check("/bin/sh", &["-c", "exec prog"], "/usr/bin/prog", true);
        check("/bin/sh", &["-c", "exec sh x"], "/bin/sh x", true);
        check("/usr/bin/env", &["prog", "a"], "prog a", true);
        check("/host/tool", &["a"], "/container/tool a", false);
        check("/a b/c\\d", &["e f"], "/a\\ b/c\\\\d e\\ f", false);
        check("/container/a b", &[], "/host/a\\ b", false);
        // Such a command is not on one line of the log.
        check("/bin/sh", &["-c", "a\nb"], "/bin/sh -c a", false);
        check("/bin/true", &[""], "/bin/true ", false);
        check("./script.sh", &[], "./script.sh", false);
    }
}
