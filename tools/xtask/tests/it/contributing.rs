//! Checks that the tests which `CONTRIBUTING.md` names as examples exist.

use std::fs;
use std::path::Path;

/// The backticked words of each ring below the headline `Tests to follow`.
fn examples() -> Vec<(String, Vec<String>)> {
    let path = lab::workspace_root().join("CONTRIBUTING.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, section) = text.split_once("### Tests to follow\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rings = section.split("\n- **").skip(1);
    rings
        .map(|ring| {
            let (name, list) = ring.split_once("**: ").unwrap();
            let words = list.split('`').skip(1).step_by(2);
            (name.to_owned(), words.map(str::to_owned).collect())
        })
        .collect()
}

/// The text of all sources below a folder.
fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *text += &fs::read_to_string(&path).unwrap();
        }
    }
}

#[test]
fn every_ring_has_ten_examples_that_are_there() {
    let root = lab::workspace_root();
    let rings = examples();
    let names: Vec<&str> = rings.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["Pure", "Replay", "Real", "Compile"]);
    let folders = [
        "iai-callgrind-runner/src",
        "iai-callgrind-runner/tests",
        "benchmark-tests/tests",
        "iai-callgrind/tests",
    ];
    for ((ring, examples), folder) in rings.iter().zip(folders) {
        assert_eq!(examples.len(), 10, "{ring}");
        let mut text = String::new();
        sources(&root.join(folder), &mut text);
        // Tests of what the runner uses stand in the crates.
        if folder.starts_with("iai-callgrind-runner") {
            sources(&root.join("crates"), &mut text);
        }
        for example in examples {
            let is_there = match ring.as_str() {
                "Compile" => root.join(folder).join(example).is_file(),
                _ => text.contains(&format!("fn {example}() {{")),
            };
            assert!(is_there, "{ring}: `{example}`");
        }
    }
}
