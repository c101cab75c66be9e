//! `cargo test --benches` with binary benchmarks: everything once, without runner and Valgrind.
//!
//! The file starts itself; a variable selects that it is the suite.

use std::process::{Command as Process, ExitCode};

use iai_callgrind::{
    binary_benchmark, binary_benchmark_group, BinaryBenchmarkConfig, Command, Delay, ExitWith,
    Pipe, Sandbox, Stdin,
};

const SUITE: &str = "BINARY_TEST_MODE_SUITE";

/// A script for a shell.
fn sh(script: &str) -> Command {
    Command::new("sh").args(["-c", script]).build()
}

fn write(text: &str) {
    std::fs::write("in.txt", text).unwrap();
}

/// All setups and teardowns know where the workspace is.
fn workspace() {
    let root = std::env::var_os("_WORKSPACE_ROOT").unwrap();
    assert!(std::path::Path::new(&root).join("Cargo.toml").is_file());
}

fn is_there(name: &str) {
    assert!(std::path::Path::new(name).exists(), "there is no {name}");
}

fn sandbox() -> BinaryBenchmarkConfig {
    BinaryBenchmarkConfig::default()
        .sandbox(Sandbox::new(true))
        .build()
}

mod good {
    use super::*;

    #[binary_benchmark(config = sandbox().env("WHO", "outer"))]
    #[bench::around("in.txt", setup = write("some text"), teardown = is_there("out.txt"))]
    fn in_a_sandbox(input: &str) -> Command {
        let test = format!(
            "test \"$(cat {input})\" = 'some text' && test \"$WHO\" = inner && cp {input} out.txt"
        );
        let path = std::env::var("PATH").unwrap();
        sh(&test).env("WHO", "inner").env("PATH", path)
    }

    #[binary_benchmark(config = sandbox())]
    #[bench::cleared(setup = workspace)]
    fn environment() -> Command {
        sh("test -z \"$HOME$BINARY_TEST_MODE_SUITE\"")
    }

    #[binary_benchmark]
    #[bench::passed()]
    fn passed_through() -> Command {
        sh("test -n \"$BINARY_TEST_MODE_SUITE\"").pass_through_env(SUITE)
    }

    #[binary_benchmark]
    #[bench::fixture(config = sandbox().sandbox(Sandbox::new(true).fixtures(["Cargo.toml"])))]
    #[bench::package()]
    fn manifest() -> Command {
        sh("test -s Cargo.toml && test ! -e in.txt")
    }

    #[binary_benchmark]
    #[bench::stdout("x", setup = |text: &str| print!("{}", text.repeat(100_000)))]
    fn piped(_: &str) -> Command {
        sh("read -r line; test \"${#line}\" = 100000").stdin(Stdin::Setup(Pipe::Stdout))
    }

    #[binary_benchmark]
    #[bench::unread(setup = eprint!("{}", "x".repeat(1_000_000)))]
    fn not_read() -> Command {
        sh("exit 0").stdin(Stdin::Setup(Pipe::Stderr))
    }

    #[binary_benchmark(config = sandbox())]
    #[bench::file(setup = { std::thread::sleep(std::time::Duration::from_millis(50)); write("") })]
    fn delayed() -> Command {
        sh("test -e in.txt")
            .setup_parallel(true)
            .delay(Delay::from_path("in.txt"))
    }

    #[binary_benchmark]
    #[bench::code(3)]
    #[bench::other(4)]
    fn exits(code: i32) -> Command {
        sh(&format!("exit {code}")).exit_with(ExitWith::Code(code))
    }

    #[binary_benchmark]
    #[bench::signal()]
    fn killed() -> Command {
        sh("kill -9 $$").exit_with(ExitWith::Signal(9))
    }

    binary_benchmark_group!(
        name = all,
        setup = println!("setup of the group"),
        teardown = workspace,
        benchmarks = [
            in_a_sandbox,
            environment,
            passed_through,
            manifest,
            piped,
            not_read,
            delayed,
            exits,
            killed
        ]
    );
    iai_callgrind::main!(binary_benchmark_groups = all);

