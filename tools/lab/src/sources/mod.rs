//! `cargo xtask sources`: do bench files of other frameworks count as they are?
//!
//! In: this checkout, Valgrind, and packages from the registry that ship their benches. Each is
//! copied, its dependency on the framework is replaced by our crate in the manifest, and its
//! benches run twice. Out: a table of what was counted, and a failure if a count is another one the
//! second time.

mod counts;
mod list;
mod manifest;
mod table;
mod workshop;

use std::path::PathBuf;

use anyhow::{bail, Context, Result};

use self::list::{ForeignSource, SOURCES};
use self::table::SourceTable;
use self::workshop::SourceWorkshop;
use crate::{runner, step, valgrind, workspace_root};

/// The usage of this command.
pub const USAGE: &str = "\
cargo xtask sources [--only PACKAGE/BENCH]... [--runner FILE]

  --only PACKAGE/BENCH  only these files; all of them rewrite `docs/maintainers/counted-sources.md` [default: all]
  --runner FILE         a runner that is built already [default: build it]";

#[derive(Debug, PartialEq, Eq, Default)]
struct Options {
    only: Vec<&'static ForeignSource>,
    runner: Option<PathBuf>,
}

impl Options {
    fn parse(words: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words.next();
            let value = value.with_context(|| format!("`{word}` needs a value\n\n{USAGE}"))?;
            match word.as_str() {
                "--only" => {
                    let found = SOURCES.iter().find(|source| source.name() == *value);
                    let found = found.with_context(|| {
                        let names: Vec<String> = SOURCES.iter().map(ForeignSource::name).collect();
                        format!("no bench file `{value}`; there are {}", names.join(", "))
                    })?;
                    options.only.push(found);
                }
                "--runner" => options.runner = Some(value.into()),
                _ => bail!("`{word}` is not known\n\n{USAGE}"),
            }
        }
        Ok(options)
    }
}

/// Runs the bench files, prints what was counted, and fails if anything was not the same in both
/// runs.
pub fn run(words: &[String]) -> Result<()> {
    let options = Options::parse(words)?;
    valgrind::ensure()?;
    let runner = match &options.runner {
        Some(runner) => std::path::absolute(runner)?,
        None => runner::build()?,
    };
    let is_all = options.only.is_empty();
    let chosen = match is_all {
        true => SOURCES.iter().collect(),
        false => options.only,
    };
    let workshop = SourceWorkshop::new(runner, &chosen)?;
    let mut table = SourceTable::default();
    let mut failed = Vec::new();
    for source in chosen {
        step(&source.name());
        let both = workshop.bench(source, true).and_then(|first| {
            let second = workshop.bench(source, false)?;
            Ok((first, second))
        });
        match both {
            Ok((first, second)) => table.add(source, &first, &second),
            Err(error) => failed.push(format!("{error:#}")),
        }
    }
    println!("\n{}\n", table.text());
    if is_all {
        let path = workspace_root().join("docs/maintainers/counted-sources.md");
        std::fs::write(&path, table.page())
            .with_context(|| format!("cannot write `{}`", path.display()))?;
        step(&format!("wrote `{}`", path.display()));
    }
    failed.extend(table.mistakes());
    match &failed[..] {
        [] => Ok(()),
        mistakes => bail!("{}", mistakes.join("\n")),
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
    fn files_are_chosen_by_name() {
        let options = parse("--only hex/hex --runner /r").unwrap();
        assert_eq!(options.only[0].package, "hex 0.4.3");
        assert_eq!(options.runner, Some("/r".into()));
        assert_eq!(parse("").unwrap(), Options::default());
        let mistake = |line| parse(line).unwrap_err().to_string();
        assert!(mistake("--only hex").contains("there are itoa/bench"));
        assert!(mistake("--only").contains("needs a value"));
        assert!(mistake("--all x").contains("is not known"));
    }
}
