//! Measures each crate of a build: this program replaces rustc (`RUSTC_WRAPPER`), starts it, and
//! writes its time and memory to a file.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use nix::sys::resource::{getrusage, UsageWho};
use nix::sys::time::TimeValLike as _;

/// The environment variable that names the file. While it is set, this program stands in for rustc.
pub const LOG: &str = "XTASK_RUSTC_LOG";

/// The costs of one crate.
#[derive(Debug, PartialEq)]
pub(super) struct Compiled {
    pub(super) name: String,
    /// CPU time.
    pub(super) seconds: f64,
    /// Peak memory.
    pub(super) bytes: f64,
}

/// Runs rustc, whose path and arguments are `words`, and adds a line to the file if it compiled a
/// crate.
pub fn stand_in(words: &[String], log: &Path) -> Result<ExitCode> {
    let (program, arguments) = words.split_first().context("no command of rustc")?;
    let status = Command::new(program)
        .args(arguments)
        .status()
        .with_context(|| format!("could not start `{program}`"))?;
    let mut arguments = arguments.iter();
    if let Some(name) = arguments
        .find(|word| *word == "--crate-name")
        .and_then(|_| arguments.next())
    {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
        let microseconds = (usage.user_time() + usage.system_time()).num_microseconds();
        let line = format!("{name} {microseconds} {}\n", usage.max_rss());
        // One call for one line: several of us write to the file.
        let mut file = OpenOptions::new().append(true).open(log)?;
        file.write_all(line.as_bytes())?;
    }
    Ok(match status.code() {
        Some(0) => ExitCode::SUCCESS,
        code => ExitCode::from(code.and_then(|code| code.try_into().ok()).unwrap_or(1)),
    })
}

/// Reads the file. A crate that was compiled twice, such as a build script and its library, is
/// there twice.
pub(super) fn read(log: &Path) -> Result<Vec<Compiled>> {
    let text = fs::read_to_string(log);
    let text = text.with_context(|| format!("cannot read `{}`", log.display()))?;
    text.lines()
        .map(|line| compiled(line).with_context(|| format!("`{line}`")))
        .collect()
}

fn compiled(line: &str) -> Result<Compiled> {
    let mut words = line.split(' ');
    let mut word = || words.next().context("a word is missing");
    Ok(Compiled {
        name: word()?.to_owned(),
        seconds: word()?.parse::<f64>()? / 1e6,
        bytes: word()?.parse::<f64>()? * 1024.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_that_was_compiled_has_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        fs::write(&log, "").unwrap();
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        stand_in(&words("true -vV"), &log).unwrap();
        stand_in(&words("true --crate-name serde --edition 2021"), &log).unwrap();
        let crates = read(&log).unwrap();
        assert_eq!(crates.len(), 1);
        assert_eq!(crates[0].name, "serde");
        assert!(crates[0].bytes > 1e5, "{crates:?}");
    }
}
