//! A wanted regression on its way: measured against the base, accepted, merged, forgotten. The page
//! `docs/ci.md` shows what this test sees.

use std::fs;
use std::path::{Path, PathBuf};

use benchmark_tests::build;
use benchmark_tests::user::{self, Package, PROFILE};

const LIB: &str = "/// The first letters of all words.
pub fn initials(text: &str) -> String {
    text.split(' ').filter_map(|word| word.chars().next()).collect()
}

/// The number of words.
pub fn words(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b' ').count() + 1
}
";

const BENCH: &str = "use std::hint::black_box;

use iai_callgrind::{library_benchmark, main};

#[library_benchmark]
#[bench::name(\"Augusta Ada King, Countess of Lovelace\")]
fn initials(text: &str) -> String {
    text_tools::initials(black_box(text))
}

#[library_benchmark]
#[bench::name(\"Augusta Ada King, Countess of Lovelace\")]
fn words(text: &str) -> usize {
    text_tools::words(black_box(text))
}

main!();
";

/// A command, and the exit code that it has to have; some are not worth a line on the page.
struct Step {
    line: &'static str,
    code: i32,
    is_shown: bool,
}

const fn shown(line: &'static str, code: i32) -> Step {
    Step {
        line,
        code,
        is_shown: true,
    }
}

const fn hidden(line: &'static str) -> Step {
    Step {
        line,
        code: 0,
        is_shown: false,
    }
}

const STEPS: [Step; 23] = [
    hidden("git init --quiet --initial-branch=main && printf '/target\\n/main.jsonl\\n/base\\n' > .gitignore"),
    hidden("cargo metadata --format-version=1 > /dev/null && git add . && git commit --quiet --message='Tools for texts'"),
    shown("cargo bench --quiet -- --exit-zero > main.log", 0),
    shown("iai-callgrind-runner merge -o main.jsonl target/iai", 0),
    hidden("cp -r target/iai base"),
    shown("git switch --quiet --create ignore-case", 0),
    hidden("sed -i \"s/text.split(' ').filter_map/text.to_lowercase().split(' ').filter_map/\" src/lib.rs"),
    shown("git diff --unified=0 src | tail -n 2", 0),
    hidden("git commit --quiet --all --message='Ignore the case'"),
    shown("cargo bench --quiet -- --exit-zero > branch.log", 0),
    shown("iai-callgrind-runner compare --callgrind-limits=ir=5% main.jsonl target/iai", 3),
    // Causes are the same from directories and from files, in every format.
    hidden("iai-callgrind-runner compare --callgrind-limits=ir=5% base target/iai | grep 'src/lib.rs:3$'"),
    hidden("iai-callgrind-runner merge -o target/branch.jsonl target/iai"),
    hidden("iai-callgrind-runner compare --callgrind-limits=ir=5% --format=markdown main.jsonl target/branch.jsonl | grep '`text_tools::initials` src/lib.rs:3'"),
    hidden("for format in github gitlab junit; do iai-callgrind-runner compare --callgrind-limits=ir=5% --format=$format main.jsonl target/branch.jsonl | grep 'text_tools::initials src/lib.rs:3: calls str::to_lowercase' || exit 9; done"),
    // The digest of a small benchmark takes 12 kB of a file on average.
    hidden("test $(grep '\"type\":\"digest\"' target/branch.jsonl | wc -c) -le 24000"),
    shown("iai-callgrind-runner accept --callgrind-limits=ir=5% --reason='case is noise' main.jsonl target/iai", 0),
    shown("cat iai-accepted.toml", 0),
    shown("iai-callgrind-runner compare --callgrind-limits=ir=5% main.jsonl target/iai", 0),
    hidden("git add iai-accepted.toml && git commit --quiet --message='Accept the costs' && git switch --quiet main"),
    shown("git merge --quiet ignore-case && cargo bench --quiet -- --exit-zero > main.log", 0),
    shown("iai-callgrind-runner merge -o main.jsonl target/iai", 0),
    shown("iai-callgrind-runner accept --prune main.jsonl target/iai", 0),
];

