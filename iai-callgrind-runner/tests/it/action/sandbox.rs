//! A repository with a pull request, and what GitHub does around the steps of the action.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{json, Value};
use tempfile::TempDir;

use super::workflow::{actions, Action, Step, Texts};

/// In place of cargo: builds by copying a file with a number, unless the copy is newer, and
/// measures by writing records with the number of the copy. The branch of a record is the subject
/// of its commit. `BENCH` is the bench target, whose number is in a file of its own if there is
/// one.
const CARGO: &str = r#"#!/usr/bin/env bash
echo "cargo $*" >>"$LOG"
case $1 in
    metadata)
        jq -n --arg root "$PWD" --arg target "${CARGO_TARGET_DIR:-$PWD/target}" --arg words "$*" '
            def package(name; version): {name: name, version: version, manifest_path: "\($root)/Cargo.toml",
                dependencies: [{name: "iai-callgrind", rename: null}], targets: []};
            {workspace_root: $root, target_directory: $target, packages: ([package("exp1"; "0.1.0")] +
                if $words | contains("--no-deps") then [] else [package("iai-callgrind"; "0.17.0")] end)}' ;;
    install) mkdir -p "$4/bin" && cp "$FAKES/runner" "$4/bin/iai-callgrind-runner" ;;
    bench)
        if [ -e broken ] || [ -e "broken.$BENCH" ]; then exit 101; fi
        target=${CARGO_TARGET_DIR:-$PWD/target}
        source=count
        if [ -e "count.$BENCH" ]; then source=count.$BENCH; fi
        bench=${BENCH:-app}
        built=$target/$bench
        # Cargo goes by times as well.
        if [ ! "$built" -nt "$source" ]; then mkdir -p "$target" && cp "$source" "$built"; fi
        echo "$(git log -1 --format=%s) is built in $target, ${CARGO_BUILD_BUILD_DIR:-$target}" >>"$LOG"
        directory=${IAI_CALLGRIND_HOME:-target/iai}/exp1/$bench
        mkdir -p "$directory"
        partition=${IAI_CALLGRIND_PARTITION:-hash:1/1}
        jq -c --arg commit "$(git rev-parse HEAD)" --arg branch "$(git log -1 --format=%s)" \
            --arg named "$IAI_CALLGRIND_LABEL" --argjson count "$(cat "$built")" --arg part "${partition#hash:}" \
            --arg bench "$bench" \
            -f "$FAKES/measure.jq" "$FAKES/records.json" >"$directory/results.jsonl" ;;
    *) exit 101 ;;
esac
"#;

/// The filter `measure.jq` of the command above, which completes the records.
const MEASURE: &str = r#"
($part | split("/") | map(tonumber)) as [$number, $parts]
| .source = {commit: $commit, branch: $branch, committed_at: "2026-11-20T10:11:12Z"}
| if $named != "" then ."label" = $named else . end
| if .type == "run"
  then .file = $bench | .partition = {kind: "hash", part: $number, parts: $parts} | .suite = {benchmarks: $parts, hash: "8c1f"}
  else .benchmark.file = $bench | .benchmark.function = "n_\($number)"
    | .benchmark.path = "\($bench)::g::n_\($number)" | .profiles[0].metrics[0].new = $count
  end"#;

/// The runner, which tells what it was asked for.
const RUNNER: &str = r#"#!/usr/bin/env bash
echo "runner $*" >>"$LOG"
exec RUNNER "$@"
"#;

const TOKEN: &str = "#!/usr/bin/env bash\necho \"gh $*\" >>\"$LOG\"\nexit 1\n";

