//! Whatever becomes of a benchmark or of the server: the next benchmark counts as if nothing had
//! been, and what was printed and written belongs to whoever did it.

use std::fs;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use benchmark_tests::bench::{wait_until, Copied};
use benchmark_tests::server::{self, Case, Options, Ran, Server};
use benchmark_tests::{build, processes, valgrinds, Ended, Home, Started};
use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::{kill, killpg, Signal};
use nix::sys::socket::{getsockopt, send, sockopt, MsgFlags, SockType};
use nix::unistd::Pid;
use snapbox::{assert_data_eq, str};

fn executable() -> PathBuf {
    build::bench("fork_endings")
}

fn case(name: &str) -> Case {
    let all = server::cases(&executable());
    all.into_iter().find(|case| case.name == name).unwrap()
}

/// How it ended: an exit code, or the negative number of a signal.
fn how(ran: &Ran) -> i32 {
    ran.status
        .code()
        .unwrap_or_else(|| -ran.status.signal().unwrap())
}

/// Runs one benchmark between two quiet ones.
fn check(name: &str, expected: i32, run: impl Fn(&mut Server, &Case) -> Ran) {
    let (executable, quiet) = (executable(), case("quiet"));
    valgrinds::with_each(|valgrind| {
        let mut server = Options::new(valgrind, &executable).start();
        let before = server.run(&quiet);
        assert_eq!(how(&before), 86);
        for _ in 0..3 {
            let ran = run(&mut server, &case(name));
            assert_eq!(how(&ran), expected, "{ran:?}");
            let (stdout, stderr) = (format!("stdout of {name}\n"), format!("stderr of {name}\n"));
            assert!(ran.stdout.starts_with(&stdout), "{ran:?}");
            assert!(ran.stderr.starts_with(&stderr), "{ran:?}");
            assert_eq!(server.run(&quiet), before);
        }
    });
}

fn to_its_end(server: &mut Server, case: &Case) -> Ran {
    server.run(case)
}

#[test]
fn after_an_abort() {
    check("aborts", -6, to_its_end);
}

#[test]
fn after_a_segmentation_fault() {
    check("segfaults", -11, to_its_end);
}

#[test]
fn after_a_panic() {
    check("panics", 101, to_its_end);
}

#[test]
fn after_an_exit() {
    check("exits", 3, to_its_end);
}

#[test]
fn after_an_endless_benchmark_that_was_stopped() {
    check("spins", -15, |server, case| {
        let pid = server.begin(case);
        wait_until("it runs", || {
            server.said(["stdout of spins", "stderr of spins"])
        });
        killpg(Pid::from_raw(pid), Signal::SIGTERM).unwrap();
        server.end(pid)
    });
}

#[test]
fn after_a_process_that_ended() {
    check("starts_a_process", 86, |server, case| {
        let ran = server.run(case);
        assert!(ran.stdout.ends_with("stdout of a process\n"), "{ran:?}");
        ran
    });
}

#[test]
fn after_a_process_that_goes_on() {
    check("leaves_a_process", 86, to_its_end);
}

#[test]
fn after_threads_that_ended() {
    check("starts_threads", 86, to_its_end);
}

#[test]
fn after_a_thread_that_goes_on() {
    check("leaves_a_thread", 86, to_its_end);
}

