//! Processes that benchmarks, programs and hooks leave running: nothing of them survives, however
//! the runner ends.
//!
//! `KILL_ROUNDS` sets how many runs are killed (6 if it is not set), `SUITE_SEED` takes another
//! sequence of moments:
//!
//! ```text
//! KILL_ROUNDS=300 cargo test -p benchmark-tests --test it -- --nocapture left_behind::
//! ```

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

use benchmark_tests::bench::{wait_until, Bench, Copied};
use benchmark_tests::binary::{command, program_path, Binary};
use benchmark_tests::kills::Kills;
use benchmark_tests::{processes, Home};
use nix::sys::signal::Signal;

/// A copy of a program in a folder, by which its processes can be told from others.
fn copied(program: &str, folder: &Path) -> String {
    let copy = folder.join(program);
    let original = ["/bin", "/usr/bin"].map(|bin| Path::new(bin).join(program));
    let original = original.iter().find(|path| path.is_file());
    fs::copy(original.expect("it is installed"), &copy).unwrap();
    copy.to_str().unwrap().to_owned()
}

/// The library benchmarks, in a folder with programs that a script runs.
struct Scripts {
    copied: Copied,
    home: Home,
    sleep: String,
    setsid: String,
}

impl Scripts {
    fn new() -> Self {
        let copied_bench = Copied::new("left_behind");
        let folder = copied_bench.path().parent().unwrap();
        Self {
            sleep: copied("sleep", folder),
            setsid: copied("setsid", folder),
            copied: copied_bench,
            home: Home::new(),
        }
    }

    fn bench(&self) -> Bench {
        self.copied.bench().measure(&self.home)
    }

    fn left(&self) -> Vec<i32> {
        processes::naming(self.copied.path().parent().unwrap())
    }

    /// A script that leaves a process in the background, and one that has left group and session.
    fn leaves_two(&self) -> String {
        let Self { sleep, setsid, .. } = self;
        format!("{sleep} 91 & {setsid} {sleep} 92 & while ! pgrep -f '^{sleep} 92' >/dev/null; do :; done")
    }

    /// The same, and the one in the background, which lives, is the parent of the other one.
    fn leaves_parent_and_child(&self) -> String {
        let Self { sleep, setsid, .. } = self;
        let parent = format!("{setsid} {sleep} 92 & exec {sleep} 91");
        format!("sh -c '{parent}' & while ! pgrep -f '^{sleep} 92' >/dev/null; do :; done")
    }
}

#[test]
fn what_leaves_its_session_is_ended_with_its_benchmark_and_named() {
    // Under the tools that stay in the first process, so that the others can be told by their
    // command lines.
    for (mode, has_parent) in [("yes", false), ("no", false), ("yes", true), ("no", true)] {
        let scripts = Scripts::new();
        let script = match has_parent {
            true => scripts.leaves_parent_and_child(),
            false => scripts.leaves_two(),
        };
        let sleep = &scripts.sleep;
        // The second benchmark fails if anything of the first one is left.
        let second = format!("! pgrep -f '^{sleep}'");
        let fork = format!("--fork={mode}");
        let ended = scripts
            .bench()
            .args([&fork, "--callgrind-args=--trace-children=no"])
            .env("SCRIPT", script)
            .env("SECOND", second)
            .run()
            .code(0);
        let warning = format!("warning: `left_behind::group::first` left `{sleep} 92` (process ");
        let ended = ended
            .says(&[&warning])
            .without(&format!("{sleep} 91` (process"));
        assert_eq!(
            ended.stderr.matches("in the background").count(),
            1,
            "{ended}"
        );
        assert_eq!(scripts.left(), [0; 0], "{ended}");
    }
}

/// The list of children that a guardian reads has room for fewer than these, which their parent
/// leaves together at its end.
#[test]
fn a_process_behind_hundreds_that_have_ended_is_ended_as_well() {
    let binary = Binary::new();
    let sleep = copied("sleep", binary.folder());
    let leaves = command(
        &program_path(),
        &["leave", "300", "/usr/bin/setsid", &sleep, "92"],
    );
    let binary = binary.case("leaves", leaves);
    let ended = binary.run(&["--callgrind-args=--trace-children=no"]);
    ended
        .code(0)
        .says(&[&format!("left `{sleep} 92` (process ")]);
    assert_eq!(processes::naming(binary.folder()), [0; 0]);
}

