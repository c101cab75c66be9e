//! Runs jobs under Valgrind: the runner's side of the `serve` role.
//!
//! The benchmark executable is started without arguments and gets its command on a socket, so
//! nothing that differs between two benchmarks or two checkouts is in its memory before the
//! benchmark begins. For now every job has a process of its own, which runs the benchmark itself
//! (`DIRECT`).

use std::fs::OpenOptions;
use std::io;
use std::io::IoSlice;
use std::mem::size_of;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use iai_callgrind::protocol::wire::{self, Hello, Packet, Started};
use iai_callgrind::protocol::{PROTOCOL, ROLE_ARGUMENT, SERVER_VARIABLE};
use nix::sys::socket::{
    recv, sendmsg, socketpair, AddressFamily, ControlMessage, MsgFlags, SockFlag, SockType,
};

use super::capture::Capture;
use super::processes::{code_or_signal, Processes, Rest, Running};
use super::{padding, Ended, Hook, How, Launch, LOG_PREFIX, OUT_PREFIX};
use crate::error::{Error, FileContext, Result};
use crate::host::Host;
use crate::plan::{Hooks, Job};
use crate::settings::Settings;

/// The socket's number in the measuring process.
const SOCKET: RawFd = 3;

/// Runs jobs under the Valgrind of the host.
#[derive(Debug)]
pub struct Valgrind<'a> {
    /// The Valgrind.
    pub host: Host,
    /// The processes that run.
    pub processes: Processes,
    /// What the user asked for.
    pub settings: &'a Settings,
}

impl Launch for Valgrind<'_> {
    fn launch(&self, job: &Job, directory: &Path) -> Result<Ended> {
        let capture = Capture::new(job.nocapture, &directory.join("output"))?;
        let messages = directory.join("messages");
        let (ours, theirs) = socketpair(
            AddressFamily::Unix,
            SockType::SeqPacket,
            None,
            SockFlag::SOCK_CLOEXEC,
        )
        .map_err(|error| internal("make a socket for", job, error.into()))?;
        let mut command = self.command(job, directory, &messages)?;
        pass_on(&mut command, &theirs);
        let running = self.processes.start(&mut command)?;
        // Ours is the only end left besides the one in the process: its death is the end of file.
        drop((command, theirs));
        let started = converse(&ours, job, &capture.descriptors);
        self.end(running, started, &capture, &messages)
    }

    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    fn assist(&self, hooks: &Hooks, hook: Hook) -> Result<Ended> {
        let output =
            tempfile::NamedTempFile::new().context("create a file in", &std::env::temp_dir())?;
        let capture = Capture::new(self.settings.nocapture, output.path())?;
        let [stdout, stderr] = capture.streams()?;
        let mut command = Command::new(&self.settings.executable);
        command
            .args([ROLE_ARGUMENT, "assist", &hooks.level, hook.name()])
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr);
        let running = match hook {
            Hook::Setup => self.processes.start(&mut command)?,
            Hook::Teardown => self.processes.start_always(&mut command)?,
        };
        let how = match code_or_signal(running.wait(Rest::Stays)?) {
            Ok(0) => How::Returned,
            Ok(code) => How::Exited(code),
            Err(signal) => How::Signaled(signal),
        };
        Ok(Ended {
            how,
            output: capture.read()?,
        })
    }
}

impl Valgrind<'_> {
    /// The command line of Valgrind.
    #[expect(clippy::disallowed_methods, reason = "this stage starts processes")]
    fn command(&self, job: &Job, directory: &Path, messages: &Path) -> Result<Command> {
        let mut environment = job.environment.clone();
        environment.push((SERVER_VARIABLE.into(), SOCKET.to_string().into()));
        let working = Some(&job.target.directory).filter(|path| path.is_dir());
        if let Some(path) = working {
            // Shell scripts around Valgrind add it; its length has to be known.
            environment.retain(|(name, _)| name != "PWD");
            environment.push(("PWD".into(), path.into()));
        }
        padding::pad(&mut environment, &job.target.program);
        let streams = OpenOptions::new()
            .create(true)
            .append(true)
            .open(messages)
            .context("create", messages)?;
        let mut command = Command::new(&self.host.valgrind);
        command
            .args(&job.args.words)
            .arg(file_argument(
                job.tool.out_file_option(),
                directory,
                OUT_PREFIX,
            ))
            .arg(file_argument("--log-file", directory, LOG_PREFIX))
            .arg(&job.target.program)
            .env_clear()
            .envs(environment)
            .stdin(Stdio::null())
            .stdout(streams.try_clone().context("open", messages)?)
            .stderr(streams);
        if let Some(path) = working {
            command.current_dir(path);
        }
        log::debug!("{}: {command:?}", job.identity);
        Ok(command)
    }

    /// Waits for the process and says how it ended.
    fn end(
        &self,
        running: Running,
        started: std::result::Result<(), String>,
        capture: &Capture,
        messages: &Path,
    ) -> Result<Ended> {
        if started.is_err() {
            // It may wait for a command for ever; if it has ended, this changes nothing.
            running.kill();
        }
        let status = running.wait(Rest::Killed)?;
        self.processes.check()?;
        let how = match (started, code_or_signal(status)) {
            (Err(reason), _) => {
                let said = std::fs::read(messages).context("read", messages)?;
                let said = String::from_utf8_lossy(&said);
                How::NotStarted(format!("{reason} ({status})\n{}", said.trim_end()))
            }
            (Ok(()), Ok(wire::RETURNED)) => How::Returned,
            (Ok(()), Ok(code)) => How::Exited(code),
            (Ok(()), Err(signal)) => How::Signaled(signal),
        };
        Ok(Ended {
            how,
            output: capture.read()?,
        })
    }
}