/// Trigger of a workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// Something is merged: main is checked out.
    Push,
    /// The merge commit of a pull request is checked out, with this many commits of history.
    PullRequest { depth: usize },
    /// The same of a fork.
    Fork,
    /// The head of a pull request is checked out instead.
    Head,
    /// The job has the rights of the base, whose newest commit is its own; the change is checked
    /// out by hand.
    PullRequestTarget,
    /// The same, without a checkout of the change.
    TargetAlone,
    /// A merge queue, which names its base in the file of the event.
    MergeQueue,
    /// The same, with this text in the place of the base.
    MergeQueueOn(&'static str),
    /// Events that know no base.
    Manual(&'static str),
}

pub(crate) struct Sandbox {
    root: TempDir,
    below: &'static str,
    /// Variables of the job.
    pub(crate) job: Texts,
}

/// The address of an artifact.
pub(crate) const ARTIFACT: &str = "https://github.com/o/p/actions/runs/1/artifacts/2";

/// Outcome of the steps.
pub(crate) struct Run {
    temp: PathBuf,
    artifacts: PathBuf,
    code: i32,
    outputs: Texts,
    log: String,
    said: String,
    summary: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self::below("")
    }

    /// A repository whose workspace is in a directory of it.
    pub(crate) fn below(below: &'static str) -> Self {
        let sandbox = Self {
            root: tempfile::tempdir().unwrap(),
            below,
            job: Texts::new(),
        };
        let runner = RUNNER.replace("RUNNER", env!("CARGO_BIN_EXE_iai-callgrind-runner"));
        let records = records().map(|record| record.to_string()).join("\n");
        let files = [
            ("cargo", CARGO),
            ("runner", &runner),
            ("gh", TOKEN),
            ("valgrind", "#!/bin/sh\n"),
            ("measure.jq", MEASURE),
            ("records.json", &records),
        ];
        for (name, content) in files {
            let file = sandbox.file("bin").join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, content).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::create_dir_all(sandbox.file("origin").join(below)).unwrap();
        sandbox.git("origin", &["init", "--quiet", "--initial-branch=main"]);
        sandbox.git(
            "origin",
            &["config", "uploadpack.allowAnySHA1InWant", "true"],
        );
        sandbox.commit("Cargo.toml", "[package]\nname = \"exp1\"\n", "before");
        sandbox.commit("count", "100", "main");
        sandbox.git("origin", &["checkout", "--quiet", "-b", "change"]);
        sandbox.commit("other", "", "change");
        sandbox.merge();
        sandbox
    }

    /// Commits a file in the pull request.
    pub(crate) fn change(&self, file: &str, content: &str) {
        self.commit(file, content, "change");
        self.merge();
    }

    /// Lets main not build, with a change that mends it.
    pub(crate) fn break_main(&self) {
        self.git("origin", &["checkout", "--quiet", "main"]);
        self.commit("broken", "", "main");
        self.git("origin", &["checkout", "--quiet", "change"]);
        self.git("origin", &["merge", "--quiet", "-m", "change", "main"]);
        self.git("origin", &["rm", "--quiet", "broken"]);
        self.git("origin", &["commit", "--quiet", "-m", "change"]);
        self.merge();
    }

    fn commit(&self, file: &str, content: &str, message: &str) {
        fs::write(self.file("origin").join(self.below).join(file), content).unwrap();
        self.git("origin", &["add", "."]);
        self.git("origin", &["commit", "--quiet", "-m", message]);
    }

    /// Makes the commit that GitHub offers as `refs/pull/7/merge`.
    fn merge(&self) {
        self.git("origin", &["checkout", "--quiet", "--detach", "main"]);
        self.git(
            "origin",
            &["merge", "--quiet", "--no-ff", "-m", "merge", "change"],
        );
        self.git("origin", &["update-ref", "refs/pull/7/merge", "HEAD"]);
        self.git("origin", &["checkout", "--quiet", "change"]);
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.file(name).display().to_string()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn git(&self, directory: &str, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@example.org",
                "-c",
                "protocol.file.allow=always",
            ])
            .args(arguments)
            .current_dir(self.file(directory))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Number of checkouts that git knows of what was checked out.
    pub(crate) fn worktrees(&self) -> usize {
        self.git("work", &["worktree", "list"]).lines().count()
    }

    /// The benchmarks that are in the cache for a branch.
    pub(crate) fn cached(&self, label: &str, branch: &str) -> Vec<String> {
        let file = self
            .cache_file(&self.key(label, branch))
            .join("results.jsonl");
        benchmarks(&fs::read_to_string(file).unwrap_or_default())
    }

    /// Puts results of another compiler into the cache.
    pub(crate) fn cache_foreign(&self, label: &str, branch: &str) {
        let commit = self.git("origin", &["rev-parse", branch]);
        self.cache(label, branch, &foreign(&commit));
    }

    /// Puts results of a commit with this count into the cache of another one.
    pub(crate) fn cache_of(&self, branch: &str, commit: &str, count: u64) {
        let records = records().map(|record| format!("{}\n", of_main(record, commit, count)));
        self.cache("default", branch, &records.concat());
    }

    /// The record of a run without benchmarks.
    pub(crate) fn cache_nothing(&self, branch: &str) {
        let [_, mut run] = records();
        run["counts"]["ok"] = json!(0);
        self.cache("default", branch, &format!("{run}\n"));
    }

    /// A directory in the place of the results in the cache, as an archive may have it.
    pub(crate) fn cache_directory(&self, branch: &str, count: u64) {
        self.cache("default", branch, "");
        let file = self
            .cache_file(&self.key("default", branch))
            .join("results.jsonl");
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        let records = records().map(|record| format!("{}\n", of_main(record, "0123456", count)));
        fs::write(file.join("x.jsonl"), records.concat()).unwrap();
    }

    pub(crate) fn cache(&self, label: &str, branch: &str, results: &str) {
        let directory = self.cache_file(&self.key(label, branch));
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("results.jsonl"), results).unwrap();
    }

    pub(crate) fn write_foreign(&self, name: &str) -> String {
        fs::write(self.file(name), foreign("0123456")).unwrap();
        self.path(name)
    }

    fn key(&self, label: &str, branch: &str) -> String {
        format!(
            "iai-callgrind-{label}-{}",
            self.git("origin", &["rev-parse", branch])
        )
    }

    fn cache_file(&self, key: &str) -> PathBuf {
        self.file("cache").join(key)
    }

    /// Checks out as GitHub does, then runs the steps.
    pub(crate) fn run(&self, event: Event, inputs: &[(&str, &str)]) -> Run {
        for name in ["work", "temp", "artifacts", "output", "summary.md"] {
            let _ = fs::remove_dir_all(self.file(name));
            let _ = fs::remove_file(self.file(name));
        }
        fs::create_dir_all(self.file("temp")).unwrap();
        let environment = self.check_out(event);
        self.steps(&environment, inputs)
    }

    /// Uses the action once more in the same job.
    pub(crate) fn again(&self, event: Event, inputs: &[(&str, &str)]) -> Run {
        self.steps(&self.environment(event), inputs)
    }

    /// A step after the action, which measures what is checked out; its benchmarks.
    pub(crate) fn step_after(&self) -> Vec<String> {
        let home = self.path("work/target/iai");
        let output = self.in_job("cargo").args(["bench"]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let file = Path::new(&home).join("exp1/app/results.jsonl");
        benchmarks(&fs::read_to_string(file).unwrap())
    }

    /// A program of a step, with what every step of the job has.
    fn in_job(&self, program: &str) -> Command {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.path("bin"));
        let mut command = Command::new("env");
        command
            .current_dir(self.file("work"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.root.path())
            .env("LOG", self.file("log"))
            .env("FAKES", self.file("bin"))
            .env("GITHUB_ACTIONS", "true")
            .envs(&self.job)
            .arg(program);
        command
    }

    fn steps(&self, environment: &Texts, inputs: &[(&str, &str)]) -> Run {
        let _ = fs::remove_file(self.file("log"));
        let action = Action::read();
        let mut values = BTreeMap::new();
        for (name, default) in &action.inputs {
            let given = inputs.iter().find(|(input, _)| input == name);
            let value = given.map_or(default.as_str(), |(_, value)| value);
            values.insert(format!("inputs.{name}"), value.to_owned());
        }
        assert_eq!(values.len(), action.inputs.len());
        assert!(inputs
            .iter()
            .all(|(name, _)| action.inputs.contains_key(*name)));
        values.insert(
            "github.event_name".into(),
            environment["GITHUB_EVENT_NAME"].clone(),
        );
        let (mut code, mut said) = (0, String::new());
        for step in &action.steps {
            let condition = step.condition.as_deref().unwrap_or_default();
            let always = condition.starts_with("always()");
            if (code != 0 && !always) || !holds(condition, &values) {
                continue;
            }
            match &step.uses {
                Some(uses) => values.extend(self.use_action(uses, step, &values)),
                None => {
                    code = self
                        .run_step(step, environment, &mut values, &mut said)
                        .max(code)
                }
            }
        }
        let outputs = action.outputs.iter();
        Run {
            temp: self.file("temp"),
            artifacts: self.file("artifacts"),
            code,
            outputs: outputs
                .map(|(name, value)| (name.clone(), filled(value, &values)))
                .collect(),
            log: fs::read_to_string(self.file("log")).unwrap_or_default(),
            said,
            summary: fs::read_to_string(self.file("summary.md")).unwrap_or_default(),
        }
    }

    fn check_out(&self, event: Event) -> Texts {
        let (reference, depth) = match event {
            Event::Push | Event::TargetAlone => ("refs/heads/main", 1),
            Event::PullRequest { depth } => ("refs/pull/7/merge", depth),
            Event::Fork => ("refs/pull/7/merge", 2),
            Event::Head | Event::PullRequestTarget => ("refs/heads/change", 1),
            Event::MergeQueue | Event::MergeQueueOn(_) | Event::Manual(_) => {
                ("refs/pull/7/merge", 1)
            }
        };
        fs::create_dir(self.file("work")).unwrap();
        self.git("work", &["init", "--quiet"]);
        let origin = format!("file://{}", self.path("origin"));
        self.git("work", &["remote", "add", "origin", &origin]);
        let depth = format!("--depth={depth}");
        self.git("work", &["fetch", "--quiet", &depth, "origin", reference]);
        self.git("work", &["checkout", "--quiet", "--detach", "FETCH_HEAD"]);
        self.environment(event)
    }

    fn environment(&self, event: Event) -> Texts {
        let (name, reference, base) = match event {
            Event::Push => ("push", "refs/heads/main", ""),
            Event::PullRequest { .. } | Event::Fork | Event::Head => {
                ("pull_request", "refs/pull/7/merge", "main")
            }
            Event::PullRequestTarget | Event::TargetAlone => {
                ("pull_request_target", "refs/heads/main", "main")
            }
            Event::MergeQueue | Event::MergeQueueOn(_) => ("merge_group", "refs/pull/7/merge", ""),
            Event::Manual(name) => (name, "refs/pull/7/merge", ""),
        };
        let main = self.git("origin", &["rev-parse", "main"]);
        let payload = match event {
            Event::MergeQueue => json!({"merge_group": {"base_sha": main}}),
            Event::MergeQueueOn(base) => json!({"merge_group": {"base_sha": base}}),
            _ => json!({}),
        };
        fs::write(self.file("event.json"), payload.to_string()).unwrap();
        let texts = [
            ("GITHUB_EVENT_NAME", name.to_owned()),
            ("GITHUB_EVENT_PATH", self.path("event.json")),
            ("GITHUB_SHA", self.git("origin", &["rev-parse", reference])),
            ("GITHUB_REF", reference.to_owned()),
            ("GITHUB_BASE_REF", base.to_owned()),
            ("GITHUB_WORKSPACE", self.path("work")),
        ];
        texts
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// Runs a script; its exit code.
    fn run_step(
        &self,
        step: &Step,
        environment: &Texts,
        values: &mut Texts,
        said: &mut String,
    ) -> i32 {
        let script = actions().join("bench").join(step.script().unwrap());
        let output = self
            .in_job("bash")
            .arg(script)
            .env("RUNNER_TEMP", self.file("temp"))
            .env("GITHUB_OUTPUT", self.file("output"))
            .env("GITHUB_STEP_SUMMARY", self.file("summary.md"))
            .envs(environment)
            .envs(
                step.env
                    .iter()
                    .map(|(name, value)| (name, filled(value, values))),
            )
            .output()
            .unwrap();
        *said += &String::from_utf8_lossy(&output.stdout);
        *said += &String::from_utf8_lossy(&output.stderr);
        if let Some(id) = &step.id {
            for line in fs::read_to_string(self.file("output"))
                .unwrap_or_default()
                .lines()
            {
                let (name, value) = line.split_once('=').unwrap();
                values.insert(format!("steps.{id}.outputs.{name}"), value.to_owned());
            }
        }
        let _ = fs::remove_file(self.file("output"));
        output.status.code().unwrap()
    }

    /// Caches and artifacts are directories here. Returns the outputs of the step.
    fn use_action(&self, uses: &str, step: &Step, values: &Texts) -> Option<(String, String)> {
        let with = |name: &str| filled(&step.with[name], values);
        let paths = |text: &str| text.lines().map(PathBuf::from).collect::<Vec<_>>();
        let (name, commit) = uses.split_once('@').unwrap();
        assert_eq!(commit.len(), 40, "a tag can be moved: {uses}");
        match name {
            // Programs are not kept: each run installs them.
            "actions/cache" => assert!(with("key").starts_with("iai-callgrind-runner-0.17.0-")),
            "actions/cache/save" => {
                let directory = self.cache_file(&with("key"));
                fs::create_dir_all(&directory).unwrap();
                let path = PathBuf::from(with("path"));
                fs::copy(&path, directory.join(path.file_name().unwrap())).unwrap();
            }
            "actions/cache/restore" => {
                let path = PathBuf::from(with("path"));
                let file = self
                    .cache_file(&with("key"))
                    .join(path.file_name().unwrap());
                if file.is_dir() {
                    let copy = Command::new("cp").arg("-r").args([&file, &path]).status();
                    assert!(copy.unwrap().success());
                } else if file.exists() {
                    fs::copy(file, path).unwrap();
                }
            }
            "actions/upload-artifact" => {
                let paths = paths(with("path").trim());
                let root = paths[2].parent().unwrap();
                for path in paths.iter().filter(|path| path.exists()) {
                    let inside = path.strip_prefix(root).unwrap();
                    let file = self.file("artifacts").join(with("name")).join(inside);
                    fs::create_dir_all(file.parent().unwrap()).unwrap();
                    fs::copy(path, file).unwrap();
                }
                let output = format!("steps.{}.outputs.artifact-url", step.id.as_deref()?);
                return Some((output, ARTIFACT.to_owned()));
            }
            uses => panic!("{uses}"),
        }
        None
    }
}

impl Run {
    #[track_caller]
    pub(crate) fn ends(&self, code: i32, verdict: &str) {
        let found = (self.code, self.outputs["verdict"].as_str());
        assert_eq!(found, (code, verdict), "{}\n{}", self.said, self.log);
    }

    /// How often something was measured.
    pub(crate) fn benches(&self) -> usize {
        self.log.matches("cargo bench -- --exit-zero\n").count()
    }

    pub(crate) fn called(&self, text: &str) -> bool {
        self.log.contains(text)
    }

    pub(crate) fn said(&self, text: &str) -> bool {
        self.said.contains(text)
    }

    pub(crate) fn text(&self) -> &str {
        &self.said
    }

    /// Is there a command of this kind in the log?
    pub(crate) fn commands(&self, kind: &str) -> bool {
        let start = format!("::{kind}");
        let mut lines = self.said.lines();
        lines.any(|line| line.trim_start().starts_with(&start))
    }

    /// The benchmarks of the results: label, path, branch and count.
    pub(crate) fn results(&self) -> Vec<String> {
        benchmarks(&fs::read_to_string(&self.outputs["results"]).unwrap())
    }

    /// The branches of both sides and the first row of the report, without markup.
    pub(crate) fn report(&self) -> String {
        let text = fs::read_to_string(&self.outputs["report"]).unwrap();
        let line = |start: &str| text.lines().find(|line| line.starts_with(start));
        let commits = line("`").unwrap().split_once(" · ").unwrap().0;
        let branches = commits.split(" → ").map(|side| {
            let (_, branch) = side.split_once(" (`").unwrap();
            branch.trim_end_matches("`)").to_owned()
        });
        let sides = branches.collect::<Vec<_>>().join(" -> ");
        let row = line("| **").or_else(|| line("| new")).unwrap_or_default();
        let cells: Vec<&str> = row
            .split('|')
            .map(|cell| cell.trim().trim_matches('*'))
            .collect();
        match cells.get(4..6) {
            Some([old, new]) => format!("{sides}: {} {old} {new}", cells[1]),
            _ => sides,
        }
    }

    /// The summary of the job.
    pub(crate) fn summary(&self) -> &str {
        &self.summary
    }

    /// The page for browsers.
    pub(crate) fn page(&self) -> String {
        fs::read_to_string(&self.outputs["page"]).unwrap()
    }

    /// Names at the root of an artifact.
    pub(crate) fn artifact(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.artifacts.join(name)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// Keeps an artifact in a folder of its name.
    pub(crate) fn download(&self, name: &str, folder: &str) {
        assert!(self.temp.exists());
        let folder = Path::new(folder);
        fs::create_dir_all(folder).unwrap();
        fs::rename(self.artifacts.join(name), folder.join(name)).unwrap();
    }
}

/// The text with the values of its expressions.
fn filled(text: &str, values: &Texts) -> String {
    let mut parts = text.split("${{");
    let mut filled = parts.next().unwrap().to_owned();
    for part in parts {
        let (expression, rest) = part.split_once("}}").unwrap();
        let (name, default) = expression.split_once("||").unwrap_or((expression, "''"));
        let value = values.get(name.trim()).filter(|value| !value.is_empty());
        filled += value.map_or(default.trim().trim_matches('\''), String::as_str);
        filled += rest;
    }
    filled
}

/// Is a condition of a step true?
fn holds(condition: &str, values: &Texts) -> bool {
    condition.split("&&").map(str::trim).all(|part| {
        if part.is_empty() || part == "always()" {
            return true;
        }
        let (is_equal, (name, value)) = match part.split_once("==") {
            Some(sides) => (true, sides),
            None => (false, part.split_once("!=").unwrap()),
        };
        let found = values.get(name.trim()).map_or("", String::as_str);
        (found == value.trim().trim_matches('\'')) == is_equal
    })
}

/// Label, path, branch and count of each benchmark.
fn benchmarks(lines: &str) -> Vec<String> {
    let records = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let benchmarks = records.filter(|record| record["type"] == "benchmark");
    let text = |record: Value| {
        let label = record["label"].as_str().map(|label| format!("{label} "));
        let texts = [&record["benchmark"]["path"], &record["source"]["branch"]];
        let [path, branch] = texts.map(|text| text.as_str().unwrap().to_owned());
        let count = &record["profiles"][0]["metrics"][0]["new"];
        format!("{}{path} {branch} {count}", label.unwrap_or_default())
    };
    benchmarks.map(text).collect()
}

/// A benchmark and its run, without what differs.
fn records() -> [Value; 2] {
    let system = json!({
        "runner": "0.17.0", "target": "x86_64-unknown-linux-gnu", "libc": "glibc 2.36", "rustc": "1.95.0",
        "cpu_features": ["avx2"],
    });
    let benchmark = json!({
        "type": "benchmark", "version": 1, "status": "ok",
        "benchmark": {
            "path": "", "kind": "library", "package": "exp1", "file": "app", "group": "g", "function": "",
        },
        "baselines": {}, "started_at": "2026-11-20T10:00:01.000Z", "duration_ns": 3,
        "profiles": [{
            "tool": "callgrind", "mode": "fork", "parts": [], "regressions": [], "errors": [], "notes": [],
            "out_files": [], "log_files": [],
            "metrics": [{"kind": "Ir", "label": "Instructions", "shown": true, "new": 0}],
            "limits": [{"type": "soft", "kind": "Ir", "limit": 50.0}],
            "environment": {"valgrind_version": "3.19.0", "valgrind_args": [], "caches": []},
        }],
        "failures": [], "comparisons": [], "directory": "x",
        "files": {
            "workspace": "/w", "package_dir": "/w", "bench_file": "/w/b.rs", "executable": "/w/e",
            "home": "/w/target/iai", "home_in_workspace": "target/iai",
        },
        "system": system,
    });
    let run = json!({
        "type": "run", "version": 1, "ending": "ok", "exit_code": 0,
        "counts": {"ok": 1, "regressed": 0, "failed": 0, "filtered": 0, "not_run": 0},
        "started_at": "2026-11-20T10:00:00.000Z", "duration_ns": 5, "package": "exp1", "file": "app",
        "baselines": {}, "system": system, "warnings": [], "errors": [],
    });
    [benchmark, run]
}

/// Results of main that were compiled by another compiler.
fn foreign(commit: &str) -> String {
    let records = records().map(|record| {
        let mut record = of_main(record, commit, 100);
        record["system"]["rustc"] = json!("1.94.1");
        format!("{record}\n")
    });
    records.concat()
}

/// The record, completed as one of main.
fn of_main(mut record: Value, commit: &str, count: u64) -> Value {
    record["source"] = json!({"commit": commit, "branch": "main"});
    if record["type"] == "benchmark" {
        record["benchmark"]["path"] = json!("app::g::n_1");
        record["benchmark"]["function"] = json!("n_1");
        record["profiles"][0]["metrics"][0]["new"] = json!(count);
    }
    record
}
