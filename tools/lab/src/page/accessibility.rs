//! A checker of accessibility: axe-core.

use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;

use super::browser::Tab;
use super::Chromium;
use crate::npm::NpmPackage;

const AXE: NpmPackage = NpmPackage {
    name: "axe-core",
    version: "4.10.3",
    sha256: "0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292",
};

/// The script of the checker.
pub struct Checker {
    script: String,
}

impl Checker {
    /// The kept script, or a new one. Where it cannot be had, the reason.
    pub fn find() -> Result<Self> {
        let script = AXE.directory()?.join("axe.min.js");
        let script = fs::read_to_string(&script)
            .with_context(|| format!("cannot read `{}`", script.display()))?;
        Ok(Self { script })
    }

    /// Violations of the page in its current state, as texts.
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
