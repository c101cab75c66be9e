//! `iai-callgrind-runner bench --base`: a branch and the commit where it left `main`, measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use benchmark_tests::{build, user, Ended};

const BENCH: &str = "
use std::hint::black_box;

use iai_callgrind::{library_benchmark, main};

#[library_benchmark]
fn sum() -> u64 {
    against_base::sum(black_box(1000))
}

main!();
";

/// A function with this body of its loop.
fn library(body: &str) -> String {
    format!(
        "use std::hint::black_box;\n\npub fn sum(n: u64) -> u64 {{\n    let mut sum = 0;\n    \
         for i in 0..n {{\n        {body}\n    }}\n    sum\n}}\n"
    )
}

/// The project is always in the same place, so that the dependencies of its base are built once.
fn project() -> PathBuf {
    let project = Path::new(env!("CARGO_TARGET_TMPDIR")).join("against base/project");
    let _ = fs::remove_dir_all(&project);
    let manifest = format!(
        "[package]\nname = \"against_base\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[lib]\nbench = false\n\n\
         [dev-dependencies.iai-callgrind]\npath = {:?}\n\n[[bench]]\nname = \"sums\"\nharness = false\n\n\
         [profile.bench]\ndebug = true\n\n[workspace]\n",
        user::library()
    );
    let lock = fs::read_to_string(user::library().join("../Cargo.lock")).unwrap();
    let files = [
        ("Cargo.toml", manifest.as_str()),
        ("Cargo.lock", &lock),
        (".gitignore", "target\n"),
        ("benches/sums.rs", BENCH),
        ("src/lib.rs", &library("sum += black_box(i);")),
    ];
    for (name, text) in files {
        let path = project.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    // Cargo leaves out of the lock file what this package does not need, before it is committed.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut metadata = Command::new(cargo);
    metadata.args(["metadata", "--offline", "--format-version=1"]);
    let output = metadata.current_dir(&project).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    project
}

fn git(project: &Path, words: &[&str]) -> String {
    let who = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    let mut git = Command::new("git");
    git.args(who).args(words).current_dir(project);
    let output = git.output().unwrap();
    assert!(output.status.success(), "git {words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn bench(project: &Path) -> Ended {
    let mut command = Command::new(build::runner());
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("IAI_CALLGRIND") || name.starts_with("CARGO_PKG") {
            command.env_remove(name);
        }
    }
    let places = project.parent().unwrap();
    let output = command
        .args(["bench", "--base", "--", "--callgrind-limits=ir=5%"])
        .current_dir(project)
        .env("XDG_CACHE_HOME", places.join("caches"))
        .env("CARGO_TARGET_DIR", places.join("target"))
        .output()
        .unwrap();
    Ended {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status,
    }
}

#[test]
fn a_branch_is_compared_with_its_base_and_explained() {
    let project = project();
    git(&project, &["init", "--quiet", "--initial-branch=main"]);
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "--quiet", "--message", "Sum"]);
    git(&project, &["switch", "--quiet", "--create", "topic"]);
    let slower = library("sum += black_box(i) + black_box(1);");
    fs::write(project.join("src/lib.rs"), slower).unwrap();
    git(
        &project,
        &["commit", "--quiet", "--all", "--message", "Add"],
    );
    let index = || fs::read(project.join(".git/index")).unwrap();
    let before = index();

    let shown = [
        "`Sum` (merge base with main)\n",
        "Regressed (1)\n  against_base sums::main::sum",
        "  Why  Instructions +",
        "  against_base::sum  src/lib.rs:",
        "Iai-Callgrind result: Regressed. 1 compared; 1 regressed; ",
    ];
    let first = bench(&project).code(3);
    first.shows(&shown).says(&["\nmeasuring ", "`Sum`"]);
    let kept = bench(&project).code(3).shows(&shown);
    assert!(!kept.stderr.contains("`Sum`"), "{kept}");
    assert!(index() == before, "the index has the same bytes");
    assert_eq!(git(&project, &["status", "--porcelain"]), "");
}
