//! Which builds have active requests, if a crate has definitions in its dependencies and active
//! requests in its dev-dependencies. It is cargo that decides; users rely on it.

use std::path::PathBuf;
use std::process::Command;

use benchmark_tests::user::{self, Package};

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
    package: Package,
}

impl User {
    fn new(resolver: &str) -> Self {
        let library = user::library();
        let manifest = format!(
            r#"resolver = "{resolver}"

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
"#
        );
        let files = [("src/main.rs", PROGRAM), ("benches/bench.rs", BENCH)];
        Self {
            package: Package::new("user", &manifest, &files),
        }
    }

    fn cargo(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let output = command
            .args(arguments)
            .arg("--quiet")
            .current_dir(self.package.path())
            .env("CARGO_TARGET_DIR", self.package.path().join("target"))
            .output()
            .expect("cargo starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Output of the program that the last release build has left.
    fn program(&self) -> String {
        let program: PathBuf = self.package.path().join("target/release/user");
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
