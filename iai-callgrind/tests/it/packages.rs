//! Settings in the manifest of a package: the name of the library, and benchmark files without a
//! harness.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FILE: &str = r#"
use LIBRARY::prelude::*;

#[library_benchmark]
#[benches::twice(iter = [1, 2])]
fn number(n: u64) -> u64 {
    n
}

#[LIBRARY::library_benchmark(config = LIBRARY::LibraryBenchmarkConfig::default())]
async fn later() {}

library_benchmark_group!(name = group, benchmarks = [number, later]);
LIBRARY::main!(library_benchmark_groups = group);
"#;

const PROGRAMS: &str = r#"
use LIBRARY::prelude::*;

#[binary_benchmark]
#[bench::one(1)]
fn program(n: u64) -> Command {
    Command::new("true").arg(n.to_string()).build()
}

LIBRARY::main!();
"#;

/// A workspace whose packages have one benchmark file each.
struct Workspace(PathBuf);

impl Workspace {
    /// `packages`: name, lines of the manifest and the file of each.
    fn new(name: &str, dependencies: &str, packages: &[(&str, &str, String)]) -> Self {
        let name = format!("packages-{name}-{}", std::process::id());
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for (package, manifest, file) in packages {
            let folder = root.join(package);
            fs::create_dir_all(folder.join("src")).unwrap();
            fs::create_dir_all(folder.join("benches")).unwrap();
            let manifest = format!(
                "[package]\nname = \"{package}\"\nedition = \"2024\"\n\n[lib]\nbench = false\n\n{}",
                manifest.replace("PATH", env!("CARGO_MANIFEST_DIR"))
            );
            fs::write(folder.join("Cargo.toml"), manifest).unwrap();
            fs::write(folder.join("src/lib.rs"), "").unwrap();
            fs::write(folder.join("benches/my-bench.rs"), file).unwrap();
        }
        let dependencies = dependencies.replace("PATH", env!("CARGO_MANIFEST_DIR"));
        let manifest =
            format!("[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n\n{dependencies}");
        fs::write(root.join("Cargo.toml"), manifest).unwrap();
        fs::copy(repository.join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
        Self(root)
    }

    /// Cargo in this workspace. What it compiles is there for all that do as a user does.
    fn cargo(&self, words: &str) -> Output {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap());
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("CARGO_PKG") || name.starts_with("IAI_CALLGRIND") {
                cargo.env_remove(name);
            }
        }
        cargo
            .args(words.split(' '))
            .arg("--offline")
            .current_dir(&self.0)
            .env(
                "CARGO_TARGET_DIR",
                concat!(env!("CARGO_TARGET_TMPDIR"), "/users"),
            );
        cargo.output().unwrap()
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

const BENCH: &str = "\n\n[[bench]]\nname = \"my-bench\"\nharness = false\n";

#[test]
fn the_library_has_the_name_of_the_dependency() {
    let own = |line: &str| format!("{line}{BENCH}");
    let inline =
        own("[dev-dependencies]\nshort-name = { package = \"iai-callgrind\", path = \"PATH\" }");
    let inherited = own("[dev-dependencies]\ncounts.workspace = true");
    let programs = own("[dev-dependencies.counts]\nworkspace = true");
    let workspace = Workspace::new(
        "renamed",
        "[workspace.dependencies]\ncounts = { package = \"iai-callgrind\", path = \"PATH\" }\n",
        &[
            ("inline", &inline, FILE.replace("LIBRARY", "short_name")),
            ("inherited", &inherited, FILE.replace("LIBRARY", "counts")),
            ("programs", &programs, PROGRAMS.replace("LIBRARY", "counts")),
        ],
    );
    let output = workspace.cargo("test --quiet --benches");
    let (stdout, stderr) = texts(&output);
    assert!(output.status.success(), "{stdout}{stderr}");
    let count = |text| stdout.matches(text).count();
    assert_eq!(
        count("test my_bench::group::number::twice_1 ... ok"),
        2,
        "{stdout}"
    );
    assert_eq!(
        count("test my_bench::main::program::one ... ok"),
        1,
        "{stdout}"
    );
}

#[test]
fn a_file_that_would_run_nothing_says_what_to_write() {
    let dependency = "[dev-dependencies]\niai-callgrind.path = \"PATH\"\n";
    let file = FILE.replace("LIBRARY", "iai_callgrind");
    let (before, _) = file.split_once("library_benchmark_group!").unwrap();
    let own_main = format!("{before}\nfn main() {{}}\n").replace("prelude::*", "library_benchmark");
    let workspace = Workspace::new(
        "nothing",
        "",
        &[
            ("with_harness", dependency, file.clone()),
            ("own_main", &format!("{dependency}{BENCH}"), own_main),
        ],
    );

    let lines = ["[[bench]]", "name = \"my-bench\"", "harness = false"];
    let words = [
        "check --benches",
        "test --benches",
        "bench --no-run --profile dev",
    ];
    for words in words {
        let output = workspace.cargo(&format!("{words} --package with_harness"));
        let (_, stderr) = texts(&output);
        assert!(!output.status.success(), "{words}");
        assert!(lines.iter().all(|line| stderr.contains(line)), "{stderr}");
        assert_eq!(stderr.matches("error: ").count(), 2, "{stderr}");
    }

    let text = "my-bench.rs:4: there are benchmarks in this file, and its `main` runs none of them";
    let hint = "hint: write `iai_callgrind::main!();` instead of `fn main() { .. }`";
    let check = |words: &str, kind: &str, is_good: bool| {
        let output = workspace.cargo(&format!("{words} --package own_main"));
        let (_, stderr) = texts(&output);
        assert_eq!(output.status.success(), is_good, "{stderr}");
        assert!(
            stderr.contains(&format!("{kind}: own_main/benches/{text}")),
            "{stderr}"
        );
        assert!(stderr.contains(hint), "{stderr}");
        // Once, however many functions there are.
        assert_eq!(stderr.matches(hint).count(), 1, "{stderr}");
    };
    check("bench --profile dev", "error", false);
    check("test --benches", "warning", true);
}
