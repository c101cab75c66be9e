//! `cargo xtask c-library`: is own code counted alike under another C library?
//!
//! In: the packages of another release of Debian. A crate is measured with the C library of this
//! machine, then a copy of its executable with another one, whose interpreter and search path are
//! written into the copy. Out: an error, unless the program's own instructions are the same in
//! every benchmark while totals differ, and `compare` judges by the former.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, ensure, Context, Result};
use lab::process::{cargo, output, run, succeeds};
use lab::{runner, step, workspace_root};
use serde_json::Value;

/// The usage of this command.
pub const USAGE: &str = "\
cargo xtask c-library [RELEASE]

Measures an executable with the C library of another release of Debian, and compares. Without network it is skipped.

  RELEASE  the release whose package `libc6` is taken [default: trixie]";

const BENCH: &str = r#"use std::collections::BTreeMap;
use std::hint::black_box;

use iai_callgrind::{library_benchmark, main};

#[library_benchmark]
#[benches::n(10, 100, 1000)]
fn boxes(n: usize) -> Vec<Box<usize>> {
    (0..black_box(n)).map(Box::new).collect()
}

#[library_benchmark]
#[benches::text("short", "a text of some length that is copied, counted and put in upper case")]
fn upper(text: &str) -> String {
    black_box(text).to_uppercase()
}

#[library_benchmark]
#[benches::n(10, 200)]
fn format_numbers(n: usize) -> String {
    (0..black_box(n)).map(|i| format!("{i},")).collect()
}

#[library_benchmark]
#[benches::n(50, 500)]
fn btree(n: u64) -> BTreeMap<u64, u64> {
    (0..black_box(n)).map(|i| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15), i)).collect()
}

main!();
"#;

/// Compares both C libraries.
pub fn compare(options: &[String]) -> Result<()> {
    let release = match options {
        [] => "trixie",
        [release] if !release.starts_with('-') => release,
        _ => bail!("{USAGE}"),
    };
    let folder = tempfile::Builder::new()
        .prefix("iai-callgrind-libc-")
        .tempdir()?;
    let folder = folder.path();
    step("the other C library");
    let Some(library) = download(release, folder)? else {
        println!("skipped: there is no package `libc6` of {release}, or no `patchelf`");
        return Ok(());
    };
    let runner = runner::build()?;
    step("the same executable with both");
    let executable = build(folder, &runner)?;
    let copy = folder.join("copy");
    fs::copy(&executable, &copy)?;
    patch(&copy, &library)?;
    for (executable, home) in [(&executable, "here"), (&copy, "other")] {
        let home = folder.join(home);
        run(Command::new(&runner)
            .args(["bench", "--exe"])
            .arg(executable)
            .args(["--", "--quiet", "--home"])
            .arg(home))?;
    }
    let report = output(
        Command::new(&runner)
            .args([
                "compare",
                "--callgrind-limits=ir=1%",
                "--format=json",
                "here",
                "other",
            ])
            .current_dir(folder),
    )?;
    check(&serde_json::from_str(&report)?)
}

/// Every row: totals that differ, own code that does not, and no verdict against it.
fn check(report: &Value) -> Result<()> {
    let rows = report["rows"]
        .as_array()
        .context("the report has no rows")?;
    let mut beyond = 0;
    for row in rows {
        let (path, own) = (&row["path"], &row["own"]);
        ensure!(
            own["old"].is_u64() && own["old"] == own["new"],
            "{path}: own code {own}"
        );
        let percent = row["metric"]["diff_pct"].as_f64().unwrap_or_default();
        beyond += usize::from(percent.abs() > 1.0);
        println!("{path}: {percent:+.4} %, own code {}", own["new"]);
    }
    ensure!(
        !rows.is_empty() && beyond > 0,
        "no total differs by more than 1 %"
    );
    ensure!(
        report["exit_code"] == 0,
        "the verdict is {}",
        report["outcome"]
    );
    let (all, fact) = (rows.len(), &report["differences"][0]);
    println!(
        "{all} benchmarks, {} | {}: own code is the same in all, {beyond} totals differ by more than 1 %",
        fact["old"], fact["new"]
    );
    Ok(())
}

