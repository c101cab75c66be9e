//! Roles of the executable of a file with binary benchmarks: it lists, describes, sets up, refuses.
//!
//! The file starts itself; a variable selects one of several suites.

use std::path::PathBuf;
use std::process::{Command as Process, ExitCode};

use iai_callgrind::{
    binary_benchmark, binary_benchmark_attribute, binary_benchmark_group, Bench, BinaryBenchmark,
    BinaryBenchmarkConfig, Command, Delay, ExitWith, Pipe, Stdin, Stdio,
};
use serde_json::Value;

const SUITE: &str = "BINARY_ROLES_SUITE";

fn say(text: &str) {
    let directory = std::env::current_dir().unwrap();
    println!(
        "{text} in {}",
        directory.file_name().unwrap().to_str().unwrap()
    );
}

#[binary_benchmark(setup = say, teardown = say("teardown"))]
#[bench::one("1", config = BinaryBenchmarkConfig::default().setup_parallel(true))]
#[benches::more(iter = ["2", "3"])]
fn echo(text: &str) -> Command {
    // In the directory of the package, whatever the process is for.
    assert!(std::path::Path::new("Cargo.toml").is_file());
    Command::new("echo")
        .arg(text)
        .env("A", "b")
        .pass_through_env("HOME")
        .env_clear(false)
        .exit_with(ExitWith::Code(1))
        .stdin(Stdin::Setup(Pipe::Stderr))
        .stdout(Stdio::Null)
        .stderr(std::path::Path::new("errors.txt"))
        .delay(Delay::from_path("ready").timeout(std::time::Duration::from_millis(1500)))
}

#[binary_benchmark]
fn plain() -> Command {
    Command::new("true").build()
}

fn add(group: &mut iai_callgrind::BinaryBenchmarkGroup) {
    for n in [1, 2] {
        group.binary_benchmark(
            BinaryBenchmark::new(format!("b{n}"))
                .setup(move || say(&format!("setup of {n}")))
                .bench(
                    Bench::new("x")
                        .teardown(|| say("teardown of x"))
                        .commands([Command::new("a"), Command::new("b").arg("c").build()]),
                ),
        );
    }
    group.binary_benchmark(binary_benchmark_attribute!(plain));
}

mod good {
    use super::*;

    binary_benchmark_group!(
        name = high,
        setup = say("group"),
        benchmarks = [echo, plain]
    );
    binary_benchmark_group!(name = low, benchmarks = add);
    iai_callgrind::main!(
        binary_benchmark_groups = [high, low],
        teardown = || say("main")
    );

    pub fn run() -> ExitCode {
        main()
    }
}

mod without_list {
    use std::process::ExitCode;

    iai_callgrind::main!(config = &super::BinaryBenchmarkConfig::default());

    pub fn run() -> ExitCode {
        main()
    }
}

mod mistakes {
    use super::*;

    binary_benchmark_group!(
        name = names,
        benchmarks = |group| {
            let command = || Command::new("true");
            group.binary_benchmark(
                BinaryBenchmark::new("one")
                    .bench(Bench::new("same").command(command()))
                    .bench(Bench::new("same").command(command()))
                    .bench(Bench::new("none")),
            );
            group.binary_benchmark(
                BinaryBenchmark::new("one").bench(Bench::new("1").command(command())),
            );
            group.binary_benchmark(BinaryBenchmark::new("bad-id"));
        }
    );
    binary_benchmark_group!(name = empty, benchmarks = |_| ());
    iai_callgrind::main!(binary_benchmark_groups = [names, empty]);

    pub fn run() -> ExitCode {
        main()
    }
}

mod commands {
    use super::*;

    #[binary_benchmark]
    fn panics() -> Command {
        panic!("no command")
    }

    #[binary_benchmark]
    fn no_program() -> Command {
        Command::new("")
    }

    #[binary_benchmark(teardown = drop)]
    #[bench::id(())]
    fn no_setup(_: ()) -> Command {
        Command::new("cat").stdin(Stdin::Setup(Pipe::Stdout))
    }

    binary_benchmark_group!(name = g, benchmarks = [panics, no_program, no_setup]);
    iai_callgrind::main!(binary_benchmark_groups = g);

    pub fn run() -> ExitCode {
        main()
    }
}

struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
}

