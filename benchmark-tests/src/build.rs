//! Builds benchmark executables and the runner, each once for a test process.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::{json, Value};

/// The executable of a bench target of this package.
pub fn bench(target: &str) -> PathBuf {
    bench_of_profile(target, "bench", &[])
}

/// The same, stripped of all symbols.
pub fn stripped_bench(target: &str) -> PathBuf {
    bench_of_profile(target, "bench-stripped", &[])
}

/// The same, with the names of functions mangled as newer compilers do by default.
pub fn v0_bench(target: &str) -> PathBuf {
    let flags = ["--", "-C", "symbol-mangling-version=v0"];
    bench_of_profile(target, "bench-v0", &flags)
}

/// The same, with the library's feature `cachegrind`.
pub fn cachegrind_bench(target: &str) -> PathBuf {
    let common = ["rustc", "-p", "benchmark-tests", "--bench", target];
    let features = ["--profile", "bench-cachegrind", "--features", "cachegrind"];
    built(&[&common[..], &features].concat(), &[])
}

/// Each profile has a folder of its own, so what is built for one is not replaced by another one.
fn bench_of_profile(target: &str, profile: &str, flags: &[&str]) -> PathBuf {
    let common = [
        "rustc",
        "-p",
        "benchmark-tests",
        "--bench",
        target,
        "--profile",
        profile,
    ];
    built(&common, flags)
}

/// The benchmarks of `inside-benchmarks`, compiled with these settings of the profile (`opt-level=0`) and flags
/// of the compiler. Where the profile allows it, the settings are for this package only.
pub fn inside(settings: &[&str], flags: &[&str]) -> PathBuf {
    let package = "inside-benchmarks";
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
    let flags: Vec<&str> = match flags {
        [] => Vec::new(),
        flags => ["--"].iter().chain(flags).copied().collect(),
    };
    built(&arguments, &flags)
}

/// A program of this package.
pub fn program(name: &str) -> PathBuf {
    let arguments = ["build", "-p", "benchmark-tests", "--bin", name];
    built(&[&arguments[..], &["--profile", "bench"]].concat(), &[])
}

/// A program of `client-request-tests` whose requests act.
pub fn requests(program: &str) -> PathBuf {
    program_with_requests(program, "bench", &["--features", "active"])
}

/// The same with definitions only, as a user's release build has them.
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
    built(&[&common, features].concat(), &[])
}

/// The runner: the one that `IAI_CALLGRIND_RUNNER` names, else one of the `dev` profile.
pub fn runner() -> PathBuf {
    match std::env::var_os("IAI_CALLGRIND_RUNNER").filter(|path| !path.is_empty()) {
        Some(path) => path.into(),
        None => built(&["build", "-p", "iai-callgrind-runner"], &[]),
    }
}

/// The program that checks JSON against its schema.
pub fn json_checker() -> PathBuf {
    let example = ["--example", "check_json"];
    built(
        &[&["build", "-p", "iai-callgrind-runner"], &example[..]].concat(),
        &[],
    )
}

/// The target directory of this test process: the folder above it that cargo marked.
pub fn target_directory() -> PathBuf {
    let this = std::env::current_exe().expect("the path of a test is known");
    let marked = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
    let target = this.ancestors().find(marked);
    target.expect("tests lie in a target directory").to_owned()
}

/// Runs cargo once for these arguments, with flags for the compiler at their end; tests that need the same wait for it.
fn built(arguments: &[&str], flags: &[&str]) -> PathBuf {
    type Built = HashMap<String, Arc<OnceLock<PathBuf>>>;
    static BUILT: OnceLock<Mutex<Built>> = OnceLock::new();
    let cell = {
        let mut built = BUILT.get_or_init(Mutex::default).lock().unwrap();
        Arc::clone(
            built
                .entry([arguments, flags].concat().join(" "))
                .or_default(),
        )
    };
    cell.get_or_init(|| run_cargo(arguments, flags)).clone()
}

fn run_cargo(arguments: &[&str], flags: &[&str]) -> PathBuf {
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
    let output = command.args(flags).output().expect("cargo starts");
    assert!(output.status.success(), "cargo {}", arguments.join(" "));
    let messages = output.stdout.split(|byte| *byte == b'\n');
    let executables = messages.filter_map(|line| {
        let message: Value = serde_json::from_slice(line).ok()?;
        let path = PathBuf::from(message["executable"].as_str()?);
        Some((message["target"]["kind"] == json!(["bench"]), path))
    });
    // With a benchmark cargo builds the package's programs, too, in any order.
    let wanted = executables.max_by_key(|(is_bench, _)| *is_bench);
    wanted.expect("cargo built an executable").1
}
