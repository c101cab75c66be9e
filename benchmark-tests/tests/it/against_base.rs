//! `iai-callgrind-runner bench --base`: a branch and the commit where it left `main`, measured, and
//! the transcript of that in README and book. It needs `git`, and `script` for a terminal.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use benchmark_tests::{build, user, Ended};

const BENCH: &str = r#"
use iai_callgrind::prelude::*;
use std::hint::black_box;

fn text(words: u64) -> String {
    (0..words).map(|n| format!("word{} ", n % 50)).collect()
}

#[library_benchmark]
#[bench::short(text(100))]
#[bench::long(text(10_000))]
fn frequencies(text: String) -> usize {
    words::frequencies(black_box(&text)).len()
}

main!();
"#;

const LOOKS_FIRST: &str = "match all.get_mut(word) {
            Some(count) => *count += 1,
            None => drop(all.insert(word.to_owned(), 1)),
        }";

const COPIES: &str = "*all.entry(word.to_owned()).or_insert(0) += 1;";

/// The function of the example in the README, which counts a word like this.
fn library(body: &str) -> String {
    format!(
        "use std::collections::BTreeMap;\n\npub fn frequencies(text: &str) -> BTreeMap<String, usize> {{\n    \
         let mut all = BTreeMap::new();\n    for word in text.split_whitespace() {{\n        {body}\n    }}\n    \
         all\n}}\n"
    )
}

/// The project is always in the same place, so that the dependencies of its base are built once;
/// those of the branch are built for all that do as a user does.
fn project() -> PathBuf {
    let project = Path::new(env!("CARGO_TARGET_TMPDIR")).join("against base/project");
    let _ = fs::remove_dir_all(&project);
    let manifest = format!(
        "[package]\nname = \"words\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[lib]\nbench = false\n\n\
         [dev-dependencies.iai-callgrind]\npath = {:?}\n\n[[bench]]\nname = \"counting\"\nharness = false\n\n\
         [profile.bench]\ndebug = true\ncodegen-units = 1\n\n[workspace]\n",
        user::library()
    );
    let lock = fs::read_to_string(user::library().join("../Cargo.lock")).unwrap();
    let files = [
        ("Cargo.toml", manifest.as_str()),
        ("Cargo.lock", &lock),
        (".gitignore", "target\n"),
        ("benches/counting.rs", BENCH),
        ("src/lib.rs", &library(LOOKS_FIRST)),
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

const LINE: &str = "bench --base -- --callgrind-limits=ir=5%";

const WITH_MARKDOWN: &str =
    "bench --base --export markdown=../report.md -- --callgrind-limits=ir=5%";

fn run(project: &Path, program: impl AsRef<OsStr>, words: &[&str]) -> Ended {
    let mut command = user::command(program);
    let places = project.parent().unwrap();
    let output = command
        .args(words)
        .current_dir(project)
        .env("XDG_CACHE_HOME", places.join("caches"))
        .env("CARGO_TARGET_DIR", places.with_file_name("users"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Ended {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status,
    }
}

fn bench(project: &Path) -> Ended {
    let words = Vec::from_iter(WITH_MARKDOWN.split(' '));
    run(project, build::runner(), &words)
}

/// What a terminal of 80 columns shows, without colors.
fn on_a_terminal(project: &Path) -> String {
    let runner = build::runner();
    let line = format!(
        "stty cols 80; NO_COLOR=1 '{}' {LINE} 2>/dev/null",
        runner.display()
    );
    let ended = run(project, "script", &["-qec", &line, "/dev/null"]);
    ended.stdout.replace('\r', "")
}

/// The transcript in a document: what follows the command line in its block.
fn transcript(document: &str) -> String {
    let path = user::library().join("..").join(document);
    let text = fs::read_to_string(path).unwrap();
    let (_, rest) = text
        .split_once("$ iai-callgrind-runner bench --base")
        .unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    rest.split_once("\n```").unwrap().0.to_owned()
}

/// The Markdown in the README: the report as far as its causes.
fn markdown_of_readme() -> String {
    let path = user::library().join("../README.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, rest) = text
        .split_once("<!-- MARKDOWN: of the same run -->")
        .unwrap();
    rest.split_once("<!-- END -->").unwrap().0.to_owned()
}

/// A text without its numbers and hashes, which depend on machine and day, and without the hint at
/// the end.
fn skeleton(text: &str) -> Vec<String> {
    let is_hash = |word: &str| {
        let word = word.trim_matches('`');
        word.len() >= 7 && word.chars().all(|it| it.is_ascii_hexdigit())
    };
    let lines = text.lines().filter(|line| !line.starts_with("  hint:"));
    let lines = lines.map(|line| {
        let words = line.split_whitespace().map(|word| match is_hash(word) {
            true => "0".to_owned(),
            false => word.replace(|it: char| it.is_ascii_digit(), "0"),
        });
        let mut line = words.collect::<Vec<_>>().join(" ");
        while line.contains("00") {
            line = line.replace("00", "0");
        }
        line
    });
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_transcript_of_the_readme_is_what_the_command_shows() {
    let project = project();
    git(&project, &["init", "--quiet", "--initial-branch=main"]);
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "--quiet", "--message", "Count words"]);
    git(&project, &["switch", "--quiet", "--create", "shorter"]);
    fs::write(project.join("src/lib.rs"), library(COPIES)).unwrap();
    let title = "Write it in one line";
    git(
        &project,
        &["commit", "--quiet", "--all", "--message", title],
    );
    let index = || fs::read(project.join(".git/index")).unwrap();
    let before = index();

    let shown = [
        "`Count words` (merge base with main)\n",
        "Regressed (1)\n  words counting::main::frequencies::long",
        "  Why  Instructions +",
        "  words::frequencies  src/lib.rs:6\n",
        "allocates 57 -> 10,007 blocks\n",
        "Iai-Callgrind result: Regressed. 2 compared; 1 regressed; ",
    ];
    let first = bench(&project).code(3);
    first.shows(&shown).says(&["\nmeasuring ", "`Count words`"]);
    let kept = bench(&project).code(3).shows(&shown);
    assert!(!kept.stderr.contains("`Count words`"), "{kept}");
    assert!(index() == before, "the index has the same bytes");
    assert_eq!(git(&project, &["status", "--porcelain"]), "");

    let found = on_a_terminal(&project);
    for document in ["README.md", "docs/two-commits.md"] {
        let written = transcript(document);
        assert_eq!(skeleton(&written), skeleton(&found), "{document}:\n{found}");
    }
    let report = fs::read_to_string(project.join("../report.md")).unwrap();
    let (_, report) = report.split_once('\n').unwrap();
    let (report, _) = report
        .split_once("<details><summary>Circumstances")
        .unwrap();
    assert_eq!(
        skeleton(&markdown_of_readme()),
        skeleton(report),
        "{report}"
    );
}