/// Starts this file as one of its suites, in a temporary directory.
fn start(suite: &str, words: &[&str]) -> Ended {
    let output = Process::new(std::env::current_exe().unwrap())
        .args(words)
        .current_dir(std::env::temp_dir())
        .env(SUITE, suite)
        .output()
        .unwrap();
    Ended {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[track_caller]
fn assist(address: &str, hook: &str, expected: &str) {
    let Ended { code, out, err } = start("good", &["--iai-callgrind", "assist", address, hook]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let directory = std::env::temp_dir();
    let name = directory.file_name().unwrap().to_str().unwrap();
    assert_eq!(out, format!("{expected} in {name}\n"));
}

#[track_caller]
fn refused(suite: &str, words: &[&str], code: i32, texts: &[&str]) {
    let ended = start(suite, words);
    assert_eq!(ended.code, Some(code), "{}", ended.err);
    for text in texts {
        assert!(
            ended.err.contains(text),
            "{text:?} is not in:\n{}",
            ended.err
        );
    }
}

fn describe() -> Value {
    let file = std::env::temp_dir().join(format!("binary_roles_{}.json", std::process::id()));
    let words = ["--iai-callgrind", "describe", file.to_str().unwrap()];
    let Ended { code, err, .. } = start("good", &words);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(file).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn text(value: &Value) -> String {
    let bytes: Vec<u8> = serde_json::from_value(value["Unix"].clone()).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn main() -> ExitCode {
    match std::env::var(SUITE).as_deref() {
        Ok("good") => return good::run(),
        Ok("without_list") => return without_list::run(),
        Ok("mistakes") => return mistakes::run(),
        Ok("commands") => return commands::run(),
        _ => {}
    }

    let list = start("good", &["--list", "--format", "terse"]).out;
    let file = list.split("::good::").next().unwrap().to_owned();
    let expected = [
        "high::echo::one",
        "high::echo::more_0",
        "high::echo::more_1",
        "high::plain",
        "low::b1::x_0",
        "low::b1::x_1",
        "low::b2::x_0",
        "low::b2::x_1",
        "low::plain::plain",
    ];
    let expected = expected.map(|path| format!("{file}::good::{path}: benchmark\n"));
    assert_eq!(list, expected.concat());
    let list = start("good", &["--list", "--bench", "b2", "--skip", "x_0"]).out;
    assert_eq!(
        list,
        format!("{file}::good::low::b2::x_1: benchmark\n\n0 tests, 1 benchmarks\n")
    );
    let list = start("without_list", &["--list", "--skip", "commands"]).out;
    assert!(
        list.starts_with(&format!("{file}::without_list::main::echo::one: ")),
        "{list}"
    );

    assist("main!", "teardown", "main");
    assist("high", "setup", "group");
    assist("high::echo::one", "setup", "1");
    assist("high::echo::more_1", "setup", "3");
    assist("high::echo::more_1", "teardown", "teardown");
    assist("low::b2::x_0", "setup", "setup of 2");
    assist("low::b1::x_1", "teardown", "teardown of x");
    let role = |address| ["--iai-callgrind", "assist", address, "setup"];
    refused(
        "good",
        &role("high::plain"),
        2,
        &["`high::plain` has no such function"],
    );
    refused("good", &role("low"), 2, &["`low` has no such function"]);
    refused(
        "good",
        &role("high::echo::more_2"),
        2,
        &["there is no such benchmark: the number is 2, and `iter` gave 2 elements"],
    );

    let suite = describe();
    let groups = &suite["groups"];
    assert_eq!(groups[0]["kind"], "Binary");
    assert_eq!(suite["entries"], 0);
    let case = &groups[0]["functions"][0]["cases"][2];
    assert_eq!(case["args"], "\"3\"");
    assert_eq!(
        case["hooks"],
        serde_json::json!({ "setup": true, "teardown": true })
    );
    let command = &case["command"];
    assert_eq!(text(&command["program"]), "echo");
    assert_eq!(text(&command["args"][0]), "3");
    assert_eq!(text(&command["config"]["envs"][1]["name"]), "HOME");
    assert_eq!(command["config"]["envs"][1]["value"], Value::Null);
    assert_eq!(command["config"]["env_clear"], false);
    assert_eq!(command["config"]["exit_with"]["Code"], 1);
    assert_eq!(command["stdin"]["Setup"], "Stderr");
    assert_eq!(command["stdout"], "Null");
    assert_eq!(text(&command["stderr"]["File"]), "errors.txt");
    assert_eq!(text(&command["delay"]["kind"]["PathExists"]), "ready");
    assert_eq!(command["delay"]["timeout"]["nanos"], 500_000_000);
    assert_eq!(command["delay"]["poll"], Value::Null);
    let one = &groups[0]["functions"][0]["cases"][0];
    assert_eq!(one["config"]["setup_parallel"], true);
    let low = &groups[1]["functions"];
    assert_eq!(low[1]["cases"][1]["id"], "x_1");
    assert_eq!(text(&low[1]["cases"][1]["command"]["args"][0]), "c");
    assert_eq!(
        low[2]["cases"][0]["hooks"],
        serde_json::json!({ "setup": false, "teardown": false })
    );
    let unlisted = suite["unlisted"].as_array().unwrap();
    assert!(
        unlisted
            .iter()
            .all(|name| !name.as_str().unwrap().ends_with(": plain")),
        "{unlisted:?}"
    );
    assert!(
        unlisted
            .iter()
            .any(|name| name.as_str().unwrap().ends_with(": panics")),
        "{unlisted:?}"
    );

    let of_all = [
        "two benchmarks of `names::one` have the id `same`",
        "`names::one::none`: there is no command; add one with",
        "two functions of the group `names` are named `one`",
        "`names::one::1`: the id `1` has the character '1' at position 1",
        "`names::bad-id`: the id `bad-id` has the character '-' at position 4",
        "`names::bad-id`: there is no bench; add one with",
        "the group `empty` has no benchmark",
    ];
    refused("mistakes", &["--bench"], 1, &of_all);
    refused("mistakes", &["--list"], 1, &of_all);
    let file = PathBuf::from("/nowhere");
    let role = ["--iai-callgrind", "describe", file.to_str().unwrap()];
    refused("mistakes", &role, 1, &of_all);
    let of_commands = [
        "no command\n",
        "`g::panics`: the function panicked before it returned a command",
        "`g::no_program`: the command has no program",
        "`g::no_setup::id`: `Stdin::Setup` reads what `setup` writes, and there is no `setup`",
    ];
    refused("commands", &role, 1, &of_commands);
    ExitCode::SUCCESS
}
