//! A panic inside the runner: not the exit code of a panic, and a text that says whose mistake it
//! is.
//!
//! No input is known that makes the runner panic, so its command line does: the words that it asks
//! for panic. The test starts itself again to see streams and exit code.

#![expect(
    clippy::disallowed_methods,
    reason = "the test starts itself; nothing of it is in the runner"
)]

use std::ffi::OsString;
use std::process::{Command, Output};

use snapbox::{assert_data_eq, str};

const INSIDE: &str = "INSIDE_THE_PANIC";

fn inside() -> ! {
    let words = std::iter::from_fn(|| -> Option<OsString> { panic!("on purpose") });
    let exit = iai_callgrind_runner::main(words);
    std::process::exit(exit as i32);
}

fn panicking(backtrace: Option<&str>) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([
            "--exact",
            "panics::a_panic_is_an_error_of_ours",
            "--nocapture",
        ])
        .env(INSIDE, "yes")
        .env_remove("RUST_BACKTRACE");
    if let Some(backtrace) = backtrace {
        command.env("RUST_BACKTRACE", backtrace);
    }
    command.output().unwrap()
}

#[test]
fn a_panic_is_an_error_of_ours() {
    if std::env::var_os(INSIDE).is_some() {
        inside();
    }
    let output = panicking(None);
    assert_eq!(output.status.code(), Some(1));
    assert_data_eq!(
        String::from_utf8(output.stderr).unwrap(),
        str![[r#"

thread 'panics::a_panic_is_an_error_of_ours' ([..]) panicked at iai-callgrind-runner/tests/it/panics.rs:[..]:
on purpose
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
error: iai-callgrind-runner panicked; that is a mistake in it and not in the benchmarks
  hint: please report it, with what stands above (RUST_BACKTRACE=1 shows more), the version 0.17.0 and the command line

"#]]
    );
    let output = panicking(Some("1"));
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("stack backtrace:"), "{stderr}");
    assert!(
        stderr.contains("error: iai-callgrind-runner panicked"),
        "{stderr}"
    );
}
