//! Which builds have active requests, if a crate has definitions in its dependencies and active
//! requests in its dev-dependencies. It is cargo that decides; users rely on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const PROGRAM: &str = r#"
fn main() {
    println!("{}", iai_callgrind::client_requests::ACTIVE);
}
"#;

/// A benchmark that says it of itself and of the program that cargo builds for it.
const BENCH: &str = r#"
fn main() {
    println!("bench {}", iai_callgrind::client_requests::ACTIVE);
    let program = std::process::Command::new(env!("CARGO_BIN_EXE_user"));
    let output = { program }.output().unwrap();
    print!("its program {}", String::from_utf8(output.stdout).unwrap());
}
"#;

/// A crate of a user.
struct User {
    folder: TempDir,
}

impl User {
    fn new(resolver: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let library = root.join("iai-callgrind");
        let manifest = format!(
            r#"
[package]
name = "user"
version = "0.0.0"
edition = "2021"
resolver = "{resolver}"

[dependencies.iai-callgrind]
path = {library:?}
default-features = false
features = ["client_requests_defs"]

[dev-dependencies.iai-callgrind]
path = {library:?}
default-features = false
features = ["client_requests"]

[[bench]]
name = "bench"
harness = false

[workspace]
"#
        );
        let folder = tempfile::tempdir().expect("there is a place for temporary directories");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("Cargo.toml", &manifest);
        write("src/main.rs", PROGRAM);
        write("benches/bench.rs", BENCH);
        // Nothing has to be downloaded then.
        fs::copy(root.join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
        Self { folder }
    }

    fn cargo(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let output = command
            .args(arguments)
            .arg("--quiet")
            .current_dir(self.folder.path())
            .env("CARGO_TARGET_DIR", self.folder.path().join("target"))
            .output()
            .expect("cargo starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the program says that the last release build has left.
    fn program(&self) -> String {
        let program: PathBuf = self.folder.path().join("target/release/user");
        let output = Command::new(program).output().expect("it was built");
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn resolver_2_keeps_builds_and_benchmarks_apart() {
    let user = User::new("2");
    user.cargo(&["build", "--release"]);
    assert_eq!(user.program(), "false\n");
    assert_eq!(user.cargo(&["run", "--release"]), "false\n");
    // After the empty unit tests of the program.
    let said = user.cargo(&["bench"]);
    assert!(said.ends_with("\nbench true\nits program true\n"), "{said}");
    // A build of its own is inactive again, but one with benchmarks is not.
    user.cargo(&["build", "--release"]);
    assert_eq!(user.program(), "false\n");
    user.cargo(&["build", "--release", "--all-targets"]);
    assert_eq!(user.program(), "true\n");
}

#[test]
fn resolver_1_makes_every_build_active() {
    let user = User::new("1");
    user.cargo(&["build", "--release"]);
    assert_eq!(user.program(), "true\n");
}
