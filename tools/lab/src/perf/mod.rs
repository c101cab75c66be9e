//! `cargo xtask perf`: is everything as fast and as small as we promise?
//!
//! In: this checkout, Valgrind, and two public runners to compare with. Out: a table of figures and
//! their bounds on the terminal and, when everything was measured, in
//! `docs/maintainers/performance.md`. It is no test, since timings depend on the machine; what is
//! compared is measured in turns, round by round, so that a busy minute hits all candidates alike,
//! and CPU time stands beside wall time.

mod builds;
mod candidates;
mod comparisons;
mod explanations;
mod machine;
mod pages;
mod parallel;
mod profile;
mod profiles;
mod program;
mod rustc;
mod sections;
mod setups;
mod table;
mod usage;

use std::fs;
use std::path::PathBuf;

use anyhow::{bail, Context, Result};

use self::candidates::Workshop;
pub use self::rustc::{stand_in, LOG};
use self::sections::Section;
use self::table::Report;
use crate::{runner, step, valgrind, workspace_root};

/// The environment variable that stands for `--public-runners`.
const PUBLIC_RUNNERS: &str = "PERF_PUBLIC_RUNNERS";

/// The usage of this command.
pub const USAGE: &str = "\
cargo xtask perf [--rounds N] [--public-runners DIRECTORY] [SECTION]...

  --rounds N                  measure everything N times, take the median [default: 5]
  --public-runners DIRECTORY  where `gungraun-runner` and `iai-callgrind-runner` of the versions to
                              compare with are installed; `PERF_PUBLIC_RUNNERS` says the same
                              [default: install them below the target directory]; only `run`,
                              `compile` and `rebuild` need them
  SECTION                     run, scale, parse, flamegraphs, explain, compare, html, setups, compile,
                              rebuild, install, counts;
                              all of them rewrite `docs/maintainers/performance.md` [default: all]";

/// Sections to measure, number of rounds, and runners to compare with.
#[derive(Debug, PartialEq, Eq)]
struct Options {
    rounds: usize,
    public_runners: Option<PathBuf>,
    sections: Vec<Section>,
}

impl Options {
    fn parse(words: &[String]) -> Result<Self> {
        let mut options = Self {
            rounds: 5,
            public_runners: std::env::var_os(PUBLIC_RUNNERS).map(PathBuf::from),
            sections: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || {
                let value = words.next();
                value.with_context(|| format!("`{word}` needs a value\n\n{USAGE}"))
            };
            match word.as_str() {
                "--rounds" => {
                    let rounds = value()?.parse().ok().filter(|rounds| *rounds > 0);
                    options.rounds = rounds.context("`--rounds` is a number from 1")?;
                }
                "--public-runners" => options.public_runners = Some(value()?.into()),
                name => match Section::ALL.into_iter().find(|s| s.name() == name) {
                    Some(section) => options.sections.push(section),
                    None => bail!("`{name}` is not known\n\n{USAGE}"),
                },
            }
        }
        if options.sections.is_empty() {
            options.sections = Section::ALL.to_vec();
        }
        Ok(options)
    }
}

/// Measures, prints, and fails if a bound is missed.
pub fn run(words: &[String]) -> Result<()> {
    let options = Options::parse(words)?;
    valgrind::ensure()?;
    let runner = runner::build_as_released()?;
    let compares = options.sections.iter().any(|section| section.compares());
    let workshop = Workshop::open(runner, options.public_runners.as_deref(), compares)?;
    let facts = machine::facts()?;
    let mut report = Report::default();
    for section in Section::ALL {
        if options.sections.contains(&section) {
            section.measure(&workshop, options.rounds, &mut report)?;
        }
    }
    println!("\n{}", report.text());
    // The page has the figures of one run, so it is written only when every section was measured.
    if options.sections.len() == Section::ALL.len() {
        let path = workspace_root().join("docs/maintainers/performance.md");
        fs::create_dir_all(path.parent().expect("a file in `docs`"))?;
        fs::write(&path, report.page(&facts, options.rounds))
            .with_context(|| format!("cannot write `{}`", path.display()))?;
        step(&format!("wrote `{}`", path.display()));
    }
    match report.missed() {
        0 => Ok(()),
        missed => bail!("{missed} bounds are missed"),
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
    fn sections_and_rounds_can_be_chosen() {
        let options = parse("counts --rounds 3 run --public-runners /p").unwrap();
        assert_eq!(options.rounds, 3);
        assert_eq!(options.sections, [Section::Counts, Section::Run]);
        assert_eq!(options.public_runners, Some("/p".into()));
        assert_eq!(parse("").unwrap().sections, Section::ALL);
    }

    #[test]
    fn mistakes_are_told() {
        for line in ["--rounds", "--rounds 0", "--rounds many", "all"] {
            parse(line).unwrap_err();
        }
    }
}
