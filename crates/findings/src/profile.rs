//! The profile that `cargo bench` builds with.

use toml::Value;

use crate::project::Project;
use crate::{Cure, Finding, Severity};
use ::project::CargoConfig;

/// Findings about the bench profile.
pub struct ExaminedProfile {
    /// The findings about the profile.
    pub findings: Vec<Finding>,
    /// The executable will have everything that explanations need.
    pub is_complete: bool,
}

/// Looks at `[profile.bench]` and the profile that it inherits.
pub fn examine(project: &Project, config: &CargoConfig<'_>) -> ExaminedProfile {
    let lookup = |key: &str| lookup(project, config, key);
    let manifest = project.root_manifest_path();
    let cure = |line: &str| Cure::write(&manifest, &["[profile.bench]", line]);
    let mut findings = Vec::new();
    match lookup("strip") {
        Some((place, value)) if strips_symbols(&value) => findings.push(Finding::problem(
            format!(
                "{place} strips the names of functions from the benchmarks, and without them \
                 nothing can be counted"
            ),
            overridden(&place, "strip", "false").unwrap_or_else(|| cure("strip = false")),
        )),
        Some((place, value)) if value.as_str() == Some("debuginfo") => {
            findings.push(Finding::problem(
                format!(
                    "{place} strips the debug information from the benchmarks, so the tools know neither lines nor \
                     inlined functions"
                ),
                overridden(&place, "strip", "false").unwrap_or_else(|| cure("strip = false")),
            ));
        }
        _ => findings.push(Finding::fine(
            "the bench profile keeps the names of functions",
        )),
    }
    findings.push(debug_information(lookup("debug"), cure));
    findings.extend(split(lookup("split-debuginfo"), cure));
    // Before codegen units: explanations do not depend on them.
    let is_complete = findings
        .iter()
        .all(|finding| finding.level == Severity::Fine);
    findings.extend(units(lookup, cure));
    ExaminedProfile {
        findings,
        is_complete,
    }
}

/// Judges the key `debug`.
fn debug_information(said: Option<(String, Value)>, cure: impl Fn(&str) -> Cure) -> Finding {
    let cure = |place: Option<&str>| {
        let overridden = place.and_then(|place| overridden(place, "debug", "true"));
        overridden.unwrap_or_else(|| cure("debug = true"))
    };
    match said {
        // Before the next arm, for which tables of lines are debug information as well.
        Some((place, Value::String(value))) if TABLES_ONLY.contains(&value.as_str()) => Finding::note(
            format!(
                "{place} sets `debug = {value:?}`: the tools know lines, but inlined functions have bare names, without \
                 their module"
            ),
            cure(Some(&place)),
        ),
        Some((_, value)) if has_lines(&value) => {
            Finding::fine("the bench profile has debug information")
        }
        other => Finding::problem(
            "the bench profile has no debug information, so the tools know neither lines nor \
             inlined functions",
            cure(other.as_ref().map(|(place, _)| place.as_str())),
        ),
    }
}

/// A problem if debug information is in files beside the executable, which are not read.
fn split(said: Option<(String, Value)>, cure: impl Fn(&str) -> Cure) -> Option<Finding> {
    let (place, value) = said?;
    let value = value.as_str().unwrap_or_default();
    (value != "off").then(|| {
        Finding::problem(
            format!(
                "{place} sets `split-debuginfo = {value:?}`: the debug information lies in files of its own, where the \
                 tools know neither lines nor inlined functions"
            ),
            overridden(&place, "split-debuginfo", "\"off\"")
                .unwrap_or_else(|| cure("split-debuginfo = \"off\"")),
        )
    })
}

/// Notes several codegen units: a change in one function can move the borders of all units.
fn units(
    lookup: impl Fn(&str) -> Option<(String, Value)>,
    cure: impl Fn(&str) -> Cure,
) -> Option<Finding> {
    let one_unit = lookup("codegen-units").is_some_and(|(_, value)| value.as_integer() == Some(1));
    // Fat LTO compiles all units as one, so that there are no borders.
    let lto = lookup("lto").is_some_and(|(_, value)| match value {
        Value::Boolean(fat) => fat,
        Value::String(kind) => kind == "fat",
        _ => false,
    });
    (!one_unit && !lto).then(|| {
        Finding::note(
            "with several codegen units, editing one function can change inlining, and counts, of \
             others",
            cure("codegen-units = 1"),
        )
    })
}

/// A key of the bench profile: the place that sets it, and its value. The bench profile inherits
/// the release profile; environment variables go over configuration files, and these over the
/// manifest.
fn lookup(project: &Project, config: &CargoConfig<'_>, key: &str) -> Option<(String, Value)> {
    ["bench", "release"].into_iter().find_map(|profile| {
        let configured = config.profile(profile, key);
        configured.or_else(|| {
            let profiles = project.root_manifest.get("profile")?;
            let value = profiles.get(profile)?.get(key)?.clone();
            Some((format!("`[profile.{profile}]`"), value))
        })
    })
}

/// Remedy for a key that is set outside of the manifest. `None`: the manifest sets it.
fn overridden(place: &str, key: &str, value: &str) -> Option<Cure> {
    if place.starts_with("CARGO_PROFILE_") {
        return Some(Cure::run(format!("unset {place}")));
    }
    // Places in manifests are between backticks; anything else is a file of cargo's configuration.
    (!place.starts_with('`')).then(|| Cure {
        place: format!("write in `{place}`"),
        lines: vec!["[profile.bench]".to_owned(), format!("{key} = {value}")],
    })
}

fn strips_symbols(value: &Value) -> bool {
    match value {
        Value::Boolean(strip) => *strip,
        Value::String(what) => what == "symbols",
        _ => false,
    }
}

fn has_lines(value: &Value) -> bool {
    match value {
        Value::Boolean(debug) => *debug,
        Value::Integer(level) => *level > 0,
        Value::String(what) => what != "none",
        _ => false,
    }
}

/// Debug information that has no full names of inlined functions.
const TABLES_ONLY: [&str; 2] = ["line-tables-only", "line-directives-only"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_strip() {
        assert!(strips_symbols(&true.into()));
        assert!(strips_symbols(&"symbols".into()));
        assert!(!strips_symbols(&"debuginfo".into()));
        assert!(!strips_symbols(&"none".into()));
    }

    #[test]
    fn values_with_lines() {
        for value in [
            Value::from(true),
            2.into(),
            "full".into(),
            "line-tables-only".into(),
        ] {
            assert!(has_lines(&value), "{value:?}");
        }
        for value in [Value::from(false), 0.into(), "none".into()] {
            assert!(!has_lines(&value), "{value:?}");
        }
    }
}
