//! The script that runs `cargo bench` in a container, with a program in the place of podman that
//! tells how it was called.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A package, and a folder with programs.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(place.path("package/src")).unwrap();
        fs::create_dir(place.path("programs")).unwrap();
        let manifest =
            "[package]\nname = \"p\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n";
        fs::write(place.path("package/Cargo.toml"), manifest).unwrap();
        fs::write(place.path("package/src/lib.rs"), "").unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    /// An engine that writes each call to stdout, a word a line, has the images that `has_image`
    /// says, and reads what it builds.
    fn engine(&self, name: &str, has_image: bool) {
        let code = i32::from(!has_image);
        let script = format!(
            "#!/bin/sh\necho CALL; printf '%s\\n' \"$@\"\n\
             case $1 in image) exit {code};; build) cat;; esac\n"
        );
        let path = self.path("programs").join(name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn script(&self) -> Command {
        let script = lab::workspace_root().join("tools/container/bench-in-container");
        let mut command = Command::new(script);
        // Nothing of this machine but the usual programs of a shell.
        command.current_dir(self.path("package")).env_clear().env(
            "PATH",
            format!("{}:/usr/bin:/bin", self.path("programs").display()),
        );
        command
    }
}

fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

fn has(text: &str, word: &str) -> bool {
    text.lines().any(|line| line == word)
}

#[test]
fn words_and_variables_reach_the_benchmarks() {
    let place = Place::new();
    place.engine("podman", true);
    let output = place
        .script()
        .args(["--bench", "two words", "--", "--save-baseline=main"])
        .env("IAI_CALLGRIND_COLOR", "never")
        .env("IAI_CALLGRIND_RUNNER", "/of/this/machine")
        .env("IAI_CALLGRIND_VALGRIND_BIN", "/of/this/machine")
        .env("IAI_CALLGRIND_CONTAINER_ARGS", "--cpus=2 --pull=never")
        .output()
        .unwrap();
    let (stdout, stderr) = text(&output);
    assert!(output.status.success(), "{stderr}");
    assert!(
        stdout.ends_with("\ncargo\nbench\n--bench\ntwo words\n--\n--save-baseline=main\n"),
        "{stdout}"
    );
    let package = place.path("package");
    let own = package.join("target/container");
    for word in [
        format!("--volume={0}:{0}", package.display()),
        format!("--workdir={}", package.display()),
        format!("--env=CARGO_TARGET_DIR={}", own.display()),
        "--env=IAI_CALLGRIND_AUTO_INSTALL=yes".to_owned(),
        "--env=IAI_CALLGRIND_COLOR".to_owned(),
        "--security-opt=seccomp=unconfined".to_owned(),
        "--cpus=2".to_owned(),
        "--pull=never".to_owned(),
    ] {
        assert!(has(&stdout, &word), "{word} is not in {stdout}");
    }
    // Programs of this machine are none in there.
    assert!(
        !stdout.contains("_RUNNER") && !stdout.contains("_BIN"),
        "{stdout}"
    );
    assert!(!has(&stdout, "build"), "{stdout}");
    assert!(own.is_dir());
}

#[test]
fn the_image_is_built_once() {
    let place = Place::new();
    place.engine("docker", false);
    let run = |base: &str| {
        let output = place
            .script()
            .env("IAI_CALLGRIND_CONTAINER_BASE", base)
            .env("IAI_CALLGRIND_CONTAINER_ENGINE", "docker")
            .output()
            .unwrap();
        let (stdout, stderr) = text(&output);
        assert!(output.status.success(), "{stderr}");
        (stdout, stderr)
    };
    let (stdout, stderr) = run("debian-with-rust");
    assert!(has(&stderr, "FROM debian-with-rust"), "{stderr}");
    assert!(
        stderr.contains("apt-get install -y --no-install-recommends valgrind"),
        "{stderr}"
    );
    let image = |stdout: &str| {
        let mut lines = stdout.lines().map(str::to_owned);
        lines
            .find(|line| line.starts_with("localhost/iai-callgrind-bench:"))
            .unwrap()
    };
    // Docker writes as root unless it is told who asks.
    assert!(
        stdout.lines().any(|line| line.starts_with("--user=")),
        "{stdout}"
    );
    assert_ne!(image(&stdout), image(&run("another").0));
    // One that is there is taken.
    place.engine("docker", true);
    assert!(!has(&run("debian-with-rust").1, "FROM debian-with-rust"));
}

#[test]
fn what_is_missing_is_said() {
    let place = Place::new();
    // Without the podman or docker of this machine.
    for program in [
        "sh", "dirname", "mkdir", "env", "sed", "grep", "id", "cksum", "cut",
    ] {
        let found = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(program));
        let found = found.iter().find(|path| path.exists()).unwrap();
        std::os::unix::fs::symlink(found, place.path("programs").join(program)).unwrap();
    }
    let script = || {
        let mut command = place.script();
        command.env("PATH", place.path("programs"));
        command
    };
    let (_, stderr) = text(&script().output().unwrap());
    assert!(
        stderr.starts_with("error: neither podman nor docker was found in PATH\n  hint: "),
        "{stderr}"
    );
    assert!(stderr.contains("`cargo test --benches`"), "{stderr}");
    place.engine("podman", true);
    let output = script()
        .current_dir(place.path("programs"))
        .output()
        .unwrap();
    let (_, stderr) = text(&output);
    assert!(
        stderr.starts_with("error: there is no package in `"),
        "{stderr}"
    );
    assert_eq!(output.status.code(), Some(1));
}
