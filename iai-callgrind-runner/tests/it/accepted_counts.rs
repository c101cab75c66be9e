//! `accept` and accepted counts in `compare` and `report`, as the executable does it, with git's
//! own merges.

use std::path::Path;

use crate::generated::{counted, facts, runs, shell, Counted, Ended, Facts, TARGET};
use tempfile::TempDir;

const FILE: &str = "iai-accepted.toml";

/// A project with results of the main branch.
fn project() -> TempDir {
    let directory = outside_of_projects();
    std::fs::write(directory.path().join("Cargo.lock"), "").unwrap();
    directory
}

/// The same results in a directory without a project.
fn outside_of_projects() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "base.jsonl", &facts("aaaaaaa", 1), &[]);
    directory
}

/// Writes the results of eight benchmarks of 1,000 instructions, of which some have others.
fn write(directory: &Path, name: &str, facts: &Facts, other: &[(&str, u64)]) {
    let all = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|function| {
        let found = other.iter().find(|(name, _)| *name == function);
        counted(function, found.map_or(1_000, |(_, count)| *count))
    });
    write_records(directory, name, facts, &all);
}

fn write_records(directory: &Path, name: &str, facts: &Facts, all: &[Counted]) {
    std::fs::write(directory.join(name), facts.records(all)).unwrap();
}

fn file(directory: &Path) -> String {
    std::fs::read_to_string(directory.join(FILE)).unwrap()
}

fn compare(directory: &Path, new: &str, code: i32) -> Ended {
    runs(directory, &["compare", "base.jsonl", new], code)
}

fn table() -> String {
    format!("[\"{TARGET}\".exp1]\n")
}

#[test]
fn from_a_regression_to_a_spent_line() {
    let project = project();
    let root = project.path();
    write(
        root,
        "pr.jsonl",
        &facts("bbbbbbb", 2),
        &[("c", 1_200), ("d", 900)],
    );
    let red = compare(root, "pr.jsonl", 3);
    assert!(red.out.contains("1 regressed"), "{}", red.out);

    let accept = [
        "accept",
        "--reason=needs a \"Vec\"",
        "base.jsonl",
        "pr.jsonl",
    ];
    let accepted = runs(root, &accept, 0);
    let line = r#""app::g::c" = { Ir = 1200, own = 1080, libc = "glibc 2.36", reason = "needs a \"Vec\"" }"#;
    let expected = format!("{}+ {line}\n`{FILE}`: 1 added\n", table());
    assert_eq!(accepted.out, expected);
    assert!(file(root).ends_with(&format!("version = 1\n\n{}{line}\n", table())));
    // A second time there is nothing to do.
    let again = runs(root, &accept, 0);
    assert_eq!(
        again.out,
        "nothing to accept: all that regressed from `base.jsonl` to `pr.jsonl` is accepted already\n"
    );
    let none = [
        "accept",
        "--callgrind-limits=ir=5%",
        "base.jsonl",
        "base.jsonl",
    ];
    assert_eq!(
        runs(root, &none, 0).out,
        "nothing to accept: nothing regressed from `base.jsonl` to `base.jsonl`\n"
    );

    let green = compare(root, "pr.jsonl", 0);
    assert!(green.out.contains("1 accepted"), "{}", green.out);

    // Within the limit above the accepted count it stays green, beyond it is red.
    write(root, "more.jsonl", &facts("ccccccc", 3), &[("c", 1_250)]);
    compare(root, "more.jsonl", 0);
    write(
        root,
        "too_much.jsonl",
        &facts("ddddddd", 4),
        &[("c", 1_400)],
    );
    compare(root, "too_much.jsonl", 3);
    let changed = runs(root, &["accept", "base.jsonl", "too_much.jsonl"], 0);
    assert!(
        changed.out.contains(&format!("- {line}\n")),
        "{}",
        changed.out
    );
    // The reason stays.
    let line = line.replace("1200", "1400").replace("1080", "1260");
    assert!(
        changed
            .out
            .contains(&format!("+ {line}\n`{FILE}`: 1 changed\n")),
        "{}",
        changed.out
    );

    // The main branch has it: the line is spent, and pruned.
    write(root, "base.jsonl", &facts("eeeeeee", 5), &[("c", 1_400)]);
    write(root, "next.jsonl", &facts("fffffff", 6), &[("c", 1_401)]);
    let spent = compare(root, "next.jsonl", 0);
    let note = format!("1 line in `{FILE}` without an effect");
    assert!(
        format!("{}{}", spent.out, spent.err).contains(&note),
        "{spent:#?}"
    );
    let pruned = runs(root, &["accept", "--prune", "base.jsonl"], 0);
    assert_eq!(
        pruned.out,
        format!("{}- {line}\n`{FILE}`: 1 removed\n", table())
    );
    assert!(file(root).ends_with("version = 1\n"), "{}", file(root));
    let pruned = runs(root, &["accept", "--prune", "base.jsonl"], 0);
    let nothing = format!("nothing to remove: each line of `{FILE}` has an effect\n");
    assert_eq!(pruned.out, nothing);
}

