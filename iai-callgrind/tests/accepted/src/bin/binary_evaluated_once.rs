//! An iterator of binary benchmarks is evaluated once while the suite is described, and each
//! command made once.
//!
//! The file starts itself; a variable names the file in which the functions of the suite say that
//! they were called.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command as Process, ExitCode};

use iai_callgrind::{
    binary_benchmark, binary_benchmark_attribute, binary_benchmark_group, Bench, BinaryBenchmark,
    Command,
};

const CALLS: &str = "BINARY_EVALUATED_ONCE_CALLS";

fn say(call: &str) {
    let path = std::env::var_os(CALLS).unwrap();
    let file = fs::OpenOptions::new().append(true).create(true).open(path);
    writeln!(file.unwrap(), "{call}").unwrap();
}

/// Elements that borrow from a value which lives as long as the pass over them.
struct Words(Vec<String>);

impl Words {
    fn new(words: &[&str]) -> Self {
        say("iter");
        Self(words.iter().map(|word| word.to_string()).collect())
    }

    fn each(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

#[binary_benchmark]
#[benches::words(iter = Words::new(&["a", "b", "c"]).each())]
fn listed(word: &str) -> Command {
    say(word);
    Command::new("true").arg(word).build()
}

#[binary_benchmark]
#[benches::words(iter = Words::new(&["d", "e"]).each())]
fn added(word: &str) -> Command {
    say(word);
    Command::new("true").arg(word).build()
}

#[binary_benchmark]
#[benches::words(iter = Words::new(&["f", "g"]).each())]
fn panics(word: &str) -> Command {
    say(word);
    assert_ne!(word, "f", "no command");
    Command::new("true")
}

binary_benchmark_group!(name = high, benchmarks = listed);
binary_benchmark_group!(
    name = low,
    benchmarks = |group: &mut BinaryBenchmarkGroup| {
        group
            .binary_benchmark(binary_benchmark_attribute!(added))
            .binary_benchmark(
                BinaryBenchmark::new("plain").bench(Bench::new("id").command(Command::new("true"))),
            )
    }
);
binary_benchmark_group!(name = wrong, benchmarks = panics);

mod good {
    use super::*;

    iai_callgrind::main!(binary_benchmark_groups = [high, low]);

    pub fn run() -> ExitCode {
        main()
    }
}

mod bad {
    use super::*;

    iai_callgrind::main!(binary_benchmark_groups = wrong);

    pub fn run() -> ExitCode {
        main()
    }
}

/// Starts this executable and returns what was called, and what it wrote to stderr.
fn calls(suite: &str, words: &[&str]) -> (String, String) {
    let name = format!("binary_evaluated_once_{}", std::process::id());
    let file = std::env::temp_dir().join(name);
    fs::write(&file, "").unwrap();
    let output = Process::new(std::env::current_exe().unwrap())
        .args(words)
        .env(CALLS, &file)
        .env("SUITE", suite)
        .output()
        .unwrap();
    let calls = fs::read_to_string(&file).unwrap();
    fs::remove_file(file).unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    (calls.lines().collect::<Vec<_>>().join(" "), stderr)
}

fn main() -> ExitCode {
    if std::env::var_os(CALLS).is_some() {
        return match std::env::var("SUITE").as_deref() {
            Ok("bad") => bad::run(),
            _ => good::run(),
        };
    }
    let file: PathBuf = std::env::temp_dir().join(format!("evaluated_once_{}", std::process::id()));
    let describe = ["--iai-callgrind", "describe", file.to_str().unwrap()];
    let (called, stderr) = calls("good", &describe);
    assert_eq!(called, "iter a b c iter d e", "{stderr}");
    let suite: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    fs::remove_file(&file).unwrap();
    let cases = suite["groups"][0]["functions"][0]["cases"]
        .as_array()
        .unwrap();
    let arguments = cases.iter().map(|case| &case["command"]["args"][0]["Unix"]);
    let arguments: Vec<Vec<u8>> = arguments
        .map(|bytes| serde_json::from_value(bytes.clone()).unwrap())
        .collect();
    assert_eq!(arguments, [b"a", b"b", b"c"]);

    // A list needs no command, where it is not made by a function that adds to a group.
    let (called, stderr) = calls("good", &["--list"]);
    assert_eq!(called, "iter iter d e", "{stderr}");
    // A benchmark alone makes its own command, and the iterator runs to its end.
    let run = ["--iai-callgrind", "run", "high::listed::words_1"];
    let (called, stderr) = calls("good", &run);
    assert_eq!(called, "iter b", "{stderr}");

    // A panic is that of its element.
    let (called, stderr) = calls("bad", &describe);
    assert_eq!(called, "iter f g");
    assert!(
        stderr.contains("`wrong::panics::words_0`: the function panicked"),
        "{stderr}"
    );
    assert!(!stderr.contains("words_1"), "{stderr}");
    assert_eq!(stderr.matches("no command").count(), 1, "{stderr}");
    assert!(!file.exists());
    ExitCode::SUCCESS
}