/// The directory with the unpacked package. `None`: it cannot be had here.
fn download(release: &str, folder: &Path) -> Result<Option<PathBuf>> {
    if !succeeds("patchelf", &["--version"]) {
        return Ok(None);
    }
    let apt = folder.join("apt");
    fs::create_dir_all(apt.join("lists/partial"))?;
    fs::create_dir_all(apt.join("cache/archives/partial"))?;
    let sources = apt.join("sources.list");
    let line = format!("deb [trusted=yes] http://deb.debian.org/debian {release} main\n");
    fs::write(&sources, line)?;
    let option = |name: &str, path: &Path| format!("-o{name}={}", path.display());
    let options = [
        option("Dir::Etc::sourcelist", &sources),
        "-oDir::Etc::sourceparts=/dev/null".to_owned(),
        option("Dir::State::lists", &apt.join("lists")),
        option("Dir::Cache", &apt.join("cache")),
    ];
    for words in [&["update", "-qq"][..], &["download", "-qq", "libc6"]] {
        let mut command = Command::new("apt-get");
        command.args(&options).args(words).current_dir(&apt);
        if run(&mut command).is_err() {
            return Ok(None);
        }
    }
    let files = fs::read_dir(&apt)?.filter_map(|entry| Some(entry.ok()?.path()));
    let package = files
        .into_iter()
        .find(|path| path.extension().is_some_and(|it| it == "deb"));
    let package = package.context("`apt-get download` left no package")?;
    let root = folder.join("root");
    run(Command::new("dpkg").arg("-x").arg(package).arg(&root))?;
    Ok(Some(root))
}

/// Builds the benchmarks, and returns their executable.
fn build(folder: &Path, runner: &Path) -> Result<PathBuf> {
    let project = folder.join("project");
    fs::create_dir_all(project.join("benches"))?;
    fs::create_dir_all(project.join("src"))?;
    let library = workspace_root().join("iai-callgrind");
    let manifest = format!(
        "[package]\nname = \"other-libc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
         [dev-dependencies]\niai-callgrind = {{ path = {library:?} }}\n\n\
         [profile.bench]\ndebug = true\n\n[[bench]]\nname = \"kernels\"\nharness = false\n"
    );
    fs::write(project.join("Cargo.toml"), manifest)?;
    fs::write(project.join("src/lib.rs"), "")?;
    fs::write(project.join("benches/kernels.rs"), BENCH)?;
    fs::copy(
        workspace_root().join("Cargo.lock"),
        project.join("Cargo.lock"),
    )?;
    let messages = output(
        cargo()
            .args([
                "bench",
                "--bench=kernels",
                "--no-run",
                "--message-format=json",
            ])
            .current_dir(&project)
            .env_remove("CARGO_TARGET_DIR")
            .env(runner::RUNNER_VARIABLE, runner),
    )?;
    let mut executables = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        Some(PathBuf::from(message["executable"].as_str()?))
    });
    executables.next_back().context("cargo built no executable")
}

/// Lets an executable use the C library below this directory.
fn patch(executable: &Path, root: &Path) -> Result<()> {
    let libraries = root.join("usr/lib/x86_64-linux-gnu");
    let interpreter = root.join("usr/lib64/ld-linux-x86-64.so.2");
    ensure!(
        interpreter.exists(),
        "`{}` is missing",
        interpreter.display()
    );
    // Other libraries are those of this machine.
    let path = format!("{}:/lib/x86_64-linux-gnu", libraries.display());
    run(Command::new("patchelf")
        .arg("--set-interpreter")
        .arg(interpreter)
        .args(["--set-rpath", &path])
        .arg(executable))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(own: u64, percent: f64, exit_code: u64) -> Value {
        json!({"rows": [{"path": "a", "metric": {"diff_pct": percent}, "own": {"old": 7, "new": own}}],
            "differences": [{"old": "glibc 2.36", "new": "glibc 2.41"}], "outcome": "ok", "exit_code": exit_code})
    }

    #[test]
    fn own_code_has_to_be_the_same_while_totals_differ() {
        assert!(check(&report(7, 4.5, 0)).is_ok());
        assert!(check(&report(8, 4.5, 0)).is_err());
        assert!(check(&report(7, 0.5, 0)).is_err());
        assert!(check(&report(7, 4.5, 3)).is_err());
        assert!(check(&json!({"rows": []})).is_err());
    }
}
