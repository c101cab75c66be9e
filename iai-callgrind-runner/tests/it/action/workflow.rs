//! The file of the action, and its scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use yaml_rust2::{Yaml, YamlLoader};

/// Texts by name.
pub(crate) type Texts = BTreeMap<String, String>;

/// The action.
pub(crate) struct Action {
    /// Defaults of the inputs.
    pub(crate) inputs: Texts,
    pub(crate) outputs: Texts,
    pub(crate) steps: Vec<Step>,
}

/// A step.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub(crate) id: Option<String>,
    pub(crate) condition: Option<String>,
    pub(crate) run: Option<String>,
    pub(crate) uses: Option<String>,
    pub(crate) env: Texts,
    pub(crate) with: Texts,
}

/// The directory of the actions.
pub(crate) fn actions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../.github/actions")
}

pub(crate) fn text(file: &str) -> String {
    fs::read_to_string(actions().join(file)).unwrap()
}

impl Action {
    pub(crate) fn read() -> Self {
        let yaml = &YamlLoader::load_from_str(&text("bench/action.yml")).unwrap()[0];
        let of = |part: &str, key: &str| {
            let entries = yaml[part].as_hash().unwrap().iter();
            let texts = entries.map(|(name, entry)| {
                let name = name.as_str().unwrap().to_owned();
                (name, entry[key].as_str().unwrap().to_owned())
            });
            texts.collect::<Texts>()
        };
        let runs = &yaml["runs"];
        assert_eq!(runs["using"].as_str(), Some("composite"));
        let steps = runs["steps"].as_vec().unwrap().iter();
        Self {
            inputs: of("inputs", "default"),
            outputs: of("outputs", "value"),
            steps: steps.map(Step::read).collect(),
        }
    }
}

impl Step {
    fn read(yaml: &Yaml) -> Self {
        let text = |key: &str| yaml[key].as_str().map(str::to_owned);
        let step = Self {
            id: text("id"),
            condition: text("if"),
            run: text("run"),
            uses: text("uses"),
            env: texts(&yaml["env"]),
            with: texts(&yaml["with"]),
        };
        assert!(step.run.is_some() != step.uses.is_some(), "{step:?}");
        if let Some(run) = &step.run {
            assert_eq!(yaml["shell"].as_str(), Some("bash"));
            // Values of others never become text of a script.
            assert!(!run.contains("${{"), "{step:?}");
        }
        step
    }

    /// The name of the script that the step runs.
    pub(crate) fn script(&self) -> Option<&str> {
        let run = self.run.as_deref()?;
        run.strip_prefix("\"$GITHUB_ACTION_PATH/")?
            .strip_suffix('"')
    }
}

fn texts(yaml: &Yaml) -> Texts {
    let entries = yaml.as_hash().into_iter().flatten();
    let text = |yaml: &Yaml| yaml.as_str().unwrap().to_owned();
    entries
        .map(|(name, value)| (text(name), text(value)))
        .collect()
}

/// Variables that a script refers to.
pub(crate) fn variables(script: &str) -> BTreeSet<String> {
    let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut found = BTreeSet::new();
    for line in script
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
    {
        for (place, _) in line.match_indices('$') {
            let rest = line[place + 1..].trim_start_matches('{');
            let length = rest
                .find(|character| !is_name(character))
                .unwrap_or(rest.len());
            found.insert(rest[..length].to_owned());
        }
    }
    found
}

pub(crate) fn shellcheck(scripts: &[&str]) {
    let check = Command::new("shellcheck")
        .arg("--external-sources")
        .args(scripts)
        .current_dir(actions().join("bench"))
        .output();
    let Ok(check) = check else {
        eprintln!("skipped: there is no `shellcheck`");
        return;
    };
    let said = String::from_utf8_lossy(&check.stdout);
    assert!(check.status.success(), "{said}");
}
