//! Commands under Valgrind: streams, environment, ends, and what cannot be started.

use std::fs;
use std::io::Write;
use std::process::{Command as Process, Stdio as ProcessStdio};

use benchmark_tests::bench::wait_until;
use benchmark_tests::binary::{self, command, program, variable, Binary};
use benchmark_tests::{build, processes};
use iai_callgrind::protocol::{Command, Config, ExitWith, Pipe, Stdin, Stdio, Tool};

/// A configuration with one line.
fn config(change: impl FnOnce(&mut Config)) -> Config {
    let mut config = Config::default();
    change(&mut config);
    config
}

#[test]
fn a_command_is_counted_as_a_whole() {
    let binary = Binary::new().case("does", program(&["nothing", "two words"]));
    let ended = binary.run(&[]).code(0).quiet();
    ended.shows(&[
        "binary::group::does () -> ",
        " nothing 'two words'\n",
        "Instructions: ",
    ]);
    let count = binary.home.count("binary::group::does", "Ir");
    assert!(count > 50_000, "the loader and the runtime: {count}");
    binary.run(&[]).code(0).quiet().unchanged();
}

#[test]
fn programs_are_found_in_path_and_scripts_run() {
    let binary = Binary::new();
    let script = binary.place("script");
    fs::write(&script, "#!/bin/sh\nexit 7\n").unwrap();
    Process::new("chmod")
        .args(["+x", &script])
        .status()
        .unwrap();
    let expected = config(|config| config.exit_with = Some(ExitWith::Code(7)));
    let binary = binary
        .case("named", command("true", &[]))
        .case("script", command(&script, &[]))
        .config(expected);
    binary.run(&[]).code(0).quiet();
}

#[test]
fn what_cannot_be_started_says_so() {
    let binary = Binary::new();
    let folder = binary.folder().to_owned();
    let text = binary.place("text");
    fs::write(&text, "no program").unwrap();
    let fails = config(|config| config.exit_with = Some(ExitWith::Failure));
    let binary = binary
        .case("unknown", command("no-such-program", &[]))
        // An expected failure is none of the program.
        .config(fails.clone())
        .case("relative", command("./no/program", &[]))
        .case(
            "absent",
            command(folder.join("absent").to_str().unwrap(), &[]),
        )
        .case("text", command(&text, &[]))
        .case("option", program(&["nothing"]))
        .config(fails)
        .config(config(|config| {
            config.valgrind_args = vec!["--no-such-option".into()]
        }))
        .case(
            "no_input",
            Command {
                stdin: Stdin::File("no/input".into()),
                ..program(&["count"])
            },
        )
        .case(
            "no_output",
            Command {
                stdout: Stdio::File("no/output".into()),
                ..program(&["say"])
            },
        )
        .case("last", program(&["nothing"]));
    let ended = binary.run(&[]).code(1);
    ended
        .says(&[
            "benchmark `binary::group::unknown` could not be started: there is no program \
             `no-such-program` in PATH\n  hint: a program of this package is \
             `env!(\"CARGO_BIN_EXE_no-such-program\")`, and a file is `./no-such-program`\n",
            "`binary::group::relative` could not be started: there is no program `./no/program`\n  \
             hint: relative paths of programs begin in `",
            "`binary::group::absent` could not be started: there is no program `",
            "hint: is it built, or made by the setup?\n",
            "`binary::group::text` could not be started: `",
            "/text` is not executable\n  hint: `chmod +x` makes a file executable\n",
            "`binary::group::option` could not be started: Valgrind does not accept `--no-such-option` in \
             the configuration\n",
            "  | valgrind: Unknown option: --no-such-option\n",
            "`binary::group::no_input` could not be started: cannot read its stdin from `",
            "/no/input`: No such file or directory (os error 2)\n",
            "`binary::group::no_output` could not be started: cannot write its stdout to `",
        ])
        .shows(&["Failed. 1 without regressions; 0 regressed; 0 compared; 1 new; 7 failed; "]);
    assert_eq!(binary.left(), [""; 0]);
}

