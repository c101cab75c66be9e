//! Packages of the npm registry that checks use: each is fetched in one version, by its checksum,
//! and kept in the target directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

use crate::{process, runner};

/// A package that needs no other one.
pub struct NpmPackage {
    /// The name in the registry.
    pub name: &'static str,
    /// The only version that is used.
    pub version: &'static str,
    /// The checksum of its archive.
    pub sha256: &'static str,
}

impl NpmPackage {
    /// The directory with its files: the kept one, or a new one. Where it cannot be had, the
    /// reason.
    pub fn directory(&self) -> Result<PathBuf> {
        let folder = format!("{}-{}", self.name, self.version);
        let folder = runner::target_directory()?.join(folder);
        if !folder.is_dir() {
            self.fetch(&folder)?;
        }
        Ok(folder)
    }

    /// Fetches the package with the client of its registry, and unpacks it if it is the one that we
    /// know. It gets its place as a whole.
    fn fetch(&self, folder: &Path) -> Result<()> {
        let above = folder.parent().context("the target directory is nowhere")?;
        let work = tempfile::tempdir_in(above).context("cannot make a temporary directory")?;
        let archive = format!("{}-{}.tgz", self.name, self.version);
        let program = |name: &str| {
            let mut command = Command::new(name);
            command.current_dir(work.path());
            command
        };
        let package = format!("{}@{}", self.name, self.version);
        process::output(program("npm").args(["pack", "--silent", "--ignore-scripts", &package]))?;
        let sum = process::output(program("sha256sum").arg(&archive))?;
        ensure!(
            sum.starts_with(self.sha256),
            "`{archive}` is another one than we know: {sum}"
        );
        process::output(program("tar").args(["-xzf", &archive]))?;
        let renamed = fs::rename(work.path().join("package"), folder);
        // Somebody else may have been faster.
        ensure!(
            folder.is_dir(),
            "cannot make `{}`: {renamed:?}",
            folder.display()
        );
        Ok(())
    }
}
