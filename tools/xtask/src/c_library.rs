//! `cargo xtask c-library`: is own code counted alike under another C library?
//!
//! In: the packages of another release of Debian. A crate is measured with the C library of this
//! machine, then a copy of its executable with another one, whose interpreter and search path are
//! written into the copy. Out: an error, unless the program's own instructions are the same in
//! every benchmark while totals differ, and `compare` judges by the former.
//!
//! Programs and a static executable are measured with each of both libraries, in directories with
//! names of two lengths and with three values of `LD_LIBRARY_PATH`. The counts of each library have
//! to be equal, but for programs in another directory, which read their own path before `main`:
//! that of C may differ by 40 instructions, that of Rust by half a percent.

use std::collections::BTreeMap;
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

/// `true` has one path, as a program of the system has. The others lie beside the executable.
const PROGRAMS: &str = r#"use iai_callgrind::{binary_benchmark, main, Command};

#[binary_benchmark]
#[bench::system("../true")]
#[bench::empty("empty")]
#[bench::with_std("with_std")]
fn program(name: &str) -> Command {
    let directory = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let path = match name.strip_prefix("../") {
        Some(name) => directory.parent().unwrap().join(name),
        None => directory.join(name),
    };
    Command::new(path).build()
}

main!();
"#;

const STATIC: &str = r#"use std::ffi::CString;
use std::hint::black_box;

use iai_callgrind::{library_benchmark, main};

extern "C" {
    fn strlen(text: *const std::ffi::c_char) -> usize;
}

fn text(length: usize) -> CString {
    CString::new("x".repeat(length)).unwrap()
}

#[library_benchmark(setup = text)]
#[benches::n(10, 1000)]
fn length(text: CString) -> usize {
    unsafe { strlen(black_box(text.as_ptr())) }
}

main!();
"#;

const EMPTY: &str = r#"#![no_main]

#[no_mangle]
extern "C" fn main() -> i32 {
    0
}
"#;

/// Values of `LD_LIBRARY_PATH`.
const SEARCHED: [&str; 3] = ["", "/nonexistent", "/a/longer/path:/and/another/one:/x"];

/// Names of directories with the executables.
const DIRECTORIES: [&str; 2] = [
    "short",
    "a_name_that_is_longer_than_the_other_by_far_for_sure",
];

/// The most instructions by which the search for the last `/` differs in these directories.
const OF_SEARCH: u64 = 40;

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
        println!(
            "skipped: there are no packages `libc6` and `libc6-dev` of {release}, or no `patchelf`"
        );
        return Ok(());
    };
    let runner = runner::build()?;
    step("the same executable with both");
    write_project(folder)?;
    let executable = build(folder, &runner, "--bench=kernels", &[])?;
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
    check(&serde_json::from_str(&report)?)?;
    step("variables of the loader, and lengths of paths");
    check_surroundings(folder, &runner, None)?;
    check_surroundings(folder, &runner, Some(&library))
}

/// Counts of `/bin/true`, of empty programs and of a static executable are equal in all
/// surroundings. `library`: the unpacked C library, otherwise that of this machine.
fn check_surroundings(folder: &Path, runner: &Path, library: Option<&Path>) -> Result<()> {
    let flags = library.map_or_else(Vec::new, |root| {
        let libraries = root.join("usr/lib/x86_64-linux-gnu");
        // `libm.a` is a script with absolute paths.
        [
            format!("-Clink-arg=-B{}", libraries.display()),
            format!("-Clink-arg=-L{}", libraries.display()),
            format!("-Clink-arg=-Wl,--sysroot={}", root.display()),
        ]
        .to_vec()
    });
    let flags = [vec!["-Ctarget-feature=+crt-static".to_owned()], flags].concat();
    let system = folder.join("true");
    fs::copy("/bin/true", &system)?;
    if let Some(root) = library {
        patch(&system, root)?;
    }
    let files = [
        ("empty", build(folder, runner, "--bin=empty", &[])?),
        ("with_std", build(folder, runner, "--bin=with_std", &[])?),
        ("programs", build(folder, runner, "--bench=programs", &[])?),
        ("strlen", build(folder, runner, "--bench=strlen", &flags)?),
    ];
    let mut all = Vec::new();
    for name in DIRECTORIES {
        let directory = tempfile::Builder::new()
            .prefix(name)
            .rand_bytes(0)
            .tempdir_in(folder)?;
        for (name, file) in &files {
            let copy = directory.path().join(name);
            fs::copy(file, &copy)?;
            if let (Some(root), "empty" | "with_std") = (library, *name) {
                patch(&copy, root)?;
            }
        }
        for searched in SEARCHED {
            all.push(counts(directory.path(), runner, searched)?);
        }
    }
    let counts = [&all[0], &all[SEARCHED.len()]];
    println!("{counts:?}");
    ensure_equal(&all)
}

/// Instructions of each benchmark of the executables in a directory, by its path.
fn counts(directory: &Path, runner: &Path, searched: &str) -> Result<BTreeMap<String, u64>> {
    let home = tempfile::tempdir()?;
    for name in ["programs", "strlen"] {
        run(Command::new(runner)
            .args(["bench", "--exe"])
            .arg(directory.join(name))
            .args(["--", "--quiet", "--home"])
            .arg(home.path())
            .env("LD_LIBRARY_PATH", searched))?;
    }
    let merged = home.path().join("merged.jsonl");
    run(Command::new(runner)
        .args(["merge", "-o"])
        .arg(&merged)
        .arg(home.path()))?;
    let mut counts = BTreeMap::new();
    for line in fs::read_to_string(&merged)?.lines() {
        let record: Value = serde_json::from_str(line)?;
        let metrics = record["profiles"][0]["metrics"].as_array();
        let count = metrics.into_iter().flatten().find(|it| it["kind"] == "Ir");
        if let (Some(path), Some(count)) = (record["benchmark"]["path"].as_str(), count) {
            counts.insert(path.to_owned(), count["new"].as_u64().context("no count")?);
        }
    }
    Ok(counts)
}

