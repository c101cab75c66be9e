//! The files of `src/bin` compile although the manifest forbids every lint. Here: does it name all
//! lints of the compiler, do the files use all our macros, and do they run?

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of Rust whose lints the manifest has.
const LINTS_OF: &str = "rustc 1.95.";

/// Lints that the manifest does not forbid.
const LEFT_OUT: [(&str, &[&str]); 5] = [
    (
        "nightly compilers alone know them",
        &[
            "default_overrides_default_fields",
            "fuzzy_provenance_casts",
            "lossy_provenance_casts",
            "multiple_supertrait_upcastable",
            "must_not_suspend",
            "non_exhaustive_omitted_patterns",
            "resolving_to_items_shadowing_supertrait_items",
            "shadowing_supertrait_items",
            "test_unstable_lint",
            "unqualified_local_imports",
        ],
    ),
    (
        "it is about the package, of whose three dependencies each file uses one",
        &["unused_crate_dependencies"],
    ),
    ("other compilers have other lints", &["unknown_lints"]),
    (
        "macros that are unsafe stand in a block of their user; all other files forbid it",
        &["unsafe_code"],
    ),
    (
        "the copy of a benchmark function allows all warnings: rustc would show them twice",
        &["warnings"],
    ),
];

fn output(program: &str, words: &[&str]) -> String {
    let output = Command::new(program).args(words).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {}", program, stderr);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_manifest_forbids_every_lint() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    if !output(&rustc, &["--version"]).starts_with(LINTS_OF) {
        return;
    }
    let help = output(&rustc, &["-W", "help"]);
    let (_, list) = help.split_once("----  -------  -------\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let words = list.lines().map(|line| line.split_whitespace().next());
    let mut all: Vec<String> = words.map(|name| name.unwrap().replace('-', "_")).collect();
    all.sort();
    let manifest = include_str!("../Cargo.toml");
    let mut named: Vec<&str> = manifest
        .lines()
        .filter_map(|line| line.strip_suffix(" = \"forbid\""))
        .chain(LEFT_OUT.iter().flat_map(|(_, lints)| *lints).copied())
        .collect();
    named.sort_unstable();
    assert_eq!(named, all);
}

/// All files of Rust below a place, or the place itself if it is a file.
fn sources(place: &Path) -> Vec<PathBuf> {
    if place.is_file() {
        return vec![place.to_owned()];
    }
    let entries = fs::read_dir(place).unwrap();
    let mut all = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() || path.extension().map_or(false, |end| end == "rs") {
            all.extend(sources(&path));
        }
    }
    all
}

/// Names of the macros that a source exports, without those for other macros of ours.
fn exported(source: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for mark in [
        "#[macro_export]",
        "#[proc_macro]",
        "#[proc_macro_attribute]",
    ] {
        for (_, behind) in source
            .match_indices(mark)
            .map(|(at, _)| source.split_at(at))
        {
            let lines = behind.lines().map(str::trim_start);
            let name = lines
                .filter_map(|line| {
                    let name = line.strip_prefix("macro_rules! ");
                    name.or_else(|| line.strip_prefix("pub fn "))
                })
                .next()
                .unwrap();
            let is_end = |character: char| !character.is_alphanumeric() && character != '_';
            names.push(name.split(is_end).next().unwrap());
        }
    }
    names.retain(|name| !name.starts_with("__"));
    names
}

#[test]
fn the_files_use_every_macro() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().nth(3).unwrap();
    let mut used = String::new();
    for path in sources(&package.join("src/bin")) {
        let text = fs::read_to_string(&path).unwrap();
        let is_unsafe = path.ends_with("forbid_with_unsafe_blocks.rs");
        let forbids = text.contains("\n#![forbid(unsafe_code)]\n");
        assert_eq!(forbids, !is_unsafe, "{}", path.display());
        used += &text;
    }
    let mut number = 0;
    for place in [
        "iai-callgrind/src",
        "iai-callgrind-macros/src/lib.rs",
        "crates/criterion/src",
        "crates/divan/src",
        "crates/divan-macros/src/lib.rs",
    ] {
        for path in sources(&root.join(place)) {
            let source = fs::read_to_string(&path).unwrap();
            for name in exported(&source) {
                number += 1;
                let is_used = [
                    format!("{}!", name),
                    format!("[{}", name),
                    format!("::{}", name),
                ]
                .iter()
                .any(|form| used.contains(form.as_str()));
                assert!(is_used, "no file has `{}` of {}", name, path.display());
            }
        }
    }
    assert!(number >= 23, "only {} macros were found", number);
}

#[test]
fn the_files_run() {
    for executable in [
        env!("CARGO_BIN_EXE_forbid_binary"),
        env!("CARGO_BIN_EXE_forbid_criterion"),
        env!("CARGO_BIN_EXE_forbid_divan"),
        env!("CARGO_BIN_EXE_forbid_library"),
        env!("CARGO_BIN_EXE_forbid_no_prelude"),
        env!("CARGO_BIN_EXE_forbid_perf"),
        env!("CARGO_BIN_EXE_forbid_printing"),
        env!("CARGO_BIN_EXE_forbid_with_unsafe_blocks"),
        env!("CARGO_BIN_EXE_forbid_without_list"),
    ] {
        let stdout = output(executable, &["--test"]);
        assert!(
            stdout.ends_with("0 failed") || stdout.contains("ok"),
            "{}",
            stdout
        );
    }
}
