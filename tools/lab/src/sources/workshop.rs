//! Copies of the packages, with the one line of their manifest that is changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{bail, Context, Result};

use super::counts::{self, Counts};
use super::list::ForeignSource;
use super::manifest::with_ours;
use crate::package_sources::{copy_folder, PackageSources};
use crate::process;
use crate::runner::{self, RUNNER_VARIABLE};
use crate::workspace_root;

/// The folder of all copies, and of what is compiled of them.
pub(super) struct SourceWorkshop {
    root: PathBuf,
    runner: PathBuf,
}

impl SourceWorkshop {
    /// Copies the packages of these files.
    pub(super) fn new(runner: PathBuf, sources: &[&ForeignSource]) -> Result<Self> {
        let root = runner::target_directory()?.join("sources");
        let workshop = Self { root, runner };
        let mut packages: Vec<_> = sources.iter().map(|source| source.parts()).collect();
        packages.sort_unstable();
        packages.dedup();
        let found = PackageSources::fetch(&workshop.root.join("fetched"), &packages)?;
        for source in sources {
            let copy = workshop.copy(source);
            if copy.exists() {
                fs::remove_dir_all(&copy)
                    .with_context(|| format!("cannot remove `{}`", copy.display()))?;
            }
            copy_folder(&found.folder(source.package)?, &copy)?;
            // Versions are resolved anew: replacing the framework changes the lock file of the
            // author anyway.
            drop(fs::remove_file(copy.join("Cargo.lock")));
            replace_framework(source, &copy)?;
        }
        Ok(workshop)
    }

    /// Runs the benchmarks of a file; the first time without results of earlier runs.
    pub(super) fn bench(&self, source: &ForeignSource, is_first: bool) -> Result<Counts> {
        let results = self.root.join("results");
        if is_first && results.exists() {
            fs::remove_dir_all(&results)
                .with_context(|| format!("cannot remove `{}`", results.display()))?;
        }
        let mut cargo = process::cargo();
        cargo
            .args(["bench", "--quiet", "--bench", source.bench])
            .args(["--", "--output-format=json"])
            .arg(format!("--home={}", results.display()))
            .current_dir(self.copy(source))
            .env("CARGO_TARGET_DIR", self.root.join("target"))
            .env(RUNNER_VARIABLE, &self.runner)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit());
        // Benchmarks that cannot be counted fail, and the others count.
        let output = cargo.output().context("could not start cargo")?;
        let text = String::from_utf8(output.stdout).context("the runner wrote no UTF-8")?;
        let counts = counts::read(&text)?;
        if counts.is_empty() {
            bail!("nothing ran of `{}`: {}", source.name(), output.status);
        }
        Ok(counts)
    }

    fn copy(&self, source: &ForeignSource) -> PathBuf {
        let (name, version) = source.parts();
        self.root.join("packages").join(format!("{name}-{version}"))
    }
}

fn replace_framework(source: &ForeignSource, copy: &Path) -> Result<()> {
    let path = copy.join("Cargo.toml");
    let manifest =
        fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let folder = workspace_root().join(source.framework.package());
    let edited = with_ours(&manifest, source.framework, &folder)
        .with_context(|| format!("in `{}`", path.display()))?;
    fs::write(&path, edited).with_context(|| format!("cannot write `{}`", path.display()))
}
