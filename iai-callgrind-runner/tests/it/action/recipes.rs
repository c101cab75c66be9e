//! The code of `docs/ci.md`, as it stands there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

use super::documents::{block, blocks, script_for_machines, steps, table, workflows};
use super::workflow::Action;

/// A directory with programs of its own that come first.
struct Place {
    root: TempDir,
}

impl Place {
    fn new(programs: &[(&str, &str)]) -> Self {
        let place = Self {
            root: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(place.path("bin")).unwrap();
        for (name, script) in programs {
            let script = format!("#!/usr/bin/env bash\necho \"{name} $*\" >>\"$LOG\"\n{script}\n");
            let file = place.path("bin").join(name);
            fs::write(&file, script).unwrap();
            fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Runs a script in this place.
    fn run(&self, script: &str, environment: &[(&str, &str)]) -> Output {
        let path = format!(
            "{}:/usr/local/bin:/usr/bin:/bin",
            self.path("bin").display()
        );
        Command::new("bash")
            .args(["-eo", "pipefail", "-c", script])
            .current_dir(self.root.path())
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.root.path())
            .env("LOG", self.path("log"))
            .envs(environment.iter().copied())
            .output()
            .unwrap()
    }

    #[track_caller]
    fn works(&self, script: &str, environment: &[(&str, &str)]) -> String {
        let output = self.run(script, environment);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn log(&self) -> String {
        let log = fs::read_to_string(self.path("log")).unwrap_or_default();
        let _ = fs::remove_file(self.path("log"));
        log
    }
}

#[test]
fn workflows_use_the_action_as_it_is() {
    let action = Action::read();
    let (mut uses, mut inputs) = (0, Vec::new());
    for step in workflows().iter().flat_map(steps) {
        let name = step["uses"].as_str().unwrap_or_default();
        let Some((repository, version)) = name.split_once("/.github/actions/bench@") else {
            continue;
        };
        assert_eq!(repository, "iai-callgrind/iai-callgrind");
        assert_eq!(version, concat!("v", env!("CARGO_PKG_VERSION")));
        uses += 1;
        for (input, _) in step["with"].as_hash().into_iter().flatten() {
            let input = input.as_str().unwrap().to_owned();
            assert!(action.inputs.contains_key(&input), "{input}");
            inputs.push(input);
        }
    }
    assert_eq!(uses, 4);
    assert_eq!(inputs, ["part", "parts", "limits"]);
}

#[test]
fn tables_are_those_of_the_action() {
    let action = Action::read();
    let code = |text: &str| text.trim_matches('`').to_owned();
    let mut inputs = Vec::new();
    for row in table("input") {
        for name in row[0].split(", ").map(code) {
            assert_eq!(action.inputs.get(&name), Some(&code(&row[1])), "{name}");
            inputs.push(name);
        }
    }
    assert_eq!(inputs.len(), action.inputs.len());
    let outputs: Vec<String> = table("output").iter().map(|row| code(&row[0])).collect();
    assert!(outputs.iter().all(|name| action.outputs.contains_key(name)));
    assert_eq!(outputs.len(), action.outputs.len());
}

#[test]
fn partitions_of_other_systems_begin_at_one() {
    let variables = [
        ("CI_NODE_INDEX", "1"),
        ("CI_NODE_TOTAL", "4"),
        ("BUILDKITE_PARALLEL_JOB", "0"),
        ("BUILDKITE_PARALLEL_JOB_COUNT", "4"),
        ("CIRCLE_NODE_INDEX", "0"),
        ("CIRCLE_NODE_TOTAL", "4"),
        ("TEST_SHARD_INDEX", "0"),
        ("TEST_TOTAL_SHARDS", "4"),
        ("SLURM_ARRAY_TASK_ID", "1"),
        ("SLURM_ARRAY_TASK_COUNT", "4"),
    ];
    let place = Place::new(&[]);
    for row in table("system") {
        let script = format!("set -u; echo \"{}\"", row[1].trim_matches('`'));
        let option = place.works(&script, &variables);
        assert_eq!(option, "--partition=hash:1/4\n", "{row:?}");
    }
}

/// In place of the client of GitHub: two pull requests of the branch, and an artifact.
const CLIENT: &str = r#"
case "$*" in
    *"/pulls "*) echo '[{"number": 6, "head": {"sha": "other"}}, {"number": 7, "head": {"sha": "f3ab7"}}]' ;;
    "run download"*) mkdir artifact && printf '%s\n' "$REPORT" >artifact/report.md ;;
    *"--paginate"*) echo "$COMMENTS" ;;
esac"#;
const REPORT: &str = "<!-- iai-callgrind: default -->\n### Benchmarks: 1 regressed, 3 unchanged";
const POSTED: &str = "gh api --method POST repos/o/p/issues/7/comments -F body=@report.md";

