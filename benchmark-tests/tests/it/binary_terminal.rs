//! A command that reads from the terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command as Process, Stdio as ProcessStdio};

use benchmark_tests::bench::wait_until;
use benchmark_tests::binary::{self, program, Binary};
use benchmark_tests::{build, processes};
use iai_callgrind::protocol::{Command, Stdin, Stdio};
use nix::libc;
use nix::pty::openpty;
use nix::sys::signal::Signal;

/// A benchmark whose command counts what it reads from the terminal, and one after it.
fn binary() -> Binary {
    let binary = Binary::new();
    let reads = Command {
        stdin: Stdin::Inherit,
        stdout: Stdio::Inherit,
        ..program(&["count", &binary.place("")])
    };
    let binary = binary.case("reads", reads);
    let last = program(&["nothing"]);
    binary.case("last", last)
}

/// The runner with a terminal of its own, and the keyboard.
fn start(binary: &Binary) -> (Child, File) {
    let pty = openpty(None, None).unwrap();
    // Writes the suite.
    binary.bench(&[]);
    let mut runner = Process::new(build::runner());
    runner
        .args(["bench", "--exe"])
        .arg(binary::harness())
        .args(["--", "--bench", "--home"])
        .arg(binary.home.path())
        .env("SUITE", binary.place("suite.json"))
        .stdin(pty.slave)
        .stdout(ProcessStdio::piped())
        .stderr(ProcessStdio::piped());
    // SAFETY: two system calls.
    unsafe {
        runner.pre_exec(|| {
            if libc::setsid() < 0 || libc::ioctl(0, libc::TIOCSCTTY, 0) < 0 {
                return Err(std::io::Error::last_os_error());
            }
            Ok(())
        });
    }
    let child = runner.spawn().unwrap();
    // With it goes our end for the child's side.
    drop(runner);
    let keyboard: OwnedFd = pty.master;
    (child, keyboard.into())
}

#[test]
fn what_is_typed_reaches_the_command() {
    let binary = binary();
    let (runner, mut keyboard) = start(&binary);
    keyboard.write_all(b"typed\n\x04").unwrap();
    let output = runner.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{out}{err}");
    assert!(out.contains("\n6 bytes\n  Instructions:"), "{out}{err}");
}

#[test]
fn the_key_that_interrupts_stops_the_run() {
    let binary = binary();
    let (mut runner, mut keyboard) = start(&binary);
    wait_until("the command runs", || {
        !processes::valgrinds(binary.folder()).is_empty()
    });
    // The terminal shows what it is given once the command reads.
    keyboard.write_all(b"x\n").unwrap();
    keyboard.read_exact(&mut [0; 3]).unwrap();
    keyboard.write_all(b"\x03").unwrap();
    let status = runner.wait().unwrap();
    assert_eq!(status.signal(), Some(Signal::SIGINT as i32), "{status}");
    assert!(!binary.home.has("binary::group::last"));
    // Who is killed is there a moment longer.
    wait_until("all processes are gone", || {
        processes::naming(binary.folder()).is_empty()
    });
}
