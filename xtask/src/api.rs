//! `cargo xtask api`: the public items of the library are those of a list in the repository, so that who changes them sees it
//! in the diff, as reviewers do.
//!
//! rustdoc writes the items as JSON, whose format changes between versions of Rust; `public-api` reads that of one version.
//! So the list is always made with this one: with the compiler that is in use if it is that, and else with rustup's. Hidden
//! items are not in it, nor what the compiler adds: automatic and blanket implementations, and derived ones.

use std::collections::HashSet;
use std::fs;
use std::process::Command;

use anyhow::{bail, Context, Result};

use crate::process::{cargo, output, run, succeeds};
use crate::{runner, step, workspace_root};

/// The list.
const FILE: &str = "iai-callgrind/public-api.txt";

/// The version of Rust whose JSON the reader knows. Another version needs another one of `public-api` in `Cargo.toml`.
const RUST: &str = "1.95.0";

/// The features with items beside those of the default ones.
const FEATURES: &str = "client_requests";

/// Compares the list with the source; with `--write` it is written.
pub fn compare(options: &[String]) -> Result<()> {
    let is_written = match options {
        [] => false,
        [option] if option == "--write" => true,
        _ => bail!("`cargo xtask api` takes `--write` and nothing else"),
    };
    let items = items()?;
    let path = workspace_root().join(FILE);
    if is_written {
        return fs::write(&path, items)
            .with_context(|| format!("cannot write `{}`", path.display()));
    }
    let listed =
        fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let differences = differences(&listed, &items);
    if !differences.is_empty() {
        bail!(
            "the public items of the library are not those of `{FILE}`:\n{differences}  \
             hint: if this is meant, `cargo xtask api --write` writes the list; users notice what is gone or changed"
        );
    }
    println!("{} public items, as in {FILE}", items.lines().count());
    Ok(())
}

/// A line for each item, then a line for each member of the types that are exported from the hidden module `protocol`:
/// without hidden items rustdoc writes only the names of those.
fn items() -> Result<String> {
    let visible = listed(&[])?;
    let all = listed(&["--document-hidden-items"])?;
    let members = members(&all, &exported(&visible));
    Ok(format!("{visible}{members}"))
}

fn listed(options: &[&str]) -> Result<String> {
    let target = runner::target_directory()?.join("api");
    run(rust()?
        .args(["rustdoc", "--quiet", "--package=iai-callgrind", "--lib"])
        .args(["--features", FEATURES, "--target-dir"])
        .arg(&target)
        // Warnings are for `cargo doc`.
        .args(["--", "--cap-lints=allow"])
        .args(["-Zunstable-options", "--output-format=json"])
        .args(options)
        // The output is not stable, so rustdoc asks for a nightly; it writes it in any version.
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(workspace_root()))?;
    let json = target.join("doc").join("iai_callgrind.json");
    let items = public_api::Builder::from_rustdoc_json(&json)
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()
        .with_context(|| format!("cannot understand `{}`", json.display()))?;
    Ok(items.to_string())
}

/// The names that are exported from somewhere else.
fn exported(items: &str) -> HashSet<&str> {
    let lines = items.lines();
    lines
        .filter_map(|line| line.strip_prefix("pub use iai_callgrind::"))
        .collect()
}

/// The lines about types of the protocol with these names: their definitions, variants, fields and methods.
fn members(items: &str, names: &HashSet<&str>) -> String {
    let is_exported = |line: &&str| {
        let (words, rest) = line.split_once("iai_callgrind::protocol::")?;
        let is_path = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
        let path = rest.split(|c| !is_path(c)).next()?;
        // Modules have small letters.
        let mut segments = path.split("::");
        let name = segments.find(|one| one.starts_with(|c: char| c.is_ascii_uppercase()))?;
        // Otherwise it is the type of a parameter.
        let is_item = words.starts_with("pub ") && !words.contains([':', '(']);
        (is_item && names.contains(name)).then_some(())
    };
    let lines = items.lines().filter(|line| is_exported(line).is_some());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Cargo of the version that the list is made with.
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
            "installing Rust {RUST}, with which the list of public items is made"
        ));
        run(Command::new("rustup")
            .args(["toolchain", "install", RUST])
            .args(["--profile=minimal", "--no-self-update"]))?;
    }
    let mut rustup = Command::new("rustup");
    rustup
        .args(["run", RUST, "cargo"])
        // Those of the toolchain that runs us.
        .env_remove("RUSTC")
        .env_remove("RUSTDOC")
        .env_remove("RUSTUP_TOOLCHAIN");
    Ok(rustup)
}

/// Lines that only one of both has, as in a diff.
fn differences(listed: &str, items: &str) -> String {
    let without = |lines: &str, others: &str, sign: &str| -> String {
        let others: HashSet<&str> = others.lines().collect();
        let lines = lines.lines().filter(|line| !others.contains(line));
        lines.map(|line| format!("  {sign} {line}\n")).collect()
    };
    without(listed, items, "-") + &without(items, listed, "+")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_exported_types_are_listed() {
        let visible =
            "pub mod iai_callgrind\npub use iai_callgrind::Kind\npub fn iai_callgrind::f()\n";
        let all = "pub enum iai_callgrind::protocol::metric::Kind\n\
                   pub iai_callgrind::protocol::metric::Kind::One\n\
                   pub const fn iai_callgrind::protocol::metric::Kind::label(self) -> u8\n\
                   pub iai_callgrind::protocol::metric::Hidden::One\n\
                   pub fn iai_callgrind::f(iai_callgrind::protocol::metric::Kind::One)\n\
                   impl core::clone::Clone for iai_callgrind::protocol::metric::Kind\n";
        let members = members(all, &exported(visible));
        assert_eq!(
            members.lines().collect::<Vec<_>>(),
            all.lines().take(3).collect::<Vec<_>>()
        );
    }

    #[test]
    fn what_is_gone_and_what_is_new_is_shown() {
        assert_eq!(
            differences("pub fn a()\npub fn b()\n", "pub fn a()\npub fn b()\n"),
            ""
        );
        assert_eq!(
            differences("pub fn a()\npub fn b()\n", "pub fn b()\npub fn a(u8)\n"),
            "  - pub fn a()\n  + pub fn a(u8)\n"
        );
    }
}