#[test]
fn ends_are_expected_or_explained() {
    let exit_with = |exit_with| config(|config| config.exit_with = Some(exit_with));
    let binary = Binary::new()
        .case("code", program(&["exit", "3"]))
        .config(exit_with(ExitWith::Code(3)))
        .case("fails", program(&["exit", "7"]))
        .config(exit_with(ExitWith::Failure))
        .case("killed", program(&["signal", "9"]))
        .config(exit_with(ExitWith::Failure))
        .case("aborts", program(&["signal", "6"]))
        .config(exit_with(ExitWith::Signal(6)))
        .case("one_of", program(&["signal", "15"]))
        .config(exit_with(ExitWith::Signals([6, 15])));
    let ended = binary.run(&["--save-baseline=kept"]).code(0).quiet();
    for name in ["code", "fails", "killed", "aborts", "one_of"] {
        assert!(
            binary.home.has(&format!("binary::group::{name}")),
            "{name}\n{ended}"
        );
    }
    // A kept result runs nothing, and its exit status is not known any more.
    let ended = binary
        .run(&["--load-baseline=kept", "--baseline=kept"])
        .code(0);
    ended.quiet().shows(&["Ok. 5 without regressions; "]);
    let binary = self::Binary::new()
        .case("unexpected", program(&["exit", "3"]))
        .case("other", program(&["exit", "4"]))
        .config(exit_with(ExitWith::Code(3)))
        .case("succeeds", program(&["nothing"]))
        .config(exit_with(ExitWith::Failure))
        .case("aborts", program(&["signal", "6"]))
        .case("survives", program(&["nothing"]))
        .config(exit_with(ExitWith::Signal(15)))
        .case("panics", program(&["panic"]));
    let ended = binary.run(&[]).code(1).says(&[
        "benchmark `binary::group::unexpected` ended with exit code 3, but was to end with exit \
         code 0\n  command: ",
        "/binary_program exit 3\n",
        "`env_clear(false)`",
        "  hint: `exit_with(..)` says how a program has to end\n",
        "  output:\n  | exits with 3\n",
        "`binary::group::other` ended with exit code 4, but was to end with exit code 3\n",
        "`binary::group::succeeds` ended with exit code 0, but was to fail\n",
        "`binary::group::aborts` was ended by signal 6 (SIGABRT), but was to end with exit code 0\n",
        "`binary::group::survives` ended with exit code 0, but was to be ended by signal 15 (SIGTERM)\n",
        "`binary::group::panics` ended with exit code 101 (of a Rust program: it panicked), but was \
         to end with exit code 0\n",
    ]);
    ended.shows(&["Failed. 0 without regressions; 0 regressed; 0 compared; 6 failed; "]);
}

#[test]
fn the_environment_is_cleared_and_configured() {
    let binary = Binary::new();
    let (cleared, kept) = (binary.place("cleared"), binary.place("kept"));
    let set = variable("SET", "value");
    let binary = binary
        .case("cleared", program(&["look", &cleared]))
        .config(set)
        .case("kept", program(&["look", &kept]))
        .config(config(|config| config.env_clear = Some(false)));
    let bench = binary.bench(&[]).env("FROM_OUTSIDE", "1");
    bench.run().code(0).quiet();
    let sees = |place: &str, name: &str| {
        let seen = fs::read_to_string(place).unwrap();
        seen.contains(&format!("variable {name}\n"))
    };
    assert!(sees(&cleared, "SET") && !sees(&cleared, "FROM_OUTSIDE") && !sees(&cleared, "HOME"));
    assert!(!sees(&cleared, "IAI_CALLGRIND_SERVER"));
    assert!(sees(&kept, "FROM_OUTSIDE") && !sees(&kept, "SET"));
}

#[test]
fn by_default_input_is_at_its_end_and_output_is_kept() {
    let binary = Binary::new()
        .case("count", program(&["count"]))
        .case("say", program(&["say"]));
    let ended = binary.run(&[]).code(0).quiet();
    ended.without("0 bytes").without("to stdout");
    let ended = binary.run(&["--nocapture"]).code(0);
    ended
        .shows(&["\n0 bytes\n", "\nto stdout\n"])
        .says(&["to stderr\n"]);
}

#[test]
fn streams_come_from_and_go_to_files() {
    let binary = Binary::new();
    let (input, both) = (binary.place("input"), binary.place("both"));
    fs::write(&input, "12345").unwrap();
    let binary = binary
        .case(
            "counts",
            Command {
                stdin: Stdin::File(input.into()),
                stdout: Stdio::File(binary_file(&both)),
                ..program(&["count"])
            },
        )
        .case(
            "says",
            Command {
                stdout: Stdio::File(binary_file(&both)),
                stderr: Stdio::File(binary_file(&both)),
                stdin: Stdin::Null,
                ..program(&["say"])
            },
        )
        .case(
            "silent",
            Command {
                stdout: Stdio::Null,
                stderr: Stdio::Null,
                ..program(&["say"])
            },
        );
    binary.run(&["counts"]).code(0).quiet();
    assert_eq!(fs::read_to_string(&both).unwrap(), "5 bytes\n");
    binary.run(&["says"]).code(0).quiet();
    assert_eq!(fs::read_to_string(&both).unwrap(), "to stdout\nto stderr\n");
    let ended = binary.run(&["silent", "--nocapture"]).code(0);
    ended.quiet().without("to stdout");
}

