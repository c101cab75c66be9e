//! The benchmark executable looks for the runner, and for one of its own version only.

use std::fs;
use std::path::PathBuf;

use benchmark_tests::{build, executables, Bench, Home};
use nix::fcntl::{Flock, FlockArg};
use snapbox::{assert_data_eq, str};
use tempfile::TempDir;

/// No runner in the environment, in `PATH`, or below the target directory. Other tests of this file
/// wait, also those of other processes; what was installed comes back at the end.
struct Nowhere {
    installed: PathBuf,
    aside: PathBuf,
    folder: TempDir,
    _lock: Flock<fs::File>,
}

impl Nowhere {
    fn new() -> Self {
        let target = build::target_directory();
        let file = fs::File::create(target.join("tmp/installed-runner.lock")).unwrap();
        let lock = Flock::lock(file, FlockArg::LockExclusive).map_err(|(_, error)| error);
        let nowhere = Self {
            installed: target.join("iai-callgrind-runner"),
            aside: target.join("iai-callgrind-runner.aside"),
            folder: tempfile::tempdir().unwrap(),
            _lock: lock.unwrap(),
        };
        if nowhere.installed.exists() {
            fs::rename(&nowhere.installed, &nowhere.aside).unwrap();
        }
        nowhere
    }

    fn bench(&self) -> Bench {
        Bench::new("endings")
            .env_remove("IAI_CALLGRIND_RUNNER")
            .env("PATH", self.folder.path())
            .arg("--bench")
    }

    /// Puts a program into the only folder of `PATH`.
    fn program(&self, name: &str, text: &str) -> PathBuf {
        executables::script(self.folder.path(), name, text)
    }
}

impl Drop for Nowhere {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.installed);
        let _ = fs::rename(&self.aside, &self.installed);
    }
}

#[test]
fn not_found() {
    let ended = Nowhere::new().bench().run().code(1);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
error: iai-callgrind-runner 0.17.0 was not found
  hint: install it with one of these lines
    cargo install iai-callgrind-runner --version 0.17.0
    cargo binstall iai-callgrind-runner@0.17.0
  or set IAI_CALLGRIND_AUTO_INSTALL=yes to have it installed below the target directory

"#]]
    );
}

#[test]
fn another_version_in_path_is_not_used() {
    let nowhere = Nowhere::new();
    nowhere.program("iai-callgrind-runner", "echo iai-callgrind-runner 0.16.1");
    let ended = nowhere.bench().run().code(1);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
error: iai-callgrind-runner 0.17.0 was not found
  `[..]/iai-callgrind-runner` (from PATH) has version 0.16.1, but this benchmark was built with 0.17.0
  hint: install it with one of these lines
    cargo install iai-callgrind-runner --version 0.17.0
    cargo binstall iai-callgrind-runner@0.17.0
  or set IAI_CALLGRIND_AUTO_INSTALL=yes to have it installed below the target directory

"#]]
    );
}

#[test]
fn the_variable_names_no_file() {
    let bench = Bench::new("endings").arg("--bench");
    let ended = bench
        .env("IAI_CALLGRIND_RUNNER", "/no/such/runner")
        .run()
        .code(1);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
error: `/no/such/runner` (from IAI_CALLGRIND_RUNNER) cannot be started: No such file or directory (os error 2)
  hint: let IAI_CALLGRIND_RUNNER name an iai-callgrind-runner 0.17.0, or unset it

"#]]
    );
}

#[test]
fn the_variable_names_another_program() {
    let bench = Bench::new("endings").arg("--bench");
    let ended = bench.env("IAI_CALLGRIND_RUNNER", "/bin/true").run().code(1);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
error: `/bin/true` (from IAI_CALLGRIND_RUNNER) is not iai-callgrind-runner 0.17.0
  hint: let IAI_CALLGRIND_RUNNER name an iai-callgrind-runner 0.17.0, or unset it

"#]]
    );
}

#[test]
fn the_variable_names_another_version() {
    let folder = tempfile::tempdir().unwrap();
    let other = executables::script(folder.path(), "other", "echo iai-callgrind-runner 0.18.0");
    let bench = Bench::new("endings").arg("--bench");
    let ended = bench.env("IAI_CALLGRIND_RUNNER", other).run().code(1);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
error: `[..]/other` (from IAI_CALLGRIND_RUNNER) has version 0.18.0, but this benchmark was built with 0.17.0
  hint: let IAI_CALLGRIND_RUNNER name an iai-callgrind-runner 0.17.0, or unset it

"#]]
    );
}

