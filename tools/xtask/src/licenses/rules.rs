//! The rules of `deny.toml`: licences, where packages come from, and that none is there twice.

use std::collections::BTreeMap;

use anyhow::{ensure, Context, Result};
use spdx::{Expression, LicenseReq, Licensee, ParseMode};
use toml::{Table, Value};

use super::packages::Package;

/// The rules, as far as `cargo xtask licenses` checks them.
#[derive(Debug)]
pub(super) struct Rules {
    /// Accepted licences, by preference.
    accepted: Vec<Licensee>,
    /// Packages with a further licence that is accepted.
    exceptions: Vec<(String, Licensee)>,
    registries: Vec<String>,
    /// Packages of which there may be a further version.
    skipped: Vec<(String, String)>,
}

impl Rules {
    pub(super) fn parse(toml: &str) -> Result<Self> {
        let toml: Table = toml.parse()?;
        let list = |section: &str, key: &str| -> Result<Vec<Value>> {
            let list = toml
                .get(section)
                .and_then(|section| section.get(key)?.as_array());
            list.cloned()
                .with_context(|| format!("`{key}` of `[{section}]` is no list"))
        };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let license = |license: &Value| -> Result<Licensee> {
            let name = text(license).context("a licence is a text")?;
            Licensee::parse(&name).with_context(|| format!("`{name}` is no licence"))
        };
        let accepted = list("licenses", "allow")?;
        let accepted: Vec<Licensee> = accepted.iter().map(license).collect::<Result<_>>()?;
        let mut exceptions = Vec::new();
        for exception in list("licenses", "exceptions")? {
            let package = exception.get("crate").and_then(text);
            let package = package.context("an exception is about a `crate`")?;
            let allowed = exception.get("allow").and_then(Value::as_array);
            for allowed in allowed.context("an exception has licences to `allow`")? {
                exceptions.push((package.clone(), license(allowed)?));
            }
        }
        let registries = list("sources", "allow-registry")?;
        let mut skipped = Vec::new();
        for package in list("bans", "skip")? {
            let field = |key: &str| package.get(key).and_then(text);
            let of = field("name").zip(field("version"));
            skipped.push(of.context("what is skipped has a name and a version")?);
        }
        ensure!(!accepted.is_empty(), "no licence is accepted");
        Ok(Self {
            accepted,
            exceptions,
            registries: registries.iter().filter_map(text).collect(),
            skipped,
        })
    }

    /// Violations of the rules, and rules that match no package.
    pub(super) fn mistakes(&self, packages: &[Package]) -> Vec<String> {
        let mut mistakes = Vec::new();
        let mut versions: BTreeMap<&str, Vec<&Package>> = BTreeMap::new();
        for package in packages {
            let named = format!("{} {}", package.name, package.version);
            if let Err(error) = self.licenses(package) {
                mistakes.push(format!("{named}: {error:#}"));
            }
            if !self.is_from_known_registry(package) {
                let source = package.source.as_deref().unwrap_or("a directory");
                mistakes.push(format!("{named} comes from {source}"));
            }
            versions.entry(&package.name).or_default().push(package);
        }
        let several = versions.values().filter(|packages| packages.len() > 1);
        let mut skips = Vec::new();
        for packages in several {
            let (skipped, kept): (Vec<&Package>, Vec<&Package>) = packages
                .iter()
                .partition(|package| self.skip(package).is_some());
            skips.extend(skipped.iter().filter_map(|package| self.skip(package)));
            if kept.len() > 1 {
                let versions: Vec<&str> = kept
                    .iter()
                    .map(|package| package.version.as_str())
                    .collect();
                mistakes.push(format!(
                    "{} is there in versions {}",
                    kept[0].name,
                    versions.join(" and ")
                ));
            }
        }
        let unused = (0..self.skipped.len()).filter(|index| !skips.contains(index));
        mistakes.extend(unused.map(|index| {
            let (name, version) = &self.skipped[index];
            format!("nothing needs that {name} {version} is skipped")
        }));
        mistakes
    }

    /// The licences that are taken of those that a package offers.
    pub(super) fn licenses(&self, package: &Package) -> Result<Vec<LicenseReq>> {
        let license = package
            .license
            .as_deref()
            .context("has no licence in its manifest")?;
        // Old manifests have a `/` for `OR`.
        let expression = Expression::parse_mode(license, ParseMode::LAX)
            .with_context(|| format!("`{license}` is no licence"))?;
        let exceptions = self.exceptions.iter();
        let exceptions = exceptions.filter(|(name, _)| *name == package.name);
        let accepted = self
            .accepted
            .iter()
            .chain(exceptions.map(|(_, license)| license));
        let accepted: Vec<Licensee> = accepted.cloned().collect();
        let taken = expression.minimized_requirements(&accepted);
        taken.with_context(|| format!("`{license}` is not among the accepted licences"))
    }

