//! `main!` without a list in a file with both kinds: an error, when the executable is started.

use std::process::{Command as Process, ExitCode};

use iai_callgrind::{binary_benchmark, library_benchmark, Command};

const SUITE: &str = "BOTH_KINDS_SUITE";

#[library_benchmark]
fn function() {}

#[binary_benchmark]
fn program() -> Command {
    Command::new("true").build()
}

mod suite {
    iai_callgrind::main!();

    pub fn run() -> ExitCode {
        main()
    }

    use std::process::ExitCode;
}

fn main() -> ExitCode {
    if std::env::var_os(SUITE).is_some() {
        return suite::run();
    }
    for word in ["--bench", "--list", "--test"] {
        let output = Process::new(std::env::current_exe().unwrap())
            .arg(word)
            .env(SUITE, "")
            .output()
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{err}");
        for text in [
            "library benchmarks, such as `function`",
            "binary benchmarks, such as `program`",
        ] {
            assert!(err.contains(text), "{err}");
        }
        assert_eq!(err.matches("error").count(), 1, "{err}");
    }
    ExitCode::SUCCESS
}
