//! The status line, as somebody in front of a terminal sees it.

use std::fs::File;
use std::io::Read;
use std::process::{Child, ExitStatus, Stdio};

use benchmark_tests::bench::wait_until;
use benchmark_tests::{Bench, Home};
use nix::pty::{openpty, Winsize};
use nix::sys::signal::{kill, Signal};
use nix::unistd::Pid;

/// A terminal that is high enough for everything.
const SIZE: Winsize = Winsize {
    ws_row: 120,
    ws_col: 100,
    ws_xpixel: 0,
    ws_ypixel: 0,
};

/// Output on a terminal.
struct Shown {
    /// Byte for byte.
    bytes: String,
    /// At the end.
    screen: String,
    status: ExitStatus,
}

fn on_terminal(bench: Bench) -> Shown {
    on_terminal_while(bench, |_| {})
}

/// `meanwhile` gets the process, which has become the runner.
fn on_terminal_while(bench: Bench, meanwhile: impl FnOnce(&Child)) -> Shown {
    let pty = openpty(&SIZE, None).unwrap();
    let slave = || Stdio::from(pty.slave.try_clone().unwrap());
    let mut command = bench.command();
    let mut child = command.stdout(slave()).stderr(slave()).spawn().unwrap();
    // Or the terminal would never be closed.
    drop((command, pty.slave));
    meanwhile(&child);
    let mut bytes = Vec::new();
    // The end is an error where the other side is gone.
    let _ = File::from(pty.master).read_to_end(&mut bytes);
    let mut screen = vt100::Parser::new(SIZE.ws_row, SIZE.ws_col, 0);
    screen.process(&bytes);
    Shown {
        bytes: String::from_utf8_lossy(&bytes).into_owned(),
        screen: screen.screen().contents(),
        status: child.wait().unwrap(),
    }
}

fn bench(target: &str, home: &Home) -> Bench {
    let bench = Bench::new(target).measure(home).arg("--color=never");
    bench.env("TERM", "xterm").env_remove("CI")
}

/// The headlines and instructions: the form for terminals has them as well as that for programs.
fn counted(text: &str) -> Vec<String> {
    let fact = |line: &str| match line.strip_prefix("  Instructions:") {
        Some(values) => {
            let new = values.split(['|', '(']).next().unwrap();
            Some(new.trim().replace(',', ""))
        }
        None => line.contains("::").then(|| line.trim_end().to_owned()),
    };
    text.lines().filter_map(fact).collect()
}

#[test]
fn it_says_what_runs_and_is_gone_at_the_end() {
    let home = Home::new();
    let shown = on_terminal(bench("counts", &home).arg("nops"));
    assert!(shown.status.success());
    let begin = "[0/3] counts::exact::nops_0 ";
    assert!(shown.bytes.contains(begin), "{}", shown.bytes);
    let in_pipes = bench("counts", &home).arg("nops").run().code(0).quiet();
    assert_eq!(counted(&shown.screen), counted(&in_pipes.stdout));
    assert_eq!(counted(&shown.screen).len(), 6);
    assert!(
        shown.screen.contains("First results. 0 compared, 3 new"),
        "{}",
        shown.screen
    );
}

/// Once for each home, since whoever runs benchmarks again knows how.
#[test]
fn the_first_results_say_what_to_do_next() {
    let next = "\n  hint: edit and rerun; see `cargo bench -- -h`, `iai-callgrind-runner doctor`";
    let home = Home::new();
    let run = |target: &str, words: &[&str]| on_terminal(bench(target, &home).args(words)).screen;
    // Nothing was measured, or something failed.
    let nothing = run("counts", &["nowhere", "--list"]);
    assert!(!nothing.contains(next), "{nothing}");
    let failed = on_terminal(bench("endings", &home).env("ENDING", "panics")).screen;
    assert!(!failed.contains(next), "{failed}");
    let first = run("counts", &["nops_0"]);
    assert!(first.trim_end().ends_with(next), "{first}");
    // A second run, and the first one of other benchmarks.
    for filter in ["nops_0", "nops_1"] {
        let later = run("counts", &[filter]);
        assert!(!later.contains("hint: edit"), "{later}");
    }
}

#[test]
fn it_is_gone_behind_an_error() {
    let home = Home::new();
    let shown = on_terminal(bench("endings", &home).env("ENDING", "panics"));
    assert_eq!(shown.status.code(), Some(1));
    assert!(
        shown.bytes.contains("[0/3] endings::group::before "),
        "{}",
        shown.bytes
    );
    assert!(
        shown
            .screen
            .contains("error: benchmark `endings::group::ends` "),
        "{}",
        shown.screen
    );
    assert!(!shown.screen.contains("/3]"), "{}", shown.screen);
}

#[test]
fn it_is_gone_after_an_interrupt() {
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let spins = bench("endings", &home)
        .env("ENDING", "spins")
        .env("STARTED", &started);
    let shown = on_terminal_while(spins, |child| {
        wait_until("the benchmark has begun", || started.exists());
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
        kill(pid, Signal::SIGTERM).unwrap();
    });
    assert!(
        shown.bytes.contains("[1/3] endings::group::ends "),
        "{}",
        shown.bytes
    );
    let end = "\nerror: stopped by signal 15 (SIGTERM)";
    assert!(shown.screen.trim_end().ends_with(end), "{}", shown.screen);
}

#[test]
fn nobody_looks() {
    let home = Home::new();
    let cases: [fn(Bench) -> Bench; 5] = [
        |bench| bench.env("CI", "true"),
        |bench| bench.env("TERM", "dumb"),
        |bench| bench.env_remove("TERM"),
        |bench| bench.env("IAI_CALLGRIND_LOG", "warn"),
        |bench| bench.arg("--nocapture"),
    ];
    for case in cases {
        let Shown { bytes, .. } = on_terminal(case(bench("counts", &home).arg("nops_0")));
        assert!(!bytes.contains('\x1b') && !bytes.contains("[0/"), "{bytes}");
        assert!(!bytes.contains("hint: edit"), "{bytes}");
    }
    bench("counts", &home).run().code(0).quiet().without("\x1b");
    // Programs that read the results may print them on the same terminal.
    let pty = openpty(&SIZE, None).unwrap();
    let mut command = bench("counts", &home).arg("nops_0").command();
    let output = command.stderr(pty.slave).output().unwrap();
    drop(command);
    assert!(output.status.success());
    let mut bytes = Vec::new();
    let _ = File::from(pty.master).read_to_end(&mut bytes);
    assert_eq!(String::from_utf8_lossy(&bytes), "");
}
