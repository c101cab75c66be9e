//! The command line of perf and its start, with the pipes and the log that it shares with the
//! measured process.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{OwnedFd, RawFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use iai_callgrind::protocol::wire::{PERF_CONTROL, PERF_OWN_CONTROL};
use iai_callgrind::protocol::PERF_VARIABLE;

use super::PerfRun;
use crate::error::{FileContext, Result};
use crate::execute::processes::When;
use crate::execute::running::Running;
use crate::execute::valgrind::surrounded;
use crate::execute::{padding, streams};
use crate::plan::CountBegin;
use base::os::inherited::{out_of_the_way, pass_on};
use base::os::processors;
use base::shell_line::words_of;

/// Descriptor of the log in the measured process.
const LOG: RawFd = 104;

impl PerfRun<'_> {
    /// The command line of perf, up to the program.
    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    pub(super) fn command_line(
        &self,
        mut environment: Vec<(OsString, OsString)>,
        working: &Path,
    ) -> Command {
        let target = &self.job.target;
        if self.invocation.perf.begin == CountBegin::AtMark {
            // A placeholder of the same length: the descriptors are made later, and the padding
            // depends on the size of the environment.
            environment.push((PERF_VARIABLE.into(), inodes([0; 3]).into()));
        }
        let mut command = Command::new(self.program);
        command
            .args(self.invocation.arguments(self.job, self.directory))
            .arg(&*target.program);
        let mut environment = surrounded(environment, working);
        padding::pad(&mut environment, &target.program);
        command.env_clear().envs(environment);
        if let Some(path) = Some(working).filter(|path| path.is_dir()) {
            command.current_dir(path);
        }
        command
    }

    /// Starts perf. Of the descriptors from `first` on it inherits its pipes and its log only.
    pub(super) fn begin(&self, mut command: Command, first: RawFd) -> Result<Running> {
        let log = self.invocation.log(self.directory);
        let line = words_of(command.get_program(), command.get_args());
        let text = format!("Command: {line}\n");
        // Where some processors are slower, chance would decide about the figures.
        if !self.job.single_cpu {
            processors::on_fast_processors(&mut command)
                .context("choose processors for", &self.job.target.program)?;
        }
        self.valgrind.prepare(self.job, &mut command, first)?;
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&log)
            .context("create", &log)?;
        file.write_all(text.as_bytes()).context("write", &log)?;
        let copy = file.try_clone().context("open", &log)?;
        let passed = passed(copy.into());
        let (passed, known) = passed.context("make", Path::new("the pipes for perf"))?;
        if self.invocation.perf.begin == CountBegin::AtMark {
            command.env(PERF_VARIABLE, inodes(known));
        }
        // After `prepare`, which has all descriptors closed at `exec`.
        pass_on(&mut command, passed);
        let owner = format!("`{}`", self.job.benchmark_path);
        let running = self
            .valgrind
            .processes
            .start(command, When::NotStopped, owner)?;
        let part = self.invocation.part;
        let text = format!("Pid: {}\nPart: {part}\n\n", running.pid());
        file.write_all(text.as_bytes()).context("write", &log)?;
        Ok(running)
    }
}

/// Descriptors with their numbers in another process.
type Passed = Vec<(OwnedFd, RawFd)>;

/// Descriptors for perf and the process: two pipes, and the log. Also the inodes of those that the
/// process uses.
fn passed(log: OwnedFd) -> io::Result<(Passed, [u64; 3])> {
    let [own_control, own_answer] = PERF_OWN_CONTROL;
    let [control, answer] = PERF_CONTROL;
    let (read_control, write_control) = streams::pipe()?;
    let (read_answer, write_answer) = streams::pipe()?;
    let inode = |descriptor: &OwnedFd| -> io::Result<u64> {
        Ok(File::from(descriptor.try_clone()?).metadata()?.ino())
    };
    let known = [inode(&write_control)?, inode(&read_answer)?, inode(&log)?];
    let all = [
        (read_control, own_control),
        (write_answer, own_answer),
        (write_control, control),
        (read_answer, answer),
        (log, LOG),
    ];
    // Numbers of the process could be in use here, and `dup2` would close them.
    let passed = all
        .into_iter()
        .map(|(from, to)| Ok((out_of_the_way(from)?, to)));
    Ok((passed.collect::<io::Result<_>>()?, known))
}

/// The value of [`PERF_VARIABLE`], which always has the same size.
fn inodes(known: [u64; 3]) -> String {
    let [control, answer, log] = known;
    format!("{control:020}:{answer:020}:{log:020}")
}