/// What, where, and what to do next.
#[test]
fn what_is_missing_is_said_with_the_command_to_type() {
    let project = project();
    let root = project.path();
    let err = |words: &[&str]| runs(root, words, 2).err;
    std::fs::create_dir(root.join("home")).unwrap();
    assert_eq!(
        err(&["accept", "--home=home"]),
        "error: accept: no results to compare with are named\n  \
         baselines: none; `cargo bench -- --save-baseline=NAME` makes one\n  \
         hint: `accept @NAME` accepts what regressed since that baseline, `accept --all` all counts \
         of the last run\n"
    );
    let bench = root.join("home/exp1/bench");
    std::fs::create_dir_all(&bench).unwrap();
    for name in ["results.jsonl.base@main", "results.jsonl.base@v1"] {
        std::fs::write(bench.join(name), "").unwrap();
    }
    assert_eq!(
        err(&["accept", "--prune", "--home=home"]),
        "error: accept --prune: no results to compare with are named\n  \
         baselines: `main`, `v1`\n  \
         hint: `accept --prune @main` removes lines that these results have reached\n"
    );
    let unlimited = |count| Counted {
        limit: None,
        ..counted("a", count)
    };
    write_records(root, "old.jsonl", &facts("aaaaaaa", 1), &[unlimited(1_000)]);
    write_records(root, "new.jsonl", &facts("bbbbbbb", 2), &[unlimited(1_200)]);
    let shown = runs(root, &["accept", "old.jsonl", "new.jsonl"], 0).out;
    assert_eq!(
        shown,
        "nothing to accept: no limit says what regressed from `old.jsonl` to `new.jsonl`\n  \
         hint: `--callgrind-limits=ir=5%` is one; `accept --all` accepts all counts of the last run\n"
    );
    let nothing = format!("nothing to remove: there is no `{FILE}`\n");
    assert_eq!(
        runs(root, &["accept", "--prune", "base.jsonl"], 0).out,
        nothing
    );
}

/// Branches that accept what they make slower, and a merge of both into main.
fn merge(first: (&str, u64), second: (&str, u64)) -> (TempDir, bool) {
    let project = project();
    let root = project.path();
    let git = |lines: &str| shell(root, root, lines);
    // A line in the middle, as a project has it after a while.
    write(root, "old.jsonl", &facts("0000000", 1), &[("e", 2_000)]);
    runs(root, &["accept", "base.jsonl", "old.jsonl"], 0);
    git("git init -q -b main; git add iai-accepted.toml; git commit -qm base");
    for (branch, (function, count)) in [("one", first), ("two", second)] {
        git(&format!("git checkout -q -b {branch} main"));
        write(
            root,
            "pr.jsonl",
            &facts(branch, 2),
            &[(function, count), ("e", 2_000)],
        );
        runs(root, &["accept", "base.jsonl", "pr.jsonl"], 0);
        git("git commit -qam accepted");
    }
    let merged = git("git merge -q one 2>&1 || echo conflict");
    write(
        root,
        "merged.jsonl",
        &facts("merged0", 3),
        &[first, second, ("e", 2_000)],
    );
    let is_clean = !merged.contains("conflict");
    (project, is_clean)
}

