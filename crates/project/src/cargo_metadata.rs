//! The answer of `cargo metadata`: where the project, its results and its executables are.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::de::DeserializeOwned;
use serde::Deserialize;

use crate::cargo_config::CargoConfig;
use base::os::parent;
use base::variables::EnvironmentVariables;
use iai_callgrind::protocol::Package;

/// Reason why cargo does not describe the project, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoMetadata {
    /// There is no cargo, or it cannot be started.
    NotStarted(String),
    /// Cargo cannot read the project.
    Refused(String),
    /// The answer has another form than expected.
    Unreadable(String),
}

impl NoMetadata {
    /// The sentence.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::NotStarted(text) | Self::Refused(text) | Self::Unreadable(text) => text,
        }
    }
}

/// The places of a project.
#[derive(Debug, Deserialize)]
pub struct ProjectPlaces {
    /// The root of the workspace.
    pub workspace_root: PathBuf,
    /// The directory for what users look for, among it the results.
    pub target_directory: PathBuf,
    /// The directory for what cargo makes on the way, among it benchmark executables. Cargo says it
    /// since 1.91; before, it is the target directory.
    #[serde(default)]
    pub build_directory: Option<PathBuf>,
}

/// The question for cargo.
#[derive(Debug, Default)]
pub struct MetadataQuestion<'a> {
    /// The manifest. `None`: the one of the directory, or above it.
    pub manifest_path: Option<&'a Path>,
    /// The directory in which cargo is started. `None`: the current one.
    pub directory: Option<&'a Path>,
    /// Further words.
    pub options: Vec<String>,
}

impl MetadataQuestion<'_> {
    /// Asks cargo.
    ///
    /// # Errors
    ///
    /// Cargo does not describe the project.
    #[expect(
        clippy::disallowed_methods,
        reason = "asks cargo a question; benchmarks start in `execute`"
    )]
    pub fn ask<T: DeserializeOwned>(
        &self,
        environment: &EnvironmentVariables,
    ) -> Result<T, NoMetadata> {
        let cargo = environment.get("CARGO").unwrap_or("cargo".as_ref());
        let mut command = Command::new(cargo);
        command
            .args(["metadata", "--format-version=1", "--no-deps"])
            .args(&self.options)
            .stdin(Stdio::null());
        if let Some(path) = self.manifest_path {
            command.arg("--manifest-path").arg(path);
        }
        if let Some(directory) = self.directory {
            command.current_dir(directory);
        }
        let output = command.output().map_err(|error| {
            let cargo = cargo.to_string_lossy();
            NoMetadata::NotStarted(format!("`{cargo}` cannot be started: {error}"))
        })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said.trim().trim_start_matches("error: ");
            let text = format!("cargo cannot read the project: {said}");
            return Err(NoMetadata::Refused(text));
        }
        serde_json::from_slice(&output.stdout).map_err(|error| {
            let text = format!("the answer of `cargo metadata` cannot be read: {error}");
            NoMetadata::Unreadable(text)
        })
    }
}

/// The target directory of the project if the executable lies in another one, which
/// `build.build-dir` sets; what cargo tells a compiled program is the latter. `None`: it is not
/// set, or cargo cannot be asked. `target_directory`: the one that cargo tells the program.
#[must_use]
pub fn beside_build_directory(
    package: &Package,
    environment: &EnvironmentVariables,
    executable: &Path,
    target_directory: Option<&Path>,
) -> Option<PathBuf> {
    let directory = Path::new(&package.manifest_dir);
    if !directory.is_dir() {
        return None;
    }
    // Relative paths of variables begin where cargo was started.
    let parent = parent::parent().filter(CargoConfig::is_cargo);
    let mut config = CargoConfig::read(directory, environment);
    if let Some(cargo) = &parent {
        config = config.under(cargo);
    }
    if !config.has_build_directory() {
        return None;
    }
    let manifest = directory.join("Cargo.toml");
    let question = MetadataQuestion {
        manifest_path: Some(&manifest),
        directory: Some(parent.as_ref().map_or(directory, |cargo| &cargo.directory)),
        options: config.option_words().map(str::to_owned).collect(),
    };
    let places: ProjectPlaces = question.ask(environment).ok()?;
    let build = places.build_directory?;
    let told = target_directory?;
    (build == told || executable.starts_with(build)).then_some(places.target_directory)
}