/// The C library looks for the last `/` of `argv[0]`, which takes a few instructions more in a
/// longer path. The standard library reads the memory map of the process as well, in which the path
/// is, and whose number of lines is not always the same.
fn ensure_equal(all: &[BTreeMap<String, u64>]) -> Result<()> {
    let expected = all.first().context("nothing was counted")?;
    ensure!(expected.len() == 5, "{expected:?} are not 5 benchmarks");
    for (index, counts) in all.iter().enumerate() {
        let first = &all[index - index % SEARCHED.len()];
        for (path, count) in counts {
            let empty = path.ends_with("::empty");
            let with_std = path.ends_with("::with_std");
            let same_directory = *first.get(path).context("another benchmark")?;
            let any_directory = *expected.get(path).context("another benchmark")?;
            let most = match (with_std, empty) {
                (true, _) => any_directory / 200,
                (_, true) => OF_SEARCH,
                _ => 0,
            };
            ensure!(
                (with_std || *count == same_directory) && count.abs_diff(any_directory) <= most,
                "{path}: {count}; before {same_directory} in this directory, first {any_directory}"
            );
        }
        ensure!(
            counts.len() == expected.len(),
            "{counts:?} are not 5 benchmarks"
        );
    }
    Ok(())
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
    for words in [
        &["update", "-qq"][..],
        &["download", "-qq", "libc6", "libc6-dev"],
    ] {
        let mut command = Command::new("apt-get");
        command.args(&options).args(words).current_dir(&apt);
        if run(&mut command).is_err() {
            return Ok(None);
        }
    }
    let root = folder.join("root");
    let mut packages = 0;
    for entry in fs::read_dir(&apt)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "deb") {
            run(Command::new("dpkg").arg("-x").arg(path).arg(&root))?;
            packages += 1;
        }
    }
    ensure!(
        packages == 2,
        "`apt-get download` left {packages} packages instead of 2"
    );
    Ok(Some(root))
}

/// Writes the package whose targets are measured.
fn write_project(folder: &Path) -> Result<()> {
    let project = folder.join("project");
    for directory in ["benches", "src/bin"] {
        fs::create_dir_all(project.join(directory))?;
    }
    let library = workspace_root().join("iai-callgrind");
    let mut manifest = format!(
        "[package]\nname = \"other-libc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
         [dev-dependencies]\niai-callgrind = {{ path = {library:?} }}\n\n\
         [profile.bench]\ndebug = true\n"
    );
    for (name, text) in [
        ("kernels", BENCH),
        ("programs", PROGRAMS),
        ("strlen", STATIC),
    ] {
        manifest += &format!("\n[[bench]]\nname = {name:?}\nharness = false\n");
        fs::write(project.join(format!("benches/{name}.rs")), text)?;
    }
    fs::write(project.join("Cargo.toml"), manifest)?;
    fs::write(project.join("src/lib.rs"), "")?;
    fs::write(project.join("src/bin/empty.rs"), EMPTY)?;
    fs::write(project.join("src/bin/with_std.rs"), "fn main() {}\n")?;
    fs::copy(
        workspace_root().join("Cargo.lock"),
        project.join("Cargo.lock"),
    )?;
    Ok(())
}

/// Builds a target with these flags of the compiler, and returns its executable.
fn build(folder: &Path, runner: &Path, target: &str, flags: &[String]) -> Result<PathBuf> {
    let messages = output(
        cargo()
            .args(["rustc", "--profile=bench", "--message-format=json"])
            .args([target, "--"])
            .args(flags)
            .current_dir(folder.join("project"))
            .env_remove("CARGO_TARGET_DIR")
            .env(runner::RUNNER_VARIABLE, runner),
    )?;
    // Cargo names the programs of the package as well.
    let name = target.rsplit('=').next();
    let mut executables = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        if message["target"]["name"].as_str() != name {
            return None;
        }
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
    fn only_the_own_path_of_a_program_may_change_a_count() {
        let counts = |system: u64, empty: u64| {
            let names = ["p::system", "p::empty", "p::with_std", "s::n_0", "s::n_1"];
            let values = [system, empty, 420_000, 123, 230];
            BTreeMap::from_iter(names.map(str::to_owned).into_iter().zip(values))
        };
        let check = |other: [BTreeMap<String, u64>; 3]| {
            let first = [(); 3].map(|()| counts(100_000, 160_000));
            ensure_equal(&[first, other].concat())
        };
        let same = || counts(100_000, 160_000);
        assert!(check([same(), same(), same()]).is_ok());
        assert!(check([(); 3].map(|()| counts(100_000, 160_033))).is_ok());
        assert!(check([(); 3].map(|()| counts(100_000, 160_100))).is_err());
        assert!(check([(); 3].map(|()| counts(100_001, 160_000))).is_err());
        assert!(check([same(), counts(100_000, 160_001), same()]).is_err());
        assert!(ensure_equal(&[]).is_err());
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
