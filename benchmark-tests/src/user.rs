//! A crate as a user has it: in a place of its own, with our library beside it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// The profile of README, for packages that share a target directory: the library is compiled once
/// for all of them. It and what it needs have settings of their own, so that tests that change the
/// profile with variables compile only the benchmark anew.
pub const PROFILE: &str = r#"
[profile.bench]
debug = true
codegen-units = 1

[profile.bench.build-override]
debug = false
strip = "none"

[profile.bench.package.iai-callgrind]
debug = true
opt-level = 3
strip = "none"

[profile.bench.package.libc]
debug = true
opt-level = 3
strip = "none"
"#;

/// A package, which is removed in the end.
#[derive(Debug)]
pub struct Package(TempDir);

impl Package {
    /// `manifest` is what follows the package's name and edition; files are named from the
    /// package's root. Packages of one name and one target directory overwrite each other's
    /// executables.
    pub fn new(name: &str, manifest: &str, files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("there is a place for temporary directories");
        let package = Self(folder);
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n{manifest}\n[workspace]\n"
        );
        for (name, text) in files.iter().copied().chain([("Cargo.toml", &*manifest)]) {
            let path = package.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        // Nothing has to be downloaded then.
        fs::copy(root().join("Cargo.lock"), package.path().join("Cargo.lock")).unwrap();
        package
    }

    /// Root of the package.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// A command as in a shell of a user: variables of ours, and those that cargo sets for a test, are
/// left out.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("IAI_CALLGRIND") || text.starts_with("CARGO_PKG") {
            command.env_remove(&name);
        }
    }
    command
}

/// The library, for `path` in a manifest.
pub fn library() -> PathBuf {
    root().join("iai-callgrind")
}

fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap()
}