    pub fn run() -> ExitCode {
        main()
    }
}

mod bad {
    use super::*;

    #[binary_benchmark(teardown = println!("torn down"))]
    #[bench::code()]
    fn exits() -> Command {
        sh("echo some output; exit 3")
    }

    #[binary_benchmark(setup = panic!("not set up"), teardown = println!("never torn down"))]
    fn setup() -> Command {
        sh("echo never")
    }

    #[binary_benchmark(teardown = is_there("no/such/file"))]
    fn teardown() -> Command {
        sh("exit 0")
    }

    #[binary_benchmark(setup = std::thread::sleep(std::time::Duration::from_secs(600)))]
    fn delay() -> Command {
        let delay = Delay::from_path("no/such/file").timeout(std::time::Duration::from_millis(20));
        sh("echo never").setup_parallel(true).delay(delay)
    }

    #[binary_benchmark]
    fn missing() -> Command {
        Command::new("no-such-program")
    }

    #[binary_benchmark]
    fn input() -> Command {
        sh("echo never").stdin(std::path::Path::new("no/such/file"))
    }

    #[binary_benchmark]
    fn panics() -> Command {
        panic!("no command")
    }

    binary_benchmark_group!(
        name = all,
        benchmarks = [exits, setup, teardown, delay, missing, input, panics]
    );
    iai_callgrind::main!(binary_benchmark_groups = all);

    pub fn run() -> ExitCode {
        main()
    }
}

/// Starts this file as a suite. Returns the exit code and what is printed.
fn start(suite: &str, words: &[&str]) -> (Option<i32>, String) {
    let output = Process::new(std::env::current_exe().unwrap())
        .args(words)
        .env(SUITE, suite)
        // Not to be found.
        .env("IAI_CALLGRIND_RUNNER", "no/such/runner")
        .output()
        .unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), out + &err)
}

fn main() -> ExitCode {
    match std::env::var(SUITE).as_deref() {
        Ok("good") => return good::run(),
        Ok("bad") => return bad::run(),
        _ => {}
    }
    if cfg!(not(unix)) {
        return ExitCode::SUCCESS;
    }
    for words in [&[][..], &["--bench", "--test"]] {
        let (code, text) = start("good", words);
        assert_eq!(code, Some(0), "{text}");
        assert!(
            text.contains("::good::all::in_a_sandbox::around ... ok\n"),
            "{text}"
        );
        assert!(
            text.contains("test result: ok. 11 passed; 0 failed;"),
            "{text}"
        );
    }
    let (code, text) = start("good", &["exits", "--nocapture"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("setup of the group\n"), "{text}");
    assert!(
        text.contains("ok. 2 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out"),
        "{text}"
    );
    let (code, text) = start("good", &["--iai-callgrind", "run", "all::exits::code"]);
    assert_eq!((code, text.as_str()), (Some(0), ""));

    let (code, text) = start("bad", &[]);
    assert_eq!(code, Some(1), "{text}");
    for expected in [
        "::bad::all::exits::code ----\nsome output\ntorn down\n",
        "error: the program `sh` ended with exit status: 3, but was to end with exit code 0",
        "not set up",
        "error: its setup ended with exit status: 101, but was to end with exit code 0",
        "there is no no/such/file",
        "error: its teardown ended with exit status: 101, but was to end with exit code 0",
        "error: its delay timed out after 20ms: no file or directory `",
        "error: the program `no-such-program` cannot be started: ",
        "error: the program `sh` cannot be started: `",
        "no command",
        "test result: FAILED. 0 passed; 7 failed;",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in:\n{text}");
    }
    assert!(
        !text.contains("never\n") && !text.contains("never torn down"),
        "{text}"
    );
    ExitCode::SUCCESS
}
