//! `cargo xtask platforms`: does everything compile for every system, and what can be executed of
//! it here?
//!
//! In: the table of systems. Out: a row for each of them, and an error if one does not hold.
//! `check.rs` type-checks, which needs nothing of a system but Rust's standard library;
//! `execute.rs` builds and runs programs of other systems, as far as this machine has linkers and
//! emulators for them (`emulator.rs`).

mod check;
mod emulator;
mod execute;
mod package;
mod systems;

use anyhow::{bail, ensure, Result};
use lab::process::output;
use lab::step;

use self::systems::{System, SYSTEMS};

/// The usage of this command.
pub const USAGE: &str = "\
cargo xtask platforms [--execute] [TARGET]...

Type-checks library, a benchmark file and runner for each system. Targets that are missing are added with rustup.

  --execute  build and run as well, where there is a linker and an emulator for the system: the list, the test mode,
             the description, and every client request
  TARGET     these targets only, such as `aarch64-unknown-linux-gnu`";

/// Checks the systems that the words select.
pub fn run(words: &[String]) -> Result<()> {
    let executes = words.iter().any(|word| word == "--execute");
    let names: Vec<&String> = words.iter().filter(|word| *word != "--execute").collect();
    if let Some(unknown) = names
        .iter()
        .find(|name| !SYSTEMS.iter().any(|system| system.target == **name))
    {
        bail!("`{unknown}` is no target of this command\n\n{USAGE}");
    }
    let is_selected =
        |system: &&System| names.is_empty() || names.iter().any(|name| *name == system.target);
    let systems: Vec<&System> = SYSTEMS.iter().filter(is_selected).collect();
    add_targets(&systems)?;
    let package = package::write()?;
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    for system in systems {
        step(system.target);
        let mut row = check::check(system, &package)?;
        row.extend(
            executes
                .then(|| execute::execute(system, &package))
                .transpose()?,
        );
        failed.extend(row.iter().filter_map(|cell| {
            cell.error
                .as_deref()
                .map(|error| (system.target, error.to_owned()))
        }));
        rows.push((system.target, row));
    }
    for (target, error) in &failed {
        eprintln!("\n{target}: {error}");
    }
    println!("\n{}", table(&rows, executes));
    ensure!(
        failed.is_empty(),
        "{} of the checks failed, see above",
        failed.len()
    );
    Ok(())
}

/// A cell of the table.
#[derive(Debug)]
struct Cell {
    text: String,
    /// Error of the step, with the output of the program that found it.
    error: Option<String>,
}

impl Cell {
    fn fine(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            error: None,
        }
    }

    fn failed(error: String) -> Self {
        Self {
            text: "FAILED".to_owned(),
            error: Some(error),
        }
    }
}

/// Has rustup bring the standard libraries that are missing. Without rustup the checks say what is
/// missing.
fn add_targets(systems: &[&System]) -> Result<()> {
    let Ok(installed) =
        output(std::process::Command::new("rustup").args(["target", "list", "--installed"]))
    else {
        return Ok(());
    };
    let missing: Vec<&str> = systems
        .iter()
        .map(|system| system.target)
        .filter(|target| !installed.lines().any(|line| line == *target))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    step(&format!("adding {}", missing.join(", ")));
    output(
        std::process::Command::new("rustup")
            .args(["target", "add"])
            .args(&missing),
    )
    .map(|_| ())
}

/// The rows as Markdown, as `docs/where-it-runs.md` has them.
fn table(rows: &[(&str, Vec<Cell>)], executes: bool) -> String {
    let mut text = String::from("| target | library | benchmark file | runner |");
    text += if executes { " executed |\n" } else { "\n" };
    text += "| --- | --- | --- | --- |";
    text += if executes { " --- |" } else { "" };
    for (target, cells) in rows {
        text += &format!("\n| `{target}` |");
        for cell in cells {
            text += &format!(" {} |", cell.text);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_a_cell_for_each_check() {
        let cells = || {
            vec![
                Cell::fine("checked"),
                Cell::failed("why".to_owned()),
                Cell::fine("none"),
            ]
        };
        let text = table(&[("a-b-c", cells())], false);
        assert_eq!(
            text.lines().last(),
            Some("| `a-b-c` | checked | FAILED | none |")
        );
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn an_unknown_target_is_no_check_that_holds() {
        let error = run(&["x86_64-unknown-plan9".to_owned()]).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("`x86_64-unknown-plan9` is no target"),
            "{error}"
        );
    }
}
