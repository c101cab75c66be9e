//! The words behind `cargo suite`: which tests, how many executables at a time, and how much of
//! what is slow.

use anyhow::{ensure, Context, Result};

use super::build::Executable;

/// The usage of this command.
pub(super) const USAGE: &str = "\
cargo suite [--full] [--package NAME]... [--test NAME]... [--seed N] [--workers N] [-- ARGUMENT...]

  --full          all of what is slow, and the runner with optimizations; `cargo xtask weekly` does this
  --package NAME  tests of this package only
  --test NAME     this file of `tests/` or `tests/it/` only, or the library's name for its unit tests
  --seed N        another sample of what is slow, other orders, other inputs of property tests [default: 0]
  --workers N     executables at a time [default: one more than processors]
  ARGUMENT        goes to the test executables: a filter, `--nocapture`";

/// Selection of the tests, and settings of the run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) full: bool,
    pub(super) packages: Vec<String>,
    pub(super) tests: Vec<String>,
    pub(super) seed: u64,
    pub(super) workers: usize,
    /// Arguments for the test executables.
    pub(super) arguments: Vec<String>,
}

impl Options {
    pub(super) fn parse(words: &[String]) -> Result<Self> {
        let mut options = Self {
            full: false,
            packages: Vec::new(),
            tests: Vec::new(),
            seed: 0,
            // Tests wait as well, for processes and for the ends of time limits.
            workers: 1 + std::thread::available_parallelism().map_or(1, usize::from),
            arguments: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (name, attached) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (word.as_str(), None),
            };
            let mut value = || {
                let value = attached.clone().or_else(|| words.next().cloned());
                value.with_context(|| format!("`{name}` needs a value\n\n{USAGE}"))
            };
            match name {
                "--full" => options.full = true,
                "--package" | "-p" => options.packages.push(value()?),
                "--test" => options.tests.push(value()?),
                "--seed" => options.seed = value()?.parse().context("`--seed` is a number")?,
                "--workers" => {
                    options.workers = value()?.parse().context("`--workers` is a number")?;
                }
                "--" => options.arguments.extend(words.by_ref().cloned()),
                _ => anyhow::bail!("`{word}` is not known here\n\n{USAGE}"),
            }
        }
        ensure!(options.workers > 0, "`--workers` is at least 1");
        Ok(options)
    }

    /// Do all tests run?
    pub(super) fn is_everything(&self) -> bool {
        self.packages.is_empty() && self.tests.is_empty()
    }

    /// Does this executable run?
    pub(super) fn selects(&self, executable: &Executable) -> bool {
        let is_in =
            |names: &[String], name: &str| names.is_empty() || names.iter().any(|n| n == name);
        is_in(&self.packages, &executable.package) && is_in(&self.tests, &executable.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Options::parse(&words)
    }

    #[test]
    fn words_select_executables_and_go_to_them() {
        let options =
            parse("--package xtask --test=readme --seed 7 --workers=3 -- --nocapture a").unwrap();
        assert_eq!((options.seed, options.workers, options.full), (7, 3, false));
        assert_eq!(options.arguments, ["--nocapture", "a"]);
        let selects = |package: &str, name: &str| {
            options.selects(&Executable {
                package: package.to_owned(),
                name: name.to_owned(),
                ..Executable::default()
            })
        };
        assert!(selects("xtask", "readme"));
        assert!(!selects("xtask", "dependencies") && !selects("other", "readme"));
        assert_eq!(parse("").unwrap().seed, 0);
        assert!(!options.is_everything() && parse("--full").unwrap().is_everything());
    }

    #[test]
    fn mistakes_are_told() {
        for line in ["--test", "--seed many", "--workers 0", "readme", "--ful"] {
            parse(line).unwrap_err();
        }
    }
}
