//! A new crate outside this workspace, set up as the README tells a new user to do it.
//!
//! The README's `toml` blocks go into `Cargo.toml` and its `rust` blocks into `benches/`, word for
//! word. What we add is the patch that takes the library from this checkout instead of the
//! registry, and our `Cargo.lock`, so that nothing else has to be downloaded.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::process;
use crate::readme::Block;
use crate::workspace_root;

/// A temporary crate; dropping it removes its files.
pub struct FreshCrate {
    directory: TempDir,
}

impl FreshCrate {
    /// Makes the crate of this name and writes the blocks into it. Crates of one name and one target
    /// directory overwrite each other's executables, wherever they are.
    pub fn new(name: &str, blocks: &[Block]) -> Result<Self> {
        let directory = tempfile::Builder::new()
            .prefix("iai-callgrind-")
            .tempdir()
            .context("cannot make a temporary directory")?;
        let project = Self { directory };
        process::output(&mut project.cargo(&[
            "init",
            "--quiet",
            "--lib",
            "--vcs=none",
            "--name",
            name,
        ]))?;

        let mut manifest = project.read("Cargo.toml")?;
        for block in blocks {
            match block.language.as_str() {
                "toml" => manifest.push_str(&block.code),
                "rust" => {
                    let (file, target) = bench_target(block);
                    project.write(&file, &block.code)?;
                    manifest.push_str(&target);
                }
                _ => {}
            }
        }
        let library = workspace_root().join("iai-callgrind");
        write!(
            manifest,
            "\n[patch.crates-io]\niai-callgrind.path = {library:?}\n"
        )?;
        project.write("Cargo.toml", &manifest)?;

        let lock = workspace_root().join("Cargo.lock");
        fs::copy(&lock, project.path().join("Cargo.lock"))
            .with_context(|| format!("cannot copy `{}`", lock.display()))?;
        Ok(project)
    }

    /// The root of the crate.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// A cargo command in this crate, with a target directory of the crate's own.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut cargo = process::cargo();
        cargo
            .args(arguments)
            .current_dir(self.path())
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR");
        cargo
    }

    fn read(&self, file: &str) -> Result<String> {
        let path = self.path().join(file);
        fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))
    }

    fn write(&self, file: &str, text: &str) -> Result<()> {
        let path = self.path().join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)
                .with_context(|| format!("cannot make `{}`", parent.display()))?;
        }
        fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))
    }
}

/// The file of a rust block and the lines for the manifest. A block that names its file has these
/// lines in the README already.
fn bench_target(block: &Block) -> (String, String) {
    match block.file() {
        Some(file) => (file.to_owned(), String::new()),
        None => {
            let name = format!("{}_line_{}", block.document, block.line);
            let target = format!("\n[[bench]]\nname = \"{name}\"\nharness = false\n");
            (format!("benches/{name}.rs"), target)
        }
    }
}
