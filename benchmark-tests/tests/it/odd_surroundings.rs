//! Streams that are closed, words and variables that are no text, and directories that are
//! read-only or gone: no panic, and the text and the exit code say what is wrong.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use benchmark_tests::bench::{Copied, Ended};
use benchmark_tests::{build, executables, Bench, Home};

/// No text in UTF-8.
const ODD: &[u8] = b"odd-\xff-name";

fn odd() -> &'static OsStr {
    OsStr::from_bytes(ODD)
}

fn ended(output: Output) -> Ended {
    Ended {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status,
    }
}

/// Runs with a stdout of its own.
fn with_stdout(bench: Bench, stdout: Stdio) -> Ended {
    let mut command = bench.command();
    ended(command.stdout(stdout).output().unwrap())
}

/// The writing end of a pipe that nobody reads.
fn nobody_reads() -> Stdio {
    let (reader, writer) = nix::unistd::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn nobody_reads_the_results() {
    let home = Home::new();
    let bench = || Bench::new("endings").measure(&home);
    with_stdout(bench(), nobody_reads()).code(1).quiet();
    with_stdout(bench().arg("no such benchmark"), nobody_reads()).code(1);
    with_stdout(bench().arg("--help"), nobody_reads())
        .code(0)
        .quiet();
    with_stdout(bench().arg("--list"), nobody_reads())
        .code(0)
        .quiet();
    for arguments in [&["completions", "bash"][..], &["doctor"]] {
        let mut command = Command::new(build::runner());
        let output = command.args(arguments).stdout(nobody_reads()).output();
        ended(output.unwrap()).code(1).quiet();
    }
    // Nothing of it is left, and the next run is as the first.
    bench().run().code(0).quiet();
}

#[test]
fn results_cannot_be_written() {
    let home = Home::new();
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    let bench = Bench::new("endings").measure(&home);
    with_stdout(bench, full()).code(1).says(&[
        "error: cannot write the results\n",
        "caused by: No space left on device",
    ]);
}

#[test]
fn all_streams_are_closed() {
    let home = Home::new();
    let mut command = Command::new("sh");
    let output = command
        .args(["-c", "exec \"$0\" --bench --home \"$1\" <&- >&- 2>&-"])
        .arg(build::bench("endings"))
        .arg(home.path())
        .env("IAI_CALLGRIND_RUNNER", build::runner())
        .output();
    ended(output.unwrap()).code(0);
    assert!(home.has("endings::group::after"));
}

/// The runner of a target in cargo's configuration starts the executable, which becomes ours.
#[test]
fn cargo_may_start_the_executable_by_another_program() {
    let home = Home::new();
    let count = || home.count("endings::group::before", "Ir");
    let bench = Bench::new("endings").measure(&home).arg("before");
    bench.run().code(0).quiet();
    let expected = count();
    for runner in [&["valgrind", "-q"][..], &["nice"]] {
        let output = Command::new(runner[0])
            .args(&runner[1..])
            .arg(build::bench("endings"))
            .args(["--bench", "before", "--home"])
            .arg(home.path())
            .env("IAI_CALLGRIND_RUNNER", build::runner())
            .output();
        ended(output.unwrap()).code(0).quiet().unchanged();
        assert_eq!(count(), expected, "{runner:?}");
    }
}

#[test]
fn arguments_that_are_no_text() {
    let home = Home::new();
    let bench = || Bench::new("endings").measure(&home);
    let option = |name: &str| {
        let mut word = OsString::from(name);
        word.push(odd());
        word
    };
    for word in [
        option(""),
        option("--skip="),
        option("--callgrind-args="),
        option("--parallel="),
    ] {
        bench()
            .arg(word)
            .run()
            .code(2)
            .says(&["error: invalid UTF-8"]);
    }
    bench()
        .arg(option("--partition="))
        .run()
        .code(2)
        .says(&["error: invalid"]);
    bench()
        .arg(option("--baseline="))
        .run()
        .code(2)
        .says(&["error: invalid"]);
    bench()
        .arg(option("--"))
        .run()
        .code(2)
        .says(&["error: unexpected argument"]);
    assert!(home.names().is_empty());
    // A path is no text.
    let folder = tempfile::tempdir().unwrap();
    let odd_home = Home::at(&folder.path().join(odd()));
    let bench = Bench::new("endings").measure(&odd_home).arg("before");
    bench.run().code(0).quiet();
    assert!(odd_home.has("endings::group::before"));
}

#[test]
fn variables_that_are_no_text() {
    let home = Home::new();
    let bench = || Bench::new("endings").measure(&home).arg("ends");
    // Variables that the runner does not read, and one that the benchmark gets.
    let strange = bench()
        .env(odd(), odd())
        .env("CI", odd())
        .env("TERM", odd());
    strange.env("ENDING", odd()).run().code(0).quiet();
    let colors = bench().env("CARGO_TERM_COLOR", odd());
    colors.run().code(0).quiet().unchanged();
    let log = bench().env("IAI_CALLGRIND_LOG", odd()).run().code(2);
    log.says(&["error: IAI_CALLGRIND_LOG: "]);
    for variable in [
        "COLOR",
        "PARALLEL",
        "TOOLS",
        "CALLGRIND_ARGS",
        "NOCAPTURE",
        "BASELINE",
    ] {
        let variable = format!("IAI_CALLGRIND_{variable}");
        bench()
            .env(variable, odd())
            .run()
            .code(2)
            .says(&["error: invalid"]);
    }
    // Paths are no text.
    let mut path = OsString::from(odd());
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    bench().env("PATH", path).run().code(0).quiet().unchanged();
    let valgrind = bench()
        .env("IAI_CALLGRIND_VALGRIND_BIN", odd())
        .run()
        .code(1);
    valgrind.says(&["error: `odd-\u{fffd}-name`, given by `--valgrind-bin`"]);
}

#[test]
fn an_executable_with_an_odd_path() {
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join(OsStr::from_bytes(b"with blank \xff"));
    fs::create_dir(&place).unwrap();
    let copy = place.join("endings");
    executables::copy(build::bench("endings"), &copy);
    for fork in ["--fork=yes", "--fork=no"] {
        Bench::at(&copy).measure(&home).arg(fork).run().code(0);
    }
}

#[test]
fn an_empty_environment() {
    let home = Home::new();
    let mut command = Command::new(build::bench("endings"));
    let path = std::env::var_os("PATH").unwrap();
    command.env_clear().env("PATH", path);
    command.env("IAI_CALLGRIND_RUNNER", build::runner());
    command.args(["--bench", "--home"]).arg(home.path());
    ended(command.output().unwrap()).code(0).quiet();
    // Without `HOME` a home directory is not looked for.
    let doctor = Command::new(build::runner())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("CARGO", env!("CARGO"))
        .args(["doctor", "--manifest-path", env!("CARGO_MANIFEST_DIR")])
        .output();
    let doctor = ended(doctor.unwrap());
    assert!(doctor.stdout.contains("ok: Valgrind "), "{doctor}");
    assert!(
        doctor.status.code().is_some_and(|code| code < 2),
        "{doctor}"
    );
}

#[test]
fn a_current_directory_that_is_gone() {
    let home = Home::new();
    let gone = |program: &Path, arguments: &[&OsStr]| {
        let mut command = Command::new("sh");
        command
            .args([
                "-c",
                "cd \"$(mktemp -d)\" && rmdir \"$PWD\" && exec \"$0\" \"$@\"",
            ])
            .arg(program)
            .args(arguments)
            .env("IAI_CALLGRIND_RUNNER", build::runner());
        ended(command.output().unwrap())
    };
    let words = ["--bench", "--home"].map(OsStr::new);
    let bench = build::bench("endings");
    gone(&bench, &[&words[..], &[home.path().as_os_str()]].concat())
        .code(0)
        .quiet();
    let doctor = gone(&build::runner(), &[OsStr::new("doctor")]).code(1);
    doctor.shows(&["problem: cargo cannot read the project: "]);
}

/// In a mount namespace, since root may write where permissions forbid it.
#[test]
fn a_read_only_file_system() {
    let copied = Copied::new("endings");
    let home = Home::at(&copied.beside("home"));
    Bench::new("endings").measure(&home).run().code(0);
    let before = home.results();
    let script = "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" || exit 99\n\
                  exec \"$0\" --bench --home \"$2\"";
    for unshare in [&["--mount"][..], &["--user", "--map-root-user", "--mount"]] {
        let mut command = Command::new("unshare");
        command
            .args(unshare)
            .args(["sh", "-c", script])
            .args([copied.path(), &copied.beside(""), home.path()])
            .env("IAI_CALLGRIND_RUNNER", build::runner());
        let ended = ended(command.output().unwrap());
        // 99, or the code of `unshare`: not allowed here.
        if ended.stderr.contains("cannot keep results") {
            ended.code(1).says(&[
                "error: cannot keep results in `",
                "  hint: choose another place with `--home=<directory>`\n",
                "/.lock` cannot be locked: Read-only file system (os error 30)\n",
            ]);
            assert_eq!(home.results(), before);
            return;
        }
        let refused = ended.status.code() == Some(99) || ended.stderr.starts_with("unshare: ");
        assert!(refused, "{ended}");
    }
    eprintln!("not tested: mounting is not allowed here");
}

/// Whoever else has the pipe may have made it non-blocking.
#[test]
fn a_slow_reader_of_a_pipe_that_does_not_block_gets_all_results() {
    use std::io::Read;

    use nix::fcntl::{fcntl, FcntlArg, OFlag};

    for format in ["json", "default"] {
        let home = Home::new();
        let (from, to) = nix::unistd::pipe().unwrap();
        assert!(fcntl(&to, FcntlArg::F_SETPIPE_SZ(4096)).unwrap() >= 4096);
        fcntl(&to, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).unwrap();
        // Until there is no room left, so that the first write of the runner finds none.
        while nix::unistd::write(&to, b"\n").is_ok() {}
        let bench = Bench::new("endings").measure(&home);
        let mut command = bench.arg(format!("--output-format={format}")).command();
        let mut child = command.stdout(to).spawn().unwrap();
        drop(command);
        // The reader begins when the runner has something to write. Results are the same whoever is
        // faster.
        benchmark_tests::bench::wait_until("the run begins", || !home.names().is_empty());
        std::thread::sleep(std::time::Duration::from_millis(300));
        let mut text = String::new();
        File::from(from).read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{format}");
        for name in ["before", "ends", "after"] {
            assert!(text.contains(name), "{format}: {text}");
        }
    }
}
