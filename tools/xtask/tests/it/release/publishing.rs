//! Tags, the text of a release, and the order of publishing.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{refused, said, script, version};

/// In place of cargo: writes down what would reach the registry, where the macros are already.
/// Other commands are cargo's.
const CARGO: &str = r#"#!/usr/bin/env bash
case $1 in
    publish) echo "$*" >>"$LOG" ;;
    info) [[ $PWD = / && $* = *callgrind-macros@* ]] ;;
    *) exec "$REAL" "$@" ;;
esac
"#;

const ORDER: [&str; 24] = [
    "iai-callgrind-cc",
    "iai-callgrind-divan-macros",
    "iai-callgrind-macros",
    "iai-callgrind",
    "iai-callgrind-base",
    "iai-callgrind-criterion",
    "iai-callgrind-divan",
    "iai-callgrind-formats",
    "iai-callgrind-metrics",
    "iai-callgrind-completions",
    "iai-callgrind-steps",
    "iai-callgrind-symbols",
    "iai-callgrind-explain",
    "iai-callgrind-flamegraph",
    "iai-callgrind-time",
    "iai-callgrind-records",
    "iai-callgrind-project",
    "iai-callgrind-findings",
    "iai-callgrind-store",
    "iai-callgrind-revision",
    "iai-callgrind-verdict",
    "iai-callgrind-report",
    "iai-callgrind-cli",
    "iai-callgrind-runner",
];

#[test]
fn packages_are_published_after_those_that_they_need() {
    let version = version();
    let lines = ORDER.map(|name| format!("cargo publish --locked --package {name} # {version}\n"));
    assert_eq!(
        said(&mut script("publish.sh", &["--dry-run"])),
        lines.concat()
    );
}

#[test]
fn what_the_registry_has_is_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let cargo = directory.path().join("cargo");
    fs::write(&cargo, CARGO).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let log = directory.path().join("log");
    let path = format!("{}:{}", directory.path().display(), env!("PATH"));

    let said = said(
        script("publish.sh", &[])
            .env("PATH", path)
            .env("LOG", &log)
            .env("REAL", env!("CARGO")),
    );
    assert_eq!(
        said,
        format!("iai-callgrind-macros {} is there\n", version())
    );
    let published = ORDER
        .iter()
        .filter(|name| **name != "iai-callgrind-macros")
        .map(|name| format!("publish --locked --package {name}\n"));
    assert_eq!(
        fs::read_to_string(log).unwrap(),
        published.collect::<String>()
    );
}

#[test]
fn a_tag_belongs_to_the_version_in_the_manifests() {
    let (version, directory) = (version(), tempfile::tempdir().unwrap());
    let changelog = directory.path().join("changelog");
    let text = format!(
        "# Changelog\n\n## [Unreleased]\n\n- later\n\n## [{version}] - 2026-11-23\n\n### Added\n\n- now\n\n## [0.0.1]\n\n- old\n"
    );
    fs::write(&changelog, text).unwrap();
    let checked = |tag: &str| {
        let mut check = script("check-tag.sh", &[tag]);
        check.env("CHANGELOG", &changelog);
        check
    };
    said(&mut checked(&format!("v{version}")));
    for tag in [&*version, "v0.0.1"] {
        assert_eq!(
            refused(&mut checked(tag)),
            format!("error: the tag is {tag}, and the packages have version {version}, whose tag is v{version}")
        );
    }
    let notes = || {
        let mut notes = script("notes.sh", &[]);
        notes.env("CHANGELOG", &changelog);
        notes
    };
    assert_eq!(said(&mut notes()).trim(), "### Added\n\n- now");

    let text = format!("## [{version}]\n\n \n## [0.0.1]\n\n- old\n");
    fs::write(&changelog, text).unwrap();
    let error = format!(
        "error: the changelog has nothing below `## [{version}]`; what is unreleased has to get this heading"
    );
    assert_eq!(refused(&mut notes()), error);
    assert_eq!(refused(&mut checked(&format!("v{version}"))), error);
}