#[test]
fn branches_that_accept_different_benchmarks_merge_without_a_conflict() {
    let (project, is_clean) = merge(("b", 1_200), ("g", 1_300));
    assert!(is_clean, "{}", file(project.path()));
    let lines = file(project.path());
    let lines: Vec<&str> = lines
        .lines()
        .filter(|line| line.starts_with("\"app"))
        .collect();
    let expected = [
        r#""app::g::b" = { Ir = 1200, own = 1080, libc = "glibc 2.36" }"#,
        r#""app::g::e" = { Ir = 2000, own = 1800, libc = "glibc 2.36" }"#,
        r#""app::g::g" = { Ir = 1300, own = 1170, libc = "glibc 2.36" }"#,
    ];
    assert_eq!(lines, expected);
    compare(project.path(), "merged.jsonl", 0);
}

#[test]
fn outside_of_a_project_the_file_has_to_be_named() {
    let directory = outside_of_projects();
    let root = directory.path();
    write(root, "pr.jsonl", &facts("bbbbbbb", 2), &[("c", 2_000)]);
    let refused = runs(root, &["accept", "base.jsonl", "pr.jsonl"], 1);
    let reason = "would be in no project: neither here nor above is a `Cargo.lock` or a repository";
    assert!(refused.err.contains(reason), "{}", refused.err);
    assert!(!root.join(FILE).exists());
    let named = format!("--accepted={FILE}");
    runs(root, &["accept", &named, "base.jsonl", "pr.jsonl"], 0);
    // A file that is there tells where the accepted counts of a project are.
    write(root, "next.jsonl", &facts("ccccccc", 3), &[("d", 2_000)]);
    runs(root, &["accept", "base.jsonl", "next.jsonl"], 0);
}

/// A pull request may bring a link, and whoever accepts its counts would write to what it names.
#[test]
#[expect(clippy::disallowed_methods, reason = "links of the test")]
fn a_link_in_its_place_is_neither_read_nor_written_to() {
    let project = project();
    let root = project.path();
    write(root, "pr.jsonl", &facts("bbbbbbb", 2), &[("c", 2_000)]);
    let elsewhere = tempfile::tempdir().unwrap();
    let theirs = elsewhere.path().join("settings.toml");
    let text = "version = 1\n";
    std::fs::write(&theirs, text).unwrap();
    let link = root.join(FILE);
    // One that leads nowhere would make a file there.
    for target in [theirs.clone(), elsewhere.path().join("none")] {
        std::os::unix::fs::symlink(&target, &link).unwrap();
        for command in ["accept", "compare"] {
            let refused = runs(root, &[command, "base.jsonl", "pr.jsonl"], 1);
            for expected in [
                "it is a symbolic link, which may lead out of the project",
                "hint: replace it by the file, or name the file with `--accepted=<file>`",
            ] {
                assert!(refused.err.contains(expected), "{}", refused.err);
            }
        }
        let prune = runs(root, &["accept", "--prune", "base.jsonl"], 1);
        assert!(prune.err.contains("it is a symbolic link"), "{}", prune.err);
        assert_eq!(std::fs::read_link(&link).unwrap(), target);
        std::fs::remove_file(&link).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&theirs).unwrap(), text);
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 1);
    // Whoever names a link means the file that it leads to.
    std::os::unix::fs::symlink(&theirs, root.join("named.toml")).unwrap();
    let words = ["accept", "--accepted=named.toml", "base.jsonl", "pr.jsonl"];
    runs(root, &words, 0);
    assert!(root.join("named.toml").is_symlink());
    let written = std::fs::read_to_string(&theirs).unwrap();
    assert!(written.contains("\"app::g::c\" = "), "{written}");
}

