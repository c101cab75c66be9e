//! The action of GitHub, step by step as its file says, in a repository with a merge commit:
//! without a network, with a program in place of cargo, and with directories in place of caches and
//! artifacts. The recipes of `docs/ci.md` run in the same way.
//!
//! It needs `bash`, `git` and `jq`.

#![allow(
    clippy::disallowed_methods,
    reason = "the test is what surrounds the scripts"
)]

use std::fs;
use std::path::Path;

mod documents;
mod recipes;
mod sandbox;
mod workflow;

use sandbox::{Event, Sandbox, ARTIFACT};
use workflow::Action;

const MERGE: Event = Event::PullRequest { depth: 2 };

#[test]
fn main_is_measured_and_kept_for_pull_requests() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(Event::Push, &[]);
    run.ends(0, "ok");
    assert_eq!(sandbox.cached("default", "main"), ["app::g::n_1 main 100"]);
    assert_eq!(run.results(), ["app::g::n_1 main 100"]);
    assert_eq!(run.benches(), 1);
}

#[test]
fn a_pull_request_is_compared_with_its_base_from_the_cache() {
    let sandbox = Sandbox::new();
    sandbox.run(Event::Push, &[]).ends(0, "ok");
    let run = sandbox.run(MERGE, &[]);
    run.ends(0, "ok");
    assert_eq!(run.benches(), 1);
    assert!(
        run.called("runner compare --require-comparable --callgrind-limits=ir=5% --format=github")
    );
    assert_eq!(run.report(), "main -> merge");

    sandbox.change("count", "120");
    let run = sandbox.run(MERGE, &[]);
    run.ends(3, "regressed");
    assert_eq!(run.benches(), 1);
    assert_eq!(run.report(), "main -> merge: regressed 100 120");
    assert_eq!(
        run.artifact("iai-callgrind-default"),
        ["base", "new", "page.html", "report.md"]
    );
}

#[test]
fn the_page_is_in_the_artifact_which_the_summary_links() {
    let sandbox = Sandbox::new();
    sandbox.change("count", "120");
    let run = sandbox.run(MERGE, &[]);
    run.ends(3, "regressed");
    assert!(run.page().contains("<h1>"), "{}", run.page());
    let link = format!("`page.html` in [the artifact]({ARTIFACT})");
    assert!(run.summary().contains(&link), "{}", run.summary());
    // A part is judged elsewhere.
    let run = sandbox.run(MERGE, &[("part", "1/2")]);
    run.ends(0, "part");
    assert_eq!(run.summary(), "");
}

#[test]
fn without_a_cache_the_base_is_measured_beside_the_change() {
    let sandbox = Sandbox::new();
    sandbox.change("count", "120");
    let run = sandbox.run(MERGE, &[]);
    run.ends(3, "regressed");
    assert_eq!(run.benches(), 2);
    assert_eq!(run.report(), "main -> merge: regressed 100 120");
    assert!(
        sandbox.cached("default", "main").is_empty(),
        "pull requests write none of main's"
    );
    let caches = sandbox.path("temp/iai-callgrind/labels/default/cache/iai-callgrind");
    assert!(run.called(&format!("main is built in {caches}/work-")));
    assert!(
        !Path::new(&caches).exists() || fs::read_dir(&caches).unwrap().count() == 0,
        "nothing of the base is left"
    );
    assert_eq!(sandbox.worktrees(), 1);
    let target = sandbox.path("work/target");
    assert!(run.called(&format!("merge is built in {target}, {target}\n")));
}

#[test]
fn another_label_has_another_base() {
    let sandbox = Sandbox::new();
    sandbox.run(Event::Push, &[]).ends(0, "ok");
    let run = sandbox.run(MERGE, &[("label", "musl")]);
    run.ends(0, "ok");
    assert_eq!(run.benches(), 2);
    assert_eq!(run.results(), ["musl app::g::n_1 merge 100"]);
    assert_eq!(
        run.artifact("iai-callgrind-musl"),
        ["base", "new", "page.html", "report.md"]
    );
}

