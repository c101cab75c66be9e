//! Benchmark files that do not compile; those that do are the package `tests/accepted`.
//!
//! `tests/ui/fail` has our error texts. `tests/ui/types` has errors of rustc that have to point at
//! what the user wrote; their wording belongs to one version of Rust.

/// The version of Rust whose error texts `tests/ui/types` holds.
const TEXTS_OF: &str = "rustc 1.95.";

#[test]
fn refused() {
    trybuild::TestCases::new().compile_fail("tests/ui/fail/*.rs");
}

#[test]
fn types_are_reported_at_the_value() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = std::process::Command::new(rustc).arg("--version").output();
    let version = version.expect("rustc tells its version").stdout;
    if version.starts_with(TEXTS_OF.as_bytes()) {
        trybuild::TestCases::new().compile_fail("tests/ui/types/*.rs");
    }
}