/// Each reads the file and replaces it.
#[test]
fn accepts_at_the_same_time_lose_no_line() {
    let project = project();
    let root = project.path();
    let functions = ["a", "b", "c", "d", "e", "f"];
    let slow = functions.map(|function| (function, 2_000));
    write(root, "pr.jsonl", &facts("bbbbbbb", 2), &slow);
    std::thread::scope(|scope| {
        for function in functions {
            scope.spawn(move || {
                let only = format!("--only=app::g::{function}");
                runs(root, &["accept", &only, "base.jsonl", "pr.jsonl"], 0);
            });
        }
    });
    let text = file(root);
    for function in functions {
        assert!(
            text.contains(&format!("\"app::g::{function}\" = ")),
            "{text}"
        );
    }
}

#[test]
fn accept_resolves_a_conflict_of_neighbouring_lines() {
    let (project, is_clean) = merge(("f", 1_200), ("g", 1_300));
    let root = project.path();
    assert!(!is_clean, "{}", file(root));
    let conflict = file(root);
    let refused = compare(root, "merged.jsonl", 1);
    assert!(
        refused.err.contains(&format!("`{FILE}`, line ")),
        "{}",
        refused.err
    );
    assert!(
        refused.err.contains("a merge left conflict markers"),
        "{}",
        refused.err
    );
    runs(root, &["accept", "--prune", "base.jsonl"], 1);

    // Results that do not cover the conflict change nothing.
    let all = ["a", "f"].map(|function| counted(function, 1_000));
    write_records(root, "part.jsonl", &facts("part000", 3), &all);
    let refused = runs(root, &["accept", "base.jsonl", "part.jsonl"], 1);
    assert!(
        refused.err.contains("exp1 app::g::g stands in a conflict"),
        "{}",
        refused.err
    );
    assert_eq!(file(root), conflict);

    runs(root, &["accept", "base.jsonl", "merged.jsonl"], 0);
    let resolved = file(root);
    assert!(!resolved.contains("<<<"), "{resolved}");
    assert!(
        resolved.contains("\"app::g::f\" = { Ir = 1200")
            && resolved.contains("\"app::g::g\" = { Ir = 1300")
    );
    compare(root, "merged.jsonl", 0);
}

#[test]
fn a_file_with_all_counts_needs_no_other_results() {
    let project = project();
    let root = project.path();
    let all = runs(root, &["accept", "--all", "base.jsonl"], 0);
    assert!(
        all.out.ends_with(&format!("`{FILE}`: 8 added\n")),
        "{}",
        all.out
    );
    let expected =
        format!("[\"{TARGET}\"]\nrustc = \"1.95.0\"\nlibc = \"glibc 2.36\"\ncpu = \"avx2\"\n\n");
    assert!(file(root).contains(&expected), "{}", file(root));
    let report = |name: &str, code| runs(root, &["report", "--callgrind-limits=ir=1%", name], code);
    report("base.jsonl", 0);
    write(root, "pr.jsonl", &facts("bbbbbbb", 2), &[("c", 1_015)]);
    let red = report("pr.jsonl", 3);
    assert!(
        red.out.contains("1 regressed") && red.out.contains("7 unchanged"),
        "{}",
        red.out
    );

    // Another C library: the own code counts. Another compiler: nothing is judged.
    let newer = Facts {
        libc: "glibc 2.41",
        ..facts("ccccccc", 3)
    };
    let same_own = |instructions| Counted {
        own: 900,
        ..counted("c", instructions)
    };
    let others = ["a", "b", "d", "e", "f", "g", "h"].map(|function| counted(function, 1_000));
    let with = |one: Counted| [&others[..], &[one]].concat();
    write_records(root, "libc.jsonl", &newer, &with(same_own(1_300)));
    report("libc.jsonl", 0);
    write_records(root, "libc.jsonl", &newer, &with(counted("c", 1_300)));
    report("libc.jsonl", 3);
    let nightly = Facts {
        rustc: "1.97.0-nightly (abc 2026-09-09)",
        ..facts("ddddddd", 4)
    };
    write_records(root, "rustc.jsonl", &nightly, &with(counted("c", 1_300)));
    let shown = report("rustc.jsonl", 0);
    assert!(shown.out.contains("1 not judged"), "{}", shown.out);

    // A benchmark that is gone is gone from the file as well, unless nobody looked at it.
    write_records(root, "fewer.jsonl", &facts("eeeeeee", 5), &others);
    let none = runs(
        root,
        &["accept", "--all", "--only=app::g::a", "fewer.jsonl"],
        0,
    );
    let nothing = format!("nothing to accept: `{FILE}` has these counts\n");
    assert_eq!(none.out, nothing);
    let fewer = runs(root, &["accept", "--all", "fewer.jsonl"], 0);
    assert!(
        fewer.out.ends_with(&format!("`{FILE}`: 1 removed\n")),
        "{}",
        fewer.out
    );
}

