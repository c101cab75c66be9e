//! Setup, teardown, delay and sandbox of a command, and their order when something fails.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};

use benchmark_tests::bench::wait_until;
use benchmark_tests::binary::{command, program, program_path, server_path, variable, Binary};
use benchmark_tests::{processes, Ended};
use iai_callgrind::protocol::{Command, Config, Delay, DelayKind, Pipe, Stdin};
use nix::sys::signal::Signal;

fn after(kind: DelayKind, timeout: u64, command: Command) -> Command {
    let timeout = Some(Duration::from_millis(timeout));
    let delay = Delay {
        kind,
        poll: None,
        timeout,
    };
    Command {
        delay: Some(delay),
        ..command
    }
}

fn parallel(command: Command) -> Command {
    Command {
        config: Config {
            setup_parallel: Some(true),
            ..command.config
        },
        ..command
    }
}

/// Nothing of a test is left: no process and no directory.
#[track_caller]
fn check_left(binary: &Binary) {
    // Who is killed is there a moment longer.
    wait_until("all processes are gone", || {
        processes::naming(binary.folder()).is_empty()
    });
    assert_eq!(binary.left(), [""; 0]);
}

/// The log of the hooks and commands of a test.
fn order(binary: &Binary) -> String {
    fs::read_to_string(binary.place("order")).unwrap_or_default()
}

/// Setup, command and teardown write down that they ran; each may end with a code.
fn ordered(setup: i32, run: i32, teardown: i32) -> (Binary, Ended) {
    let binary = Binary::new();
    let order = binary.place("order");
    let script = |name: &str, code: i32| {
        format!("echo {name} >> {order}; echo {name} prints this >&2; exit {code}")
    };
    let run = format!("{}; exit", script("run", run));
    let binary = binary
        .case("case", command("sh", &["-c", &run]))
        .setup(&script("setup", setup))
        .teardown(&script("teardown", teardown))
        .case("last", program(&["nothing"]));
    let ended = binary.run(&[]);
    check_left(&binary);
    assert!(binary.home.has("binary::group::last"), "{ended}");
    assert_eq!(
        binary.home.has("binary::group::case"),
        ended.status.success()
    );
    (binary, ended)
}

#[test]
fn hooks_run_before_and_after_also_if_something_fails() {
    let all = "setup\nrun\nteardown\n";
    let (binary, ended) = ordered(0, 0, 0);
    ended.code(0).quiet();
    assert_eq!(order(&binary), all);

    let (binary, ended) = ordered(4, 0, 0);
    ended.code(1).says(&[
        "error: benchmark `binary::group::case` did not run, since its setup ended with exit code 4\n",
        "  | setup prints this\n",
    ]);
    assert_eq!(order(&binary), "setup\n");

    let (binary, ended) = ordered(0, 5, 0);
    ended.code(1).says(&[
        "`binary::group::case` ended with exit code 5, but was to end with exit code 0\n",
        "  | setup prints this\n  | run prints this\n  | teardown prints this\n",
    ]);
    assert_eq!(order(&binary), all);

    let (binary, ended) = ordered(0, 0, 6);
    ended
        .code(1)
        .says(&["`binary::group::case` ran, but its teardown ended with exit code 6\n"]);
    assert_eq!(order(&binary), all);

    let (binary, ended) = ordered(0, 5, 6);
    ended.code(1).says(&[
        "`binary::group::case` ended with exit code 5, but was to end with exit code 0\n",
        "\n  its teardown ended with exit code 6\n",
    ]);
    assert_eq!(order(&binary), all);
}

#[test]
fn all_levels_have_the_same_surroundings() {
    let binary = Binary::new();
    let seen = binary.place("seen");
    let script = format!("echo $0 $PWD $_WORKSPACE_ROOT $FROM_OUTSIDE >> {seen}");
    let binary = binary
        .case("case", program(&["nothing"]))
        .setup(&script)
        .teardown(&script)
        .group(|group| {
            group.hooks.setup = true;
            group.config = Some(variable("SETUP", &script));
        });
    let bench = binary.bench(&[]).env("FROM_OUTSIDE", "outside");
    bench.run().code(0).quiet();
    let package = env!("CARGO_MANIFEST_DIR");
    let workspace = Path::new(package).parent().unwrap().display();
    let line = |level: &str| format!("{level} {package} {workspace} outside\n");
    let expected = [line("group"), line("group::case"), line("group::case")].concat();
    assert_eq!(fs::read_to_string(seen).unwrap(), expected);
}

