//! Builds bench targets with cargo, and finds those with benchmarks of this library.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use iai_callgrind::shared::find_program::find_program;
use serde::Deserialize;

use super::is_ours::is_ours;
use crate::error::{Error, Result};
use base::shell_line::{shell_line, Inherits};
use cli::env::RunnerEnvironment;
use project::cargo_words::selects_targets;

/// Environment variable with the path of the runner.
const RUNNER: &str = "IAI_CALLGRIND_RUNNER";

/// The bench targets of a build.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct BuiltTargets {
    /// Targets with benchmarks of this library, in the order of cargo.
    pub(super) ours: Vec<BuiltTarget>,
    /// Targets with another harness.
    pub(super) others: Vec<BuiltTarget>,
}

impl BuiltTargets {
    /// Are there benchmarks of several packages, whose names may be equal?
    pub(super) fn has_several_packages(&self) -> bool {
        self.ours
            .windows(2)
            .any(|two| two[0].package != two[1].package)
    }
}

/// A bench target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BuiltTarget {
    /// The package, as cargo identifies it.
    pub(super) package: String,
    /// The name of the target.
    pub(super) name: String,
    executable: PathBuf,
}

#[cfg(test)]
impl BuiltTarget {
    pub(super) fn new(package: &str, name: &str) -> Self {
        Self {
            package: package.to_owned(),
            name: name.to_owned(),
            executable: PathBuf::new(),
        }
    }
}

/// A message of cargo, as far as it is used here.
#[derive(Debug, Deserialize)]
struct CargoMessage {
    reason: String,
    #[serde(default)]
    package_id: String,
    target: Option<MessageTarget>,
    executable: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct MessageTarget {
    name: String,
    kind: Vec<String>,
}

/// Builds what `cargo bench` would run with these words. The messages of cargo go to stderr, as
/// always.
///
/// # Errors
///
/// Cargo cannot be started, or fails; it has said why.
#[expect(
    clippy::disallowed_methods,
    reason = "builds; benchmarks start in `execute`"
)]
pub(crate) fn build(words: &[OsString], environment: &RunnerEnvironment) -> Result<BuiltTargets> {
    let mut command = Command::new(environment.get("CARGO").unwrap_or("cargo".as_ref()));
    command
        .args([
            "bench",
            "--no-run",
            "--message-format=json-render-diagnostics",
        ])
        .args(words);
    if !selects_targets(words) {
        // Without it cargo builds libraries and programs with the harness of the standard library
        // as well.
        command.args(["--bench", "*"]);
    }
    command.envs(own_runner(environment));
    let line = shell_line(&command, Inherits::All);
    log::debug!("starts {line}");
    let failed = |reason: String| Error::Cargo {
        line: line.clone(),
        reason,
    };
    let started = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut cargo = started.map_err(|error| failed(format!("cannot be started: {error}")))?;
    let mut targets = BuiltTargets::default();
    if let Some(messages) = cargo.stdout.take() {
        for line in BufReader::new(messages).split(b'\n') {
            let line = line.map_err(|error| failed(format!("cannot be read: {error}")))?;
            targets.add(bench_target(&line));
        }
    }
    // After its messages: cargo does not end while the pipe for them is full.
    let status = cargo
        .wait()
        .map_err(|error| failed(format!("has no end: {error}")))?;
    match status.success() {
        true => Ok(targets),
        false => Err(failed(format!("failed ({status}); see its messages above"))),
    }
}

impl BuiltTargets {
    /// Has no target benchmarks of this library?
    pub(crate) fn is_empty(&self) -> bool {
        self.ours.is_empty()
    }

    fn add(&mut self, target: Option<BuiltTarget>) {
        match target {
            Some(target) if is_ours(&target.executable) => self.ours.push(target),
            Some(target) => self.others.push(target),
            None => {}
        }
    }
}

/// The variable that leads benchmarks to this runner, where they would not find it. It is set only
/// then, and for the build too: cargo builds anew what was built with another value.
pub(super) fn own_runner(environment: &RunnerEnvironment) -> Option<(&'static str, PathBuf)> {
    let this = std::env::current_exe().ok()?;
    let in_path = environment.get("PATH").and_then(|path| {
        let name = this.file_name()?.to_str()?;
        find_program(path, name)?.canonicalize().ok()
    });
    let is_found = in_path == this.canonicalize().ok() && environment.get(RUNNER).is_none();
    (!is_found).then_some((RUNNER, this))
}

/// The bench target of a message. `None`: it is about something else.
fn bench_target(message: &[u8]) -> Option<BuiltTarget> {
    let message: CargoMessage = serde_json::from_slice(message).ok()?;
    let target = message.target?;
    let is_bench = message.reason == "compiler-artifact" && target.kind == ["bench"];
    let executable = message.executable.filter(|_| is_bench)?;
    Some(BuiltTarget {
        package: message.package_id,
        name: target.name,
        executable,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executables_of_bench_targets_are_found_among_the_messages() {
        let found = |message: &str| bench_target(message.as_bytes());
        let artifact = |kind: &str, executable: &str| {
            found(&format!(
                r#"{{"reason":"compiler-artifact","package_id":"path+file:///w/a#0.1.0","target":{{"kind":["{kind}"],
                "name":"app","src_path":"/w/a/benches/app.rs"}},"executable":{executable},"fresh":true}}"#
            ))
        };
        let app = artifact("bench", r#""/w/target/release/deps/app-1""#).unwrap();
        assert_eq!(
            (app.package.as_str(), app.name.as_str()),
            ("path+file:///w/a#0.1.0", "app")
        );
        assert_eq!(artifact("lib", r#""/w/l""#), None);
        assert_eq!(artifact("bench", "null"), None);
        assert_eq!(found(r#"{"reason":"build-finished","success":true}"#), None);
        assert_eq!(found("warning: something else"), None);
    }
}
