//! Costs of requests: instructions that Callgrind counts in a function with ten of them, ours
//! beside the macros of the headers.
//!
//! In: `costs.rs` and `costs.c` in `benchmark-tests/client-requests/src`, built in release mode and
//! with `cc -O2`. Out: a table for `docs/client-requests.md`, and an error if a request of ours
//! costs more than the macro or, if it has no arguments, more than [`MOST_FOR_CONSTANTS`].

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};
use lab::process::{cargo, output, run};
use lab::{step, valgrind, workspace_root};
use tempfile::TempDir;

use super::headers;

const SOURCES: &str = "benchmark-tests/client-requests/src";

/// The most instructions of a request whose words are constants.
const MOST_FOR_CONSTANTS: u64 = 4;

/// Number of requests in a function.
const REQUESTS: u64 = 10;

/// A function of the programs.
struct Row {
    function: &'static str,
    label: &'static str,
    measure: Measure,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// The instructions of a function whose requests have no arguments.
    Constant,
    /// The instructions of a function whose requests get arguments at run time.
    Arguments,
    /// The instructions that are collected between toggles, in a run that collects nothing else.
    Collected,
}

const ROWS: &[Row] = &[
    row(
        "cost_running_on_valgrind",
        "10 × `RUNNING_ON_VALGRIND`",
        Measure::Constant,
    ),
    row(
        "cost_count_errors",
        "10 × `VALGRIND_COUNT_ERRORS`",
        Measure::Constant,
    ),
    row(
        "cost_start_instrumentation",
        "10 × `CALLGRIND_START_INSTRUMENTATION`",
        Measure::Constant,
    ),
    row(
        "cost_disable_error_reporting",
        "10 × `VALGRIND_DISABLE_ERROR_REPORTING`",
        Measure::Constant,
    ),
    row(
        "cost_do_leak_check",
        "10 × `VALGRIND_DO_LEAK_CHECK`",
        Measure::Constant,
    ),
    row(
        "pair",
        "an empty pair of `CALLGRIND_TOGGLE_COLLECT`, collected",
        Measure::Collected,
    ),
    row(
        "pairs",
        "5 of these pairs in a row, collected",
        Measure::Collected,
    ),
    row(
        "cost_ad_hoc_event",
        "10 × `DHAT_AD_HOC_EVENT(w)`",
        Measure::Arguments,
    ),
    row(
        "cost_happens_before",
        "10 × `ANNOTATE_HAPPENS_BEFORE(a)`",
        Measure::Arguments,
    ),
    row(
        "cost_make_mem_defined",
        "10 × `VALGRIND_MAKE_MEM_DEFINED(a, n)`",
        Measure::Arguments,
    ),
    row(
        "cost_stack_register",
        "10 × `VALGRIND_STACK_REGISTER(a, b)`",
        Measure::Arguments,
    ),
    row(
        "cost_mempool_alloc",
        "10 × `VALGRIND_MEMPOOL_ALLOC(p, a, n)`",
        Measure::Arguments,
    ),
    row(
        "cost_malloclike_block",
        "10 × `VALGRIND_MALLOCLIKE_BLOCK(a, n, r, z)`",
        Measure::Arguments,
    ),
];

const fn row(function: &'static str, label: &'static str, measure: Measure) -> Row {
    Row {
        function,
        label,
        measure,
    }
}

/// Instructions by the function of a row.
type Costs = BTreeMap<&'static str, u64>;

/// Builds, counts, prints, and fails if a bound is missed.
pub(super) fn run_and_check() -> Result<()> {
    valgrind::ensure()?;
    let folder = TempDir::new().context("cannot make a temporary directory")?;
    let ours = measure(&build_ours(folder.path())?, folder.path())?;
    let theirs = measure(&build_theirs(folder.path())?, folder.path())?;
    print!("{}", table(&ours, &theirs));
    let missed = missed(&ours, &theirs);
    ensure!(
        missed.is_empty(),
        "requests are too expensive\n{}",
        missed.join("\n")
    );
    Ok(())
}

/// The table in Markdown.
fn table(ours: &Costs, theirs: &Costs) -> String {
    let mut table =
        "| instructions of | macro of C, `cc -O2` | this library |\n| --- | --: | --: |\n"
            .to_owned();
    for Row {
        function, label, ..
    } in ROWS
    {
        let [c, rust] = [theirs[function], ours[function]];
        table += &format!("| {label} | {c} | {rust} |\n");
    }
    table
}

/// Every bound that is missed, as a line for people.
fn missed(ours: &Costs, theirs: &Costs) -> Vec<String> {
    let mut missed = Vec::new();
    for Row {
        function,
        label,
        measure,
    } in ROWS
    {
        let [c, rust] = [theirs[function], ours[function]];
        if rust > c {
            missed.push(format!(
                "{label}: {rust} instructions, the macro of C has {c}"
            ));
        }
        let most = MOST_FOR_CONSTANTS * REQUESTS;
        if *measure == Measure::Constant && rust > most {
            missed.push(format!("{label}: {rust} instructions, {most} are the most"));
        }
    }
    missed
}

