//! The temporary crate, and copies of packages that can be edited.
//!
//! The copies lie in a folder of the form of the registry, so that they are packages to the runner
//! as well.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};
use tempfile::TempDir;

use super::edits::{EditedFile, PlantedEdit, EDITS};
use super::records::{self, ExplainedChange};
use super::variants::BuildVariant;
use crate::package_sources::{copy_folder, PackageSources};
use crate::runner::RUNNER_VARIABLE;
use crate::{process, workspace_root};

/// Files of the crate, with what is in them.
const FILES: &[(&str, &str)] = &[
    ("src/lib.rs", include_str!("edited/lib.rs")),
    ("src/input.rs", include_str!("edited/input.rs")),
    ("src/user.rs", include_str!("edited/user.rs")),
    ("src/package.rs", include_str!("edited/package.rs")),
    ("src/swaps.rs", include_str!("edited/swaps.rs")),
    ("src/kinds.rs", include_str!("edited/kinds.rs")),
    (
        "src/kinds/escape.rs",
        include_str!("edited/kinds/escape.rs"),
    ),
    (
        "src/kinds/moved/escape.rs",
        include_str!("edited/kinds/moved/escape.rs"),
    ),
    ("benches/planted.rs", include_str!("edited/benches.rs")),
];

/// The crate, with copies of the packages that are edited.
pub(super) struct EditWorkshop {
    root: PathBuf,
    runner: PathBuf,
    valgrind: Option<PathBuf>,
    /// Each file that is edited, as it was.
    originals: HashMap<PathBuf, String>,
    /// Removed with its files at the end.
    _directory: Option<TempDir>,
}

impl EditWorkshop {
    /// Makes the crate, in `keep` if that is said.
    pub(super) fn new(
        runner: PathBuf,
        keep: Option<&Path>,
        valgrind: Option<PathBuf>,
    ) -> Result<Self> {
        let directory = match keep {
            Some(_) => None,
            None => Some(
                tempfile::Builder::new()
                    .prefix("iai-callgrind-")
                    .tempdir()?,
            ),
        };
        let root = match (keep, &directory) {
            (Some(keep), _) => std::path::absolute(keep)?,
            (None, Some(directory)) => directory.path().to_owned(),
            (None, None) => unreachable!("there is a directory if none is kept"),
        };
        let mut workshop = Self {
            root,
            runner,
            valgrind,
            originals: HashMap::new(),
            _directory: directory,
        };
        workshop.write_manifest(&[])?;
        for (file, text) in FILES {
            write_other(&workshop.lab().join(file), text)?;
            workshop
                .originals
                .insert(workshop.lab().join(file), (*text).to_owned());
        }
        workshop.take_packages()?;
        Ok(workshop)
    }

    /// Takes all edits back.
    pub(super) fn restore(&self) -> Result<()> {
        for (path, text) in &self.originals {
            write_other(path, text)?;
        }
        Ok(())
    }

    /// Makes an edit.
    pub(super) fn apply(&self, edit: &PlantedEdit) -> Result<()> {
        let path = self.path(&edit.file);
        let text = read(&path)?;
        ensure!(
            text.matches(edit.from).count() == 1,
            "`{}` is not there, or more than once, in `{}`: the edit `{}` is for other sources",
            edit.from,
            path.display(),
            edit.benchmark
        );
        write(&path, &text.replace(edit.from, edit.to))
    }

    /// Runs the benchmarks of these edits.
    pub(super) fn bench(
        &self,
        variant: &BuildVariant,
        edits: &[&PlantedEdit],
        option: &str,
    ) -> Result<HashMap<String, ExplainedChange>> {
        let mut cargo = self.cargo(variant);
        cargo
            .args(["bench", "--quiet", "--bench=planted"])
            .args(variant.cargo)
            .args(["--", "--output-format=json", option])
            .args(variant.runner)
            .args(edits.iter().map(|edit| format!("{}::", edit.benchmark)))
            .envs(variant.environment.iter().copied())
            .env(RUNNER_VARIABLE, &self.runner);
        if let Some(directory) = &self.valgrind {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let paths = std::iter::once(directory.clone()).chain(std::env::split_paths(&path));
            cargo.env("PATH", std::env::join_paths(paths)?);
        }
        records::read(&process::output(&mut cargo)?)
    }

    fn cargo(&self, variant: &BuildVariant) -> Command {
        let mut cargo = match variant.toolchain {
            Some(toolchain) => {
                let mut cargo = Command::new("rustup");
                cargo.args(["run", toolchain, "cargo"]);
                cargo
            }
            None => process::cargo(),
        };
        cargo
            .current_dir(self.lab())
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("CARGO_BUILD_TARGET_DIR");
        cargo
    }

    fn lab(&self) -> PathBuf {
        self.root.join("lab")
    }

    /// The folder of a package, named as in a registry.
    fn package(&self, name: &str) -> PathBuf {
        let (package, version) = name.split_once(' ').expect("a name and a version");
        let folder = self.root.join("registry").join("src").join("planted");
        folder.join(format!("{package}-{version}"))
    }

    fn path(&self, file: &EditedFile) -> PathBuf {
        match file {
            EditedFile::User(file) => self.lab().join(file),
            EditedFile::Package { package, file } => self.package(package).join(file),
        }
    }

    /// Copies the packages that are edited, and has them taken from there.
    fn take_packages(&mut self) -> Result<()> {
        let found = PackageSources::of(&self.lab())?;
        let mut packages = Vec::new();
        for edit in EDITS {
            let EditedFile::Package { package, file } = edit.file else {
                continue;
            };
            let source = found.folder(package)?;
            let copy = self.package(package);
            if !copy.is_dir() {
                copy_folder(&source, &copy)?;
            }
            self.originals
                .insert(copy.join(file), read(&source.join(file))?);
            packages.push(package);
        }
        packages.sort_unstable();
        packages.dedup();
        // It says that these packages come from the registry.
        let lock = self.lab().join("Cargo.lock");
        fs::remove_file(&lock).with_context(|| format!("cannot remove `{}`", lock.display()))?;
        self.write_manifest(&packages)
    }

    fn write_manifest(&self, packages: &[&str]) -> Result<()> {
        let library = workspace_root().join("iai-callgrind");
        let mut text = include_str!("edited/manifest.toml").to_owned();
        text += &format!(
            "\n[dev-dependencies]\niai-callgrind.path = {library:?}\n\n[patch.crates-io]\n"
        );
        for name in packages {
            let package = name.split(' ').next().unwrap_or_default();
            text += &format!("{package}.path = {:?}\n", self.package(name));
        }
        write(&self.lab().join("Cargo.toml"), &text)
    }
}

/// Writes a file that has another text; cargo compiles what is newer.
fn write_other(path: &Path, text: &str) -> Result<()> {
    match fs::read_to_string(path) {
        Ok(known) if known == text => Ok(()),
        _ => write(path, text),
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}
