//! The packages that are published, as cargo tells them: in the order in which the registry takes
//! them, where each one comes after those that it depends on.

use std::collections::BTreeSet;

use anyhow::{ensure, Context, Result};
use lab::process::{cargo, output};
use lab::workspace_root;
use serde_json::Value;

/// Required fields of a manifest: the registry shows them, and people come from it to the
/// repository and to the book.
const FIELDS: [&str; 8] = [
    "categories",
    "description",
    "documentation",
    "homepage",
    "keywords",
    "license",
    "readme",
    "repository",
];

/// Limits of the registry, after its documentation: keywords of at most twenty characters, five of
/// them, and five categories.
const MOST_WORDS: usize = 5;
const LONGEST_KEYWORD: usize = 20;

/// A package of this workspace that is published.
#[derive(Debug, Clone)]
pub(super) struct PublishedPackage {
    pub(super) name: String,
    pub(super) version: String,
    /// The packages of this workspace that have to be there before.
    needs: BTreeSet<String>,
    /// All that cargo tells.
    metadata: Value,
}

impl PublishedPackage {
    /// All of them, each one after those that it needs.
    pub(super) fn all() -> Result<Vec<Self>> {
        let json = output(
            cargo()
                .args(["metadata", "--format-version=1", "--no-deps"])
                .current_dir(workspace_root()),
        )?;
        let metadata = serde_json::from_str(&json).context("`cargo metadata` wrote no JSON")?;
        in_order(of_metadata(&metadata)?)
    }

    /// The name of its directory in the file that is published, which is that of the file as well.
    pub(super) fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// Fields of its manifest that are missing, or that the registry would refuse.
    pub(super) fn mistakes(&self) -> Vec<String> {
        let name = &self.name;
        let is_empty = |field: &&&str| match &self.metadata[**field] {
            Value::String(text) => text.is_empty(),
            Value::Array(words) => words.is_empty(),
            _ => true,
        };
        let missing = FIELDS.iter().filter(is_empty);
        let mut mistakes: Vec<String> = missing
            .map(|field| format!("`{name}`: its manifest has no `{field}`"))
            .collect();
        for field in ["keywords", "categories"] {
            let count = self.metadata[field].as_array().map_or(0, Vec::len);
            if count > MOST_WORDS {
                mistakes.push(format!(
                    "`{name}`: {count} `{field}`, the registry takes {MOST_WORDS}"
                ));
            }
        }
        let keywords = self.metadata["keywords"].as_array().into_iter().flatten();
        for keyword in keywords.filter_map(Value::as_str) {
            if keyword.len() > LONGEST_KEYWORD {
                mistakes.push(format!(
                    "`{name}`: the keyword `{keyword}` is longer than the {LONGEST_KEYWORD} characters that the registry takes"
                ));
            }
        }
        mistakes
    }
}

/// The members of a workspace that may be published, without an order.
fn of_metadata(metadata: &Value) -> Result<Vec<PublishedPackage>> {
    // `publish = false` is a list of no registries.
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let packages: Vec<&Value> = packages
        .filter(|package| package["publish"].is_null())
        .collect();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let names: Option<BTreeSet<String>> = packages.iter().map(|one| text(&one["name"])).collect();
    let names = names.context("a package has no name")?;
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().into_iter().flatten();
            let needs = dependencies.filter_map(|one| text(&one["name"]));
            Ok(PublishedPackage {
                name: text(&package["name"]).context("a package has no name")?,
                version: text(&package["version"]).context("a package has no version")?,
                needs: needs.filter(|name| names.contains(name)).collect(),
                metadata: (*package).clone(),
            })
        })
        .collect()
}

/// Takes one after the other of which nothing is missing; those that could come at the same time by
/// name.
fn in_order(mut packages: Vec<PublishedPackage>) -> Result<Vec<PublishedPackage>> {
    packages.sort_by(|left, right| left.name.cmp(&right.name));
    let mut order: Vec<PublishedPackage> = Vec::new();
    while !packages.is_empty() {
        let has = |name: &String| order.iter().any(|before| before.name == *name);
        let next = packages
            .iter()
            .position(|package| package.needs.iter().all(has));
        let names = || packages.iter().map(|one| one.name.as_str());
        ensure!(
            next.is_some(),
            "packages need each other, so that none can be published first: {}",
            names().collect::<Vec<_>>().join(", ")
        );
        order.extend(next.map(|next| packages.remove(next)));
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(name: &str, needs: &[&str]) -> Value {
        let dependencies: Vec<Value> = needs.iter().map(|name| json!({"name": name})).collect();
        json!({"name": name, "version": "1.0.0", "publish": null, "dependencies": dependencies})
    }

    fn order(packages: &[Value]) -> Result<Vec<String>> {
        let packages = in_order(of_metadata(&json!({ "packages": packages }))?)?;
        Ok(packages.into_iter().map(|one| one.name).collect())
    }

    #[test]
    fn what_is_needed_comes_first() {
        let mut private = package("a-tool", &["library"]);
        private["publish"] = json!([]);
        let packages = [
            private,
            package("library", &["macros", "other"]),
            package("runner", &["clap", "library"]),
            package("macros", &["syn"]),
            package("other", &[]),
        ];
        assert_eq!(
            order(&packages).unwrap(),
            ["macros", "other", "library", "runner"]
        );
    }

    #[test]
    fn a_circle_is_an_error() {
        let error = order(&[
            package("a", &["b"]),
            package("b", &["a"]),
            package("c", &[]),
        ]);
        assert_eq!(
            error.unwrap_err().to_string(),
            "packages need each other, so that none can be published first: a, b"
        );
    }

    #[test]
    fn our_macros_come_before_the_library_and_the_runner_comes_last() {
        let names: Vec<String> = PublishedPackage::all()
            .unwrap()
            .into_iter()
            .map(|package| package.name)
            .collect();
        assert_eq!(
            names,
            [
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
                "iai-callgrind-runner"
            ]
        );
    }

    #[test]
    fn what_a_manifest_does_not_tell_is_named() {
        let mut whole = package("whole", &[]);
        for field in FIELDS {
            whole[field] = json!("text");
        }
        whole["keywords"] = json!(["one", "a-keyword-of-21-letters"]);
        whole["categories"] = json!(["a", "b", "c", "d", "e", "f"]);
        whole["homepage"] = json!("");
        whole["readme"] = Value::Null;
        let packages = of_metadata(&json!({ "packages": [whole] })).unwrap();
        assert_eq!(
            packages[0].mistakes(),
            [
                "`whole`: its manifest has no `homepage`",
                "`whole`: its manifest has no `readme`",
                "`whole`: 6 `categories`, the registry takes 5",
                "`whole`: the keyword `a-keyword-of-21-letters` is longer than the 20 characters that the registry takes",
            ]
        );
    }
}