    fn is_from_known_registry(&self, package: &Package) -> bool {
        let registry = package
            .source
            .as_deref()
            .and_then(|source| source.strip_prefix("registry+"));
        registry.is_some_and(|registry| self.registries.iter().any(|known| known == registry))
    }

    /// Index of the rule that skips a version, such as `0.3` for 0.3.4.
    fn skip(&self, package: &Package) -> Option<usize> {
        self.skipped.iter().position(|(name, version)| {
            let rest = package.version.strip_prefix(version.as_str());
            *name == package.name
                && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
        [licenses]
        allow = ["MIT", "Apache-2.0", "Unicode-3.0"]
        exceptions = [{ allow = ["MPL-2.0"], crate = "colors" }]
        [bans]
        skip = [{ name = "old", version = "0.3" }]
        [sources]
        allow-registry = ["https://good"]
    "#;

    fn package(name: &str, version: &str, license: &str) -> Package {
        Package {
            name: name.into(),
            version: version.into(),
            license: Some(license.into()),
            source: Some("registry+https://good".into()),
            ..Package::default()
        }
    }

    #[track_caller]
    fn check(more: &[Package], expected: &[&str]) {
        let old = [
            package("old", "0.3.4", "MIT"),
            package("old", "0.4.0", "MIT"),
        ];
        let packages = [&old, more].concat();
        assert_eq!(Rules::parse(RULES).unwrap().mistakes(&packages), expected);
    }

    #[test]
    fn licenses_are_those_of_the_list() {
        check(&[package("a", "1.0.0", "MIT")], &[]);
        check(&[package("a", "1.0.0", "Zlib OR MIT/Apache-2.0")], &[]);
        check(
            &[package("a", "1.0.0", "(MIT OR Zlib) AND Unicode-3.0")],
            &[],
        );
        let mistake =
            "a 1.0.0: `CDDL-1.0` is not among the accepted licences: the requirements were not met";
        let found = Rules::parse(RULES)
            .unwrap()
            .mistakes(&[package("a", "1.0.0", "CDDL-1.0")]);
        assert!(
            found[0].starts_with(mistake.split(": the").next().unwrap()),
            "{found:?}"
        );
        check(&[package("colors", "1.0.0", "MPL-2.0")], &[]);
        let other = package("a", "1.0.0", "MPL-2.0");
        assert!(Rules::parse(RULES).unwrap().licenses(&other).is_err());
        let both = package("a", "1.0.0", "MIT AND GPL-3.0-only");
        assert!(Rules::parse(RULES).unwrap().licenses(&both).is_err());
        let none = Package {
            license: None,
            ..package("a", "1.0.0", "")
        };
        check(&[none], &["a 1.0.0: has no licence in its manifest"]);
    }

    #[test]
    fn the_first_of_the_list_is_taken() {
        let rules = Rules::parse(RULES).unwrap();
        let taken = |license: &str| -> Vec<String> {
            let taken = rules.licenses(&package("a", "1.0.0", license)).unwrap();
            taken.iter().map(ToString::to_string).collect()
        };
        assert_eq!(taken("Apache-2.0 OR MIT"), ["MIT"]);
        assert_eq!(taken("Apache-2.0 OR Zlib"), ["Apache-2.0"]);
        assert_eq!(
            taken("(Apache-2.0 OR MIT) AND Unicode-3.0"),
            ["MIT", "Unicode-3.0"]
        );
    }

    #[test]
    fn sources_and_versions_are_those_of_the_list() {
        let git = Package {
            source: Some("git+https://good".into()),
            ..package("a", "1.0.0", "MIT")
        };
        check(&[git], &["a 1.0.0 comes from git+https://good"]);
        let twice = [package("a", "1.0.0", "MIT"), package("a", "2.0.0", "MIT")];
        check(&twice, &["a is there in versions 1.0.0 and 2.0.0"]);
        let rules = Rules::parse(RULES).unwrap();
        assert_eq!(
            rules.mistakes(&[package("old", "0.3.4", "MIT")]),
            ["nothing needs that old 0.3 is skipped"]
        );
    }

    #[test]
    fn rules_that_say_nothing_are_a_mistake() {
        for wrong in ["", "[licenses]\nallow = [\"NONE\"]"] {
            Rules::parse(wrong).unwrap_err();
        }
    }
}