#[test]
fn after_the_server_was_stopped_and_continued() {
    let (executable, quiet) = (executable(), case("quiet"));
    valgrinds::with_each(|valgrind| {
        let mut server = Options::new(valgrind, &executable).start();
        let before = server.run(&quiet);
        // While it waits for a command.
        server.signal(Signal::SIGSTOP);
        thread::sleep(Duration::from_millis(100));
        server.signal(Signal::SIGCONT);
        assert_eq!(server.run(&quiet), before);
        // While a benchmark runs.
        let pid = server.begin(&case("spins"));
        server.signal(Signal::SIGSTOP);
        thread::sleep(Duration::from_millis(100));
        killpg(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
        server.signal(Signal::SIGCONT);
        assert_eq!(how(&server.end(pid)), -9);
        assert_eq!(server.run(&quiet), before);
    });
}

/// The exit status says what was wrong: 90 and the reason.
#[test]
fn the_server_ends_when_it_is_sent_nonsense() {
    let executable = executable();
    let command = 24 + 4096;
    valgrinds::with_each(|valgrind| {
        let after = |bytes: &[u8]| {
            let mut server = Options::new(valgrind, &executable).start();
            server.send(bytes);
            server.wait().code()
        };
        assert_eq!(after(&[1]), Some(92));
        assert_eq!(after(&vec![0; command - 1]), Some(92));
        assert_eq!(after(&vec![0; command]), Some(92));
        assert_eq!(after(&vec![0; command + 1]), Some(92));
    });
}

/// A run of which the server waits for the second group, and what is done to it meanwhile.
fn while_idle(valgrind: &Path, disturb: impl Fn(&Started, i32)) {
    let copied = Copied::new("fork_endings");
    let home = Home::new();
    let bench = || {
        let bench = copied.bench().measure(&home).arg("quiet");
        bench.arg("--valgrind-bin").arg(valgrind)
    };
    bench().run().code(0).quiet();
    let (ready, go) = (copied.beside("ready"), copied.beside("go"));
    let run = bench().env("READY", &ready).env("GO", &go).start();
    wait_until("the first group is done", || ready.exists());
    let server = processes::valgrinds(copied.path())[0];
    disturb(&run, server);
    wait_until("the server is gone", || {
        processes::valgrinds(copied.path()).is_empty()
    });
    fs::write(go, "").unwrap();
    let ended = run.wait().code(0).unchanged();
    let lost = "fork_endings::after::quiet: its process was lost and is replaced";
    assert_eq!(ended.stderr.replace('`', ""), format!("warning: {lost}\n"));
    for group in ["before", "after"] {
        let line = format!("fork_endings::{group}::quiet\n");
        assert_eq!(ended.stdout.matches(&line).count(), 1, "{ended}");
        assert_eq!(
            home.profile(line.trim_end(), "callgrind")["mode"],
            "fork",
            "{ended}"
        );
    }
    assert!(processes::naming(copied.path()).is_empty());
}

#[test]
fn an_idle_server_that_was_killed_is_replaced() {
    valgrinds::with_each(|valgrind| {
        while_idle(valgrind, |_, server| {
            kill(Pid::from_raw(server), Signal::SIGKILL).unwrap();
        });
    });
}

/// The test borrows the runner's end of the socket.
#[test]
fn a_server_that_was_sent_nonsense_is_replaced() {
    valgrinds::with_each(|valgrind| {
        while_idle(valgrind, |run, _| {
            let lent = || sockets_of(run.pid()).expect("the kernel lends descriptors");
            // The setup that is running may be starting still, which takes a pair for its guardian.
            wait_until("one socket is left", || lent().len() == 1);
            let sockets = lent();
            send(sockets[0].as_raw_fd(), b"short", MsgFlags::MSG_NOSIGNAL).unwrap();
        });
    });
}

/// Copies of the sockets of a process that pass packets.
fn sockets_of(pid: i32) -> nix::Result<Vec<OwnedFd>> {
    // SAFETY: plain system calls; what they return belongs to nobody else.
    let own = |result: libc::c_long| unsafe {
        Errno::result(result).map(|number| OwnedFd::from_raw_fd(number as i32))
    };
    // SAFETY: as above.
    let process = own(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) })?;
    let mut sockets = Vec::new();
    for entry in fs::read_dir(format!("/proc/{pid}/fd")).unwrap() {
        let number = entry.unwrap().file_name();
        let number: i32 = number.to_str().unwrap().parse().unwrap();
        let get = libc::SYS_pidfd_getfd;
        // SAFETY: as above.
        let copy = match own(unsafe { libc::syscall(get, process.as_raw_fd(), number, 0) }) {
            // A file that was closed meanwhile: results are written to the disk beside the
            // benchmarks.
            Err(Errno::EBADF) => continue,
            copy => copy?,
        };
        if getsockopt(&copy, sockopt::SockType) == Ok(SockType::SeqPacket) {
            sockets.push(copy);
        }
    }
    Ok(sockets)
}

