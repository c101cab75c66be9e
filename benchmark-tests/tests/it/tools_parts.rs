//! `--show-intermediate`: every process and thread beside what it was in the run before.

use benchmark_tests::{Bench, Ended, Home};
use snapbox::{assert_data_eq, str};

fn run(home: &Home, arguments: &[&str]) -> Ended {
    let bench = Bench::new("concurrent").measure(home).args(arguments);
    bench.arg("--show-intermediate").run().code(0)
}

#[test]
fn threads_and_processes_stand_beside_those_of_the_last_run() {
    let home = Home::new();
    run(&home, &["group::process"]);
    let ended = run(&home, &["group::process"]);
    assert_data_eq!(
        ended.stdout,
        str![[r#"
concurrent::group::process
  ## pid: [..] thread: 1 part: 1 [..]|pid: [..] thread: 1 part: 1
  Instructions:        [..]|[..] (No change)
...
  ## pid: [..] thread: 1 part: 1 [..]|pid: [..] thread: 1 part: 1
  Command:             /bin/true
  Instructions:                           0|0                    (No change)
...
  ## Total
  Instructions:        [..]|[..] (No change)
...
"#]]
    );
    let ended = run(&home, &["group::thread::short"]);
    assert_data_eq!(
        ended.stdout,
        str![[r#"
concurrent::group::thread short:1000
  ## pid: [..] thread: 1 part: 1 [..]|N/A
...
  ## pid: [..] thread: 2 part: 1 [..]|N/A
...
  ## Total
...
"#]]
    );
}

#[test]
fn processes_of_other_tools_name_their_parents() {
    let home = Home::new();
    let arguments = [
        "group::process",
        "--default-tool=dhat",
        "--tools=cachegrind,memcheck",
    ];
    run(&home, &arguments);
    let ended = run(&home, &arguments);
    let headlines: Vec<&str> = ended
        .stdout
        .lines()
        .filter(|line| line.starts_with("  ## "))
        .collect();
    assert_eq!(headlines.len(), 9, "{ended}");
    for of_tool in headlines.chunks(3) {
        let pid = |line: &str| line.split_whitespace().nth(2).unwrap().to_owned();
        let parent = |line: &str| line.split_whitespace().nth(4).unwrap().to_owned();
        assert_eq!(parent(of_tool[1]), pid(of_tool[0]), "{ended}");
        assert!(of_tool[1].contains("|pid: "), "{ended}");
        assert_eq!(of_tool[2], "  ## Total");
    }
    assert_eq!(
        ended
            .stdout
            .matches("  Command:             /bin/true\n")
            .count(),
        3
    );
}

/// Valgrind writes the log of a child until it calls `exec`, and leaves it there.
#[test]
fn a_child_that_is_not_traced_is_no_part_and_changes_no_name() {
    let home = Home::new();
    let arguments = [
        "group::process",
        "--valgrind-args=--trace-children=no",
        "--tools=dhat,memcheck,exp-bbv",
    ];
    for ends in [&[""][..], &["", ".old"]] {
        let ended = run(&home, &arguments).quiet().without("  ## ");
        let files = [
            "callgrind.process.digest",
            "callgrind.process.log",
            "callgrind.process.out",
            "dhat.process.digest",
            "dhat.process.log",
            "dhat.process.out",
            "exp-bbv.process.bb.out",
            "exp-bbv.process.log",
            "exp-bbv.process.pc.out",
            "memcheck.process.log",
        ];
        let expected = files.iter().flat_map(|file| {
            let name =
                move |end| format!("measured-benchmarks/concurrent/group/process/{file}{end}");
            ends.iter().map(name)
        });
        let kept = home.results().into_keys();
        let kept: Vec<String> = kept
            .filter(|name| !name.ends_with("summary.json"))
            .collect();
        assert_eq!(kept, expected.collect::<Vec<_>>(), "{ended}");
    }
}

#[test]
fn what_runs_alone_has_no_parts() {
    let home = Home::new();
    let bench = Bench::new("counts").measure(&home).arg("nops_1");
    bench
        .arg("--show-intermediate")
        .run()
        .code(0)
        .quiet()
        .without("##");
}
