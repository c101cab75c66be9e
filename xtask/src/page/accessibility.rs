//! A checker of accessibility: axe-core, which is fetched from its registry in one version and kept in the target directory.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{ensure, Context, Result};
use serde_json::Value;

use super::browser::Tab;
use super::Chromium;
use crate::{process, runner};

const PACKAGE: &str = "axe-core";
const VERSION: &str = "4.10.3";
const SHA256: &str = "0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292";

/// The script of the checker.
pub struct Checker {
    script: String,
}

impl Checker {
    /// The kept script, or a new one. Where it cannot be had, the reason.
    pub fn find() -> Result<Self> {
        let folder = runner::target_directory()?.join(format!("{PACKAGE}-{VERSION}"));
        let script = folder.join("axe.min.js");
        if !script.is_file() {
            fetch(&folder)?;
        }
        let script = fs::read_to_string(&script)
            .with_context(|| format!("cannot read `{}`", script.display()))?;
        Ok(Self { script })
    }

    /// What is wrong with the page as it is shown, in words.
    pub fn check(&self, tab: &mut Chromium) -> Result<Vec<String>> {
        if tab.value("typeof axe")? == "undefined" {
            // Its value is a function, which has no form in JSON.
            tab.value(&format!("{};0", self.script))?;
        }
        let rules = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations']}";
        // Targets in lines of code are as high as the lines, which the criterion allows.
        let found = tab.value(&format!(
            "axe.run(document, {rules}).then(({{violations}}) => violations.flatMap(({{id, help, nodes}}) => \
             nodes.filter(node => id !== 'target-size' || !document.querySelector(node.target[0]).closest('.code')).slice(0, 3) \
             .map(node => `${{id}}: ${{help}}\\n  ${{node.html.slice(0, 200)}}\\n  ${{node.failureSummary}}`)))"
        ))?;
        let found = found.as_array().context("the checker gave no list")?;
        Ok(found
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect())
    }
}

/// Fetches the package with the client of its registry, and unpacks it if it is the one that we know. It gets its place as a
/// whole.
fn fetch(folder: &Path) -> Result<()> {
    let above = folder.parent().context("the target directory is nowhere")?;
    let work = tempfile::tempdir_in(above).context("cannot make a temporary directory")?;
    let archive = format!("{PACKAGE}-{VERSION}.tgz");
    let program = |name: &str| {
        let mut command = Command::new(name);
        command.current_dir(work.path());
        command
    };
    let package = format!("{PACKAGE}@{VERSION}");
    process::output(program("npm").args(["pack", "--silent", "--ignore-scripts", &package]))?;
    let sum = process::output(program("sha256sum").arg(&archive))?;
    ensure!(
        sum.starts_with(SHA256),
        "`{archive}` is another one than we know: {sum}"
    );
    process::output(program("tar").args(["-xzf", &archive]))?;
    let renamed = fs::rename(work.path().join("package"), folder);
    // Somebody else may have been faster.
    ensure!(
        folder.is_dir(),
        "cannot make `{}`: {renamed:?}",
        folder.display()
    );
    Ok(())
}