fn binary_file(path: &str) -> std::path::PathBuf {
    path.into()
}

#[test]
fn streams_are_inherited() {
    let inherits = Command {
        stdin: Stdin::Inherit,
        stdout: Stdio::Inherit,
        stderr: Stdio::Inherit,
        ..program(&["count"])
    };
    let binary = Binary::new().case("reads", inherits).case(
        "says",
        Command {
            stderr: Stdio::Inherit,
            ..program(&["say"])
        },
    );
    let suite = binary.place("suite.json");
    binary.bench(&[]);
    let mut runner = Process::new(build::runner())
        .args(["bench", "--exe"])
        .arg(binary::harness())
        .args(["--", "--bench", "--home"])
        .arg(binary.home.path())
        .env("SUITE", suite)
        .stdin(ProcessStdio::piped())
        .stdout(ProcessStdio::piped())
        .stderr(ProcessStdio::piped())
        .spawn()
        .unwrap();
    runner
        .stdin
        .take()
        .unwrap()
        .write_all(b"from the user")
        .unwrap();
    let output = runner.wait_with_output().unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{err}");
    // Between the headline and the metrics.
    assert!(out.contains(" count\n13 bytes\n  Instructions:"), "{out}");
    assert!(!out.contains("to stdout"), "{out}");
    assert_eq!(err, "to stderr\n");
}

#[test]
fn a_command_reads_what_its_setup_writes() {
    for (stream, script) in [
        (Pipe::Stdout, "head -c 100000000 /dev/zero"),
        (Pipe::Stderr, "head -c 100000000 /dev/zero >&2"),
    ] {
        let binary = Binary::new();
        let seen = binary.place("seen");
        let binary = binary
            .case(
                "reads",
                Command {
                    stdin: Stdin::Setup(stream),
                    stdout: Stdio::File(binary_file(&seen)),
                    ..program(&["count"])
                },
            )
            .setup(script);
        binary.run(&[]).code(0).quiet();
        assert_eq!(fs::read_to_string(&seen).unwrap(), "100000000 bytes\n");
    }
}

#[test]
fn a_setup_may_write_more_than_its_command_reads() {
    let reads = |arguments: &[&str]| Command {
        stdin: Stdin::Setup(Pipe::Stdout),
        ..program(arguments)
    };
    let binary = Binary::new()
        .case("ignores", reads(&["nothing"]))
        .setup("head -c 1000000 /dev/zero")
        .case("partly", reads(&["count"]))
        .setup("echo a part; exit 4");
    binary.run(&[]).code(1).says(&[
        "error: benchmark `binary::group::partly` ran, but its setup ended with exit code 4",
    ]);
    assert!(binary.home.has("binary::group::ignores"));
    assert!(!binary.home.has("binary::group::partly"));
    let alone = self::Binary::new().case("alone", reads(&["count"]));
    alone.run(&[]).code(1).says(&[
        "command of `group::alone`: `Stdin::Setup` reads what `setup` writes, but there is no `setup`",
    ]);
}

#[test]
fn much_output_stops_no_tool() {
    let binary = Binary::new().case("prints", program(&["print", "10485760"]));
    binary.run(&["--tools=dhat"]).code(0).quiet();
    for tool in [Tool::Callgrind, Tool::Dhat] {
        let values = binary.home.values_of("binary::group::prints", tool.id());
        assert!(!values.is_empty());
    }
}

#[test]
fn a_command_runs_under_every_tool() {
    let binary = Binary::new().case("works", program(&["work", "1000"]));
    let ended = binary.run(&["--tools=cachegrind,dhat,massif,bbv,memcheck,helgrind,drd"]);
    ended.code(0).quiet();
    // Linux perf has tests of its own.
    for tool in Tool::ALL.into_iter().filter(|tool| *tool != Tool::Perf) {
        binary.home.profile("binary::group::works", tool.id());
    }
}

#[test]
fn nothing_of_a_command_runs_on_when_it_takes_too_long() {
    let binary = Binary::new();
    let folder = binary.place("");
    let binary = binary.case("sleeps", program(&["sleep", &folder]));
    let ended = binary.run(&["--timeout=2"]).code(1);
    ended.says(&["error: benchmark `binary::group::sleeps` took longer than 2s and was stopped\n"]);
    // Who is killed is there a moment longer.
    wait_until("all processes are gone", || {
        processes::naming(binary.folder()).is_empty()
    });
    assert_eq!(binary.left(), [""; 0]);
}
