//! The project: the workspace as `cargo metadata` describes it, and the manifests as they are
//! written.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use toml::Table;

use super::{Cure, Finding};
use crate::cli::env::RunnerEnvironment;
use crate::machine::cargo_config;

/// Package name of the library.
pub(super) const LIBRARY: &str = "iai-callgrind";

/// A workspace, or a single package.
#[derive(Debug)]
pub(super) struct Project {
    /// The directory of the given manifest, or the current one.
    pub(super) directory: PathBuf,
    pub(super) root: PathBuf,
    pub(super) target_directory: PathBuf,
    /// The manifest at the root, which has the profiles.
    pub(super) root_manifest: Table,
    /// The packages that depend on the library.
    pub(super) packages: Vec<Package>,
}

/// A package that depends on the library.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) manifest_path: PathBuf,
    pub(super) manifest: Table,
    pub(super) targets: Vec<CargoTarget>,
    /// The name of the library in the source.
    pub(super) identifier: String,
}

/// A target of cargo, also one without an entry in the manifest.
#[derive(Debug, Deserialize)]
pub(super) struct CargoTarget {
    pub(super) name: String,
    pub(super) kind: Vec<String>,
    pub(super) src_path: PathBuf,
}

/// The fields of the answer of `cargo metadata` that are used here.
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    workspace_root: PathBuf,
    pub(super) target_directory: PathBuf,
    packages: Vec<Described>,
}

#[derive(Debug, Deserialize)]
struct Described {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
    targets: Vec<CargoTarget>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    rename: Option<String>,
}

impl Project {
    /// Runs `cargo metadata`, and reads the manifests.
    pub(super) fn read(
        manifest_path: Option<&Path>,
        environment: &RunnerEnvironment,
    ) -> Result<Self, Finding> {
        let metadata = metadata(manifest_path, environment)?;
        let mut packages = Vec::new();
        for package in metadata.packages {
            let mut dependencies = package.dependencies.iter();
            let Some(library) = dependencies.find(|dependency| dependency.name == LIBRARY) else {
                continue;
            };
            let identifier = library.rename.as_deref().unwrap_or(LIBRARY);
            packages.push(Package {
                manifest: read_toml(&package.manifest_path)?,
                identifier: identifier.replace('-', "_"),
                name: package.name,
                manifest_path: package.manifest_path,
                targets: package.targets,
            });
        }
        let directory = manifest_path.and_then(Path::parent).map(Path::to_owned);
        Ok(Self {
            directory: directory.unwrap_or_default(),
            root_manifest: read_toml(&metadata.workspace_root.join("Cargo.toml"))?,
            root: metadata.workspace_root,
            target_directory: metadata.target_directory,
            packages,
        })
    }

    /// Path of the manifest with the profiles.
    pub(super) fn root_manifest_path(&self) -> PathBuf {
        self.root.join("Cargo.toml")
    }
}

impl Package {
    /// The manifest's entry of a target. `None`: cargo found the target by its file.
    pub(super) fn entry(&self, section: &str, name: &str) -> Option<&Table> {
        match self.manifest.get(section)? {
            toml::Value::Table(lib) => Some(lib),
            toml::Value::Array(entries) => entries
                .iter()
                .filter_map(toml::Value::as_table)
                .find(|entry| entry.get("name").and_then(toml::Value::as_str) == Some(name)),
            _ => None,
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "asks cargo a question; benchmarks start in `execute`"
)]
pub(super) fn metadata(
    manifest_path: Option<&Path>,
    environment: &RunnerEnvironment,
) -> Result<Metadata, Finding> {
    let cargo = environment.get("CARGO").unwrap_or("cargo".as_ref());
    let mut command = Command::new(cargo);
    command
        .args(["metadata", "--format-version=1", "--no-deps"])
        .stdin(Stdio::null());
    if let Some(path) = manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    let output = command.output().map_err(|error| {
        let text = format!("`{}` cannot be started: {error}", cargo.to_string_lossy());
        Finding::problem(text, None)
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim().trim_start_matches("error: ");
        let cure = Cure::run("iai-callgrind-runner doctor --manifest-path <path of Cargo.toml>");
        let text = format!("cargo cannot read the project: {said}");
        return Err(Finding::problem(
            text,
            manifest_path.is_none().then_some(cure),
        ));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| {
        let text = format!("the answer of `cargo metadata` cannot be read: {error}");
        Finding::problem(text, None)
    })
}

/// Reads a TOML file.
pub(super) fn read_toml(path: &Path) -> Result<Table, Finding> {
    cargo_config::read_toml(path).map_err(|text| Finding::problem(text, None))
}
