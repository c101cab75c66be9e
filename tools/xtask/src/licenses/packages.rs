//! Packages that the workspace depends on, as cargo tells them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use lab::process::{cargo, output};
use lab::workspace_root;
use serde_json::Value;

/// The platforms for which runners are distributed.
pub const PLATFORMS: [&str; 4] = [
    "x86_64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
];

/// A package that is not of this workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// The expression of the manifest: `MIT OR Apache-2.0`.
    pub(super) license: Option<String>,
    /// `registry+https://…`, `git+https://…`; `None`: a path outside of the workspace.
    pub(super) source: Option<String>,
    pub(super) directory: PathBuf,
}

impl Package {
    /// All packages, for all features, platforms and tests.
    pub(super) fn all() -> Result<Vec<Self>> {
        let json = output(
            cargo()
                .args([
                    "metadata",
                    "--format-version=1",
                    "--locked",
                    "--all-features",
                ])
                .current_dir(workspace_root()),
        )?;
        Self::of_metadata(&json).context("cannot understand `cargo metadata`")
    }

    fn of_metadata(json: &str) -> Result<Vec<Self>> {
        let metadata: Value = serde_json::from_str(json)?;
        let list = |key: &str| metadata[key].as_array().cloned().unwrap_or_default();
        let members = list("workspace_members");
        let mut packages = Vec::new();
        for package in list("packages") {
            if members.contains(&package["id"]) {
                continue;
            }
            let text = |key: &str| package[key].as_str().map(str::to_owned);
            let manifest = text("manifest_path").context("a package has no manifest")?;
            packages.push(Self {
                name: text("name").context("a package has no name")?,
                version: text("version").context("a package has no version")?,
                license: text("license"),
                source: text("source"),
                directory: Path::new(&manifest)
                    .parent()
                    .unwrap_or(Path::new("/"))
                    .to_owned(),
            });
        }
        packages.sort_unstable();
        Ok(packages)
    }
}

/// The packages among these whose code is in the runner: neither those of macros nor those of
/// tests.
pub(super) fn linked(packages: &[Package]) -> Result<Vec<Package>> {
    let platforms = PLATFORMS.map(|platform| format!("--target={platform}"));
    let tree = output(
        cargo()
            .args(["tree", "--locked", "--package=iai-callgrind-runner"])
            .args([
                "--edges=normal,no-proc-macro",
                "--prefix=none",
                "--format={p}",
            ])
            .args(platforms)
            .current_dir(workspace_root()),
    )?;
    let is_linked = |package: &&Package| {
        let begin = format!("{} v{}", package.name, package.version);
        let mut lines = tree.lines();
        lines.any(|line| line.split(" (").next() == Some(begin.as_str()))
    };
    Ok(packages.iter().filter(is_linked).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_others_are_read() {
        let json = r#"{
            "workspace_members": ["path+file:///ours#0.1.0"],
            "packages": [
                {"id": "path+file:///ours#0.1.0", "name": "ours", "version": "0.1.0",
                 "license": null, "source": null, "manifest_path": "/ours/Cargo.toml"},
                {"id": "registry+https://a#b@1.0.0", "name": "b", "version": "1.0.0",
                 "license": "MIT", "source": "registry+https://a", "repository": "https://b",
                 "manifest_path": "/cache/b-1.0.0/Cargo.toml"}
            ]}"#;
        let expected = Package {
            name: "b".into(),
            version: "1.0.0".into(),
            license: Some("MIT".into()),
            source: Some("registry+https://a".into()),
            directory: "/cache/b-1.0.0".into(),
        };
        assert_eq!(Package::of_metadata(json).unwrap(), [expected]);
    }
}