#[test]
fn the_variable_names_a_program_that_never_answers() {
    let folder = tempfile::tempdir().unwrap();
    let other = executables::script(folder.path(), "other", "exec sleep 300");
    let bench = Bench::new("endings").arg("--bench");
    let ended = bench.env("IAI_CALLGRIND_RUNNER", other).run().code(1);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
error: `[..]/other` (from IAI_CALLGRIND_RUNNER) did not answer to `--version` within 10s
  hint: let IAI_CALLGRIND_RUNNER name an iai-callgrind-runner 0.17.0, or unset it

"#]]
    );
}

#[test]
fn an_empty_variable_is_none() {
    let bench = Nowhere::new().bench().env("IAI_CALLGRIND_RUNNER", "");
    bench
        .run()
        .code(1)
        .says(&["iai-callgrind-runner 0.17.0 was not found"]);
}

#[test]
fn the_runner_in_path() {
    let nowhere = Nowhere::new();
    let home = Home::new();
    let runner = build::runner();
    nowhere.program(
        "iai-callgrind-runner",
        &format!("exec '{}' \"$@\"", runner.display()),
    );
    let path = format!(
        "{}:{}",
        nowhere.folder.path().display(),
        std::env::var("PATH").unwrap()
    );
    let bench = nowhere
        .bench()
        .env("PATH", path)
        .arg("--home")
        .arg(home.path());
    bench.run().code(0).quiet();
}

/// The last step of `cargo install`.
const INSTALLS: &str = r#"
echo "cargo $*"
while [ $# -gt 0 ]; do
    if [ "$1" = --root ]; then root=$2; fi
    shift
done
mkdir -p "$root/bin" && cp "$RUNNER_TO_INSTALL" "$root/bin/iai-callgrind-runner""#;

#[test]
fn an_automatic_install_is_used_again() {
    let nowhere = Nowhere::new();
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let cargo = executables::script(folder.path(), "cargo", INSTALLS);
    let bench = || {
        nowhere
            .bench()
            .env("PATH", std::env::var_os("PATH").unwrap())
    };
    let bench = || bench().arg("--home").arg(home.path());
    let first = bench()
        .env("IAI_CALLGRIND_AUTO_INSTALL", "yes")
        .env("CARGO", cargo)
        .env("RUNNER_TO_INSTALL", build::runner())
        .run()
        .code(0)
        // Standard output belongs to results.
        .without("nothing")
        .shows(&["Iai-Callgrind result: First results. 3"]);
    assert!(first.stdout.starts_with("endings::"), "{first}");
    assert_data_eq!(
        first.stderr,
        str![[r#"
installing iai-callgrind-runner 0.17.0 into `[..]/iai-callgrind-runner/0.17.0`
cargo install iai-callgrind-runner --locked --version 0.17.0 --root [..]/iai-callgrind-runner/0.17.0

"#]]
    );
    // Now without the variable, and without anything that installs.
    bench()
        .env("CARGO", "/bin/false")
        .run()
        .code(0)
        .quiet()
        .unchanged();
}

#[test]
fn an_automatic_install_fails() {
    let nowhere = Nowhere::new();
    let cargo = nowhere.program("cargo", "echo 'error: could not find it' >&2; exit 101");
    let bench = nowhere
        .bench()
        .env("IAI_CALLGRIND_AUTO_INSTALL", "yes")
        .env("CARGO", cargo);
    let ended = bench.run().code(1);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
installing iai-callgrind-runner 0.17.0 into `[..]/iai-callgrind-runner/0.17.0`
error: could not find it
error: the automatic install of iai-callgrind-runner 0.17.0 failed (exit status: 101)
  hint: see cargo's output above, or install it yourself: cargo install iai-callgrind-runner --version 0.17.0

"#]]
    );
}

#[test]
fn an_automatic_install_without_cargo() {
    let bench = Nowhere::new()
        .bench()
        .env("IAI_CALLGRIND_AUTO_INSTALL", "yes");
    let ended = bench.env("CARGO", "/no/such/cargo").run().code(1);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
installing iai-callgrind-runner 0.17.0 into `[..]/iai-callgrind-runner/0.17.0`
error: the automatic install needs `/no/such/cargo`, which cannot be started: No such file or directory (os error 2)
  hint: install the runner yourself: cargo install iai-callgrind-runner --version 0.17.0

"#]]
    );
}

/// The runner asks as well, since it may be started by hand.
#[test]
fn the_runner_refuses_what_is_no_benchmark() {
    let run = |executable: &str| {
        let runner = Bench::at(&build::runner());
        runner
            .args(["bench", "--exe", executable, "--", "--bench"])
            .run()
    };
    run("/bin/true").code(1).says(&["error: `/bin/true` "]);
    run("/bin/false")
        .code(1)
        .says(&["is it a benchmark executable with `iai_callgrind::main!`?"]);
    run("/no/such/file")
        .code(1)
        .says(&["error: `/no/such/file` cannot be started: "]);
}