/// `--option=<directory>/<prefix>%p`; Valgrind takes `%` for the begin of a placeholder.
fn file_argument(option: &str, directory: &Path, prefix: &str) -> std::ffi::OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let mut argument = format!("{option}=").into_bytes();
    for byte in directory.as_os_str().as_bytes() {
        argument.push(*byte);
        if *byte == b'%' {
            argument.push(b'%');
        }
    }
    argument.extend(format!("/{prefix}%p").into_bytes());
    std::ffi::OsString::from_vec(argument)
}

/// The process inherits the socket as its descriptor 3 and nothing else, and its addresses are not
/// randomised.
fn pass_on(command: &mut Command, socket: &OwnedFd) {
    let socket = socket.as_raw_fd();
    let prepare = move || {
        // SAFETY: plain system calls on numbers; `dup2` on the same number would leave it to be
        // closed on exec.
        unsafe {
            if socket == SOCKET {
                libc::fcntl(SOCKET, libc::F_SETFD, 0);
            } else if libc::dup2(socket, SOCKET) < 0 {
                return Err(io::Error::last_os_error());
            }
            // Descriptors that cargo or a shell left open. Kernels before 5.11 do not know the call.
            #[cfg(target_os = "linux")]
            libc::syscall(
                libc::SYS_close_range,
                SOCKET as libc::c_uint + 1,
                libc::c_uint::MAX,
                libc::CLOSE_RANGE_CLOEXEC,
            );
        }
        // Containers may forbid it, and under Valgrind it makes no difference.
        #[cfg(target_os = "linux")]
        {
            use nix::sys::personality::{self, Persona};
            let _ = personality::get()
                .and_then(|persona| personality::set(persona | Persona::ADDR_NO_RANDOMIZE));
        }
        Ok(())
    };
    // SAFETY: only system calls that are safe between fork and exec.
    unsafe { command.pre_exec(prepare) };
}

/// Greeting, command, confirmation. An error says what came instead; the process may have ended.
fn converse(
    socket: &OwnedFd,
    job: &Job,
    descriptors: &[OwnedFd; 2],
) -> std::result::Result<(), String> {
    let hello: Hello = receive(socket)?;
    if (hello.magic, hello.protocol) != (wire::MAGIC, PROTOCOL) {
        return Err("the benchmark executable speaks another protocol".to_owned());
    }
    if hello.benchmarks != job.target.benchmarks {
        return Err("the benchmark executable has changed since the run began".to_owned());
    }
    if hello.on_valgrind == 0 {
        return Err("the benchmark executable was started, but not under Valgrind".to_owned());
    }
    let mut command = wire::Command::zeroed();
    command.magic = wire::MAGIC;
    command.group = job.target.index.group;
    command.function = job.target.index.function;
    command.case = job.target.index.case;
    command.flags = wire::DIRECT;
    send(socket, &command, descriptors)?;
    let started: Started = receive(socket)?;
    if started.magic == wire::MAGIC {
        Ok(())
    } else {
        Err("the benchmark executable speaks another protocol".to_owned())
    }
}

fn receive<P: Packet>(socket: &OwnedFd) -> std::result::Result<P, String> {
    let mut packet = P::zeroed();
    match recv(socket.as_raw_fd(), packet.bytes_mut(), MsgFlags::empty()) {
        Ok(length) if length == size_of::<P>() => Ok(packet),
        Ok(0) => Err("it ended before the benchmark began".to_owned()),
        Ok(_) => Err("the benchmark executable speaks another protocol".to_owned()),
        Err(error) => Err(format!("cannot hear from it: {error}")),
    }
}

fn send(
    socket: &OwnedFd,
    command: &wire::Command,
    descriptors: &[OwnedFd; 2],
) -> std::result::Result<(), String> {
    let parts = [IoSlice::new(command.bytes())];
    let numbers = [descriptors[0].as_raw_fd(), descriptors[1].as_raw_fd()];
    let rights = [ControlMessage::ScmRights(&numbers)];
    sendmsg::<()>(
        socket.as_raw_fd(),
        &parts,
        &rights,
        MsgFlags::MSG_NOSIGNAL,
        None,
    )
    .map(|_| ())
    .map_err(|error| format!("cannot send it a command: {error}"))
}

fn internal(action: &'static str, job: &Job, source: io::Error) -> Error {
    Error::File {
        action,
        path: job.target.program.clone(),
        source,
    }
}
