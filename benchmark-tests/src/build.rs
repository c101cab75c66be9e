//! Builds benchmark executables and the runner, each once for a test process, unless `cargo suite`
//! has done it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::Value;

/// The package of the benchmarks and programs that the tests measure.
pub const BENCHMARKS: &str = "measured-benchmarks";

/// The executable of a bench target.
pub fn bench(target: &str) -> PathBuf {
    given(BENCHMARKS, target).unwrap_or_else(|| bench_with(target, &[], &[]))
}

/// The executable of a bench target that was written for another framework, in a package of its
/// own. `cargo suite` does not build it before, since features of cargo's one build are those of
/// all packages in it.
pub fn source(package: &str, target: &str) -> PathBuf {
    source_with(package, target, &["--profile", "bench"])
}

/// The same with other words for cargo: features, or no profile.
pub fn source_with(package: &str, target: &str, words: &[&str]) -> PathBuf {
    let common = ["rustc", "-p", package, "--bench", target];
    built(&[&common[..], words].concat(), &[], target)
}

/// The executable of a bench target, with the names of functions mangled as newer compilers do by
/// default.
pub fn v0_bench(target: &str) -> PathBuf {
    bench_with(target, &[], &["-C", "symbol-mangling-version=v0"])
}

/// The executable of a bench target, compiled with these flags of the compiler.
pub fn flagged_bench(target: &str, flags: &[&str]) -> PathBuf {
    bench_with(target, &[], flags)
}

/// The executable of a bench target, linked statically.
pub fn static_bench(target: &str) -> PathBuf {
    bench_with(target, &[], &["-C", "target-feature=+crt-static"])
}

/// The executable of a bench target, instrumented for coverage.
pub fn instrumented_bench(target: &str) -> PathBuf {
    bench_with(target, &[], &["-C", "instrument-coverage"])
}

/// The executable of a bench target, with the library's feature `cachegrind`.
pub fn cachegrind_bench(target: &str) -> PathBuf {
    let features = ["--no-default-features", "--features", "cachegrind"];
    bench_with(target, &features, &[])
}

/// Cargo names what it builds after features and flags as well, so nothing is replaced by something
/// else.
fn bench_with(target: &str, features: &[&str], flags: &[&str]) -> PathBuf {
    let common = ["rustc", "-p", BENCHMARKS, "--bench", target];
    let arguments = [&common[..], &["--profile", "bench"], features].concat();
    built(&arguments, flags, target)
}

