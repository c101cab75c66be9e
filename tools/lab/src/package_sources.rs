//! Sources of packages from the registry, as cargo unpacks them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process;

/// Folders of packages that cargo has unpacked.
pub(crate) struct PackageSources {
    packages: Vec<Value>,
}

impl PackageSources {
    /// Has cargo get packages of these names and versions, by a package in this folder that depends
    /// on them.
    pub(crate) fn fetch(folder: &Path, packages: &[(&str, &str)]) -> Result<Self> {
        let mut manifest =
            "[package]\nname = \"fetched\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
                            [workspace]\n\n[dependencies]\n"
                .to_owned();
        for (name, version) in packages {
            manifest += &format!("{name} = \"={version}\"\n");
        }
        let write = |file: &str, text: &str| {
            let path = folder.join(file);
            fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))
        };
        let source = folder.join("src");
        fs::create_dir_all(&source)
            .with_context(|| format!("cannot make `{}`", source.display()))?;
        write("Cargo.toml", &manifest)?;
        write("src/lib.rs", "")?;
        Self::of(folder)
    }

    /// The packages that the one in this folder depends on.
    pub(crate) fn of(folder: &Path) -> Result<Self> {
        let mut cargo = process::cargo();
        cargo
            .args(["metadata", "--format-version=1"])
            .current_dir(folder);
        let mut metadata: Value = serde_json::from_str(&process::output(&mut cargo)?)?;
        match metadata["packages"].take() {
            Value::Array(packages) => Ok(Self { packages }),
            _ => anyhow::bail!("cargo knows no packages in `{}`", folder.display()),
        }
    }

    /// The folder that cargo has the package `name version` in.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf> {
        let is_it = |found: &&Value| {
            let version = found["version"].as_str().unwrap_or_default();
            // Build metadata after the `+` is no part of the source's version.
            let version = version.split('+').next().unwrap_or_default();
            name == format!("{} {version}", found["name"].as_str().unwrap_or_default())
        };
        let found = self.packages.iter().find(is_it);
        let manifest = found.and_then(|found| found["manifest_path"].as_str());
        let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
        let folder = folder.with_context(|| format!("cargo knows no package `{name}`"))?;
        Ok(folder.to_owned())
    }
}

/// Copies a folder with all that is in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make `{}`", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read `{}`", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_folder(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}