#[test]
fn what_a_setup_leaves_running_ends_after_the_teardown() {
    let binary = Binary::new();
    let (folder, sleep) = (binary.place(""), sleep(&binary));
    let leaves = |marker: &str| format!("({sleep} {marker} & echo $! > {folder}{marker})");
    let living = |marker: &str| format!("kill -0 $(cat {folder}{marker})");
    let binary = binary
        .case("case", command("sh", &["-c", &living("of_case")]))
        .config(Config {
            env_clear: Some(false),
            ..Config::default()
        })
        .setup(&leaves("of_case"))
        .teardown(&living("of_case"))
        .group(|group| {
            group.hooks.setup = true;
            group.hooks.teardown = true;
            let setup = variable("SETUP", &leaves("of_group"));
            let mut config = variable("TEARDOWN", &living("of_group"));
            config.envs.extend(setup.envs);
            group.config = Some(config);
        });
    binary.run(&[]).code(0).quiet();
    check_left(&binary);
}

/// A free address on this machine.
fn tcp_address() -> std::net::SocketAddr {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
}

fn udp_address() -> std::net::SocketAddr {
    UdpSocket::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
}

/// A line of a script that sleeps until it is ended, and names the folder of the test.
fn sleep(binary: &Binary) -> String {
    format!("{} sleep {}", program_path(), binary.place(""))
}

/// A setup that starts a server and goes on.
fn serve(binary: &Binary, kind: &str, place: &str, times: &str) -> String {
    format!(
        "{} {kind} {place} 400 {times} {} >/dev/null 2>&1",
        server_path(),
        binary.place("")
    )
}

#[test]
fn commands_wait_for_servers_that_come_late() {
    let (tcp, udp) = (tcp_address(), udp_address());
    let binary = Binary::new();
    let tcp_setup = serve(&binary, "tcp", &tcp.to_string(), "2");
    let udp_setup = serve(&binary, "udp", &udp.to_string(), "forever");
    let tcp_command = program(&["connect", &tcp.to_string()]);
    let udp_command = program(&["ask", &udp.to_string()]);
    let binary = binary
        // The delay takes one connection, the command the other one.
        .case(
            "tcp",
            parallel(after(DelayKind::TcpConnect(tcp), 60_000, tcp_command)),
        )
        .setup(&tcp_setup)
        // In the background, until its benchmark is over.
        .case(
            "udp",
            after(
                DelayKind::UdpResponse(udp, b"?".to_vec()),
                60_000,
                udp_command,
            ),
        )
        .setup(&format!("{udp_setup} &"));
    let start = Instant::now();
    binary.run(&[]).code(0).quiet();
    assert!(start.elapsed() > Duration::from_millis(800));
    check_left(&binary);
}

#[test]
fn commands_wait_for_files_that_come_late() {
    let binary = Binary::new();
    let late = binary.place("late");
    let setup = serve(&binary, "file", "in_sandbox", "1");
    let background = format!("{} &", serve(&binary, "file", &late, "1"));
    let binary = binary
        .case(
            "sandbox",
            parallel(after(
                DelayKind::PathExists("in_sandbox".into()),
                60_000,
                program(&["read", "in_sandbox"]),
            )),
        )
        .setup(&setup)
        .sandbox(&[])
        .case(
            "absolute",
            after(
                DelayKind::PathExists(late.clone().into()),
                60_000,
                program(&["read", &late]),
            ),
        )
        .setup(&background);
    binary.run(&[]).code(0).quiet();
    check_left(&binary);
}

#[test]
fn a_delay_in_vain_is_an_error() {
    let (tcp, udp) = (tcp_address(), udp_address());
    let binary = Binary::new();
    let order = binary.place("order");
    let never = sleep(&binary);
    let waits = |kind| after(kind, 300, program(&["append", &order, "run"]));
    let binary = binary
        .case("alone", waits(DelayKind::TcpConnect(tcp)))
        .case("beside", parallel(waits(DelayKind::TcpConnect(tcp))))
        .setup(&never)
        .teardown(&format!("echo teardown >> {order}"))
        .case("udp", waits(DelayKind::UdpResponse(udp, b"?".to_vec())))
        .setup(&format!("{never} &"))
        .case("path", waits(DelayKind::PathExists("never".into())))
        .case(
            "failed",
            parallel(waits(DelayKind::PathExists("never".into()))),
        )
        .setup("exit 4");
    let start = Instant::now();
    binary.run(&[]).code(1).says(&[
        &format!(
            "error: benchmark `binary::group::alone` could not be started: its delay timed out after \
             300ms: no TCP connection to {tcp} (Connection refused (os error 111))\n  \
             hint: does the setup start what is waited for? `Delay::timeout` sets another limit\n"
        ),
        "`binary::group::beside` could not be started: its delay timed out after 300ms",
        &format!("after 300ms: no UDP answer from {udp} ("),
        "after 300ms: no file or directory `",
        "/never` (No such file or directory (os error 2))\n",
        "`binary::group::failed` did not run, since its setup ended with exit code 4\n",
    ]);
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(self::order(&binary), "teardown\n");
    check_left(&binary);
}

