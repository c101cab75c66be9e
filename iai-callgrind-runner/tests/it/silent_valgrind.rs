//! Something in the place of Valgrind that does nothing, or takes its time.
//!
//! The whole runner with a script as Valgrind, and with time limits that are short.

#[allow(dead_code, reason = "other tests use the rest")]
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{self, Child, Stdio};
use std::time::{Duration, Instant};

use crate::replayed::{Replayed, Shown};
use iai_callgrind::protocol::{Command, Kind};
use iai_callgrind_runner::error::Error;
use iai_callgrind_runner::execute::{Processes, ValgrindLauncher};
use iai_callgrind_runner::machine::host::Host;
use nix::sys::signal::{kill, Signal};
use nix::unistd::Pid;
use tempfile::TempDir;

const SHORT: Duration = Duration::from_millis(300);

/// Time in which a script does what it does at once, also on a machine that is busy.
const LONG: Duration = Duration::from_secs(3);

/// A run with a script as Valgrind, which writes its arguments into a file.
struct Run {
    replayed: Replayed,
    directory: TempDir,
    valgrind: PathBuf,
    /// Time in which `--version` is answered.
    answers: Duration,
    /// Time in which the first log has to be there.
    begins: Duration,
}

impl Run {
    fn new(script: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (valgrind, starts) = (
            directory.path().join("valgrind"),
            directory.path().join("starts"),
        );
        let script = format!("#!/bin/sh\necho \"$1\" >>{}\n{script}\n", starts.display());
        fs::write(&valgrind, script).unwrap();
        fs::set_permissions(&valgrind, fs::Permissions::from_mode(0o755)).unwrap();
        let mut replayed = Replayed::new();
        // It is not looked at: the script stands in its place.
        replayed.executable = valgrind.clone();
        replayed.suite.package.manifest_dir = directory.path().to_str().unwrap().to_owned();
        Self {
            replayed,
            directory,
            valgrind,
            answers: SHORT,
            begins: SHORT,
        }
    }

    /// All benchmarks become programs.
    fn of_programs(mut self) -> Self {
        for group in &mut self.replayed.suite.groups {
            group.kind = Kind::Binary;
            for case in group
                .functions
                .iter_mut()
                .flat_map(|function| &mut function.cases)
            {
                case.command = Some(Box::new(Command {
                    program: "/bin/true".into(),
                    ..Command::default()
                }));
            }
        }
        self
    }

    fn run(&self, words: &[&str]) -> Result<Shown, Error> {
        let valgrind = format!("--valgrind-bin={}", self.valgrind.display());
        let words = [&[valgrind.as_str()], words].concat();
        self.replayed.try_run(&words, |around| {
            let mut host = Host::detect(around.settings).unwrap();
            host.patience = self.answers;
            let processes = Processes::listening().unwrap();
            let (settings, store, plan) = (around.settings, around.store, around.plan);
            let launcher = ValgrindLauncher::new(host, processes, settings, store, plan);
            around.run(&launcher.begins_within(self.begins))
        })
    }

