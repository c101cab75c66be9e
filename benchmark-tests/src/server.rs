//! The second runner: speaks to the measuring process directly, in a few lines of its own.
//!
//! So tests can give any order, leave warm-ups out and send nonsense. What a benchmark's tool wrote
//! is kept as text, without the two lines that differ between any two runs.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::IoSlice;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use iai_callgrind::protocol::wire::{
    self, Done, Hello, Packet, Started, MAGIC, QUICK_END, REHEARSAL, WARM_UP, WARM_UPS,
};
use iai_callgrind::protocol::{Suite, Tool, ROLE_ARGUMENT, SERVER_VARIABLE};
use nix::sys::signal::{kill, killpg, Signal};
use nix::sys::socket::{
    recv, sendmsg, socketpair, AddressFamily, ControlMessage, MsgFlags, SockFlag, SockType,
};
use nix::unistd::Pid;
use tempfile::TempDir;

use crate::counted;

/// Size of the environment's strings, their pointers and the path together; the runner fills up to
/// a multiple of it.
const ENVIRONMENT_SIZE: usize = 16 * 1024;

/// A directory that does not exist: the loader finds everything where it always does.
const LIBRARIES: &str = "/no/libraries";

/// Setting of the C library by which large copies count in steps, as in the runner.
const TUNABLES: &str =
    "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff:glibc.cpu.x86_rep_stosb_threshold=0x7fffffff";

/// Where the runner runs the benchmarks.
const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/measured");

/// Arguments that the runner gives to every tool.
const COMMON: &[&str] = &[
    "--command-line-only=yes",
    "--trace-children=yes",
    "--vgdb=no",
];

/// Arguments that the runner gives to Callgrind, and all events there are.
const CALLGRIND: &[&str] = &[
    "--I1=32768,8,64",
    "--D1=32768,8,64",
    "--LL=8388608,16,64",
    "--cache-sim=yes",
    "--branch-sim=yes",
    "--compress-strings=no",
    "--compress-pos=no",
    "--dump-line=yes",
    "--separate-threads=yes",
];

/// A benchmark of an executable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The name of its group.
    pub group: String,
    /// `function` or `function::id`.
    pub name: String,
    indices: [u32; 3],
}

/// What an executable says of its benchmarks.
pub fn described(executable: &Path) -> Suite {
    let folder = tempfile::tempdir().expect("there is a place for temporary directories");
    let description = folder.path().join("suite");
    let mut command = Command::new(executable);
    command.args([ROLE_ARGUMENT, "describe"]).arg(&description);
    assert!(command.status().expect("it starts").success());
    serde_json::from_slice(&fs::read(description).unwrap()).unwrap()
}

/// All benchmarks of an executable, in the order of the file.
pub fn cases(executable: &Path) -> Vec<Case> {
    let suite = described(executable);
    let mut all = Vec::new();
    for (group, g) in (0..).zip(&suite.groups) {
        for (function, f) in (0..).zip(&g.functions) {
            for (case, c) in (0..).zip(&f.cases) {
                let id = c.id.as_ref().map(|id| format!("::{id}"));
                all.push(Case {
                    group: g.name.clone(),
                    name: f.name.clone() + &id.unwrap_or_default(),
                    indices: [group, function, case],
                });
            }
        }
    }
    all
}

/// Options for the start of a server.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// The Valgrind.
    pub valgrind: &'a Path,
    /// The benchmark executable.
    pub executable: &'a Path,
    /// The tool.
    pub tool: Tool,
    /// More arguments for Valgrind.
    pub arguments: &'a [&'a str],
    /// Does counting begin at the entry of a benchmark, if Callgrind is the tool?
    pub at_entry: bool,
    /// Number of forks that end before the benchmark.
    pub warm_ups: u32,
}

impl<'a> Options<'a> {
    /// Options with the runner's values.
    pub fn new(valgrind: &'a Path, executable: &'a Path) -> Self {
        Self {
            valgrind,
            executable,
            tool: Tool::Callgrind,
            arguments: &[],
            at_entry: true,
            warm_ups: WARM_UPS,
        }
    }

    /// Starts a server, and warms it up.
    pub fn start(&self) -> Server {
        Server::start(self)
    }
}

/// A process under Valgrind that forks for each benchmark. Killed when dropped.
#[derive(Debug)]
pub struct Server {
    process: Child,
    socket: OwnedFd,
    sequence: u32,
    /// Flags of all commands.
    flags: u32,
    /// Output files of the tool and of the benchmarks.
    folder: TempDir,
}

/// A benchmark that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// End of the process.
    pub status: ExitStatus,
    /// Output of the benchmark on stdout.
    pub stdout: String,
    /// Output of the benchmark on stderr, without that of Valgrind.
    pub stderr: String,
    /// Output files of the tool: the end of each file's name and its text.
    pub files: BTreeMap<String, String>,
}

