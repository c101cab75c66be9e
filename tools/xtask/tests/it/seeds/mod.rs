//! The Rust examples of the documents that the project was given (`../shared/seeds`: guides of
//! earlier versions) compile and run as they are written, or stand in a list with the reason why
//! they cannot.
//!
//! In: the documents. Each example becomes a file of one crate, between what it takes for granted;
//! none is copied into this checkout. Those of the list are compiled as well: they have to fail,
//! with the text that is said there.

mod around;
mod build;
mod example;
mod excluded;
mod files;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lab::fresh_crate::FreshCrate;
use lab::readme::{blocks, Block};

use build::{build, Built};
use example::{Example, Kind};
use excluded::EXCLUDED;

/// Least number of examples that compile and run: fewer are a mistake in this test.
const AT_LEAST: usize = 40;

#[test]
fn every_example_compiles_and_runs_without_valgrind() {
    let examples = examples(&documents());
    let mut wrong = around::unused(&examples);
    wrong.extend(excluded::unused(&examples));

    let project = project(&examples);
    let mut built = build(&project);
    let mut passed = 0;
    for example in &examples {
        let built = built.remove(&example.name).unwrap_or_default();
        let result = match excluded::of(example) {
            Some(excluded) => excluded.judge(&built),
            None => run(example, &built, project.path()).map(|()| passed += 1),
        };
        if let Err(text) = result {
            wrong.push(format!("{}: {text}", example.place()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(passed >= AT_LEAST, "only {passed} examples ran");
    assert_eq!(passed + EXCLUDED.len(), examples.len());
}

/// Name and text of each document, by name.
fn documents() -> BTreeMap<String, String> {
    let folder = lab::workspace_root().join("../shared/seeds");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| {
        panic!(
            "the documents have to lie in `shared/seeds`, beside the root of this checkout \
             (`{}`): {error}",
            folder.display()
        )
    });
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

fn examples(documents: &BTreeMap<String, String>) -> Vec<Example> {
    let blocks = documents.iter().flat_map(|(name, text)| blocks(text, name));
    let rust = blocks.filter(|block| block.language == "rust");
    rust.map(|block| Example::new(&block)).collect()
}

/// One crate with a file for each example.
fn project(examples: &[Example]) -> FreshCrate {
    let manifest = Block {
        document: String::new(),
        language: "toml".to_owned(),
        line: 0,
        code: "\
[dev-dependencies]
iai-callgrind = { version = \"0.17\", features = [\"client_requests\"] }

[profile.dev.package.example]
debug = false
incremental = false
"
        .to_owned(),
    };
    let project = FreshCrate::new("example", &[manifest]).unwrap();
    files::write(project.path(), examples);
    project
}

/// Runs what was built, in the test mode: every benchmark once.
fn run(example: &Example, built: &Built, directory: &Path) -> Result<(), String> {
    let Some(executable) = &built.executable else {
        return Err(format!("does not compile\n{}", built.errors.concat()));
    };
    let mut command = Command::new(executable);
    command
        .current_dir(directory)
        // Neither Valgrind nor the runner has a part in this.
        .env("IAI_CALLGRIND_RUNNER", "not there");
    if example.kind == Kind::Program {
        command.arg("Cargo.toml");
    }
    let output = command.output().map_err(|error| error.to_string())?;
    // The crate of the next run has another path and uses nothing but the dependencies.
    fs::remove_file(executable).map_err(|error| error.to_string())?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (said(&output.stdout), said(&output.stderr));
    // Not `ok. 0 passed`: what runs nothing shows nothing.
    let some_passed = stdout.contains("test result: ok. ") && !stdout.contains("ok. 0 passed");
    match output.status.success() && (some_passed || example.kind == Kind::Program) {
        true => Ok(()),
        false => Err(format!("{}\n{stdout}\n{stderr}", output.status)),
    }
}

fn example(block: &str) -> Example {
    let text = format!("text\n\n```rust\n{block}```\n```text\nd\n```\n");
    let documents = BTreeMap::from([("000_guide".to_owned(), text)]);
    let [example] = <[Example; 1]>::try_from(examples(&documents)).unwrap();
    example
}

#[test]
fn rows_that_are_no_longer_true_are_noticed() {
    let [first, second] = [&EXCLUDED[0], &EXCLUDED[1]];
    let moved = example(&format!("{}\n", first.line));
    let unused = excluded::unused(&[moved]);
    assert_eq!(unused.len(), EXCLUDED.len() - 1);
    assert!(unused[0].contains(second.line), "{unused:?}");
    assert!(!around::unused(&[]).is_empty());

    let compiles = Built {
        executable: Some("seed".into()),
        errors: Vec::new(),
    };
    assert!(first.judge(&compiles).is_err());
    let fails = |error: &str| Built {
        executable: None,
        errors: vec!["error: another".to_owned(), error.to_owned()],
    };
    assert!(first.judge(&fails("error: a third")).is_err());
    assert!(first.judge(&fails(first.error)).is_ok());
    // Errors about removed forms are ours alone.
    let removed = EXCLUDED.last().unwrap();
    assert!(removed.judge(&fails(removed.error)).is_err());
}

#[test]
fn examples_know_their_place() {
    let example = example("# use a::b;\nfn c() {}\n");
    assert_eq!(example.place(), "000_guide:3");
    assert_eq!(example.code.lines().nth(3), Some("use a::b;"));
    assert_eq!(example.code.lines().nth(4), Some("fn c() {}"));
    assert_eq!(example.file(), PathBuf::from("examples/seed_000_line_3.rs"));
}
