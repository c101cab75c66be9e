//! The workflow fits its scripts, and actionlint finds nothing.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use xtask::licenses::PLATFORMS;
use xtask::workflows::ActionLint;
use yaml_rust2::{Yaml, YamlLoader};

use super::scripts;

fn file() -> PathBuf {
    lab::workspace_root().join(".github/workflows/release.yml")
}

fn workflow() -> Yaml {
    let text = fs::read_to_string(file()).unwrap();
    YamlLoader::load_from_str(&text).unwrap().remove(0)
}

/// The values of this key in the steps of all jobs.
fn in_steps(workflow: &Yaml, key: &str) -> Vec<String> {
    let jobs = workflow["jobs"].as_hash().unwrap().values();
    let steps = jobs.flat_map(|job| job["steps"].as_vec().unwrap());
    let values = steps.filter_map(|step| step[key].as_str());
    values.map(str::to_owned).collect()
}

#[test]
fn actionlint_finds_nothing_but_mistakes() {
    let lint = match ActionLint::find() {
        Ok(lint) => lint,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error:#}");
            eprintln!("workflows are not checked: {error:#}");
            return;
        }
    };
    for workflow in fs::read_dir(file().parent().unwrap()).unwrap() {
        let path = workflow.unwrap().path();
        assert_eq!(lint.check(&path).unwrap(), [""; 0], "{}", path.display());
    }

    let directory = tempfile::tempdir().unwrap();
    let broken = directory.path().join("release.yml");
    let text = fs::read_to_string(file()).unwrap();
    let text = text.replace("needs: archive", "needs: archives");
    fs::write(&broken, text).unwrap();
    let findings = lint.check(&broken).unwrap();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].contains("\"archives\""), "{findings:?}");
}

#[test]
fn there_are_archives_for_all_platforms_of_the_licences() {
    let workflow = workflow();
    let matrix = workflow["jobs"]["archive"]["strategy"]["matrix"]["include"].as_vec();
    let targets = matrix.unwrap().iter().map(|entry| {
        let (target, machine) = (&entry["target"], &entry["machine"]);
        let target = target.as_str().unwrap();
        let is_arm = machine.as_str().unwrap().ends_with("-arm");
        assert_eq!(target.starts_with("aarch64-"), is_arm, "{target}");
        target
    });
    assert_eq!(targets.collect::<Vec<_>>(), PLATFORMS);
}

#[test]
fn all_scripts_are_there_and_used() {
    let steps = in_steps(&workflow(), "run").concat();
    let used: BTreeSet<&str> = steps
        .split(".github/release/")
        .skip(1)
        .filter_map(|text| {
            text.split(|c: char| c != '-' && c != '.' && !c.is_ascii_lowercase())
                .next()
        })
        .collect();
    let is_script = |path: &PathBuf| {
        let mode = fs::metadata(path).unwrap().permissions().mode();
        mode & 0o111 == 0o111
    };
    let paths = fs::read_dir(scripts()).unwrap();
    let executable: Vec<PathBuf> = paths
        .map(|one| one.unwrap().path())
        .filter(is_script)
        .collect();
    let there: BTreeSet<&str> = executable
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap())
        .collect();
    assert_eq!(used, there);
    assert_eq!(there.len(), 5);
}

/// A tag can be moved by whoever owns the action.
#[test]
fn actions_are_named_by_their_commits() {
    for action in in_steps(&workflow(), "uses") {
        let (_, commit) = action.split_once('@').unwrap();
        assert!(is_commit(commit), "{action}");
    }
}

fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.chars().all(|digit| digit.is_ascii_hexdigit())
}

/// People copy workflows from the documentation. The action of this repository has the tag of its
/// release, whose archives it fetches.
#[test]
fn every_place_names_actions_of_others_by_their_commits() {
    let root = lab::workspace_root();
    let mut files = vec![root.join("README.md")];
    let mut directories = vec![root.join("docs"), root.join(".github")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().unwrap_or_default();
            match path.is_dir() {
                true => directories.push(path),
                false if extension == "md" || extension == "yml" => files.push(path),
                false => {}
            }
        }
    }
    let mut found = 0;
    for file in files {
        for line in fs::read_to_string(&file).unwrap().lines() {
            let line = line.trim_start().trim_start_matches("- ");
            let Some((action, version)) = line
                .strip_prefix("uses:")
                .and_then(|name| name.trim().split_once('@'))
            else {
                continue;
            };
            if action.starts_with("iai-callgrind/") {
                continue;
            }
            let (commit, tag) = version.split_once(" # v").unwrap_or_default();
            let is_named = is_commit(commit) && !tag.is_empty();
            assert!(is_named, "{}: {line}", file.display());
            found += 1;
        }
    }
    assert!(found > 20, "{found}");
}

/// Nothing has a token but what needs one, and packages come last: who installs a version finds its
/// archives.
#[test]
fn jobs_wait_for_each_other_and_may_do_little() {
    let workflow = workflow();
    let job = |name: &str| &workflow["jobs"][name];
    assert_eq!(job("archive")["needs"].as_str(), Some("check"));
    assert_eq!(job("release")["needs"].as_str(), Some("archive"));
    assert_eq!(job("publish")["needs"].as_str(), Some("release"));
    assert_eq!(job("publish")["environment"].as_str(), Some("registry"));
    assert_eq!(workflow["permissions"]["contents"].as_str(), Some("read"));
    let may_write =
        |name: &str, scope: &str| job(name)["permissions"][scope].as_str() == Some("write");
    for name in ["check", "archive", "release", "publish"] {
        assert_eq!(may_write(name, "contents"), name == "release", "{name}");
        let identity = ["archive", "publish"].contains(&name);
        assert_eq!(may_write(name, "id-token"), identity, "{name}");
    }
}
