//! Facts from the command line of the compiler that runs the macro.
//!
//! A macro learns neither the name that its user gave the library, nor whether a file is compiled
//! with the harness of `cargo test`. The command line has both. An editor has no such command line:
//! there the names come from the manifest, and the harness is not asked for.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The name of the library for its users who do not rename it.
const LIBRARY: &str = "iai_callgrind";

/// The package in a manifest.
const PACKAGE: &str = "iai-callgrind";

/// The path of the library: `::iai_callgrind`, or with the name that the dependency has in this
/// package.
pub(crate) fn library() -> TokenStream {
    let arguments = arguments();
    let name = of_dependency(&arguments).or_else(|| {
        let is_compiler = has(&arguments, "--crate-name");
        let package = std::env::var_os("CARGO_MANIFEST_DIR").filter(|_| !is_compiler)?;
        of_manifests(Path::new(&package))
    });
    let name = Ident::new(name.as_deref().unwrap_or(LIBRARY), Span::call_site());
    quote!(::#name)
}

/// The text for a file that is compiled with the harness of `cargo test`, which would run nothing
/// of it.
///
/// Only for targets that cargo calls benches and tests: others can have a harness when they are
/// checked, and still run with their own `main`.
pub(crate) fn harness() -> Option<String> {
    std::env::var_os("CARGO_TARGET_TMPDIR")?;
    let arguments = arguments();
    if !has(&arguments, "--crate-name") || !has(&arguments, "--test") {
        return None;
    }
    let file = arguments.iter().find(|word| word.ends_with(".rs"))?;
    Some(without_harness(Path::new(file)))
}

/// The lines to write for a target with this file.
fn without_harness(file: &Path) -> String {
    let folders = file.iter().map(OsStr::to_str);
    let folders: Vec<_> = folders.map(Option::unwrap_or_default).collect();
    // The last of these folders decides.
    let is_kind = |folder: &&&str| ["benches", "tests"].contains(*folder);
    let kind = match folders.iter().rfind(is_kind) {
        Some(&"tests") => "test",
        _ => "bench",
    };
    // `benches/name.rs` or `benches/name/main.rs`.
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let name = match (stem, folders.as_slice()) {
        (Some("main"), [.., folder, _]) if *folder != "src" => Some(*folder),
        (stem, _) => stem,
    };
    let name = name.unwrap_or_default();
    format!(
        "this file is built with Rust's test harness, which would run none of its benchmarks; write into \
         `Cargo.toml`:\n[[{kind}]]\nname = \"{name}\"\nharness = false"
    )
}

fn has(arguments: &[String], expected: &str) -> bool {
    arguments.iter().any(|word| word == expected)
}

/// The words of the command line. Long ones are in files.
fn arguments() -> Vec<String> {
    let mut arguments = Vec::new();
    for word in std::env::args_os().skip(1) {
        let Ok(word) = word.into_string() else {
            continue;
        };
        match word.strip_prefix('@').map(fs::read_to_string) {
            Some(Ok(text)) => arguments.extend(text.lines().map(str::to_owned)),
            _ => arguments.push(word),
        }
    }
    arguments
}

/// The name of the library among the dependencies of the compiled crate: `--extern
/// NAME=libiai_callgrind-1.rlib`. Where it has its own name, it is known by that.
fn of_dependency(arguments: &[String]) -> Option<String> {
    let mut found = None;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--extern") {
            Some("") => words.next().map(String::as_str),
            Some(value) => value.strip_prefix('='),
            None => None,
        };
        let Some((name, path)) = value.and_then(|value| value.split_once('=')) else {
            continue;
        };
        // In front there may be options: `priv,noprelude:NAME`.
        let name = name.rsplit(':').next().unwrap_or(name);
        let is_library = Path::new(path)
            .file_name()
            .and_then(|file| file.to_str()?.strip_prefix("lib")?.strip_prefix(LIBRARY))
            .is_some_and(|rest| rest.starts_with(['-', '.']));
        match (is_library, name == LIBRARY) {
            (true, true) => return Some(name.to_owned()),
            (true, false) => found = Some(name.to_owned()),
            (false, _) => {}
        }
    }
    found
}

/// The name of the dependency in the manifest of a package, or in that of its workspace.
fn of_manifests(package: &Path) -> Option<String> {
    let read = |folder: &Path| fs::read_to_string(folder.join("Cargo.toml")).ok();
    let own = read(package)?;
    let outer = package.ancestors().skip(1);
    let mut outer = outer.filter_map(|folder| renamed(&read(folder)?));
    // The name in the workspace counts only where this package inherits it.
    let name = renamed(&own).or_else(|| outer.find(|name| own.contains(name.as_str())))?;
    Some(name.replace('-', "_"))
}

