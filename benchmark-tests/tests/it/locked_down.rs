//! Containers and services for CI: benchmarks run where they can, and say what is missing where
//! they cannot.
//!
//! `docs/where-it-runs.md` has these places, with what to write for each.

use std::ffi::OsStr;
use std::process::{Command, Output, Stdio};

use benchmark_tests::bench::{Copied, Ended};
use benchmark_tests::locked_down::{not_tested, refuse, within};
use benchmark_tests::{build, Bench, Home};
use nix::libc::{SYS_personality, SYS_ptrace};

fn ended(output: Output) -> Ended {
    Ended {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status,
    }
}

fn doctor() -> Command {
    let mut command = Command::new(build::runner());
    command.arg("doctor").current_dir("/");
    command
}

/// A benchmark executable with results to compare with, in a directory of its own.
struct Place {
    copied: Copied,
    home: Home,
}

impl Place {
    fn new() -> Self {
        let copied = Copied::new("endings");
        let home = Home::at(&copied.beside("home"));
        let place = Self { copied, home };
        Bench::new("endings").measure(&place.home).run().code(0);
        place
    }

    /// Runs the benchmarks after a script, which can name the directory of executable and results:
    /// `$DIRECTORY`. `None`: that is not allowed here.
    fn run_after(&self, script: &str, arguments: &[&str]) -> Option<Ended> {
        let words = [
            self.copied.path().as_os_str(),
            OsStr::new("--bench"),
            OsStr::new("--home"),
            self.home.path().as_os_str(),
        ];
        let words = words.into_iter().chain(arguments.iter().map(OsStr::new));
        let mut command = within(script, words)?;
        command
            .env("DIRECTORY", self.copied.beside(""))
            .env("IAI_CALLGRIND_RUNNER", build::runner());
        Some(ended(command.output().unwrap()))
    }
}

/// Docker's filter refuses the one and, in older versions, the other.
#[test]
fn refused_system_calls_change_no_count() {
    let refused = |mut command: Command| {
        refuse(&mut command, &[SYS_personality, SYS_ptrace]);
        command
    };
    let mut probe = refused(Command::new("true"));
    if probe.stdout(Stdio::null()).status().is_err() {
        return not_tested("this kernel takes no filters of system calls");
    }
    let home = Home::new();
    let bench = || Bench::new("endings").measure(&home);
    bench().run().code(0);
    let filtered = ended(refused(bench().command()).output().unwrap());
    filtered.code(0).quiet().unchanged();

    let found = ended(refused(doctor()).output().unwrap());
    found.shows(&[
        "note: the kernel does not let benchmarks run without random addresses (Operation not permitted",
        "docker run --security-opt seccomp=unconfined <image>",
    ]);

    // The second way of counting needs one of them, and says so.
    let verified = ended(
        refused(bench().args(["--verify", "before"]).command())
            .output()
            .unwrap(),
    );
    verified.shows(&[
        "not verified: a process cannot be traced here: `ptrace`: Operation not permitted\n",
        "docker run --cap-add=SYS_PTRACE",
    ]);
}

#[test]
fn a_read_only_root_needs_a_place_for_results_and_for_temporary_files() {
    let place = Place::new();
    let read_only = "mount --bind \"$DIRECTORY\" \"$DIRECTORY\" && mount -o remount,bind,ro /";
    let with_temporary = "mkdir -p \"$DIRECTORY/tmp\" && export TMPDIR=\"$DIRECTORY/tmp\"";
    let script = format!("{with_temporary}\n{read_only}");
    let Some(ended) = place.run_after(&script, &["--envs=TMPDIR"]) else {
        return;
    };
    ended.code(0).quiet().unchanged();

    // Valgrind looks into the environment of the benchmark, which is cleared.
    let before = place.home.results();
    let ended = place.run_after(&script, &["before"]).unwrap();
    ended.code(1).says(&[
        "failed to create temp file: /tmp/",
        "  hint: Valgrind writes files of its own in `/tmp`; where that cannot be written to, set TMPDIR",
        "pass it on with `--envs=TMPDIR`\n",
    ]);
    let missing = format!("export TMPDIR=/no/such/directory\n{read_only}");
    place.run_after(&missing, &[]).unwrap().code(1).says(&[
        "error: cannot make temporary files in `/no/such/directory`\n",
        "  hint: let TMPDIR name a directory that you can write in\n",
        "  caused by: No such file or directory (os error 2) at path",
    ]);
    assert_eq!(place.home.results(), before);
}

#[test]
fn without_proc() {
    let place = Place::new();
    let hidden = "mount -t tmpfs none /proc";
    let Some(ended_without) = place.run_after(hidden, &[]) else {
        return;
    };
    ended_without.code(1).says(&[
        "error: cannot find out the path of this executable: ",
        "  hint: in a container without `/proc`, mount it: Valgrind needs it as well\n",
    ]);
    let mut doctor = within(hidden, [build::runner().as_os_str(), OsStr::new("doctor")]).unwrap();
    let found = ended(doctor.current_dir("/").output().unwrap());
    found.code(1).shows(&[
        "problem: `/proc` is not mounted, so neither Valgrind nor a benchmark finds its own executable\n",
        "    mount -t proc proc /proc\n",
    ]);
}

/// Such as that of `docker run --user 12345`, where neither `/etc/passwd` nor `HOME` knows of it.
#[test]
fn a_user_without_a_name_and_without_shared_memory() {
    let place = Place::new();
    let script = "mount -t tmpfs -o size=4k none /dev/shm\nunset HOME USER\n\
                  set -- --user --map-user=12345 --map-group=12345 \"$0\" \"$@\"\nexec unshare \"$@\"";
    if let Some(ended) = place.run_after(script, &[]) {
        ended.code(0).quiet().unchanged();
    }
}