    /// The runner in a process of its own, with the script as Valgrind.
    #[expect(
        clippy::disallowed_methods,
        reason = "the test starts the runner; nothing of it is in the runner"
    )]
    fn start(&self) -> Child {
        let place = |name: &str| self.directory.path().join(name);
        fs::write(
            place("suite.json"),
            serde_json::to_vec(&self.replayed.suite).unwrap(),
        )
        .unwrap();
        fs::write(
            place("bench"),
            format!("#!/bin/sh\ncp '{}' \"$3\"\n", place("suite.json").display()),
        )
        .unwrap();
        fs::set_permissions(place("bench"), fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = process::Command::new(env!("CARGO_BIN_EXE_iai-callgrind-runner"));
        command.arg("bench").arg("--exe").arg(place("bench"));
        command
            .arg("--")
            .arg("works")
            .arg("--home")
            .arg(place("home"));
        command.arg("--valgrind-bin").arg(&self.valgrind);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// First arguments of all starts.
    fn starts(&self) -> Vec<String> {
        let text = fs::read_to_string(self.directory.path().join("starts")).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn count(&self, word: &str) -> usize {
        self.starts().iter().filter(|start| *start == word).count()
    }

    /// The run ends after one start, with an error that says what to do.
    #[track_caller]
    fn never_begins(&self, words: &[&str]) {
        let start = Instant::now();
        let error = match self.run(words) {
            Err(error) => error,
            Ok(shown) => panic!("the run goes on\n{}", shown.err),
        };
        let text = error.to_string();
        let valgrind = self.valgrind.display();
        for part in [
            format!("Valgrind never began: `{valgrind}` opened no log, and does not answer `--version` either"),
            format!("{valgrind} '--tool=callgrind'"),
            format!("hint: run `{valgrind} --version` by hand"),
            "`--valgrind-bin=<path>` or IAI_CALLGRIND_VALGRIND_BIN names another one".to_owned(),
        ] {
            assert!(text.contains(&part), "{part}\n{text}");
        }
        // It may be killed before it writes.
        for word in ["--tool=callgrind", "--version"] {
            assert!(self.count(word) <= 1, "{:?}", self.starts());
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "the script was waited for"
        );
        assert!(self.replayed.files().is_empty());
    }

    /// The benchmark fails for itself, after a start that took longer than the limit.
    #[track_caller]
    fn begins(&self) -> String {
        let shown = self.run(&["works"]).unwrap();
        assert!(!shown.err.contains("never began"), "{}", shown.err);
        assert!(
            shown
                .err
                .contains("error: benchmark `bench::kernels::works`"),
            "{}",
            shown.err
        );
        shown.err
    }
}

/// Creates the log, as Valgrind does before it does anything else.
const OPENS_LOG: &str = "
for argument; do
    case $argument in --log-file=*) log=${argument#--log-file=}; : >\"${log%\\%p}$$\";; esac
done";

#[test]
fn a_wrapper_that_waits_for_ever_ends_the_run_once() {
    Run::new("exec sleep 300").never_begins(&[]);
    Run::new("exec sleep 300").never_begins(&["--nocapture"]);
    Run::new("exec sleep 300").of_programs().never_begins(&[]);
}

#[test]
fn a_time_limit_of_benchmarks_that_is_shorter_changes_nothing() {
    let run = Run::new("exec sleep 300").of_programs();
    run.never_begins(&["--timeout=0.1"]);
}

#[test]
fn a_valgrind_with_a_log_has_all_the_time() {
    let script = format!("[ \"$1\" = --version ] && exec sleep 300\n{OPENS_LOG}\nsleep 3.2");
    let mut run = Run::new(&script).of_programs();
    run.begins = LONG;
    run.begins();
    assert_eq!(run.count("--version"), 0, "there was no reason to ask");

    // The server and the process that replaces it.
    let mut run = Run::new(&format!("{OPENS_LOG}\nsleep 0.1"));
    run.begins = LONG;
    run.begins();
    assert_eq!(
        (run.count("--tool=callgrind"), run.count("--version")),
        (2, 0)
    );
}

#[test]
fn a_valgrind_that_tells_its_version_is_waited_for() {
    let mut run = Run::new("[ \"$1\" = --version ] && echo valgrind-3.99.0 && exit\nsleep 1");
    run.answers = Duration::from_secs(10);
    let shown = run.begins();
    assert!(shown.contains("is `"), "{shown}");
    assert_eq!(run.count("--version"), 1);
}

/// Programs that never end, with what they stop: the guardian above them, once or for as long as it
/// is there, by a process that left the group and the session.
fn that_stop_the_guardian() -> [String; 2] {
    let again =
        "setsid sh -c \"while kill -STOP $PPID; do sleep 0.02; done\" </dev/null >/dev/null 2>&1 &";
    ["kill -STOP $PPID", again].map(|stops| {
        // The runner itself asks for the version.
        let version = "[ \"$1\" = --version ] && echo valgrind-3.99.0 && exit";
        format!("{version}\n{OPENS_LOG}\n{stops}\n: >\"$0.stops\"\nexec sleep 300")
    })
}

/// Time in which a run has to end that is to end at once, on a machine that is busy.
const SOON: Duration = Duration::from_secs(60);

#[test]
fn a_time_limit_holds_whatever_stops_the_guardian() {
    for script in that_stop_the_guardian() {
        let mut run = Run::new(&script).of_programs();
        run.begins = LONG;
        let start = Instant::now();
        let shown = run.run(&["works", "--timeout=1"]).unwrap();
        assert!(start.elapsed() < SOON, "{script}: {:?}", start.elapsed());
        let expected = "`bench::kernels::works` took longer than 1s and was stopped";
        assert!(shown.err.contains(expected), "{script}: {}", shown.err);
    }
}

#[test]
fn a_signal_ends_the_run_whatever_stops_the_guardian() {
    for script in that_stop_the_guardian() {
        let run = Run::new(&script).of_programs();
        let mut runner = run.start();
        let wait = |what: &str, is_done: &mut dyn FnMut() -> bool| {
            let start = Instant::now();
            while !is_done() {
                assert!(start.elapsed() < SOON, "{script}: {what}");
                std::thread::sleep(Duration::from_millis(10));
            }
        };
        let stops = run.directory.path().join("valgrind.stops");
        wait("it does not begin", &mut || stops.exists());
        kill(Pid::from_raw(runner.id() as i32), Signal::SIGTERM).unwrap();
        let mut status = None;
        wait("it does not end", &mut || {
            status = runner.try_wait().unwrap();
            status.is_some()
        });
        assert_eq!(status.unwrap().signal(), Some(Signal::SIGTERM as i32));
    }
}