#[test]
fn a_setup_beside_its_command_is_waited_for() {
    let binary = Binary::new();
    let order = binary.place("order");
    let binary = binary
        .case("case", parallel(program(&["append", &order, "run"])))
        .setup(&format!(
            "until test -s {order}; do sleep 0.1; done; sleep 1; echo setup >> {order}"
        ))
        .teardown(&format!("echo teardown >> {order}"));
    binary.run(&[]).code(0).quiet();
    assert_eq!(self::order(&binary), "run\nsetup\nteardown\n");
}

#[test]
fn hooks_have_the_time_of_a_benchmark() {
    let binary = Binary::new();
    let never = sleep(&binary);
    let binary = binary
        .case("setup", program(&["nothing"]))
        .setup(&never)
        .case("beside", parallel(program(&["nothing"])))
        .setup(&never)
        .case("teardown", program(&["nothing"]))
        .teardown(&never);
    // Side by side, so that the test takes this long once.
    binary.run(&["--timeout=15", "--parallel=3"]).code(1).says(&[
        "`binary::group::setup` did not run, since its setup took longer than 15s and was stopped\n",
        "`binary::group::beside` ran, but its setup took longer than 15s and was stopped\n",
        "`binary::group::teardown` ran, but its teardown took longer than 15s and was stopped\n",
    ]);
    check_left(&binary);
}

/// A folder with fixtures: `file`, `tree/inner`, `tree/link` to the file.
fn fixtures(binary: &Binary) -> [String; 2] {
    let (file, tree) = (binary.place("file"), binary.place("tree"));
    fs::write(&file, "text").unwrap();
    fs::create_dir(&tree).unwrap();
    fs::write(binary.place("tree/inner"), "inner").unwrap();
    symlink("../file", binary.place("tree/link")).unwrap();
    [file, tree]
}

#[test]
fn a_sandbox_holds_hooks_and_command() {
    let binary = Binary::new();
    let [file, tree] = fixtures(&binary);
    let seen = binary.place("seen");
    let binary = binary
        .case("case", program(&["look", &seen]))
        .sandbox(&[Path::new(&file), Path::new(&tree), Path::new("README.md")])
        .setup("test -f README.md && cat file > made && echo new > tree/link && grep -q new file")
        .teardown("test -f made && test $(cat tree/inner) = inner && touch more")
        .case(
            "inside",
            Command {
                config: Config {
                    current_dir: Some("made/by/setup".into()),
                    ..Config::default()
                },
                ..program(&["append", "here", "run"])
            },
        )
        .sandbox(&[])
        .setup("mkdir -p made/by/setup")
        .teardown("test -f made/by/setup/here");
    binary.run(&[]).code(0).quiet();
    let text = fs::read_to_string(seen).unwrap();
    for name in ["README.md", "file", "made", "tree"] {
        assert!(text.contains(&format!("file {name}\n")), "{text}");
    }
    assert!(text.contains("/sandbox\n"), "{text}");
    // Changes of a benchmark to its copies leave the originals alone.
    assert_eq!(fs::read_to_string(&file).unwrap(), "text");
    assert!(!Path::new(&binary.place("made")).exists());
    check_left(&binary);
}

