//! Compiles all files of the crate, whichever of them fail, and tells what became of each.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lab::fresh_crate::FreshCrate;
use serde_json::Value;

/// Result of compiling a file.
#[derive(Debug, Default)]
pub(crate) struct Built {
    pub executable: Option<PathBuf>,
    /// Errors as rustc shows them, with our texts in them.
    pub errors: Vec<String>,
}

/// Compiles the crate and returns what became of each target, by its name.
pub(crate) fn build(project: &FreshCrate) -> BTreeMap<String, Built> {
    let arguments = [
        "build",
        "--offline",
        "--benches",
        "--examples",
        "--keep-going",
        "--message-format=json",
    ];
    let mut cargo = project.cargo(&arguments);
    // Dependencies stay compiled from one run to the next.
    let target = concat!(env!("CARGO_TARGET_TMPDIR"), "/users");
    cargo.env("CARGO_TARGET_DIR", target);
    let output = cargo.output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();

    let mut built = BTreeMap::<String, Built>::new();
    for line in stdout.lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        let Some(name) = message["target"]["name"].as_str() else {
            continue;
        };
        let built = built.entry(name.to_owned()).or_default();
        if let Some(executable) = message["executable"].as_str() {
            built.executable = Some(executable.into());
        }
        if message["message"]["level"] == "error" {
            let shown = message["message"]["rendered"].as_str().unwrap();
            built.errors.push(shown.to_owned());
        }
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!built.is_empty(), "{stderr}");
    built
}