/// A run of everything that can happen, in a home of its own.
fn everything(valgrind: &Path, arguments: &[&str]) -> (Home, Ended) {
    let copied = Copied::new("fork_endings");
    let home = Home::new();
    let bench = copied.bench().measure(&home).args(arguments);
    // For one that never ends; the others end in it on a busy machine too.
    let bench = bench.args(["--timeout=15", "--callgrind-args=--branch-sim=yes"]);
    let ended = bench.arg("--valgrind-bin").arg(valgrind).run().code(1);
    wait_until("all processes are gone", || {
        processes::naming(copied.path()).is_empty()
    });
    (home, ended)
}

/// Output, failures and warnings of the runner, benchmark by benchmark.
fn check_everything(arguments: &[&str]) {
    valgrinds::with_each(|valgrind| {
        let (home, ended) = everything(valgrind, arguments);
        assert_data_eq!(
            &ended.stderr,
            str![[r#"
error: benchmark `fork_endings::endings::aborts` was ended by signal 6 (SIGABRT)
...
  output:
  | stdout of aborts
  | stderr of aborts
error: benchmark `fork_endings::endings::segfaults` was ended by signal 11 (SIGSEGV)
...
  output:
  | stdout of segfaults
  | stderr of segfaults
error: benchmark `fork_endings::endings::panics` panicked
  hint: `RUST_BACKTRACE=1 cargo bench --bench fork_endings -- --test --exact fork_endings::endings::panics` shows a backtrace; measured runs do not get this variable
  output:
  | stdout of panics
  | stderr of panics
...
  | on purpose
...
error: benchmark `fork_endings::endings::exits` ended with exit code 3 before it returned; its count would not be whole
  hint: return from the benchmark function instead of ending the process
  output:
  | stdout of exits
  | stderr of exits
error: benchmark `fork_endings::endings::spins` took longer than 15s and was stopped
  hint: `--timeout=<seconds>` sets another limit
  output:
  | stdout of spins
  | stderr of spins
warning: `fork_endings::endings::starts_a_process`: 1 process ran below its process and was not counted[..]
warning: `fork_endings::endings::leaves_a_process`: the process `/bin/sh -c [..]` was killed, its counts are missing
warning: `fork_endings::endings::starts_threads`: further threads ran in its process and were not counted[..]
warning: `fork_endings::endings::leaves_a_thread`: further threads ran in its process and were not counted[..]

"#]]
        );
        let result = |benchmark: &str| {
            let entry = home.entry(&format!("fork_endings::{benchmark}"));
            let text = fs::read_to_string(entry.join("callgrind.quiet.out")).unwrap();
            server::constant(&text)
        };
        assert_eq!(result("before::quiet"), result("after::quiet"));
        let files = |benchmark: &str| {
            let entry = home.entry(&format!("fork_endings::endings::{benchmark}"));
            let names = fs::read_dir(entry).unwrap();
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.filter(|name| name.ends_with(".out")).collect();
            names.sort();
            names
        };
        for (benchmark, processes_and_threads) in [
            ("starts_a_process", 2),
            ("leaves_a_process", 1),
            ("starts_threads", 3),
            ("leaves_a_thread", 2),
        ] {
            let files = files(benchmark);
            assert!(files.len() >= processes_and_threads, "{files:?}");
        }
        for benchmark in ["aborts", "segfaults", "panics", "exits", "spins"] {
            let entry = home.entry(&format!("fork_endings::endings::{benchmark}"));
            assert!(
                !entry.exists() || files(benchmark).is_empty(),
                "{benchmark}"
            );
        }
    });
}

#[test]
fn a_run_of_everything_in_forks() {
    check_everything(&["--fork=yes"]);
}

#[test]
fn a_run_of_everything_in_forks_of_two_servers() {
    check_everything(&["--fork=yes", "--parallel=2"]);
}

mod in_full_runs {
    use super::*;

    #[test]
    fn a_run_of_everything_in_processes() {
        check_everything(&["--fork=no"]);
    }
}