#[test]
fn what_is_wrong_with_a_sandbox_is_named() {
    let binary = Binary::new();
    let [_, tree] = fixtures(&binary);
    symlink(binary.place("file"), binary.place("tree/out")).unwrap();
    let binary = binary
        .case("leads_out", program(&["append", "tree/out", "more"]))
        .sandbox(&[Path::new(&tree)])
        .case("absent", program(&["nothing"]))
        .sandbox(&[Path::new("no/such/fixture")])
        .case(
            "nowhere",
            Command {
                config: Config {
                    current_dir: Some("nowhere".into()),
                    ..Config::default()
                },
                ..program(&["nothing"])
            },
        )
        .sandbox(&[]);
    binary.run(&[]).code(1).says(&[
        "error: benchmark `binary::group::absent` could not be measured\n  caused by: cannot copy the \
         fixture `",
        "/no/such/fixture` into the sandbox\n",
        "error: benchmark `binary::group::leads_out` could not be measured\n  caused by: cannot copy \
         the fixture `",
        "/tree/out` leads out of the sandbox, to `",
        "/file`; with `follow_symlinks(true)` what it refers to is copied instead\n",
        "error: benchmark `binary::group::nowhere` could not be measured\n  caused by: cannot run a \
         benchmark in `",
    ]);
    assert_eq!(fs::read_to_string(binary.place("file")).unwrap(), "text");
    check_left(&binary);
}

#[test]
fn benchmarks_side_by_side_have_sandboxes_of_their_own() {
    let mut binary = Binary::new();
    let seen = binary.place("seen");
    for name in ["first", "second", "third"] {
        binary = binary
            .case(name, program(&["append", "same", name]))
            .sandbox(&[])
            .setup("sleep 0.3; test ! -e same")
            .teardown(&format!("cat same >> {seen}"));
    }
    binary.run(&["--parallel=3"]).code(0).quiet();
    let mut lines: Vec<String> = fs::read_to_string(&seen)
        .unwrap()
        .lines()
        .map(Into::into)
        .collect();
    lines.sort();
    assert_eq!(lines, ["first", "second", "third"]);

    let mut binary = Binary::new().group(|group| group.max_parallel = 1);
    let (lock, setup) = (binary.place("lock"), binary.place("lock"));
    for name in ["first", "second"] {
        binary = binary
            .case(name, program(&["nothing"]))
            .setup(&format!("mkdir {setup} && sleep 0.5"))
            .teardown(&format!("rmdir {lock}"));
    }
    binary.run(&["--parallel=3"]).code(0).quiet();
}

/// Interrupts a run whose command, or whatever else, has begun.
#[track_caller]
fn interrupt(binary: &Binary, signal: Signal) {
    let started = binary.place("started");
    let run = binary.bench(&[]).start();
    wait_until("it has begun", || Path::new(&started).exists());
    assert!(!processes::naming(binary.folder()).is_empty());
    run.signal(signal);
    let ended = run.wait().signalled(signal);
    ended.says(&["error: stopped by signal "]);
    wait_until("all processes are gone", || {
        processes::naming(binary.folder()).is_empty()
    });
    assert_eq!(binary.left(), [""; 0]);
}

#[test]
fn nothing_is_left_after_an_interrupt() {
    let sleeps = |binary: &Binary| {
        let started = binary.place("started");
        format!("touch {started}; exec {}", sleep(binary))
    };
    // In the command, with a server in the background and another one beside it.
    for of_command in [false, true] {
        let binary = Binary::new();
        let (sleeps, order) = (sleeps(&binary), binary.place("order"));
        let server = sleep(&binary);
        let command = command("sh", &["-c", &format!("PATH=/bin:/usr/bin; {sleeps}")]);
        let command = match of_command {
            true => parallel(command),
            false => command,
        };
        let setup = if of_command {
            server
        } else {
            format!("{server} &")
        };
        let binary = binary
            .case("case", command)
            .sandbox(&[])
            .setup(&setup)
            .teardown(&format!("echo teardown >> {order}"))
            .case("last", program(&["append", &order, "last"]));
        interrupt(
            &binary,
            if of_command {
                Signal::SIGTERM
            } else {
                Signal::SIGINT
            },
        );
        assert_eq!(self::order(&binary), "teardown\n");
    }
    // In the setup.
    let binary = Binary::new();
    let setup = sleeps(&binary);
    let binary = binary
        .case("case", program(&["nothing"]))
        .setup(&setup)
        .sandbox(&[]);
    interrupt(&binary, Signal::SIGINT);
    // In the delay, beside a setup that a pipe connects.
    let binary = Binary::new();
    let setup = sleeps(&binary);
    let reads = Command {
        stdin: Stdin::Setup(Pipe::Stdout),
        ..after(
            DelayKind::PathExists("never".into()),
            600_000,
            program(&["count"]),
        )
    };
    let binary = binary.case("case", reads).setup(&setup);
    interrupt(&binary, Signal::SIGHUP);
}