#[test]
fn a_base_that_cannot_be_compared_with_is_measured_again() {
    for inputs in [&[][..], &[("allow-missing", "true")]] {
        let sandbox = Sandbox::new();
        sandbox.cache_foreign("default", "main");
        sandbox.change("count", "120");
        let run = sandbox.run(MERGE, inputs);
        run.ends(3, "regressed");
        assert_eq!(run.benches(), 2, "{inputs:?}");
        assert_eq!(run.report(), "main -> merge: regressed 100 120");
    }
}

#[test]
fn given_results_are_taken_as_they_are() {
    let sandbox = Sandbox::new();
    let foreign = sandbox.write_foreign("foreign.jsonl");
    let run = sandbox.run(MERGE, &[("base", &foreign)]);
    run.ends(4, "not-comparable");
    assert_eq!(run.benches(), 1);
    let run = sandbox.run(
        MERGE,
        &[("base", "none"), ("limits", ""), ("strict", "true")],
    );
    run.ends(0, "ok");
    assert!(run.called("runner report --strict --format=github"));
}

#[test]
fn a_base_that_does_not_build_is_no_verdict() {
    let sandbox = Sandbox::new();
    sandbox.break_main();
    let run = sandbox.run(MERGE, &[]);
    run.ends(0, "no-baseline");
    assert!(run.said("::warning title=Iai-Callgrind::there are no results of the base"));
    assert_eq!(run.report(), "merge: new  100");
    sandbox
        .run(MERGE, &[("strict", "true")])
        .ends(1, "no-baseline");
}

#[test]
fn a_change_that_does_not_build_fails() {
    let sandbox = Sandbox::new();
    sandbox.change("broken", "");
    let run = sandbox.run(MERGE, &[]);
    run.ends(101, "failed");
    assert_eq!(run.benches(), 1);
}

#[test]
fn the_base_is_found_whatever_is_checked_out() {
    for event in [Event::PullRequest { depth: 1 }, Event::Head] {
        let sandbox = Sandbox::new();
        sandbox.run(Event::Push, &[]).ends(0, "ok");
        sandbox.change("count", "120");
        let run = sandbox.run(event, &[]);
        run.ends(3, "regressed");
        assert_eq!(run.benches(), 1, "{event:?}");
    }
}

/// Events that start workflows and name no commit to compare with, as GitHub lists them, and one
/// that it may add.
const WITHOUT_BASE: [&str; 31] = [
    "branch_protection_rule",
    "check_run",
    "check_suite",
    "create",
    "delete",
    "deployment",
    "deployment_status",
    "discussion",
    "discussion_comment",
    "fork",
    "gollum",
    "image_version",
    "issue_comment",
    "issues",
    "label",
    "milestone",
    "page_build",
    "public",
    "pull_request_review",
    "pull_request_review_comment",
    "registry_package",
    "release",
    "repository_dispatch",
    "schedule",
    "status",
    "watch",
    "workflow_call",
    "workflow_dispatch",
    "workflow_run",
    "dynamic",
    "one_that_comes_later",
];

#[test]
fn every_event_compares_or_says_that_it_does_not() {
    for event in [MERGE, Event::MergeQueue, Event::PullRequestTarget] {
        let sandbox = Sandbox::new();
        sandbox.change("count", "120");
        let run = sandbox.run(event, &[]);
        run.ends(3, "regressed");
        assert_eq!(run.benches(), 2, "{event:?}");

        sandbox.run(Event::Push, &[]).ends(0, "ok");
        let run = sandbox.run(event, &[]);
        run.ends(3, "regressed");
        assert_eq!(run.benches(), 1, "{event:?}");
    }

    let sandbox = Sandbox::new();
    sandbox.change("count", "120");
    let run = sandbox.run(Event::TargetAlone, &[]);
    run.ends(0, "no-baseline");
    assert!(run.said("what is checked out is the base itself"));
    for name in WITHOUT_BASE {
        let run = sandbox.run(Event::Manual(name), &[]);
        run.ends(0, "no-baseline");
        assert!(run.said(&format!("the event {name} names no commit to compare with")));
        assert!(run.said("::warning title=Iai-Callgrind::there are no results of the base"));
        assert_eq!(run.benches(), 1);
    }
    let run = sandbox.run(Event::Manual("schedule"), &[("strict", "true")]);
    run.ends(1, "no-baseline");

    let run = sandbox.run(Event::Push, &[]);
    run.ends(0, "ok");
    assert!(run.said("::notice title=Iai-Callgrind::a push is compared with nothing"));
}

