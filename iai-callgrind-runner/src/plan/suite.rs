//! Executable to [`Suite`]: asks the benchmark executable for its description.

use std::path::Path;
use std::process::{Command, Stdio};

use iai_callgrind::protocol::{Filter, Suite, PROTOCOL, ROLE_ARGUMENT, VERSION};
use serde::Deserialize;

use crate::error::{Error, FileContext, Result};
use base::shell_line::{shell_line, Inherits};
use formats::callgrind;
use store::private_directory;

/// Exit code of a Rust program whose main thread panicked.
pub(crate) const PANICKED: i32 = 101;

/// Runs the `describe` role and reads what it wrote. All benchmarks are in the description; where
/// one has to be called to know everything about it, the filter decides whether it is.
///
/// # Errors
///
/// The executable cannot be started, fails, or has another version than the runner.
#[expect(
    clippy::disallowed_methods,
    reason = "asks a question; benchmarks start in `execute`"
)]
pub fn describe(executable: &Path, filter: &Filter) -> Result<Suite> {
    let failed = |reason: String| Error::Describe {
        executable: executable.to_owned(),
        reason,
    };
    if let Some(reason) = callgrind::unwritable(executable) {
        return Err(failed(format!("{reason}\n  hint: rename the directory")));
    }
    let file = private_directory::temporary_file()?;
    let mut command = Command::new(executable);
    command.args([ROLE_ARGUMENT, "describe"]).arg(file.path());
    command.args(filter.exact.then_some("--exact"));
    command.args(filter.select.iter().map(|text| format!("--select={text}")));
    command.args(filter.skip.iter().map(|text| format!("--skip={text}")));
    log::debug!("starts {}", shell_line(&command, Inherits::All));
    // Configuration expressions may print, which is no part of the description.
    // Stderr stays, since the hint below points at the panic that stands there.
    let status = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .map_err(|error| failed(format!("cannot be started: {error}")))?;
    if !status.success() {
        let hint = match status.code() {
            Some(PANICKED) => {
                "the message of the panic above names a line of a configuration or of arguments"
            }
            _ => "is it a benchmark executable with `iai_callgrind::main!`?",
        };
        return Err(failed(format!(
            "did not describe its benchmarks ({status})\n  hint: {hint}"
        )));
    }
    let json = std::fs::read(file.path()).context("read", file.path())?;
    parse(executable, &json)
}

/// Reads a description. Protocol and version are read before the rest, which has another shape in
/// other versions.
///
/// # Errors
///
/// The text is no description, or one of another version.
pub fn parse(executable: &Path, json: &[u8]) -> Result<Suite> {
    let failed = |error: serde_json::Error| Error::Describe {
        executable: executable.to_owned(),
        reason: format!("described its benchmarks in a form that cannot be read: {error}"),
    };
    let Head { protocol, version } = serde_json::from_slice(json).map_err(failed)?;
    if protocol != u64::from(PROTOCOL) || version != VERSION {
        return Err(Error::Version {
            executable: executable.to_owned(),
            library: version,
            protocol,
            runner: VERSION,
            ours: PROTOCOL,
        });
    }
    serde_json::from_slice(json).map_err(failed)
}

/// Protocol and version of a description. To read them keeps nothing of maybe thousands of
/// benchmarks.
#[derive(Deserialize)]
#[serde(default)]
struct Head {
    protocol: u64,
    version: String,
}

impl Default for Head {
    fn default() -> Self {
        Self {
            protocol: 0,
            version: "of unknown version".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use base::repository::of_repository;

    #[test]
    fn another_protocol_is_seen_before_anything_else_is_read() {
        let json = br#"{"protocol": 2, "version": "0.18.0", "groups": "of another shape"}"#;
        let error = parse(Path::new("/bench"), json).unwrap_err().to_string();
        assert!(
            error.contains("iai-callgrind 0.18.0 (protocol 2)"),
            "{error}"
        );
        assert!(
            error.ends_with("hint: cargo install iai-callgrind-runner --version 0.18.0"),
            "{error}"
        );
    }

    #[test]
    fn a_panic_is_no_other_program() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bench");
        let ends = |code: i32| {
            let script = format!("#!/bin/sh\nexit {code}\n");
            fs::write(&path, script).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            describe(&path, &Filter::default()).unwrap_err().to_string()
        };
        for (code, hint) in [
            (101, "hint: the message of the panic"),
            (9, "`iai_callgrind::main!`?"),
        ] {
            let error = ends(code);
            assert!(error.contains(hint), "{error}");
        }
    }

    #[test]
    fn a_path_with_a_line_break_is_refused_before_anything_runs() {
        let error = describe(Path::new("/a\nb/bench"), &Filter::default())
            .unwrap_err()
            .to_string();
        assert!(error.contains("has a line break in its path"), "{error}");
        assert!(error.ends_with("hint: rename the directory"), "{error}");
    }

    /// A seed that is of another form would only find the way to the error.
    #[test]
    fn the_fuzzer_begins_with_descriptions_of_this_version() {
        let Some(folder) = of_repository(env!("CARGO_MANIFEST_DIR"), "tools/fuzz/seeds/suite")
        else {
            return;
        };
        for seed in std::fs::read_dir(folder).unwrap() {
            let path = seed.unwrap().path();
            let suite = parse(&path, &std::fs::read(&path).unwrap()).unwrap();
            assert!(!suite.groups.is_empty(), "{}", path.display());
        }
    }

    #[test]
    fn what_is_no_description_is_an_error() {
        for json in ["", "{", "[]", "null"] {
            parse(Path::new("/bench"), json.as_bytes()).unwrap_err();
        }
    }
}
