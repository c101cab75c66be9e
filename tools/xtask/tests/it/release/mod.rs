//! The release workflow, as far as it can be run or checked without GitHub: its file, its scripts,
//! and archives.

mod archives;
mod publishing;
mod workflow;

use std::path::PathBuf;
use std::process::{Command, Output};

/// The directory of the scripts.
fn scripts() -> PathBuf {
    lab::workspace_root().join(".github/release")
}

/// A script with its words, in a directory that is not the repository.
fn script(name: &str, words: &[&str]) -> Command {
    let mut command = Command::new(scripts().join(name));
    command.args(words).current_dir(std::env::temp_dir());
    command
}

/// Stdout of a command that ends well.
#[track_caller]
fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// The last line of stderr of a command that fails.
#[track_caller]
fn refused(command: &mut Command) -> String {
    let Output { status, stderr, .. } = command.output().unwrap();
    assert_eq!(status.code(), Some(1), "{command:?}");
    let stderr = String::from_utf8(stderr).unwrap();
    stderr.lines().last().unwrap_or_default().to_owned()
}

/// The version of all packages.
fn version() -> String {
    let manifest = manifest("Cargo.toml");
    let version = &manifest["workspace"]["package"]["version"];
    version.as_str().unwrap().to_owned()
}

fn manifest(path: &str) -> toml::Table {
    let path = lab::workspace_root().join(path);
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

#[test]
fn shellcheck_finds_nothing() {
    let mut names: Vec<String> = std::fs::read_dir(scripts())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names.len(), 6, "{names:?}");
    let check = Command::new("shellcheck")
        .arg("--external-sources")
        .args(names)
        .current_dir(scripts())
        .output();
    let Ok(check) = check else {
        eprintln!("skipped: there is no `shellcheck`");
        return;
    };
    let said = String::from_utf8_lossy(&check.stdout);
    assert!(check.status.success(), "{said}");
}

#[test]
fn documents_name_this_version() {
    let version = version();
    for (document, text) in [
        (
            "iai-callgrind-runner/README.md",
            format!("cargo binstall iai-callgrind-runner@{version}\n"),
        ),
        (
            "iai-callgrind-runner/README.md",
            format!("iai-callgrind-runner --version {version}\n"),
        ),
        (
            "docs/maintainers/releasing.md",
            format!("iai-callgrind-runner-v{version}-x86_64-unknown-linux-musl.tar.gz"),
        ),
    ] {
        let path = lab::workspace_root().join(document);
        let found = std::fs::read_to_string(path).unwrap();
        assert!(found.contains(&text), "`{document}` does not have `{text}`");
    }
}