/// The key of the dependency whose `package` is the library. Reads no more of a manifest than its
/// tables of dependencies: whatever else it says, and in whatever form, has no such line.
fn renamed(manifest: &str) -> Option<String> {
    let mut table = "";
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            table = header.split(']').next().unwrap_or_default();
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        let key = if table.ends_with("dependencies") {
            match key.strip_suffix(".package") {
                Some(key) if is_library(value) => key,
                None if of_inline_table(value).is_some_and(is_library) => key,
                _ => continue,
            }
        } else {
            match table.rsplit_once("dependencies.") {
                Some((_, name)) if key == "package" && is_library(value) => name,
                _ => continue,
            }
        };
        return Some(key.trim_matches(['"', '\'']).to_owned());
    }
    None
}

/// The text after `package =` in an inline table.
fn of_inline_table(value: &str) -> Option<&str> {
    let mut fields = value.strip_prefix('{')?.split(',');
    fields.find_map(|field| {
        let value = field.trim_start().strip_prefix("package")?;
        value.trim_start().strip_prefix('=')
    })
}

/// Does the value begin with the quoted name of the package?
fn is_library(value: &str) -> bool {
    let value = value.trim_start();
    let name = value
        .strip_prefix(['"', '\''])
        .and_then(|value| value.strip_prefix(PACKAGE));
    name.is_some_and(|rest| rest.starts_with(['"', '\'']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_that_of_the_dependency() {
        #[track_caller]
        fn check(line: &str, expected: Option<&str>) {
            let arguments: Vec<_> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(of_dependency(&arguments).as_deref(), expected, "{line}");
        }
        let own = "--extern iai_callgrind=/t/deps/libiai_callgrind-1f.rlib";
        let renamed = "--extern gungraun=/t/deps/libiai_callgrind-2f.rmeta";
        check(own, Some("iai_callgrind"));
        check(renamed, Some("gungraun"));
        check(&format!("{renamed} {own}"), Some("iai_callgrind"));
        check(
            "--extern=priv,noprelude:count=libiai_callgrind.rlib",
            Some("count"),
        );
        check(
            "--extern iai_callgrind_macros=libiai_callgrind_macros-1.so",
            None,
        );
        check("--extern iai_callgrind", None);
        check("--extern", None);
        check("--crate-name a b.rs", None);
    }

    #[test]
    fn the_lines_for_a_target_without_harness() {
        #[track_caller]
        fn check(file: &str, kind: &str, name: &str) {
            let text = without_harness(Path::new(file));
            let lines = format!("\n[[{kind}]]\nname = \"{name}\"\nharness = false");
            assert!(text.ends_with(&lines), "{text}");
        }
        check("benches/my-bench.rs", "bench", "my-bench");
        check("crates/a/benches/all/main.rs", "bench", "all");
        check("/home/u/a/tests/counts.rs", "test", "counts");
        check("/tests/a/benches/counts.rs", "bench", "counts");
    }

    #[test]
    fn manifests_say_which_dependency_was_renamed() {
        #[track_caller]
        fn check(manifest: &str, expected: Option<&str>) {
            assert_eq!(renamed(manifest).as_deref(), expected, "{manifest}");
        }
        let inline = "{ version = \"0.17\", package = \"iai-callgrind\" }";
        check(
            &format!("[dev-dependencies]\na = \"1\"\ngungraun = {inline}"),
            Some("gungraun"),
        );
        check(
            &format!("[workspace.dependencies]\n\"my-count\" = {inline}"),
            Some("my-count"),
        );
        check(
            "[dependencies]\ncount = {package='iai-callgrind'}",
            Some("count"),
        );
        check(
            "[dependencies]\ncounts = { path = \"../packages/c\", package = \"iai-callgrind\" }",
            Some("counts"),
        );
        check(
            "[target.'cfg(unix)'.dependencies.count]\npackage = \"iai-callgrind\"",
            Some("count"),
        );
        check(
            "[dependencies]\ncount.package = \"iai-callgrind\"",
            Some("count"),
        );
        check("[dependencies]\niai-callgrind = \"0.17\"", None);
        check(
            "[dependencies]\ncount = { package = \"iai-callgrind-runner\" }",
            None,
        );
        check("[package]\nname = \"iai-callgrind\"", None);
        check(&format!("[package.metadata]\ncount = {inline}"), None);
        check("", None);
    }
}
