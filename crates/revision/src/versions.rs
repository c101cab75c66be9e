//! The runner that a checkout needs: that of the version of the library which it locks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use base::variables::EnvironmentVariables;
use iai_callgrind::protocol::VERSION;
use iai_callgrind::shared::yes_no::yes_or_no;
use toml_edit::DocumentMut;

use crate::measured::cargo;
use crate::{BaseArea, RevisionError};

/// The library.
const LIBRARY: &str = "iai-callgrind";

/// The runner of this name is installed in the directory `bin` of a root.
const RUNNER: &str = "iai-callgrind-runner";

impl BaseArea {
    /// The runner for a checkout: `ours`, if its version is that of the library or not known.
    ///
    /// # Errors
    ///
    /// There is no runner of the version, or that has no `bench`.
    pub fn runner(
        &self,
        checkout: &Path,
        ours: &Path,
        environment: &EnvironmentVariables,
    ) -> Result<PathBuf, RevisionError> {
        let version = locked_version(checkout).filter(|version| version != VERSION);
        let Some(version) = version else {
            return Ok(ours.to_owned());
        };
        // It came with 0.17.
        if ["0.14", "0.15", "0.16"]
            .iter()
            .any(|old| version.starts_with(old))
        {
            return Err(RevisionError::TooOld {
                base: version,
                ours: VERSION,
            });
        }
        let root = self.runners().join(&version);
        let runner = root.join("bin").join(RUNNER);
        let installs = environment.get("IAI_CALLGRIND_AUTO_INSTALL");
        let installs = installs.and_then(|word| yes_or_no(word.to_str()?).ok());
        if !runner.is_file() && installs == Some(true) {
            let mut command = cargo(environment);
            command.args([
                "install",
                "--locked",
                RUNNER,
                "--version",
                &version,
                "--root",
            ]);
            // Cargo says on stderr why it fails; without a runner the error below follows.
            let _ = command.arg(&root).stdin(Stdio::null()).status();
        }
        match runner.is_file() {
            true => Ok(runner),
            false => Err(RevisionError::OtherVersion {
                base: version,
                ours: VERSION,
                root,
            }),
        }
    }
}

/// The version in the nearest `Cargo.lock`. `None`: there is none, or it has no such package.
fn locked_version(checkout: &Path) -> Option<String> {
    let locks = checkout
        .ancestors()
        .map(|directory| directory.join("Cargo.lock"));
    let text = locks
        .take(32)
        .find_map(|path| fs::read_to_string(path).ok())?;
    let lock: DocumentMut = text.parse().ok()?;
    let packages = lock.get("package")?.as_array_of_tables()?;
    let mut packages = packages.iter();
    let library = packages.find(|it| it.get("name").and_then(|it| it.as_str()) == Some(LIBRARY))?;
    Some(library.get("version")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_lock_file_at_the_root() {
        let root = tempfile::tempdir().unwrap();
        let below = root.path().join("packages/app");
        fs::create_dir_all(&below).unwrap();
        let lock = |text: &str| fs::write(root.path().join("Cargo.lock"), text).unwrap();
        lock("version = 4\n[[package]]\nname = \"iai-callgrind\"\nversion = \"0.16.1\"\n");
        assert_eq!(locked_version(&below).as_deref(), Some("0.16.1"));
        lock("version = 4\n[[package]]\nname = \"other\"\nversion = \"1.0.0\"\n");
        assert_eq!(locked_version(&below), None);
        lock("<<<<<<<");
        assert_eq!(locked_version(&below), None);
    }
}
