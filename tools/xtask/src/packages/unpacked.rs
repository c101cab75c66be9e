//! `.crate` files, as `cargo publish` would send them, and what comes out of them in an empty
//! directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use lab::process::{cargo, output};
use lab::{runner, workspace_root};
use tempfile::TempDir;

use super::published::PublishedPackage;

/// Packed and unpacked packages; dropping it removes the directory.
pub(super) struct Unpacked {
    directory: TempDir,
    /// The `.crate` files.
    archives: PathBuf,
}

impl Unpacked {
    /// Has cargo pack the packages, and unpacks them outside of the workspace.
    pub(super) fn new(packages: &[PublishedPackage]) -> Result<Self> {
        let names = packages.iter().map(|package| &package.name);
        let target = runner::target_directory()?;
        output(
            cargo()
                // Verification would build them in the workspace's target directory, each one
                // alone; `alone` does more.
                .args(["package", "--quiet", "--no-verify", "--allow-dirty"])
                .args(names.flat_map(|name| ["--package", name]))
                .arg("--target-dir")
                .arg(&target)
                .current_dir(workspace_root()),
        )?;
        let unpacked = Self {
            directory: tempfile::Builder::new()
                .prefix("iai-callgrind-packages-")
                .tempdir()
                .context("cannot make a temporary directory")?,
            archives: target.join("package"),
        };
        for package in packages {
            output(
                Command::new("tar")
                    // Cargo gives all files of packages the same old time, and takes what it
                    // compiled of other packages of these names for newer than that. So they get
                    // the time of now.
                    .arg("-xzmf")
                    .arg(unpacked.archive(package))
                    .arg("-C")
                    .arg(unpacked.path()),
            )?;
        }
        Ok(unpacked)
    }

    /// The directory that has a directory for each package.
    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The size of a package as it is downloaded, in bytes.
    pub(super) fn compressed(&self, package: &PublishedPackage) -> Result<u64> {
        let path = self.archive(package);
        let metadata =
            fs::metadata(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        Ok(metadata.len())
    }

    fn archive(&self, package: &PublishedPackage) -> PathBuf {
        self.archives.join(format!("{}.crate", package.folder()))
    }
}