/// A repository with a crate.
struct Repository {
    package: Package,
    path: std::ffi::OsString,
}

impl Repository {
    fn new() -> Self {
        let manifest = format!(
            "[dev-dependencies.iai-callgrind]\npath = {:?}\n\n[[bench]]\nname = \"text\"\nharness = false\n\n\
             [lib]\nbench = false\n\n{PROFILE}",
            user::library()
        );
        let files = [("src/lib.rs", LIB), ("benches/text.rs", BENCH)];
        let runner = build::runner();
        let programs = runner.parent().unwrap().to_owned();
        let old = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&old)));
        Self {
            package: Package::new("text-tools", &manifest, &files),
            path: path.unwrap(),
        }
    }

    /// Output of a command of the shell.
    fn run(&self, step: &Step) -> String {
        let mut shell = user::command("sh");
        shell.args(["-c", &format!("exec 2>&1; {}", step.line)]);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("GITHUB_") {
                shell.env_remove(name);
            }
        }
        for person in ["GIT_AUTHOR", "GIT_COMMITTER"] {
            shell.env(format!("{person}_NAME"), "A developer");
            shell.env(format!("{person}_EMAIL"), "developer@localhost");
            shell.env(format!("{person}_DATE"), "2026-11-22T10:00:00Z");
        }
        let output = shell
            .current_dir(self.package.path())
            .env("PATH", &self.path)
            .env("IAI_CALLGRIND_HOME", "target/iai")
            // The dependencies are built once for all users.
            .env(
                "CARGO_TARGET_DIR",
                concat!(env!("CARGO_TARGET_TMPDIR"), "/users"),
            )
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            output.status.code(),
            Some(step.code),
            "`{}`\n{text}",
            step.line
        );
        text
    }
}

/// The commands and their output, as the page shows them.
fn transcript() -> String {
    let repository = Repository::new();
    let mut transcript = String::new();
    for step in &STEPS {
        let output = repository.run(step);
        if step.is_shown {
            transcript += &format!("$ {}\n{output}", step.line);
            if step.code != 0 {
                transcript += &format!("# exit code {}\n", step.code);
            }
        }
    }
    transcript
}

/// The block of the page behind its heading, with what stands before and after it.
fn page(text: &str) -> (&str, &str, &str) {
    let heading = text
        .find("### A change from base to merge")
        .expect("the page has the heading");
    let begin =
        heading + text[heading..].find("```console\n").expect("and a block") + "```console\n".len();
    let end = begin + text[begin..].find("```").expect("which ends");
    (&text[..begin], &text[begin..end], &text[end..])
}

/// Without what another compiler or another day changes: numbers and hashes.
fn without_numbers(text: &str) -> String {
    let is_hash = |word: &str| word.len() == 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let word = |word: &str| match is_hash(word) {
        true => "#".to_owned(),
        false => word
            .split(|character: char| character.is_ascii_digit() || ".,+-".contains(character))
            .filter(|rest| !rest.is_empty())
            .collect::<Vec<_>>()
            .join("#"),
    };
    let line = |line: &str| {
        line.split_whitespace()
            .map(word)
            .collect::<Vec<_>>()
            .join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_wanted_regression_is_accepted_and_forgotten() {
    let seen = transcript();
    let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ci.md");
    let text = fs::read_to_string(&file).unwrap();
    let (before, shown, after) = page(&text);
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        fs::write(&file, format!("{before}{seen}{after}")).unwrap();
        return;
    }
    assert_eq!(
        without_numbers(&seen),
        without_numbers(shown),
        "docs/ci.md shows something else (SNAPSHOTS=overwrite writes it):\n{seen}"
    );
    for part in [
        "Regressed",
        "text::main::initials::name",
        "iai-accepted.toml",
        "case is noise",
    ] {
        assert!(seen.contains(part), "{part} is missing in\n{seen}");
    }
}