fn build_ours(folder: &Path) -> Result<PathBuf> {
    step("building the requests of this library");
    // A directory of its own: other builds have other features.
    let target = folder.join("target");
    run(cargo()
        .args([
            "build",
            "--quiet",
            "--release",
            "--package=client-request-tests",
        ])
        .args(["--features=active", "--bin=costs", "--target-dir"])
        .arg(&target)
        .current_dir(workspace_root()))?;
    Ok(target.join("release/costs"))
}

fn build_theirs(folder: &Path) -> Result<PathBuf> {
    step("building the macros of C");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let program = folder.join("costs-c");
    run(Command::new(compiler)
        .args(["-O2", "-I"])
        .arg(headers::directory()?)
        .arg("-o")
        .arg(&program)
        .arg(workspace_root().join(SOURCES).join("costs.c")))?;
    Ok(program)
}

/// Runs a program under Callgrind, once for all functions and once for each collected row.
fn measure(program: &Path, folder: &Path) -> Result<Costs> {
    let functions = callgrind(program, "functions", &[], folder)?;
    let mut costs = Costs::new();
    for row in ROWS {
        let cost = match row.measure {
            Measure::Constant | Measure::Arguments => self_cost(&functions, row.function),
            Measure::Collected => {
                let arguments = ["--collect-atstart=no"];
                total(&callgrind(program, row.function, &arguments, folder)?)
            }
        };
        let cost = cost.with_context(|| {
            format!(
                "Callgrind counted nothing in `{}` of `{}`",
                row.function,
                program.display()
            )
        })?;
        costs.insert(row.function, cost);
    }
    Ok(costs)
}

/// Callgrind's profile of the program with the argument `word`.
fn callgrind(program: &Path, word: &str, arguments: &[&str], folder: &Path) -> Result<String> {
    let out = folder.join("callgrind.out");
    output(
        Command::new("valgrind")
            .args(["--tool=callgrind", "--quiet"])
            .args(["--compress-strings=no", "--compress-pos=no"])
            .args(arguments)
            .arg(format!("--callgrind-out-file={}", out.display()))
            .arg(program)
            .arg(word),
    )?;
    fs::read_to_string(&out).with_context(|| format!("cannot read `{}`", out.display()))
}

/// The instructions of a function without those of its callees.
fn self_cost(text: &str, function: &str) -> Option<u64> {
    let mut cost = None;
    let mut lines = text.lines();
    let mut is_inside = false;
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("fn=") {
            is_inside = name == function;
        } else if line.starts_with("calls=") {
            // The costs of the callee.
            lines.next();
        } else if is_inside {
            // The number of a line and its cost; not `totals:` and its like.
            let numbers: Result<Vec<u64>, _> = line.split_whitespace().map(str::parse).collect();
            if let Ok([_line, count]) = numbers.as_deref() {
                *cost.get_or_insert(0) += count;
            }
        }
    }
    cost
}

/// Total of the profile.
fn total(text: &str) -> Option<u64> {
    let mut lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("totals: "));
    lines.next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_of_a_function_is_that_of_its_own_lines() {
        let text = "events: Ir\nfl=a.c\nfn=one\n0 3\n0 4\ncfn=two\ncalls=1 0\n0 100\n0 5\n\n\
                    fn=two\n0 100\n\nfn=one\n7 1\n\ntotals: 113\n";
        assert_eq!(self_cost(text, "one"), Some(13));
        assert_eq!(self_cost(text, "two"), Some(100));
        assert_eq!(self_cost(text, "three"), None);
        assert_eq!(total(text), Some(113));
    }

    #[test]
    fn ours_may_not_cost_more() {
        let costs = |cost: u64| {
            ROWS.iter()
                .map(|row| (row.function, cost))
                .collect::<Costs>()
        };
        assert_eq!(missed(&costs(40), &costs(40)), [""; 0]);
        let mut ours = costs(40);
        ours.insert("cost_count_errors", 41);
        assert_eq!(
            missed(&ours, &costs(40)),
            [
                "10 × `VALGRIND_COUNT_ERRORS`: 41 instructions, the macro of C has 40",
                "10 × `VALGRIND_COUNT_ERRORS`: 41 instructions, 40 are the most",
            ]
        );
        ours.insert("cost_count_errors", 40);
        ours.insert("cost_ad_hoc_event", 41);
        assert_eq!(
            missed(&ours, &costs(40)),
            ["10 × `DHAT_AD_HOC_EVENT(w)`: 41 instructions, the macro of C has 40"]
        );
    }
}