#[test]
fn a_queue_that_names_no_commit_is_no_verdict() {
    let sandbox = Sandbox::new();
    sandbox.change("count", "120");
    let missing = "0123456789abcdef0123456789abcdef01234567";
    for base in ["", "main", "--upload-pack=false", missing] {
        let run = sandbox.run(Event::MergeQueueOn(base), &[]);
        run.ends(0, "no-baseline");
        assert!(
            run.said("the commit to compare with is not known"),
            "{base}"
        );
        sandbox
            .run(Event::MergeQueueOn(base), &[("strict", "true")])
            .ends(1, "no-baseline");
    }
}

/// Builds of the base are newer than the sources of the change, so in a directory that both shared
/// they would be up to date for every later step.
#[test]
fn a_step_after_the_action_measures_the_change() {
    for target in [None, Some("builds")] {
        for label in ["", "a"] {
            let mut sandbox = Sandbox::new();
            sandbox.change("count", "120");
            if let Some(target) = target {
                let directory = sandbox.path(target);
                sandbox.job.insert("CARGO_TARGET_DIR".into(), directory);
            }
            let run = sandbox.run(MERGE, &[("label", label)]);
            run.ends(3, "regressed");
            assert_eq!(run.benches(), 2);
            assert_eq!(
                sandbox.step_after(),
                ["app::g::n_1 merge 120"],
                "{target:?}"
            );
            // So does another use of the action.
            let run = sandbox.again(MERGE, &[("label", "b")]);
            run.ends(3, "regressed");
            assert_eq!(run.results(), ["b app::g::n_1 merge 120"]);
            assert_eq!(
                sandbox.step_after(),
                ["app::g::n_1 merge 120"],
                "{target:?}"
            );
        }
    }
}

#[test]
fn all_commands_of_a_step_are_measured_on_both_sides() {
    let two = "cargo bench -- --exit-zero\nBENCH=more cargo bench -- --exit-zero";
    let sandbox = Sandbox::new();
    // The second one alone regresses.
    sandbox.change("count.more", "120");
    for expected in [4, 2] {
        let run = sandbox.run(MERGE, &[("run", two)]);
        run.ends(3, "regressed");
        assert_eq!(run.benches(), expected);
        assert_eq!(
            run.results(),
            ["app::g::n_1 merge 100", "more::g::n_1 merge 120"]
        );
        assert_eq!(run.report(), "main -> merge: regressed 100 120");
        sandbox.run(Event::Push, &[("run", two)]).ends(0, "ok");
    }
    // A base of which one command fails is none, whatever the others have left.
    let sandbox = Sandbox::new();
    sandbox.change("count", "120");
    let of_base = "[ \"$(git log -1 --format=%s)\" = merge ]";
    for commands in [
        format!("cargo bench -- --exit-zero\n{of_base}"),
        format!("{of_base}\ncargo bench -- --exit-zero"),
    ] {
        let run = sandbox.run(MERGE, &[("run", &commands)]);
        run.ends(0, "no-baseline");
        assert!(run.said("there are no results of the base"));
    }
}

#[test]
fn two_labels_in_one_job_share_neither_base_nor_results() {
    let sandbox = Sandbox::new();
    sandbox.change("count", "120");
    let run = sandbox.run(MERGE, &[("label", "a")]);
    run.ends(3, "regressed");
    assert_eq!(run.results(), ["a app::g::n_1 merge 120"]);
    let run = sandbox.again(MERGE, &[("label", "b")]);
    run.ends(3, "regressed");
    assert_eq!(run.benches(), 2, "the base is measured for each");
    assert_eq!(run.results(), ["b app::g::n_1 merge 120"]);
    assert_eq!(
        run.artifact("iai-callgrind-b"),
        ["base", "new", "page.html", "report.md"]
    );
    // The same label once more takes nothing from its first use.
    let run = sandbox.again(MERGE, &[("label", "b")]);
    run.ends(3, "regressed");
    assert_eq!(run.benches(), 2);
}

