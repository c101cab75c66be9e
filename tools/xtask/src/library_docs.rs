//! The JSON of rustdoc about a crate that users see: for the list of public items, and for the
//! check that all have examples.
//!
//! The format changes between versions of Rust, and readers know only that of one. So it is always
//! made with this version: with the compiler that is in use if it has this version, and else with
//! rustup's.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;
use lab::process::{cargo, output, run, succeeds};
use lab::{runner, step, workspace_root};

/// The version of Rust whose JSON the readers know. Another version needs another one of
/// `public-api` in `Cargo.toml`.
const RUST: &str = "1.95.0";

/// A crate whose documentation users read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentedCrate {
    pub(crate) package: &'static str,
    /// The features with items beside those of the default ones.
    features: &'static str,
}

pub(crate) const LIBRARY: DocumentedCrate = DocumentedCrate {
    package: "iai-callgrind",
    features: "client_requests",
};

pub(crate) const CRITERION: DocumentedCrate = DocumentedCrate {
    package: "iai-callgrind-criterion",
    features: "stable",
};

pub(crate) const DIVAN: DocumentedCrate = DocumentedCrate {
    package: "iai-callgrind-divan",
    features: "",
};

/// Lets rustdoc write the file with these options, and returns its path. The next call for this
/// crate replaces it.
pub(crate) fn write(documented: DocumentedCrate, options: &[&str]) -> Result<PathBuf> {
    let DocumentedCrate { package, features } = documented;
    let target = runner::target_directory()?.join("library-docs");
    run(rust()?
        .args(["rustdoc", "--quiet", "--package", package, "--lib"])
        .args(["--features", features, "--target-dir"])
        .arg(&target)
        // Warnings are for `cargo doc`.
        .args(["--", "--cap-lints=allow"])
        .args(["-Zunstable-options", "--output-format=json"])
        .args(options)
        // The output is not stable, so rustdoc asks for a nightly; it writes it in any version.
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(workspace_root()))?;
    let file = format!("{}.json", package.replace('-', "_"));
    Ok(target.join("doc").join(file))
}

/// Cargo of this version.
fn rust() -> Result<Command> {
    let own = output(
        Command::new("rustc")
            .arg("--version")
            .current_dir(workspace_root()),
    )?;
    if own.starts_with(&format!("rustc {RUST} ")) {
        return Ok(cargo());
    }
    if !succeeds("rustup", &["run", RUST, "cargo", "--version"]) {
        step(&format!(
            "installing Rust {RUST}, whose format of documentation our readers know"
        ));
        run(Command::new("rustup")
            .args(["toolchain", "install", RUST])
            .args(["--profile=minimal", "--no-self-update"]))?;
    }
    let mut rustup = Command::new("rustup");
    rustup
        .args(["run", RUST, "cargo"])
        // Variables of the toolchain that runs us.
        .env_remove("RUSTC")
        .env_remove("RUSTDOC")
        .env_remove("RUSTUP_TOOLCHAIN");
    Ok(rustup)
}
