//! The words with which cargo-nextest starts benchmark executables: it asks for two lists, and runs
//! every case in a process of its own.

use benchmark_tests::{build, Bench};

/// Neither runner nor Valgrind can be found.
fn alone(target: &str) -> Bench {
    let bench = Bench::new(target).env("PATH", "/no/such/folder");
    bench.env_remove("IAI_CALLGRIND_RUNNER")
}

/// The names in the list: every line is one.
#[track_caller]
fn list(target: &str) -> Vec<String> {
    let terse = ["--list", "--format", "terse"];
    let ended = alone(target).args(terse).run().code(0).quiet();
    let ignored = alone(target).args(terse).arg("--ignored").run();
    assert_eq!(ignored.code(0).quiet().stdout, "");
    let name = |line: &str| {
        let name = line.strip_suffix(": benchmark");
        name.unwrap_or_else(|| panic!("{line}")).to_owned()
    };
    ended.stdout.lines().map(name).collect()
}

#[test]
fn every_listed_case_runs_alone() {
    let names = list("endings");
    assert_eq!(
        names,
        [
            "endings::group::before",
            "endings::group::ends",
            "endings::group::after"
        ]
    );
    for name in &names {
        for words in [
            [name, "--nocapture", "--exact"],
            ["--exact", name, "--nocapture"],
        ] {
            let ended = alone("endings").args(words).run().code(0);
            ended.shows(&[
                "running 1 test\n",
                &format!("test {name} ... "),
                "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out;",
            ]);
        }
    }
    let fails = ["endings::group::ends", "--nocapture", "--exact"];
    let ended = alone("endings").args(fails).env("ENDING", "panics");
    let ended = ended.run().code(1).says(&["on purpose"]);
    ended.shows(&["test result: FAILED. 0 passed; 1 failed;"]);
    // Part of a name is none.
    let part = ["endings::group::bef", "--nocapture", "--exact"];
    let nothing = alone("endings").args(part).run().code(0);
    nothing.shows(&["test result: ok. 0 passed; 0 failed;"]);
}

#[test]
fn cases_of_groups_run_between_their_hooks() {
    let folder = tempfile::tempdir().unwrap();
    let order = folder.path().join("order");
    let name = "hooks::with_hooks::first::b";
    assert!(list("hooks").contains(&name.to_owned()));
    let bench = alone("hooks").args([name, "--nocapture", "--exact"]);
    bench.env("ORDER", &order).run().code(0);
    let happened = std::fs::read_to_string(&order).unwrap();
    let lines: Vec<&str> = happened.lines().collect();
    assert_eq!(
        lines,
        [
            "main setup",
            "group setup",
            "first b",
            "group teardown",
            "main teardown"
        ]
    );
}

#[test]
fn one_of_many_cases_runs_alone() {
    build::bench("fork_many");
    let names = list("fork_many");
    assert_eq!(names.len(), 1000);
    assert_eq!(names[999], "fork_many::group::many_9::n_99");
    let one = [names[500].as_str(), "--nocapture", "--exact"];
    let ended = alone("fork_many").args(one).run().code(0);
    ended.shows(&["1 passed; 0 failed; 0 ignored; 0 measured; 999 filtered out;"]);
}
