//! The project: the workspace as `cargo metadata` describes it, and the manifests as they are
//! written.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Table;

use crate::{Cure, Finding};
use ::project::{MetadataQuestion, NoMetadata, ProjectPlaces};
use base::variables::EnvironmentVariables;

/// Package name of the library.
pub(crate) const LIBRARY: &str = "iai-callgrind";

/// A workspace, or a single package.
#[derive(Debug)]
pub struct Project {
    /// The directory of the given manifest, or the current one.
    pub directory: PathBuf,
    /// The root of the workspace.
    pub root: PathBuf,
    /// Where cargo builds, and results are kept.
    pub target_directory: PathBuf,
    /// The directory with the benchmark executables.
    pub(crate) build_directory: PathBuf,
    /// The manifest at the root, which has the profiles.
    pub(crate) root_manifest: Table,
    /// The packages that depend on the library.
    pub(crate) packages: Vec<Package>,
}

/// A package that depends on the library.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) manifest: Table,
    pub(crate) targets: Vec<CargoTarget>,
    /// The name of the library in the source.
    pub(crate) identifier: String,
}

/// A target of cargo, also one without an entry in the manifest.
#[derive(Debug, Deserialize)]
pub(crate) struct CargoTarget {
    pub(crate) name: String,
    pub(crate) kind: Vec<String>,
    pub(crate) src_path: PathBuf,
}

/// The fields of the answer of `cargo metadata` that are used here.
#[derive(Debug, Deserialize)]
struct Metadata {
    #[serde(flatten)]
    places: ProjectPlaces,
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
    pub fn read(
        manifest_path: Option<&Path>,
        environment: &EnvironmentVariables,
    ) -> Result<Self, Finding> {
        let Metadata {
            places,
            packages: described,
        } = metadata(manifest_path, environment)?;
        let mut packages = Vec::new();
        for package in described {
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
            root_manifest: read_toml(&places.workspace_root.join("Cargo.toml"))?,
            root: places.workspace_root,
            // Older versions of cargo tell no such directory, and have one for both.
            build_directory: match places.build_directory {
                Some(build_directory) => build_directory,
                None => places.target_directory.clone(),
            },
            target_directory: places.target_directory,
            packages,
        })
    }

    /// Path of the manifest with the profiles.
    #[must_use]
    pub fn root_manifest_path(&self) -> PathBuf {
        self.root.join("Cargo.toml")
    }
}

impl Package {
    /// The manifest's entry of a target. `None`: cargo found the target by its file.
    pub(crate) fn entry(&self, section: &str, name: &str) -> Option<&Table> {
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

fn metadata(
    manifest_path: Option<&Path>,
    environment: &EnvironmentVariables,
) -> Result<Metadata, Finding> {
    let question = MetadataQuestion {
        manifest_path,
        ..MetadataQuestion::default()
    };
    question.ask(environment).map_err(|reason| {
        let cure = Cure::run("iai-callgrind-runner doctor --manifest-path <path of Cargo.toml>");
        let is_curable = matches!(reason, NoMetadata::Refused(_)) && manifest_path.is_none();
        Finding::problem(reason.text(), is_curable.then_some(cure))
    })
}

/// Reads a TOML file.
pub(crate) fn read_toml(path: &Path) -> Result<Table, Finding> {
    ::project::read_toml(path).map_err(|text| Finding::problem(text, None))
}
