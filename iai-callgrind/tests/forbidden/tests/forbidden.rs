//! The files of `src/bin` compile although the manifest forbids every lint. Here: does it name all
//! lints of the compiler, and do the files run?

use std::process::Command;

/// The version of Rust whose lints the manifest has.
const LINTS_OF: &str = "rustc 1.95.";

/// Lints that the manifest does not forbid.
const LEFT_OUT: [(&str, &[&str]); 4] = [
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

#[test]
fn the_files_run() {
    for executable in [
        env!("CARGO_BIN_EXE_forbid_binary"),
        env!("CARGO_BIN_EXE_forbid_criterion"),
        env!("CARGO_BIN_EXE_forbid_divan"),
        env!("CARGO_BIN_EXE_forbid_library"),
        env!("CARGO_BIN_EXE_forbid_no_prelude"),
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