impl Server {
    fn start(options: &Options<'_>) -> Self {
        let folder = tempfile::tempdir().expect("there is a place for temporary directories");
        let (socket, theirs) = socketpair(
            AddressFamily::Unix,
            SockType::SeqPacket,
            None,
            SockFlag::SOCK_CLOEXEC,
        )
        .unwrap();
        let mut command = Command::new(options.valgrind);
        let out = folder.path().join("out.%p");
        let log = folder.path().join("log.%p");
        let (own, out_file) = match options.tool {
            Tool::Callgrind => (CALLGRIND, Some("callgrind")),
            Tool::Cachegrind => (&[][..], Some("cachegrind")),
            Tool::Dhat => (&[][..], Some("dhat")),
            Tool::Massif => (&[][..], Some("massif")),
            _ => (&[][..], None),
        };
        let entries = match options.tool {
            Tool::Callgrind if options.at_entry => counted::functions(options.executable),
            _ => Vec::new(),
        };
        let entries = entries
            .iter()
            .map(|name| format!("--toggle-collect={name}"));
        command
            .arg(format!("--tool={}", options.tool))
            .args(COMMON)
            .args(own)
            .args(entries)
            .args(options.arguments)
            .args(out_file.map(|tool| format!("--{tool}-out-file={}", out.display())))
            .arg(format!("--log-file={}", log.display()))
            .arg(options.executable)
            .env_clear()
            .env(SERVER_VARIABLE, "3")
            .env("IAI_CALLGRIND_PADDING", padding(options.executable))
            .env("GLIBC_TUNABLES", TUNABLES)
            // Shell scripts around Valgrind set the first and add to the second.
            .env("PWD", DIRECTORY)
            .env("LD_LIBRARY_PATH", LIBRARIES)
            .current_dir(DIRECTORY)
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(folder.path().join("messages")).unwrap());
        let descriptor = theirs.as_raw_fd();
        // SAFETY: one system call.
        unsafe {
            command.pre_exec(move || match nix::libc::dup2(descriptor, 3) {
                3 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            });
        }
        let process = command.spawn().expect("Valgrind starts");
        // Before the first packet is awaited: as long as our copy of the end is open, the death of
        // the server is no end of the socket. Warm-ups come last, since the server takes commands
        // after its greeting only.
        drop(theirs);
        let mut server = Self {
            process,
            socket,
            sequence: 0,
            flags: match options.tool {
                Tool::Callgrind if options.at_entry => QUICK_END,
                _ => 0,
            },
            folder,
        };
        let hello: Hello = server.receive().expect("the server greets");
        assert_eq!(hello.magic, MAGIC);
        assert_eq!((hello.threads, hello.on_valgrind), (1, 1));
        let own = server.command([0; 3], REHEARSAL);
        assert_eq!(own, server.pid());
        assert!(server.end(own).status.success());
        for _ in 0..options.warm_ups {
            let pid = server.command([0; 3], WARM_UP);
            assert_eq!(server.end(pid).status.signal(), Some(9));
        }
        server
    }

    /// Process id of the server.
    pub fn pid(&self) -> i32 {
        i32::try_from(self.process.id()).expect("process ids are small")
    }

    /// Resident memory in KiB.
    pub fn memory(&self) -> u64 {
        resident(self.pid())
    }

    /// Runs a benchmark to its end.
    pub fn run(&mut self, case: &Case) -> Ran {
        let pid = self.begin(case);
        self.end(pid)
    }

    /// Starts a benchmark, and returns its process.
    pub fn begin(&mut self, case: &Case) -> i32 {
        self.command(case.indices, 0)
    }

    fn command(&mut self, [group, function, case]: [u32; 3], flags: u32) -> i32 {
        self.sequence += 1;
        let mut command = wire::Command::zeroed();
        command.magic = MAGIC;
        command.sequence = self.sequence;
        command.group = group;
        command.function = function;
        command.case = case;
        command.flags = self.flags | flags;
        self.send(command.bytes());
        let started: Started = self.receive().expect("the server is there");
        assert_eq!((started.magic, started.sequence), (MAGIC, self.sequence));
        started.pid
    }

    /// Sends these bytes, and the descriptors.
    pub fn send(&self, bytes: &[u8]) {
        let stream = |name| File::create(self.folder.path().join(name)).unwrap();
        let streams = [stream("stdout"), stream("stderr")];
        let told = File::create(self.folder.path().join("told")).unwrap();
        let numbers = [&streams[0], &streams[1], &told].map(AsRawFd::as_raw_fd);
        sendmsg::<()>(
            self.socket.as_raw_fd(),
            &[IoSlice::new(bytes)],
            &[ControlMessage::ScmRights(&numbers)],
            MsgFlags::MSG_NOSIGNAL,
            None,
        )
        .expect("the server is there");
    }

    /// Has the benchmark that runs printed the first text to stdout, and the second one to stderr?
    pub fn said(&self, [stdout, stderr]: [&str; 2]) -> bool {
        let text = |name| fs::read_to_string(self.folder.path().join(name)).unwrap_or_default();
        text("stdout").contains(stdout) && text("stderr").contains(stderr)
    }

    /// Waits for the end of the benchmark that was started as this process, and kills what it left.
    pub fn end(&mut self, pid: i32) -> Ran {
        let done: Done = self.receive().expect("the server is there");
        assert_eq!((done.sequence, done.pid), (self.sequence, pid));
        // Most often there is nobody. A rehearsal is one of the server itself.
        let _ = (pid != self.pid()).then(|| killpg(Pid::from_raw(pid), Signal::SIGKILL));
        let text = |name| fs::read_to_string(self.folder.path().join(name)).unwrap();
        Ran {
            status: ExitStatus::from_raw(done.status),
            stdout: text("stdout"),
            stderr: text("stderr"),
            files: self.take_files(pid),
        }
    }

    fn take_files(&self, pid: i32) -> BTreeMap<String, String> {
        let prefix = format!("out.{pid}");
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(self.folder.path()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            // The number of another process may begin with this one.
            let suffix = name.strip_prefix(&prefix);
            if let Some(suffix) =
                suffix.filter(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
            {
                files.insert(
                    suffix.to_owned(),
                    constant(&fs::read_to_string(&path).unwrap()),
                );
                fs::remove_file(&path).unwrap();
            }
        }
        files
    }

    /// Valgrind's log of this process, without the numbers of processes.
    pub fn log(&self, pid: i32) -> String {
        let path = self.folder.path().join(format!("log.{pid}"));
        let text = fs::read_to_string(path).unwrap();
        let lines = text.lines().filter(|line| !line.contains("Parent PID:"));
        let without = |line: &str| line.replacen(&format!("{pid}"), "", 1) + "\n";
        lines.map(without).collect()
    }

    /// Kills the server, whatever it does.
    pub fn kill(&self) {
        kill(Pid::from_raw(self.pid()), Signal::SIGKILL).unwrap();
    }

    /// Sends the server a signal.
    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.pid()), signal).unwrap();
    }

    /// Waits until the server ends by itself.
    pub fn wait(&mut self) -> ExitStatus {
        self.process.wait().unwrap()
    }

    /// The next packet; `None`: the server is gone.
    fn receive<P: Packet>(&self) -> Option<P> {
        let mut packet = P::zeroed();
        let received = recv(
            self.socket.as_raw_fd(),
            packet.bytes_mut(),
            MsgFlags::empty(),
        );
        match received {
            Ok(length) if length == size_of::<P>() => Some(packet),
            Ok(0) | Err(_) => {
                let messages = fs::read_to_string(self.folder.path().join("messages"));
                eprintln!("{}", messages.unwrap());
                None
            }
            Ok(length) => panic!("a packet of {length} bytes"),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Ran {
    /// The result of the first thread.
    pub fn result(&self) -> &str {
        self.files.get("-01").expect("there is a result")
    }

    /// All events with their totals. Callgrind leaves zeros out at the end.
    pub fn events(&self) -> BTreeMap<String, u64> {
        events(self.result())
    }
}

/// All events of a result with their totals.
pub fn events(result: &str) -> BTreeMap<String, u64> {
    let line = |key: &str| {
        let mut lines = result.lines().filter_map(|line| line.strip_prefix(key));
        lines.next().expect("the result is complete")
    };
    let totals = line("totals: ").split_whitespace();
    let totals = totals.map(|count| count.parse().unwrap());
    let events = line("events: ").split_whitespace().map(str::to_owned);
    events.zip(totals.chain(std::iter::repeat(0))).collect()
}

/// A result without what differs between any two runs.
pub fn constant(result: &str) -> String {
    let differs = |line: &&str| line.starts_with("pid:") || line.starts_with("desc: Timerange");
    let lines = result.lines().filter(|line| !differs(line));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// Resident memory of a process in KiB.
pub fn resident(pid: i32) -> u64 {
    kibibytes(pid, "status", "VmRSS:")
}

/// Memory of a process in KiB, where memory that processes share is divided among them.
pub fn proportional(pid: i32) -> u64 {
    kibibytes(pid, "smaps_rollup", "Pss:")
}

fn kibibytes(pid: i32, file: &str, key: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/{file}")).expect("the process is there");
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(key));
    let value = lines.next().expect("the process has memory");
    value.trim().trim_end_matches(" kB").parse().unwrap()
}

fn padding(executable: &Path) -> String {
    let variables = [
        "IAI_CALLGRIND_PADDING=",
        "PWD=",
        DIRECTORY,
        "LD_LIBRARY_PATH=",
        LIBRARIES,
        "GLIBC_TUNABLES=",
        TUNABLES,
        SERVER_VARIABLE,
        "=3",
    ];
    let length: usize = variables.iter().map(|text| text.len()).sum();
    // Five variables with their ends and pointers, and the path twice with its ends.
    let used = length + 5 + 5 * 8 + 2 * (executable.as_os_str().len() + 1);
    "x".repeat(ENVIRONMENT_SIZE - used)
}