/// Does the second workflow end well, and what does it ask GitHub for?
fn comment(report: &str, comments: &str, sha: &str) -> (bool, Vec<String>) {
    let mut workflows = workflows().into_iter();
    let workflow = workflows.find(|workflow| !workflow["on"]["workflow_run"].is_badvalue());
    let steps = steps(&workflow.unwrap());
    assert_eq!(steps.len(), 1);
    let place = Place::new(&[("gh", CLIENT)]);
    let variables = [
        ("GH_REPO", "o/p"),
        ("RUN", "42"),
        ("HEAD", "fork:a b;$(c)"),
        ("SHA", sha),
        ("REPORT", report),
        ("COMMENTS", comments),
    ];
    let output = place.run(steps[0]["run"].as_str().unwrap(), &variables);
    let calls = place.log().lines().map(str::to_owned).collect();
    (output.status.success(), calls)
}

#[test]
fn a_comment_is_written_and_then_edited() {
    let (ends_well, calls) = comment(REPORT, "[]", "f3ab7");
    assert!(ends_well);
    assert_eq!(
        calls,
        [
            "gh api --method GET repos/o/p/pulls -f state=open -f head=fork:a b;$(c)",
            "gh run download 42 --name iai-callgrind-default --dir artifact",
            "gh api --paginate repos/o/p/issues/7/comments",
            POSTED,
        ]
    );
    let of = |user: &str, marker: &str| {
        let user = format!(r#""user": {{"login": "{user}"}}"#);
        format!(r#"{{"id": 99, {user}, "body": "<!-- iai-callgrind: {marker} -->\ntext"}}"#)
    };
    // Pages come one after the other.
    let own = format!("[]\n[{}]", of("github-actions[bot]", "default"));
    let (ends_well, calls) = comment(REPORT, &own, "f3ab7");
    assert!(ends_well);
    assert_eq!(
        calls[3],
        "gh api --method PATCH repos/o/p/issues/comments/99 -F body=@report.md"
    );
    // Neither that of somebody else, nor that of another label.
    for other in [of("somebody", "default"), of("github-actions[bot]", "musl")] {
        assert_eq!(comment(REPORT, &format!("[{other}]"), "f3ab7").1[3], POSTED);
    }
}

#[test]
fn a_comment_is_written_where_there_is_something_to_say() {
    let unchanged = "<!-- iai-callgrind: default -->\n### Benchmarks: 4 unchanged";
    let (ends_well, calls) = comment(unchanged, "[]", "f3ab7");
    assert_eq!((ends_well, calls.len()), (true, 3), "{calls:?}");
    // The pull request has another commit by now.
    let (ends_well, calls) = comment(REPORT, "[]", "5be33");
    assert_eq!((ends_well, calls.len()), (true, 1), "{calls:?}");
    for foreign in [
        "### Buy this",
        "<!-- iai-callgrind: a\" -->",
        "<!-- iai-callgrind: a --> b",
    ] {
        let (ends_well, calls) = comment(foreign, "[]", "f3ab7");
        assert_eq!((ends_well, calls.len()), (false, 2), "{calls:?}");
    }
}

#[test]
fn workflows_that_may_write_run_nothing_of_a_pull_request() {
    for workflow in workflows() {
        assert!(workflow["on"]["pull_request_target"].is_badvalue());
        let permissions = workflow["permissions"].as_hash().into_iter().flatten();
        let may_write = permissions.filter(|(_, access)| access.as_str() == Some("write"));
        let steps = steps(&workflow);
        if may_write.count() > 0 {
            assert!(steps.iter().all(|step| step["uses"].is_badvalue()));
        }
        for step in steps {
            // Values of others never become text of a script.
            assert!(!step["run"].as_str().unwrap_or_default().contains("${{"));
        }
    }
}

#[test]
fn jobs_of_gitlab_compare_with_main() {
    let pipeline = block(".gitlab-ci.yml").yaml();
    let script = |job: &str| -> String {
        let lines = pipeline[job]["script"].as_vec().unwrap().iter();
        let lines = lines.map(|line| line.as_str().unwrap());
        lines.collect::<Vec<_>>().join("\n")
    };
    let variables = [
        ("CI_NODE_INDEX", "2"),
        ("CI_NODE_TOTAL", "4"),
        ("CI_JOB_TOKEN", "t"),
        ("CI_PROJECT_ID", "3"),
        ("CI_API_V4_URL", "https://gitlab.com/api/v4"),
        ("CI_DEFAULT_BRANCH", "main"),
    ];
    let runner = ("iai-callgrind-runner", "");
    let place = Place::new(&[runner, ("cargo", ""), ("curl", "echo {} >main.jsonl")]);
    place.works(&script("part"), &variables);
    assert_eq!(
        place.log(),
        "cargo bench -- --exit-zero --partition=hash:2/4\n\
         iai-callgrind-runner merge --allow-missing -o parts/2.jsonl target/iai\n"
    );
    place.works(&script("benchmarks"), &variables);
    let log = place.log();
    let options =
        "--callgrind-limits=ir=5% --export junit=junit.xml --export gitlab=codequality.json \
         --export html=benchmarks.html";
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(
        lines[0],
        "iai-callgrind-runner merge -o results.jsonl parts"
    );
    let artifact = "/projects/3/jobs/artifacts/main/raw/results.jsonl?job=benchmarks";
    assert!(lines[1].ends_with(artifact), "{log}");
    let compare = format!("iai-callgrind-runner compare {options} main.jsonl results.jsonl");
    assert_eq!(lines[2], compare);
    let place = Place::new(&[runner, ("curl", "exit 22")]);
    place.works(&script("benchmarks"), &variables);
    let report = format!("iai-callgrind-runner report {options} results.jsonl\n");
    assert!(place.log().ends_with(&report));
    let written = &pipeline["benchmarks"]["artifacts"]["reports"];
    assert_eq!(written["junit"].as_str(), Some("junit.xml"));
    let kept = &pipeline["benchmarks"]["artifacts"];
    assert_eq!(kept["paths"][0].as_str(), Some("benchmarks.html"));
    // The merge request links it.
    assert_eq!(kept["expose_as"].as_str(), Some("benchmarks"));
    assert_eq!(written["codequality"].as_str(), Some("codequality.json"));
}

#[test]
fn accepted_counts_can_be_read() {
    let text = block("iai-accepted.toml").code;
    let counts = verdict::accepted::parse(&text).unwrap();
    assert_eq!(counts.benchmarks.len(), 1);
}

/// A machine without the checkout has the programs of binary benchmarks too, and runs the benches
/// alone.
#[test]
fn machines_get_benches_and_programs() {
    let artifacts = [
        ("lib", None),
        ("bin", Some("tool")),
        ("bench", Some("deps/one-1")),
        ("bench", Some("deps/two-2")),
    ];
    let cargo = "cat messages.json";
    let place = Place::new(&[
        ("cargo", cargo),
        ("iai-callgrind-runner", ""),
        ("git", "echo f3ab7"),
    ]);
    let mut messages = String::new();
    for (kind, name) in artifacts {
        // Cargo's own directories may have blanks.
        let file = name.map(|name| place.path("a target").join(name));
        if let Some(file) = &file {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let target = serde_json::json!({"kind": [kind]});
        let message = serde_json::json!({"reason": "compiler-artifact", "target": target, "executable": file});
        messages += &format!("{message}\n");
    }
    messages += "{\"reason\":\"build-finished\",\"success\":true}\n";
    fs::write(place.path("messages.json"), messages).unwrap();
    place.works(&script_for_machines("collect.sh"), &[]);
    let mut copied: Vec<String> = fs::read_dir(place.path("shard/files"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    copied.sort();
    assert_eq!(copied, ["one-1", "tool", "two-2"]);
    let benches = fs::read_to_string(place.path("shard/benches")).unwrap();
    assert_eq!(benches, "one-1\ntwo-2\n");
    assert!(place.path("shard/iai-callgrind-runner").exists());
    place.log();
    let script = script_for_machines("run-part.sh");
    place.works(&format!("set -- 2 4\n{script}"), &[]);
    let run = |bench: &str| {
        let home = place.path("results-2");
        let home = home.display();
        format!(
            "iai-callgrind-runner bench --exe shard/files/{bench} -- --exit-zero --home={home} --partition=hash:2/4\n"
        )
    };
    assert_eq!(place.log(), run("one-1") + &run("two-2"));
}

/// Every block is one that a test here looks at.
#[test]
fn no_block_is_without_a_test() {
    for block in blocks() {
        let is_known = match block.language.as_str() {
            "yaml" => block.file().ends_with(".yml") && block.yaml().as_hash().is_some(),
            "toml" => block.file() == "iai-accepted.toml",
            // A transcript, which another test runs with real Valgrind.
            "console" => block.code.starts_with("$ cargo bench "),
            "sh" => {
                block.code.lines().for_each(check_command);
                true
            }
            _ => false,
        };
        assert!(is_known, "{}", block.code);
    }
}

/// A command of ours has the options that the line gives it.
#[track_caller]
fn check_command(line: &str) {
    if line == "cargo bench -- --exit-zero" {
        return;
    }
    let mut words = line.split(' ');
    assert_eq!(words.next(), Some("iai-callgrind-runner"), "{line}");
    let help = Command::new(env!("CARGO_BIN_EXE_iai-callgrind-runner"))
        .args([words.next().unwrap(), "--help"])
        .output()
        .unwrap();
    assert!(help.status.success(), "{line}");
    let help = String::from_utf8_lossy(&help.stdout);
    for option in words.filter(|word| word.starts_with("--")) {
        let option = option.split('=').next().unwrap();
        assert!(help.contains(option), "{line}: {option}");
    }
}
