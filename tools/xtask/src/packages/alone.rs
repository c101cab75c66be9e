//! The unit tests of packages, in a workspace that has nothing but what was unpacked: the packages
//! depend on each other by `[patch.crates-io]`, as they will by the registry.
//!
//! Other packages are in the versions of `Cargo.lock`, and what was compiled of them for this
//! workspace is used again, so the profile is that of this workspace as well.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use lab::process::{cargo, run};
use lab::{runner, step, workspace_root};

use super::published::PublishedPackage;
use super::unpacked::Unpacked;

/// The package whose build script does nothing without this feature, and its tests.
const WITH_FEATURE: (&str, &str) = ("iai-callgrind-cc", "compile");

/// Builds and runs the unit tests of all packages, and builds their programs.
pub(super) fn test(packages: &[PublishedPackage], unpacked: &Unpacked) -> Result<()> {
    let read = |name: &str| {
        let path = workspace_root().join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))
    };
    let write = |name: &str, text: &str| {
        let path = unpacked.path().join(name);
        fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))
    };
    write(
        "Cargo.toml",
        &manifest(packages, &profile(&read("Cargo.toml")?)),
    )?;
    write("Cargo.lock", &read("Cargo.lock")?)?;

    let target = runner::target_directory()?;
    let in_workspace = |words: &[&str]| {
        let mut cargo = cargo();
        cargo
            .args(["test", "--quiet"])
            .args(words)
            .arg("--target-dir")
            .arg(&target)
            // Cargo tells us which package we are; what is built here is another one.
            .env_remove("CARGO_MANIFEST_DIR")
            .current_dir(unpacked.path());
        cargo
    };
    run(&mut in_workspace(&[
        "--workspace",
        "--lib",
        "--bins",
        "--no-fail-fast",
    ]))?;
    let (name, feature) = WITH_FEATURE;
    step(&format!("{name} with the feature `{feature}`"));
    run(&mut in_workspace(&[
        "--package",
        name,
        "--features",
        feature,
    ]))
}

/// A workspace of these packages, which takes them from their directories.
fn manifest(packages: &[PublishedPackage], profile: &str) -> String {
    let folders: Vec<String> = packages.iter().map(PublishedPackage::folder).collect();
    let mut text =
        format!("[workspace]\nresolver = \"2\"\nmembers = {folders:?}\n\n[patch.crates-io]\n");
    for (package, folder) in packages.iter().zip(&folders) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{}.path = {folder:?}", package.name);
    }
    text + "\n" + profile
}

/// The sections of the profile `dev`, under which tests are built.
fn profile(manifest: &str) -> String {
    let mut is_inside = false;
    let lines = manifest.lines().filter(|line| {
        if line.starts_with('[') {
            is_inside = line.starts_with("[profile.dev]") || line.starts_with("[profile.dev.");
        }
        is_inside && !line.starts_with('#')
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_of_tests_is_that_of_the_workspace() {
        let manifest = "[profile.devel]\nlto = true\n# Why.\n[profile.dev]\ndebug = 1\n\n\
                        # Why.\n[profile.dev.package.\"*\"]\ndebug = false\n\n[profile.bench]\ndebug = true\n";
        assert_eq!(
            profile(manifest),
            "[profile.dev]\ndebug = 1\n\n[profile.dev.package.\"*\"]\ndebug = false\n\n"
        );
        let ours = fs::read_to_string(workspace_root().join("Cargo.toml")).unwrap();
        assert!(profile(&ours).contains("debug ="), "{ours}");
    }

    #[test]
    fn all_packages_come_from_their_directories() {
        let mut packages = PublishedPackage::all().unwrap();
        packages.retain(|one| ["iai-callgrind-cc", "iai-callgrind-macros"].contains(&&*one.name));
        let text = manifest(&packages, "[profile.dev]\n");
        let version = &packages[0].version;
        assert_eq!(
            text,
            format!(
                "[workspace]\nresolver = \"2\"\nmembers = [\"iai-callgrind-cc-{version}\", \"iai-callgrind-macros-{version}\"]\n\n\
                 [patch.crates-io]\niai-callgrind-cc.path = \"iai-callgrind-cc-{version}\"\n\
                 iai-callgrind-macros.path = \"iai-callgrind-macros-{version}\"\n\n[profile.dev]\n"
            )
        );
    }
}