/// The regression was accepted on a machine with glibc 2.36; both sides of the comparison are of
/// glibc 2.41 here.
#[test]
fn what_was_accepted_with_one_c_library_holds_with_another() {
    let project = project();
    let root = project.path();
    write(root, "pr.jsonl", &facts("bbbbbbb", 2), &[("c", 1_200)]);
    runs(root, &["accept", "base.jsonl", "pr.jsonl"], 0);
    let elsewhere = |commit, number| Facts {
        libc: "glibc 2.41",
        ..facts(commit, number)
    };
    let with = |function, instructions, own| Counted {
        own,
        ..counted(function, instructions)
    };
    write_records(
        root,
        "base41.jsonl",
        &elsewhere("aaaaaaa", 3),
        &[with("c", 1_050, 900)],
    );
    // Own code is that of the line, 1080, and the total is beyond its 1200.
    let new = |name: &str, own| {
        let new = [with("c", 1_400, own)];
        write_records(root, name, &elsewhere("ccccccc", 4), &new);
    };
    new("new41.jsonl", 1_080);
    let here = ["compare", "base41.jsonl", "new41.jsonl"];
    let green = runs(root, &here, 0);
    assert!(
        green.out.contains("1,080 of own code is accepted"),
        "{}",
        green.out
    );
    // Across the libraries as well, where own code is judged in any case.
    let across = runs(
        root,
        &["compare", "--allow-missing", "base.jsonl", "new41.jsonl"],
        0,
    );
    assert!(across.out.contains("1 accepted"), "{}", across.out);
    new("more41.jsonl", 1_250);
    let red = runs(root, &["compare", "base41.jsonl", "more41.jsonl"], 3);
    assert!(
        red.out
            .contains("1,080 of own code is accepted, and exceeded as well"),
        "{}",
        red.out
    );
    // A line as it was written before says nothing of the library, and its count holds.
    let old = file(root).replace(", libc = \"glibc 2.36\"", "");
    std::fs::write(root.join(FILE), old).unwrap();
    let red = runs(root, &here, 3);
    assert!(
        red.out.contains("1,200 is accepted, and exceeded as well"),
        "{}",
        red.out
    );
}

