//! When results and messages have colours.

use std::fs::File;
use std::io::Read;
use std::process::Stdio;

use benchmark_tests::{build, Bench, Home};
use nix::pty::{openpty, Winsize};

const SIZE: Winsize = Winsize {
    ws_row: 60,
    ws_col: 100,
    ws_xpixel: 0,
    ws_ypixel: 0,
};

/// A benchmark that fails, so that both streams have something to show.
fn fails(home: &Home) -> Bench {
    let bench = Bench::new("endings").measure(home).arg("group::");
    let bench = bench.env("ENDING", "exits 3").env("TERM", "xterm");
    let bench = bench.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    bench.env("CI", "true")
}

/// Have stdout and stderr colours?
fn colours(stdout: &str, stderr: &str) -> (bool, bool) {
    assert!(stdout.contains("endings::group::before"), "{stdout}");
    assert!(stderr.contains("ended with exit code 3"), "{stderr}");
    // Headlines are green in pipes, and bold on terminals.
    let headlines = ["\x1b[32mendings::", "\x1b[1mendings::"];
    let is_colored = headlines.iter().any(|headline| stdout.contains(headline));
    (is_colored, stderr.contains("\x1b[1;31m"))
}

/// Runs with one of the streams on a terminal.
fn on_terminal(bench: Bench, stderr_is: bool) -> (bool, bool) {
    let pty = openpty(&SIZE, None).unwrap();
    let mut command = bench.command();
    let slave = Stdio::from(pty.slave);
    if stderr_is {
        command.stderr(slave);
    } else {
        command.stdout(slave);
    }
    let output = command.output().unwrap();
    // Or the terminal would never be closed.
    drop(command);
    let mut seen = Vec::new();
    // The end is an error where the other side is gone.
    let _ = File::from(pty.master).read_to_end(&mut seen);
    let seen = String::from_utf8_lossy(&seen);
    match stderr_is {
        true => colours(&String::from_utf8_lossy(&output.stdout), &seen),
        false => colours(&seen, &String::from_utf8_lossy(&output.stderr)),
    }
}

#[test]
fn each_stream_has_colours_where_it_is_a_terminal() {
    let home = Home::new();
    assert_eq!(on_terminal(fails(&home), true), (false, true));
    assert_eq!(on_terminal(fails(&home), false), (true, false));
    let never = fails(&home).env("NO_COLOR", "1");
    assert_eq!(on_terminal(never, true), (false, false));
}

#[test]
fn the_option_wins_over_variables() {
    let home = Home::new();
    let run = |bench: Bench| {
        let ended = bench.run().code(1);
        colours(&ended.stdout, &ended.stderr)
    };
    assert_eq!(run(fails(&home)), (false, false));
    let always = || fails(&home).env("IAI_CALLGRIND_COLOR", "always");
    assert_eq!(run(always().env("CARGO_TERM_COLOR", "never")), (true, true));
    assert_eq!(run(always().arg("--color=never")), (false, false));
    assert_eq!(run(fails(&home).env("CLICOLOR_FORCE", "1")), (true, true));
}

#[test]
fn log_lines_have_them_as_well() {
    let home = Home::new();
    let bench = Bench::new("counts").measure(&home).arg("nops_0");
    let bench = bench
        .env("IAI_CALLGRIND_LOG", "debug")
        .arg("--color=always");
    bench.run().code(0).says(&["\x1b[34mdebug\x1b[0m: "]);
}

#[test]
fn other_values_are_mistakes() {
    let home = Home::new();
    let bench = fails(&home).env("IAI_CALLGRIND_COLOR", "sometimes");
    bench
        .run()
        .code(2)
        .says(&["'sometimes'", "auto, always, never"]);
    let mut doctor = std::process::Command::new(build::runner());
    doctor.arg("doctor").env("IAI_CALLGRIND_COLOR", "sometimes");
    let output = doctor.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: IAI_CALLGRIND_COLOR: `sometimes` is none of `auto`, `always` and `never`\n"
    );
}
