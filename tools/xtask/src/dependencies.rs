//! `cargo xtask dependencies`: what a user of the library has to compile stays small.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{bail, ensure, Context, Result};
use lab::process::{cargo, output};
use lab::workspace_root;

/// All crates that a benchmark file needs: the library, its macros, libc, and what the macros parse
/// and write code with: syn, quote, proc-macro2 and unicode-ident.
const MOST_CRATES: usize = 8;

/// The crates that every user compiles and that are ours.
const OURS: [&str; 2] = ["iai-callgrind", "iai-callgrind-macros"];

/// Prints what a user compiles and fails if it is more than we promise.
pub fn run() -> Result<()> {
    let crates = compiled(&[])?;
    println!(
        "crates that a user of iai-callgrind compiles: {}",
        crates.len()
    );
    for name in &crates {
        println!("  {name}");
    }
    let definitions = compiled(&["--no-default-features", "--features=client_requests_defs"])?;
    println!("with `client_requests_defs` alone: {}", definitions.len());

    check(&crates, &definitions)?;
    check_build_scripts()
}

/// The packages that `cargo tree` lists for the library: each once, as `name vVersion`.
fn compiled(features: &[&str]) -> Result<BTreeSet<String>> {
    let tree = output(
        cargo()
            .args(["tree", "--package=iai-callgrind", "--edges=normal,build"])
            .args(["--prefix=none", "--format={p}"])
            .args(features)
            .current_dir(workspace_root()),
    )?;
    // A line is `serde v1.0.0 (proc-macro) (*)` or `ours v0.17.0 (/path)`.
    let names = tree.lines().filter(|line| !line.is_empty());
    Ok(names
        .map(|line| line.split(" (").next().unwrap_or(line).to_owned())
        .collect())
}

fn check(crates: &BTreeSet<String>, definitions: &BTreeSet<String>) -> Result<()> {
    ensure!(
        crates.len() <= MOST_CRATES,
        "a user compiles {} crates, {MOST_CRATES} are the most",
        crates.len()
    );
    ensure!(
        definitions.len() == 1,
        "`client_requests_defs` needs no dependency, not: {definitions:?}"
    );
    Ok(())
}

/// A build script is `build.rs`, or a file that the manifest names.
fn check_build_scripts() -> Result<()> {
    for name in OURS {
        let directory = workspace_root().join(name);
        let manifest = directory.join("Cargo.toml");
        let text = fs::read_to_string(&manifest)
            .with_context(|| format!("cannot read `{}`", manifest.display()))?;
        if directory.join("build.rs").exists()
            || text.lines().any(|line| line.starts_with("build "))
        {
            bail!("`{name}` has a build script, which every user would have to compile and run");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_further_crate_is_noticed() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        let definitions = set(&["ours v1.0.0"]);
        assert!(check(&set(&names[..MOST_CRATES]), &definitions).is_ok());
        let error = check(&set(&names), &definitions);
        assert_eq!(
            error.unwrap_err().to_string(),
            "a user compiles 9 crates, 8 are the most"
        );
    }

    #[test]
    fn a_dependency_of_the_definitions_is_noticed() {
        let error = check(
            &set(&["quote v1.0.0"]),
            &set(&["libc v0.2.0", "ours v1.0.0"]),
        );
        assert!(error.is_err());
    }
}