/// The benchmarks of `inside-benchmarks`, compiled with these settings of the profile
/// (`opt-level=0`) and flags of the compiler. Where the profile allows it, the settings are for
/// this package only.
pub fn inside(settings: &[&str], flags: &[&str]) -> PathBuf {
    let package = "inside-benchmarks";
    if let ([], [], Some(path)) = (settings, flags, given(package, "inside")) {
        return path;
    }
    let mut arguments: Vec<String> = ["rustc", "-p", package, "--bench", "inside"]
        .into_iter()
        .chain(["--profile", "bench"])
        .map(str::to_owned)
        .collect();
    for setting in settings {
        let of_package = ["opt-level", "codegen-units"].iter();
        let place = match of_package.clone().any(|key| setting.starts_with(key)) {
            true => format!("profile.bench.package.{package}.{setting}"),
            false => format!("profile.bench.{setting}"),
        };
        arguments.extend(["--config".to_owned(), place]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    built(&arguments, flags, "inside")
}

/// A program beside the benchmarks. It is built with one of these: by itself it would have other
/// features, and each of the two builds would replace what the other one made, also while a test
/// measures it.
pub fn program(name: &str) -> PathBuf {
    let arguments = [
        "rustc",
        "-p",
        BENCHMARKS,
        "--bench",
        "binary",
        "--profile",
        "bench",
    ];
    given(BENCHMARKS, name).unwrap_or_else(|| built(&arguments, &[], name))
}

/// A program of `client-request-tests` whose requests act.
pub fn requests(program: &str) -> PathBuf {
    program_with_requests(program, "bench", &["--features", "active"])
}

/// A program of `client-request-tests` with definitions only, as a user's release build has them.
pub fn request_definitions(program: &str) -> PathBuf {
    program_with_requests(program, "request-definitions", &[])
}

fn program_with_requests(program: &str, profile: &str, features: &[&str]) -> PathBuf {
    let common = [
        "build",
        "-p",
        "client-request-tests",
        "--bin",
        program,
        "--profile",
        profile,
    ];
    built(&[&common, features].concat(), &[], program)
}

/// The runner: the one that `IAI_CALLGRIND_RUNNER` names, else one of the `dev` profile.
pub fn runner() -> PathBuf {
    let runner = "iai-callgrind-runner";
    let named = std::env::var_os("IAI_CALLGRIND_RUNNER").filter(|path| !path.is_empty());
    let named = named.map(PathBuf::from);
    named.unwrap_or_else(|| built(&["build", "-p", runner], &[], runner))
}

/// The program that checks JSON against its schema, an example of the runner.
pub fn json_checker() -> PathBuf {
    let (package, example) = ("iai-callgrind-runner", "check_json");
    let arguments = ["build", "-p", package, "--example", example];
    given(package, example).unwrap_or_else(|| built(&arguments, &[], example))
}

/// Executable that `cargo suite` has built before the tests; the file that `SUITE_EXECUTABLES`
/// names has them.
fn given(package: &str, target: &str) -> Option<PathBuf> {
    static GIVEN: OnceLock<Value> = OnceLock::new();
    let given = GIVEN.get_or_init(|| match std::env::var_os("SUITE_EXECUTABLES") {
        Some(file) => serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap(),
        None => Value::Null,
    });
    given[package][target].as_str().map(PathBuf::from)
}

/// The target directory of this test process: the folder above it that cargo marked.
pub fn target_directory() -> PathBuf {
    let this = std::env::current_exe().expect("the path of a test is known");
    let marked = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
    let target = this.ancestors().find(marked);
    target.expect("tests lie in a target directory").to_owned()
}

/// Runs cargo once for these arguments, with flags for the compiler, and returns the executable of
/// this target; tests that need the same wait for it.
fn built(arguments: &[&str], flags: &[&str], target: &str) -> PathBuf {
    type Built = HashMap<String, Arc<OnceLock<PathBuf>>>;
    static BUILT: OnceLock<Mutex<Built>> = OnceLock::new();
    let cell = {
        let mut built = BUILT.get_or_init(Mutex::default).lock().unwrap();
        let key = [arguments, flags, &[target]].concat().join(" ");
        Arc::clone(built.entry(key).or_default())
    };
    cell.get_or_init(|| run_cargo(arguments, flags, target))
        .clone()
}

fn run_cargo(arguments: &[&str], flags: &[&str], target: &str) -> PathBuf {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(arguments)
        .args(["--quiet", "--message-format=json"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        // The library would remember the path, and no test could show that it is missing.
        .env_remove("IAI_CALLGRIND_RUNNER")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    if std::env::var_os("CARGO_TARGET_DIR").is_none() {
        command.arg("--target-dir").arg(target_directory());
    }
    if !flags.is_empty() {
        command.arg("--").args(flags);
    }
    let output = command.output().expect("cargo starts");
    assert!(output.status.success(), "cargo {}", arguments.join(" "));
    // Others are built with it, in any order: with a benchmark the package's programs.
    let mut messages = output.stdout.split(|byte| *byte == b'\n');
    let wanted = messages.find_map(|line| {
        let message: Value = serde_json::from_slice(line).ok()?;
        let path = PathBuf::from(message["executable"].as_str()?);
        (message["target"]["name"] == target).then_some(path)
    });
    wanted.expect("cargo built it")
}