#[test]
fn the_first_command_that_fails_ends_the_step() {
    let sandbox = Sandbox::new();
    for commands in ["cargo gone\n", "cargo gone | cat\n"] {
        let run = format!("{commands}cargo bench -- --exit-zero");
        let run = sandbox.run(Event::Push, &[("run", &run)]);
        run.ends(101, "failed");
        assert_eq!(run.benches(), 0);
    }
}

#[test]
fn results_that_were_there_before_are_not_those_of_the_job() {
    let sandbox = Sandbox::new();
    let stale = "mkdir -p target/iai/gone/b && echo stale >target/iai/gone/b/results.jsonl\n";
    let run = format!("{stale}cargo bench -- --exit-zero");
    let run = sandbox.run(Event::Push, &[("run", &run)]);
    run.ends(0, "ok");
    assert_eq!(run.results(), ["app::g::n_1 main 100"]);
}

#[test]
fn kept_results_that_cannot_be_read_are_measured_again() {
    for results in [
        "::stop-commands::x\n",
        "{\"type\":\"benchmark\",\"version\":1\n::error::forged\n",
        "\u{0}",
    ] {
        let sandbox = Sandbox::new();
        sandbox.cache("default", "main", results);
        sandbox.change("count", "120");
        let run = sandbox.run(MERGE, &[]);
        run.ends(3, "regressed");
        assert_eq!(run.benches(), 2);
        assert!(run.said("the kept results of the base cannot be read"));
        assert!(
            !run.commands("error::forged") && !run.commands("stop-commands"),
            "{}",
            run.text()
        );
    }
}

/// Whoever can write to the cache of a pull request must not make it green with results that are
/// not those of its base.
#[test]
fn kept_results_that_are_not_those_of_the_base_are_measured_again() {
    let other = "0123456789abcdef0123456789abcdef01234567";
    type Plant<'a> = &'a dyn Fn(&Sandbox);
    let plants: [Plant<'_>; 4] = [
        &|sandbox| sandbox.cache_of("main", other, 120),
        &|sandbox| sandbox.cache_nothing("main"),
        &|sandbox| sandbox.cache_directory("main", 120),
        &|sandbox| sandbox.cache("default", "main", "{}\n"),
    ];
    for (number, plant) in plants.iter().enumerate() {
        let sandbox = Sandbox::new();
        plant(&sandbox);
        sandbox.change("count", "120");
        let run = sandbox.run(MERGE, &[]);
        run.ends(3, "regressed");
        assert_eq!(run.benches(), 2, "{number}");
        assert_eq!(run.report(), "main -> merge: regressed 100 120", "{number}");
        assert!(
            run.said("or are of another commit"),
            "{number}: {}",
            run.text()
        );
    }
}

#[test]
fn an_input_sets_no_output_and_names_no_other_directory() {
    let sandbox = Sandbox::new();
    for label in ["x\nverdict=ok", "x\rverdict=ok", "../x", "..", "a b", "a/b"] {
        let run = sandbox.run(MERGE, &[("label", label)]);
        run.ends(2, "failed");
        assert!(run.said("::error title=Iai-Callgrind::the input label takes letters"));
    }
    let run = sandbox.run(MERGE, &[("part", "1/2\nverdict=ok")]);
    run.ends(2, "failed");
    assert!(run.said("would have a control character"));
}

/// Jobs of forks have a token that can only read: nothing may need another one.
#[test]
fn pull_requests_of_forks_need_no_token() {
    let sandbox = Sandbox::new();
    sandbox.run(Event::Push, &[]).ends(0, "ok");
    let run = sandbox.run(Event::Fork, &[]);
    run.ends(0, "ok");
    assert!(!run.called("gh "));
    let text = workflow::text("bench/action.yml");
    for word in [
        "secrets.",
        "github.token",
        "GITHUB_TOKEN",
        "pull_request_target",
    ] {
        assert!(!text.contains(word), "{word}");
    }
}

