//! The bench files of the branch, laid over another revision, so that a new benchmark measures the
//! old code.

use std::fs;
use std::path::{Path, PathBuf};

use base::file_operation::FileContext;
use base::variables::EnvironmentVariables;
use project::{MetadataQuestion, NoMetadata};
use serde::Deserialize;
use toml_edit::DocumentMut;

use crate::{Repository, RevisionError};

/// Files below the directories of bench targets, at most: another directory was meant.
const MOST_FILES: usize = 2000;

/// The key of bench targets in manifests.
pub(crate) const BENCH: &str = "bench";

/// The bench files of the packages of a checkout.
#[derive(Debug, Clone, Default)]
pub struct BenchFiles {
    packages: Vec<PackageBenches>,
}

#[derive(Debug, Clone)]
struct PackageBenches {
    /// Below the root of the checkout.
    manifest: PathBuf,
    names: Vec<String>,
    /// Files in the directories of its bench targets, below the root, with their contents.
    files: Vec<(PathBuf, Vec<u8>)>,
    manifest_text: String,
}

/// The packages of a workspace, as cargo describes them.
#[derive(Debug, Deserialize)]
pub(crate) struct BenchMetadata {
    pub(crate) packages: Vec<DescribedPackage>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct DescribedPackage {
    pub(crate) name: String,
    manifest_path: PathBuf,
    pub(crate) targets: Vec<BenchTarget>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct BenchTarget {
    pub(crate) name: String,
    pub(crate) kind: Vec<String>,
    src_path: PathBuf,
}

impl BenchFiles {
    /// Reads the bench files of the user's checkout.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn read(
        repository: &Repository,
        environment: &EnvironmentVariables,
    ) -> Result<Self, RevisionError> {
        let directory = repository.root.join(&repository.prefix);
        let question = MetadataQuestion {
            directory: Some(&directory),
            ..MetadataQuestion::default()
        };
        let metadata: Result<BenchMetadata, NoMetadata> = question.ask(environment);
        // Where cargo cannot read the project, the run of the branch says so.
        let described = metadata.map_or_else(|_| Vec::new(), |metadata| metadata.packages);
        let mut packages = Vec::new();
        for package in described {
            packages.extend(PackageBenches::read(repository, &package)?);
        }
        Ok(Self { packages })
    }

    /// Returns the contents that results depend on.
    #[must_use]
    pub fn contents(&self) -> Vec<u8> {
        let mut all = Vec::new();
        for package in &self.packages {
            all.extend_from_slice(benches_of(&package.manifest_text).to_string().as_bytes());
            for (path, bytes) in &package.files {
                all.extend_from_slice(path.as_os_str().as_encoded_bytes());
                all.extend_from_slice(bytes);
            }
        }
        all
    }

    /// Lays the files over the worktree at this root. Packages that are not there are passed over.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    pub fn lay(&self, worktree: &Path) -> Result<(), RevisionError> {
        for package in &self.packages {
            let manifest = worktree.join(&package.manifest);
            let Ok(text) = fs::read_to_string(&manifest) else {
                continue;
            };
            if let Ok(mut document) = text.parse::<DocumentMut>() {
                match benches_of(&package.manifest_text) {
                    toml_edit::Item::None => document.remove(BENCH),
                    benches => document.insert(BENCH, benches),
                };
                let text = document.to_string();
                fs::write(&manifest, text).context("write", &manifest)?;
            }
            for (path, bytes) in &package.files {
                let path = worktree.join(path);
                if let Some(directory) = path.parent() {
                    fs::create_dir_all(directory).context("create", directory)?;
                }
                fs::write(&path, bytes).context("write", &path)?;
            }
        }
        Ok(())
    }

    /// The files without those of packages with one of these bench targets. `None`: no package has
    /// one.
    #[must_use]
    pub fn without(&self, targets: &[String]) -> Option<Self> {
        let has =
            |package: &&PackageBenches| !package.names.iter().any(|name| targets.contains(name));
        let kept: Vec<PackageBenches> = self.packages.iter().filter(has).cloned().collect();
        (kept.len() < self.packages.len()).then_some(Self { packages: kept })
    }
}

impl PackageBenches {
    /// `None`: the package has no bench target, or is in another repository.
    fn read(
        repository: &Repository,
        package: &DescribedPackage,
    ) -> Result<Option<Self>, RevisionError> {
        let below = |path: &Path| path.strip_prefix(&repository.root).ok().map(Path::to_owned);
        let benches = package.targets.iter().filter(|it| it.kind == [BENCH]);
        let benches: Vec<&BenchTarget> = benches.collect();
        let manifest = below(&package.manifest_path).filter(|_| !benches.is_empty());
        let Some(manifest) = manifest else {
            return Ok(None);
        };
        let mut directories: Vec<&Path> = benches
            .iter()
            .filter_map(|it| it.src_path.parent())
            .collect();
        directories.sort_unstable();
        directories.dedup();
        let mut paths = Vec::new();
        for directory in directories {
            list(directory, &mut paths)?;
        }
        paths.sort_unstable();
        paths.dedup();
        let mut files = Vec::new();
        for path in paths {
            let bytes = fs::read(&path).context("read", &path)?;
            files.extend(below(&path).map(|path| (path, bytes)));
        }
        let manifest_path = &package.manifest_path;
        Ok(Some(Self {
            manifest,
            names: benches.iter().map(|it| it.name.clone()).collect(),
            files,
            manifest_text: fs::read_to_string(manifest_path).context("read", manifest_path)?,
        }))
    }
}

/// Regular files in a directory and below it. Links are not followed.
fn list(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), RevisionError> {
    let entries = fs::read_dir(directory).context("read", directory)?;
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_dir() {
            list(&entry.path(), files)?;
        } else if kind.is_file() && files.len() < MOST_FILES {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// The bench sections of a manifest.
fn benches_of(manifest: &str) -> toml_edit::Item {
    let document = manifest.parse::<DocumentMut>().ok();
    let benches = document.and_then(|document| document.get(BENCH).cloned());
    benches.unwrap_or_default()
}
