//! `cargo xtask planted`: do explanations name what was edited?
//!
//! In: this checkout, Valgrind, and crates from the registry. A temporary crate has a benchmark for
//! each edit of `edits.rs`. It is measured as it is, then with the edits of the user's code, and
//! with those of packages. Out: a table of what the explanations say, and a failure if one of them
//! does not begin with the edited function.
//!
//! All edits of a kind are made at once: each has its own benchmark, and the runner has to tell
//! them apart.

mod edits;
mod records;
mod table;
mod variants;
mod workshop;

use std::path::PathBuf;

use anyhow::{bail, Context, Result};

use self::edits::{EditKind, PlantedEdit, EDITS};
use self::table::EditTable;
use self::variants::{BuildVariant, VARIANTS};
use self::workshop::EditWorkshop;
use crate::{runner, step, valgrind, workspace_root};

/// The usage of this command.
pub const USAGE: &str = "\
cargo xtask planted [--variant NAME]... [--edit NAME]... [--valgrind DIRECTORY] [--keep DIRECTORY] [--runner FILE]

  --variant NAME        build the crate in another way, or `all` ways [default: plain]
  --edit NAME           only these edits; all edits of the variant `plain` rewrite
                        `docs/maintainers/planted-edits.md` [default: all]
  --valgrind DIRECTORY  the folder with the Valgrind to use [default: that of PATH]
  --keep DIRECTORY      make the crate there and leave it, so that the next time compiles less
                        [default: a temporary directory]
  --runner FILE         a runner that is built already [default: build it]";

/// Parsed command line: edits, and the variants of the build.
#[derive(Debug, PartialEq, Eq, Default)]
struct Options {
    variants: Vec<&'static BuildVariant>,
    edits: Vec<&'static PlantedEdit>,
    valgrind: Option<PathBuf>,
    keep: Option<PathBuf>,
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
                "--variant" if value == "all" => options.variants.extend(VARIANTS),
                "--variant" => {
                    let found = VARIANTS.iter().find(|variant| variant.name == value);
                    let found = found.with_context(|| {
                        let names: Vec<&str> = VARIANTS.iter().map(|found| found.name).collect();
                        format!("no variant `{value}`; there are {}", names.join(", "))
                    })?;
                    options.variants.push(found);
                }
                "--edit" => {
                    let found = EDITS.iter().find(|edit| edit.benchmark == value);
                    options
                        .edits
                        .push(found.with_context(|| format!("no edit `{value}`"))?);
                }
                "--valgrind" => options.valgrind = Some(value.into()),
                "--keep" => options.keep = Some(value.into()),
                "--runner" => options.runner = Some(value.into()),
                _ => bail!("`{word}` is not known\n\n{USAGE}"),
            }
        }
        if options.variants.is_empty() {
            options.variants.push(&VARIANTS[0]);
        }
        if options.edits.is_empty() {
            options.edits = EDITS.iter().collect();
        }
        Ok(options)
    }
}

/// Measures before and after the edits, prints what is explained, and fails if a function is not
/// named.
pub fn run(words: &[String]) -> Result<()> {
    let options = Options::parse(words)?;
    valgrind::ensure()?;
    let runner = match &options.runner {
        Some(runner) => std::path::absolute(runner)?,
        None => runner::build()?,
    };
    let workshop = EditWorkshop::new(runner, options.keep.as_deref(), options.valgrind.clone())?;
    let mut missed = Vec::new();
    for variant in &options.variants {
        let table = measure(&workshop, variant, &options.edits)?;
        println!("\n{}\n", table.text());
        missed.extend(table.mistakes());
        if variant.name == VARIANTS[0].name && options.edits.len() == EDITS.len() {
            let path = workspace_root().join("docs/maintainers/planted-edits.md");
            std::fs::write(&path, table.page())
                .with_context(|| format!("cannot write `{}`", path.display()))?;
            step(&format!("wrote `{}`", path.display()));
        }
    }
    match &missed[..] {
        [] => Ok(()),
        missed => bail!("{}", missed.join("\n")),
    }
}

/// The explanations of all edits in one build.
fn measure(
    workshop: &EditWorkshop,
    variant: &'static BuildVariant,
    edits: &[&'static PlantedEdit],
) -> Result<EditTable> {
    step(&format!("{}: without edits", variant.name));
    workshop.restore()?;
    workshop.bench(variant, edits, "--save-baseline=before")?;
    let mut table = EditTable::new(variant);
    for kind in EditKind::ALL {
        let edits: Vec<&PlantedEdit> = edits
            .iter()
            .copied()
            .filter(|edit| edit.kind() == kind)
            .collect();
        if edits.is_empty() {
            continue;
        }
        step(&format!("{}: with edits of {}", variant.name, kind.name()));
        workshop.restore()?;
        for edit in &edits {
            workshop.apply(edit)?;
        }
        let results = workshop.bench(variant, &edits, "--baseline=before")?;
        for edit in edits {
            let found = results.get(edit.benchmark);
            let found = found.with_context(|| format!("`{}` has no result", edit.benchmark))?;
            table.add(edit, found.clone());
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Options::parse(&words)
    }

    #[test]
    fn everything_is_edited_in_the_usual_build_unless_it_is_said() {
        let options = parse("").unwrap();
        assert_eq!(options.variants, [&VARIANTS[0]]);
        assert_eq!(options.edits.len(), EDITS.len());
        let options = parse("--variant lto --edit fib --valgrind /v --keep k").unwrap();
        assert_eq!(options.variants[0].name, "lto");
        assert_eq!(options.edits[0].benchmark, "fib");
        assert_eq!(options.valgrind, Some("/v".into()));
        assert_eq!(
            parse("--variant all").unwrap().variants.len(),
            VARIANTS.len()
        );
    }

    #[test]
    fn mistakes_are_told() {
        for line in ["--variant", "--variant x", "--edit x", "fib", "--x y"] {
            parse(line).unwrap_err();
        }
    }
}
