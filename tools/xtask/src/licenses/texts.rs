//! The file with the licences of what the runner links: a table of all packages with their sources,
//! then the texts, each once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{ensure, Context, Result};

use super::packages::Package;
use super::rules::Rules;

const HEAD: &str = "\
What iai-callgrind-runner links of others
=========================================

Executables of iai-callgrind-runner contain the packages of this table, unchanged. Of several licences that a package
offers, the named one is taken; the texts are below. The source of each package is at the address beside it. The
executables contain parts of Rust's standard library as well (https://github.com/rust-lang/rust, MIT or Apache-2.0).
Static ones contain the C library musl (https://musl.libc.org, MIT, Copyright © 2005-2020 Rich Felker, et al.).

This file is written by `cargo xtask licenses --write`.
";

/// Names of files with licences begin with one of these.
const BEGINS: [&str; 6] = [
    "LICENSE",
    "LICENCE",
    "COPYING",
    "COPYRIGHT",
    "NOTICE",
    "UNLICENSE",
];

/// The whole file.
pub(super) fn of(packages: &[Package], rules: &Rules) -> Result<String> {
    let mut table = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages {
        let Package { name, version, .. } = package;
        let taken = rules.licenses(package)?;
        let taken: Vec<String> = taken.iter().map(ToString::to_string).collect();
        let named = format!("{name} {version}");
        let source = format!("https://crates.io/crates/{name}/{version}");
        table += &format!("{named:<32} {:<14} {source}\n", taken.join(" AND "));
        for text in license_texts(package, &taken)? {
            texts.entry(text).or_default().push(named.clone());
        }
    }
    // In the order of the table.
    let mut texts: Vec<_> = texts.into_iter().collect();
    texts.sort_by(|(_, a), (_, b)| a.cmp(b));
    let mut file = format!("{HEAD}\n{table}");
    for (text, packages) in texts {
        let rule = "-".repeat(80);
        file += &format!("\n{rule}\n{}\n{rule}\n\n{text}\n", packages.join(", "));
    }
    Ok(file)
}

/// The texts of these licences of a package.
fn license_texts(package: &Package, taken: &[String]) -> Result<Vec<String>> {
    let names = file_names(&package.directory)?;
    let chosen = chosen(&names, taken);
    if chosen.is_empty() {
        if let Some(text) = of_source(package, taken) {
            return Ok(vec![text]);
        }
    }
    ensure!(
        !chosen.is_empty(),
        "{} {} has no text of its licence",
        package.name,
        package.version
    );
    let text = |name: &String| {
        let path = package.directory.join(name);
        let text = fs::read_to_string(&path);
        let text = text.with_context(|| format!("cannot read `{}`", path.display()))?;
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        Ok(lines.join("\n").trim_matches('\n').to_owned())
    };
    chosen.into_iter().map(text).collect()
}

/// The text for a package that names the MIT licence and whose copyright it is in its source, and
/// nowhere else.
fn of_source(package: &Package, taken: &[String]) -> Option<String> {
    let source = fs::read_to_string(package.directory.join("src/lib.rs")).ok()?;
    let mut lines = source.lines();
    let is_mit = taken == ["MIT"] && lines.next()? == "// SPDX-License-Identifier: MIT";
    let copyright = lines.next()?.strip_prefix("// ")?;
    let is_there = is_mit && copyright.starts_with("Copyright");
    is_there.then(|| format!("{copyright}\n\n{}", include_str!("mit.txt").trim_end()))
}

fn file_names(directory: &Path) -> Result<Vec<String>> {
    let list = fs::read_dir(directory);
    let list = list.with_context(|| format!("cannot list `{}`", directory.display()))?;
    let mut names = Vec::new();
    for entry in list {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let upper = name.to_uppercase();
        if BEGINS.iter().any(|begin| upper.starts_with(begin)) {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// The files of these licences: those that have the name of one, else all. A notice always belongs
/// to them.
fn chosen<'a>(names: &'a [String], taken: &[String]) -> Vec<&'a String> {
    let has = |name: &str, license: &str| {
        let family = license.split('-').next().unwrap_or(license).to_uppercase();
        let is_other = license == "Apache-2.0" && name.contains("LLVM");
        name.to_uppercase().contains(&family) && !is_other
    };
    let of_taken = |name: &&String| taken.iter().any(|license| has(name, license));
    let is_notice = |name: &&String| name.to_uppercase().starts_with("NOTICE");
    match names.iter().any(|name| of_taken(&name)) {
        true => {
            let chosen = names.iter();
            chosen
                .filter(|name| of_taken(name) || is_notice(name))
                .collect()
        }
        false => names.iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_those_of_the_taken_licence() {
        #[track_caller]
        fn check(names: &[&str], taken: &str, expected: &[&str]) {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(chosen(&names, &[taken.to_owned()]), expected);
        }
        check(&["LICENSE-APACHE", "LICENSE-MIT"], "MIT", &["LICENSE-MIT"]);
        check(
            &["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"],
            "Apache-2.0",
            &["LICENSE-APACHE", "NOTICE"],
        );
        check(
            &["COPYING", "LICENSE-MIT", "UNLICENSE"],
            "Unlicense",
            &["UNLICENSE"],
        );
        check(&["LICENSE"], "CDDL-1.0", &["LICENSE"]);
        check(
            &["LICENSE-APACHE", "LICENSE-Apache-2.0_WITH_LLVM-exception"],
            "Apache-2.0",
            &["LICENSE-APACHE"],
        );
        check(&[], "MIT", &[]);
    }

    #[test]
    fn equal_texts_stand_once() {
        let directory = tempfile::tempdir().unwrap();
        let rules =
            "[licenses]\nallow = [\"MIT\"]\nexceptions = []\n[bans]\nskip = []\n[sources]\nallow-registry = []";
        let rules = Rules::parse(rules).unwrap();
        let mut packages = Vec::new();
        for (name, text) in [("a", "one\r\n"), ("b", "other \n"), ("c", "\none\n")] {
            let directory = directory.path().join(name);
            fs::create_dir(&directory).unwrap();
            fs::write(directory.join("LICENSE"), text).unwrap();
            packages.push(Package {
                name: name.into(),
                version: "1.0.0".into(),
                license: Some("MIT".into()),
                directory,
                ..Package::default()
            });
        }
        let file = of(&packages, &rules).unwrap();
        let rule = "-".repeat(80);
        assert!(file.contains(
            "\nb 1.0.0                          MIT            https://crates.io/crates/b/1.0.0\n"
        ));
        let end = format!(
            "\n{rule}\na 1.0.0, c 1.0.0\n{rule}\n\none\n\n{rule}\nb 1.0.0\n{rule}\n\nother\n"
        );
        assert!(file.ends_with(&end), "{file}");
        fs::write(packages[0].directory.join("README"), "").unwrap();
        fs::rename(
            packages[0].directory.join("LICENSE"),
            packages[0].directory.join("x"),
        )
        .unwrap();
        let error = of(&packages, &rules).unwrap_err().to_string();
        assert_eq!(error, "a 1.0.0 has no text of its licence");
        fs::create_dir(packages[0].directory.join("src")).unwrap();
        let source = "// SPDX-License-Identifier: MIT\n// Copyright (C) somebody\n\nfn a() {}\n";
        fs::write(packages[0].directory.join("src/lib.rs"), source).unwrap();
        let file = of(&packages, &rules).unwrap();
        assert!(file.contains("\n\nCopyright (C) somebody\n\nPermission is hereby granted"));
    }
}