#[test]
fn what_was_not_judged_is_not_accepted() {
    let project = project();
    let root = project.path();
    let nightly = Facts {
        rustc: "1.97.0-nightly (abc 2026-09-09)",
        ..facts("ddddddd", 4)
    };
    write(root, "rustc.jsonl", &nightly, &[("c", 1_300)]);
    let refused = runs(root, &["accept", "base.jsonl", "rustc.jsonl"], 1);
    assert!(
        refused
            .err
            .contains("exp1 app::g::c is not accepted: it was not judged"),
        "{}",
        refused.err
    );
    assert!(!root.join(FILE).exists());
    // A failure is named beside what is accepted.
    write(root, "pr.jsonl", &facts("bbbbbbb", 2), &[("c", 1_300)]);
    let text = std::fs::read_to_string(root.join("pr.jsonl")).unwrap();
    let failed: Vec<String> = text.lines().map(|line| match line.contains("app::g::d") {
        true => line
            .replace("\"status\":\"ok\"", "\"status\":\"failed\"")
            .replace("\"failures\":[]", r#""failures":[{"tool":"callgrind","reason":"ended","message":"panicked","exit_code":101,"signal":null,"log":null,"output":null}]"#),
        false => line.to_owned(),
    }).collect();
    std::fs::write(root.join("pr.jsonl"), failed.join("\n")).unwrap();
    let accepted = runs(root, &["accept", "base.jsonl", "pr.jsonl"], 0);
    assert!(
        accepted
            .err
            .contains("exp1 app::g::d is not accepted: it failed: panicked"),
        "{accepted:#?}"
    );
    assert!(accepted.out.contains("1 added"), "{accepted:#?}");
}

#[test]
fn what_does_not_meet_its_source_is_in_all_formats_and_is_not_accepted() {
    let project = project();
    let root = project.path();
    write(root, "pr.jsonl", &facts("bbbbbbb", 2), &[]);
    let records = std::fs::read_to_string(root.join("pr.jsonl")).unwrap();
    let unequal = r#""regressions":[{"type":"unequal","kind":"Ir","new":1000,"other":7,"with":"app::g::<a>","places":[]}]"#;
    let lines: Vec<String> = records
        .lines()
        .map(|line| match line.contains("app::g::c") {
            true => line.replace(r#""regressions":[]"#, unequal),
            false => line.to_owned(),
        })
        .collect();
    assert!(lines.concat().contains(unequal), "{records}");
    std::fs::write(root.join("pr.jsonl"), lines.join("\n") + "\n").unwrap();
    for (format, words) in [
        ("text", "differs from 7 of app::g::<a>"),
        ("markdown", "differs from 7 of app::g::"),
        ("junit", "differs from 7 of app::g::&lt;a"),
        ("json", "differs from 7 of app::g::<a>"),
    ] {
        let format = format!("--format={format}");
        let ended = runs(root, &["compare", &format, "base.jsonl", "pr.jsonl"], 3);
        assert!(ended.out.contains(words), "{format}: {}", ended.out);
    }
    let accepted = runs(root, &["accept", "base.jsonl", "pr.jsonl"], 1);
    let words = "Instructions of exp1 app::g::c is not accepted: it does not meet what its source says: differs from 7 of";
    assert!(accepted.err.contains(words), "{}", accepted.err);
}

#[test]
fn mistakes_are_told_with_their_line_before_anything_is_judged() {
    let project = project();
    let root = project.path();
    let text = format!(
        "version = 1\n\n{}\"app::g::c\" = {{ Irr = 1200 }}\n",
        table()
    );
    std::fs::write(root.join(FILE), &text).unwrap();
    for command in ["compare", "accept"] {
        let refused = runs(root, &[command, "base.jsonl", "base.jsonl"], 1);
        let expected = format!("error: `{FILE}`, line 4: unknown metric `Irr` of callgrind");
        assert!(refused.err.contains(&expected), "{}", refused.err);
    }
    assert_eq!(file(root), text);
    let missing = runs(
        root,
        &[
            "compare",
            "--accepted=other.toml",
            "base.jsonl",
            "base.jsonl",
        ],
        1,
    );
    assert!(
        missing.err.contains("cannot read `other.toml`"),
        "{}",
        missing.err
    );
    let long = std::fs::File::create(root.join("long.toml")).unwrap();
    long.set_len(10 << 30).unwrap();
    let long = runs(
        root,
        &[
            "compare",
            "--accepted=long.toml",
            "base.jsonl",
            "base.jsonl",
        ],
        1,
    );
    assert!(long.err.contains("it has more than"), "{}", long.err);
    runs(root, &["accept"], 2);
    runs(root, &["accept", "--all", "--prune", "base.jsonl"], 2);
    // The file of another target says nothing about this one.
    let other =
        "version = 1\n\n[\"aarch64-unknown-linux-gnu\".exp1]\n\"app::g::c\" = { Ir = 1200 }\n";
    std::fs::write(root.join(FILE), other).unwrap();
    write(root, "pr.jsonl", &facts("bbbbbbb", 2), &[("c", 1_200)]);
    let red = compare(root, "pr.jsonl", 3);
    assert!(
        !format!("{red:?}").contains("without an effect"),
        "{red:#?}"
    );
    assert!(!format!("{red:?}").contains("neither side has"), "{red:#?}");
}