/// With `-q` nothing but errors and warnings shows what happens.
#[test]
fn a_quiet_run_that_waits_for_a_benchmark_with_processes_ends_and_says_why() {
    for fork in ["--fork=yes", "--fork=no"] {
        let scripts = Scripts::new();
        let Scripts { sleep, .. } = &scripts;
        let ready = scripts.copied.beside("ready");
        let script = format!(
            "{}; : >{}; exec {sleep} 97",
            scripts.leaves_two(),
            ready.display()
        );
        let bench = || {
            let words = ["-q", fork, "--callgrind-args=--trace-children=no", "first"];
            scripts.bench().args(words).env("SCRIPT", &script)
        };
        let ended = bench().arg("--timeout=15").run().code(1);
        assert!(ready.exists(), "{ended}");
        let ended = ended.says(&[
            "error: benchmark `left_behind::group::first` took longer than 15s and was stopped",
            &format!("warning: `left_behind::group::first` left `{sleep} 92` (process "),
        ]);
        assert_eq!(scripts.left(), [0; 0], "{ended}");
        for signal in [Signal::SIGTERM, Signal::SIGINT] {
            fs::remove_file(&ready).unwrap();
            let run = bench().start();
            wait_until("both processes run", || ready.exists());
            run.signal(signal);
            let number = signal as i32;
            let said = format!("error: stopped by signal {number} ({signal})\n");
            run.wait().signalled(signal).says(&[&said]);
            wait_until("all processes are gone", || scripts.left().is_empty());
        }
    }
}

/// In the test mode there is no runner that ends them, and they hold the output that is kept.
#[test]
fn the_test_mode_waits_for_no_process_that_is_left() {
    let scripts = Scripts::new();
    let start = Instant::now();
    let bench = scripts.copied.bench().env("SETUP", scripts.leaves_two());
    let script = format!("{}; echo before the end", scripts.leaves_two());
    let bench = bench.env("SCRIPT", script).env("SECOND", "exit 1");
    let ended = bench.run().code(1);
    let left = scripts.left();
    for pid in &left {
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(*pid), Signal::SIGKILL);
    }
    assert_eq!(left.len(), 4, "{ended}");
    let end = "left a process behind that holds its output and was not waited for\n  hint: ";
    ended
        .says(&[
            &format!("warning: the setup of group {end}"),
            &format!("warning: `left_behind::group::first` {end}"),
        ])
        .without("`left_behind::group::second` left")
        .shows(&["1 passed; 1 failed"]);
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn what_a_setup_leaves_runs_until_its_teardown() {
    let scripts = Scripts::new();
    let sleep = &scripts.sleep;
    let ended = scripts
        .bench()
        .env("SETUP", scripts.leaves_two())
        .env(
            "TEARDOWN",
            format!("pgrep -f '^{sleep} 91' && pgrep -f '^{sleep} 92'"),
        )
        .run()
        .code(0);
    let warning = format!("warning: the setup of `group` left `{sleep} 92` (process ");
    ended.says(&[&warning]);
    assert_eq!(scripts.left(), [0; 0]);
}

#[test]
fn what_a_program_leaves_ends_with_it() {
    let binary = Binary::new();
    let sleep = copied("sleep", binary.folder());
    let script = format!("setsid {sleep} 94 & {sleep} 93 & sleep 0.1; exec true");
    let binary = binary.case("leaves", command("/bin/sh", &["-c", &script]));
    let ended = binary.run(&[]).code(0);
    let warning = format!("warning: `binary::group::leaves` left `{sleep} 94` (process ");
    ended.says(&[&warning]);
    assert_eq!(processes::naming(binary.folder()), [0; 0]);
}

/// Kills the runner at a random moment, again and again, and checks that nothing is left.
#[test]
fn a_kill_leaves_no_descendants() {
    let mut kills = Kills::of_environment(6);

    let scripts = Scripts::new();
    let Scripts { sleep, setsid, .. } = &scripts;
    let script = format!(
        "{sleep} 91 & {sleep} 92 & {setsid} sh -c '{sleep} 93 & {sleep} 94' & \
         (for i in 1 2 3; do {setsid} {sleep} 95 & done); {sleep} 0.3; {sleep} 0.3"
    );
    let library = |words: &[&str]| {
        let bench = scripts.bench().args(words).env("SCRIPT", &script);
        bench
            .env("SECOND", &script)
            .env("SETUP", format!("{setsid} {sleep} 96 &"))
    };
    let binary = Binary::new().case("leaves", command("/bin/sh", &["-c", &script]));

    let mut with_processes = 0;
    for round in 0..kills.rounds {
        let bench = match round % 3 {
            0 => library(&["--parallel=2"]),
            1 => library(&["--fork=no"]),
            _ => binary.bench(&[]),
        };
        let delay = Duration::from_secs_f64(0.2 + 2.5 * kills.fraction());
        let run = bench.start();
        thread::sleep(delay);
        with_processes += u64::from(!processes::naming(Path::new(sleep)).is_empty());
        match round / 3 % 2 {
            0 => run.signal(Signal::SIGKILL),
            _ => run.signal_group(Signal::SIGKILL),
        }
        run.wait();
        let begin = Instant::now();
        wait_until("all processes are gone", || {
            scripts.left().is_empty() && processes::naming(binary.home.path()).is_empty()
        });
        assert!(begin.elapsed() < Duration::from_secs(20), "round {round}");
    }
    println!(
        "{with_processes} of {} kills met processes of a benchmark, and none was left",
        kills.rounds
    );
    // Else nothing was shown; most of a run has some.
    assert!(with_processes > 0);
}
