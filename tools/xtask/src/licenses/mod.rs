//! `cargo xtask licenses`: what the workspace depends on keeps to the rules of `deny.toml`, and the
//! licences of what the runner links stand in a file that is distributed with it.
//!
//! `cargo deny` reads the same rules. It is not needed here: to build it takes minutes, and this
//! check runs for every change.

mod packages;
mod rules;
mod texts;

use std::fs;

use anyhow::{bail, ensure, Context, Result};
use lab::workspace_root;

pub use self::packages::PLATFORMS;
use self::packages::{linked, Package};
use self::rules::Rules;

/// The file with the licences, in the package of the runner.
const FILE: &str = "iai-callgrind-runner/THIRD-PARTY-LICENSES.txt";

/// Checks the rules, and that the file is up to date; with `--write` it is written.
pub fn run(options: &[String]) -> Result<()> {
    let write = match options {
        [] => false,
        [option] if option == "--write" => true,
        _ => bail!("`cargo xtask licenses` takes `--write` and nothing else"),
    };
    let rules = workspace_root().join("deny.toml");
    let rules =
        fs::read_to_string(&rules).with_context(|| format!("cannot read `{}`", rules.display()))?;
    let rules = Rules::parse(&rules).context("cannot understand `deny.toml`")?;
    let packages = Package::all()?;
    let mistakes = rules.mistakes(&packages);
    ensure!(
        mistakes.is_empty(),
        "the rules of `deny.toml` are broken:\n  {}",
        mistakes.join("\n  ")
    );
    println!("{} packages keep to `deny.toml`", packages.len());

    let linked = linked(&packages)?;
    let text = texts::of(&linked, &rules)?;
    let path = workspace_root().join(FILE);
    if write {
        return fs::write(&path, text)
            .with_context(|| format!("cannot write `{}`", path.display()));
    }
    let kept =
        fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    up_to_date(&kept, &text)?;
    println!("{FILE} has the licences of {} packages", linked.len());
    Ok(())
}

/// Does the file say what it has to say?
fn up_to_date(kept: &str, text: &str) -> Result<()> {
    let differs = kept
        .lines()
        .zip(text.lines())
        .position(|(kept, new)| kept != new);
    let line = differs.unwrap_or_else(|| kept.lines().count().min(text.lines().count())) + 1;
    ensure!(
        kept == text,
        "`{FILE}` is not up to date: line {line} differs\n  hint: `cargo xtask licenses --write` writes it"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_file_is_noticed() {
        up_to_date("a\nb\n", "a\nb\n").unwrap();
        for (kept, line) in [("a\nc\n", 2), ("a\n", 2), ("a\nb\nc\n", 3), ("", 1)] {
            let error = up_to_date(kept, "a\nb\n").unwrap_err().to_string();
            assert!(error.contains(&format!("line {line} differs")), "{error}");
        }
    }
}