#[test]
fn parts_are_measured_apart_and_judged_together() {
    let sandbox = Sandbox::new();
    sandbox.change("count", "120");
    let parts = sandbox.path("parts");
    for part in ["1/2", "2/2"] {
        let run = sandbox.run(MERGE, &[("part", part)]);
        run.ends(0, "part");
        assert_eq!(run.benches(), 2, "the part of the base as well");
        assert!(run.called("runner merge -o") && run.called("--allow-missing"));
        let name = format!("iai-callgrind-default-{}", part.replace('/', "-of-"));
        run.download(&name, &parts);
    }
    let run = sandbox.run(MERGE, &[("parts", &parts)]);
    run.ends(3, "regressed");
    assert_eq!(run.benches(), 0);
    assert_eq!(
        run.results(),
        ["app::g::n_1 merge 120", "app::g::n_2 merge 120"]
    );
}

#[test]
fn the_workspace_may_be_below_the_repository() {
    let sandbox = Sandbox::below("rust code");
    sandbox.change("count", "120");
    let run = sandbox.run(MERGE, &[("working-directory", "rust code")]);
    run.ends(3, "regressed");
    assert_eq!(run.benches(), 2);
}

/// A tag can be moved to other code, which has the rights of the job.
#[test]
fn actions_of_others_are_named_by_commits() {
    let root = workflow::actions().join("../..");
    let workflows = fs::read_dir(root.join(".github/workflows")).unwrap();
    let mut files: Vec<_> = workflows.map(|entry| entry.unwrap().path()).collect();
    files.extend(["docs/ci.md", "README.md"].map(|file| root.join(file)));
    files.push(workflow::actions().join("bench/action.yml"));
    let mut uses = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let names = text.lines().filter_map(|line| {
            let line = line.trim_start().trim_start_matches("- ");
            line.strip_prefix("uses: ")
        });
        for name in names.filter(|name| !name.starts_with("iai-callgrind/")) {
            let (_, commit) = name.split_once('@').unwrap();
            let commit = commit.split(' ').next().unwrap();
            let is_commit = commit.len() == 40 && commit.bytes().all(|it| it.is_ascii_hexdigit());
            assert!(is_commit, "{}: {name}", file.display());
            uses += 1;
        }
    }
    assert!(uses > 15, "{uses}");
}

/// Variables, besides inputs, that the action gives to scripts.
const GIVEN: [&str; 2] = ["ARTIFACT_URL", "BASE_COMMIT"];

/// Every input is used, and each variable of a script that stands for one is set where the script
/// runs.
#[test]
fn inputs_are_those_of_the_scripts() {
    let action = Action::read();
    let text = workflow::text("bench/action.yml");
    for input in action.inputs.keys() {
        assert!(text.contains(&format!("inputs.{input}")), "{input}");
    }
    let mut scripts = 0;
    for step in action.steps.iter().filter(|step| step.run.is_some()) {
        let script = step.script().unwrap();
        let mut used = workflow::variables(&workflow::text(&format!("bench/{script}")));
        // Every script has the state of its label.
        used.insert("INPUT_LABEL".to_owned());
        // Inputs and variables that may be unset.
        let given: Vec<&String> = step.env.keys().collect();
        let needed: Vec<&String> = used
            .iter()
            .filter(|name| name.starts_with("INPUT_") || GIVEN.contains(&name.as_str()))
            .collect();
        let inputs: Vec<&&String> = given
            .iter()
            .filter(|name| **name != "RUNNER_VERSION")
            .collect();
        assert_eq!(
            inputs.into_iter().copied().collect::<Vec<_>>(),
            needed,
            "{script}"
        );
        scripts += 1;
    }
    assert_eq!(scripts, 5);
}

#[test]
fn shellcheck_finds_nothing() {
    workflow::shellcheck(&[
        "common.sh",
        "plan.sh",
        "install.sh",
        "measure.sh",
        "compare.sh",
        "link.sh",
    ]);
}
