//! The whole runner with recorded files of all tools: what the terminal shows, byte for byte, and
//! what is kept. The figures are those of `expected.json` beside the files.

use std::path::Path;
use std::{fs, iter};

use crate::recorded::{copy, everything, Recorded};
use crate::replayed::{recorded_files, recordings, small_executable, Replayed};
use base::exit::Exit;
use formats::dhat;
use iai_callgrind::protocol::{Callgrind, Dhat, EventKind, Limit, SanitizeOutput, ToolConfig};
use records::layout::Slot;
use snapbox::{assert_data_eq, str};

/// A recorded run of each tool but Callgrind.
const OTHER_TOOLS: [(&str, &str); 7] = [
    ("cachegrind", "plain"),
    ("dhat", "alloc"),
    ("massif", "peak"),
    ("exp-bbv", "threads"),
    ("memcheck", "clean"),
    ("helgrind", "clean"),
    ("drd", "clean"),
];

/// The option that runs all of them.
const WITH_OTHER_TOOLS: &str = "--tools=cachegrind,dhat,massif,exp-bbv,memcheck,helgrind,drd";

#[test]
fn every_tool_shows_what_it_counted() {
    let replayed = everything();
    let recorded = Recorded::new(&OTHER_TOOLS);
    let shown = replayed.run(recorded.path(), &["works", WITH_OTHER_TOOLS]);
    assert_eq!(shown.err, "");
    assert_eq!(shown.exit, Exit::Ok);
    assert_data_eq!(
        &shown.out,
        str![[r#"
bench::kernels::works work()
  ======= CALLGRIND ====================================================================
  Instructions:                        2001|N/A                  (*********)
  L1 Hits:                             2001|N/A                  (*********)
  L2 Hits:                                0|N/A                  (*********)
  RAM Hits:                               1|N/A                  (*********)
  Total read+write:                    2002|N/A                  (*********)
  Estimated Cycles:                    2036|N/A                  (*********)
  ======= CACHEGRIND ===================================================================
  Instructions:                      402068|N/A                  (*********)
  L1 Hits:                           450808|N/A                  (*********)
  L2 Hits:                              243|N/A                  (*********)
  RAM Hits:                            2452|N/A                  (*********)
  Total read+write:                  453503|N/A                  (*********)
  Estimated Cycles:                  537843|N/A                  (*********)
  ======= DHAT =========================================================================
  Total bytes:                       108488|N/A                  (*********)
  Total blocks:                          23|N/A                  (*********)
  At t-gmax bytes:                   100000|N/A                  (*********)
  At t-gmax blocks:                       1|N/A                  (*********)
  At t-end bytes:                       200|N/A                  (*********)
  At t-end blocks:                        5|N/A                  (*********)
  Reads bytes:                         4352|N/A                  (*********)
  Writes bytes:                        4203|N/A                  (*********)
  ======= MASSIF =======================================================================
  Peak total:                       3032000|N/A                  (*********)
  Peak heap:                        3001000|N/A                  (*********)
  Peak extra heap:                    31000|N/A                  (*********)
  Peak stack:                             0|N/A                  (*********)
  Last snapshot total:                    0|N/A                  (*********)
  ======= EXP-BBV ======================================================================
  Instructions:                       69318|N/A                  (*********)
  Intervals:                             33|N/A                  (*********)
  Reps:                                  80|N/A                  (*********)
  Unique reps:                            1|N/A                  (*********)
  Fldcw:                                  0|N/A                  (*********)
  ======= MEMCHECK =====================================================================
  Errors:                                 0|N/A                  (*********)
  Contexts:                               0|N/A                  (*********)
  Suppressed Errors:                      0|N/A                  (*********)
  Suppressed Contexts:                    0|N/A                  (*********)
  ======= HELGRIND =====================================================================
  Errors:                                 0|N/A                  (*********)
  Contexts:                               0|N/A                  (*********)
  Suppressed Errors:                      7|N/A                  (*********)
  Suppressed Contexts:                    7|N/A                  (*********)
  ======= DRD ==========================================================================
  Errors:                                 0|N/A                  (*********)
  Contexts:                               0|N/A                  (*********)

Iai-Callgrind result: First results. 1 without regressions; 0 regressed; 0 compared; 1 new; 1 filtered; 1 benchmarks finished in [..]s

"#]]
    );
    let names: Vec<String> = replayed.files().into_iter().map(|(name, _)| name).collect();
    for thread in ["bb.out", "t2.bb.out", "t3.bb.out", "t4.bb.out"] {
        let name = format!("works/exp-bbv.works.{thread}");
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    let again = replayed.run(recorded.path(), &["works", WITH_OTHER_TOOLS]);
    assert_eq!(
        again.out.matches("(No change)").count(),
        shown.out.matches("|N/A").count()
    );
}

#[test]
fn errors_fail_a_benchmark_and_are_kept() {
    let mut replayed = Replayed::new();
    replayed.suite.config = None;
    let recorded = Recorded::new(&[("memcheck", "reads")]);
    let shown = replayed.run(recorded.path(), &["works", "--default-tool=memcheck"]);
    assert_eq!(shown.exit, Exit::Error);
    assert_data_eq!(
        shown.out,
        str![[r#"
bench::kernels::works work()
  ======= MEMCHECK =====================================================================
  Errors:                                 5|N/A                  (*********)
  Contexts:                               2|N/A                  (*********)
  Suppressed Errors:                      0|N/A                  (*********)
  Suppressed Contexts:                    0|N/A                  (*********)

Iai-Callgrind result: Failed. 0 without regressions; 0 regressed; 0 compared; 1 failed; 1 filtered; 0 benchmarks finished in [..]s
  Failed: bench::kernels::works

"#]]
    );
    assert_data_eq!(
        shown.err,
        str![[r#"
error: benchmark `bench::kernels::works` under memcheck has 5 errors from 2 contexts, found by Memcheck
  log: [..]/replayed/bench/kernels/works/memcheck.works.log
  | Invalid read of size 1
  |    at 0x400116F: bad_read (faulty.c:12)
  |    by 0x40012DB: main (faulty.c:50)
  |  Address 0x4a4b04a is 0 bytes after a block of size 10 alloc'd
  |    at 0x48467D8: malloc (vg_replace_malloc.c:447)
  |    by 0x40012BA: main (faulty.c:48)
  |
  | Invalid read of size 1
  |    at 0x400116F: bad_read (faulty.c:12)
  |    by 0x4001304: main (faulty.c:52)
  |  Address 0x4a4b041 is 1 bytes inside a block of size 10 free'd
  |    at 0x484983F: free (vg_replace_malloc.c:950)
  |    by 0x40012F7: main (faulty.c:51)
  |  Block was alloc'd at
  |    at 0x48467D8: malloc (vg_replace_malloc.c:447)
  |    by 0x40012BA: main (faulty.c:48)
  hint: `--error-exitcode=0` takes errors as figures and not as a failure

"#]]
    );
    let words = [
        "works",
        "--default-tool=memcheck",
        "--memcheck-args=--error-exitcode=0",
    ];
    let shown = replayed.run(recorded.path(), &words);
    assert_eq!((shown.err.as_str(), shown.exit), ("", Exit::Ok));
    assert!(
        shown
            .out
            .contains("  Errors:                                 5|5     "),
        "{}",
        shown.out
    );
}

#[test]
fn a_tool_without_a_result_does_not_spoil_the_others() {
    let replayed = everything();
    let recorded = Recorded::new(&[("dhat", "killed"), ("massif", "killed"), ("drd", "clean")]);
    let shown = replayed.run(recorded.path(), &["works", "--tools=dhat,massif,drd"]);
    assert_eq!(shown.exit, Exit::Error);
    assert_data_eq!(
        shown.err,
        str![[r#"
error: benchmark `bench::kernels::works` under dhat returned, but dhat wrote no result
  hint: is the program that runs the benchmarks really Valgrind?
error: benchmark `bench::kernels::works` under massif returned, but massif wrote no result
  hint: is the program that runs the benchmarks really Valgrind?

"#]]
    );
    let names: Vec<String> = replayed.files().into_iter().map(|(name, _)| name).collect();
    let expected = [
        "works/callgrind.works.digest",
        "works/callgrind.works.log",
        "works/callgrind.works.out",
        "works/drd.works.log",
        "works/summary.json",
    ];
    assert_eq!(names, expected);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a directory of the test")]
fn a_damaged_file_of_a_child_spoils_its_own_figures_only() {
    let data = recorded_files().join("callgrind/3.27.1/fork_exec");
    let expected = fs::read(data.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_slice(&expected).unwrap();
    let collected = |log: &str| expected["log"][log]["collected"][0].as_u64().unwrap();
    let [first, second, third] = ["log.1001", "log.1002", "log.1003"].map(collected);
    let recorded = Recorded::new(&[]);
    let works = recorded.of("callgrind");
    let whole = || {
        fs::remove_dir_all(&works).unwrap();
        copy(&data, &works, "callgrind");
    };
    let damaged = works.join("out.1002-01");
    whole();
    let bytes = fs::read(&damaged).unwrap();
    let half = bytes[..bytes.len() / 2].to_vec();
    let unknown = [b"pid: 1002\nevents: Ir\n\n?\n", bytes.as_slice()].concat();
    for (damage, reason) in [
        (half, "it is not complete"),
        (unknown, "line 4: not a line of this format: `?`"),
    ] {
        let replayed = everything();
        fs::write(&damaged, damage).unwrap();
        let shown = replayed.run(recorded.path(), &["works"]);
        let command = expected["log"]["log.1002"]["command"].as_str().unwrap();
        assert_eq!(
            shown.err,
            format!(
                "warning: `bench::kernels::works`: the process `{command}` has a result that cannot \
                 be read ({reason}), its counts are missing\n"
            )
        );
        let line = format!("  Instructions:        {:>20}|N/A ", first + third);
        assert!(shown.out.contains(&line), "{}", shown.out);
        assert_eq!(shown.exit, Exit::Ok);
        // An incomplete result can be compared with.
        whole();
        let shown = replayed.run(recorded.path(), &["works"]);
        assert_eq!(
            shown.err,
            "warning: `bench::kernels::works`: 1 process was forked: what was counted before the fork \
             counts in both processes; `--show-intermediate` shows each\n"
        );
        let line = format!(
            "  Instructions:        {:>20}|{} ",
            first + second + third,
            first + third
        );
        assert!(shown.out.contains(&line), "{}", shown.out);
    }
}

/// The log of a child of the recorded process, as it is between `fork` and `exec`: Valgrind leaves
/// the child there with `--trace-children=no`.
fn add_child_before_exec(directory: &Path) {
    let logs = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let is_log = |path: &std::path::PathBuf| path.file_stem().is_some_and(|stem| stem == "log");
    let logs: Vec<_> = logs.filter(is_log).collect();
    let [log] = logs.as_slice() else {
        panic!("{logs:?}");
    };
    let pid = log.extension().unwrap().to_str().unwrap();
    let text = fs::read_to_string(log).unwrap();
    let (header, _) = text.split_once("Parent PID:").unwrap();
    let child = format!("{header}Parent PID: {pid}\n=={pid}== \n");
    let child = child.replace(&format!("=={pid}=="), "==7777==");
    fs::write(log.with_file_name("log.7777"), child).unwrap();
}

#[test]
fn a_child_that_became_another_program_is_no_process_unless_children_are_traced() {
    let recorded = Recorded::new(&OTHER_TOOLS);
    let kept = |replayed: &Replayed| -> Vec<String> {
        let files = replayed.files().into_iter();
        files.map(|(name, _)| name).collect()
    };
    let alone = everything();
    alone.run(recorded.path(), &["works", WITH_OTHER_TOOLS]);
    for tool in iter::once("callgrind").chain(OTHER_TOOLS.map(|(tool, _)| tool)) {
        add_child_before_exec(&recorded.of(tool));
    }
    let untraced = everything();
    let words = [
        "works",
        WITH_OTHER_TOOLS,
        "--valgrind-args=--trace-children=no",
    ];
    assert_eq!(untraced.run(recorded.path(), &words).err, "");
    assert_eq!(kept(&untraced), kept(&alone));
    untraced.run(recorded.path(), &words);
    let old = kept(&untraced);
    assert!(
        old.contains(&"works/callgrind.works.out.old".to_owned()),
        "{old:?}"
    );
    assert!(!old.iter().any(|name| name.contains("7777")), "{old:?}");

    // Where children are traced, such a log is that of a process that was killed.
    let traced = everything();
    let shown = traced.run(recorded.path(), &["works", WITH_OTHER_TOOLS]);
    assert_eq!(shown.err.matches("was killed").count(), 8, "{}", shown.err);
    let names = kept(&traced);
    let with_id = names.iter().filter(|name| name.contains(".7777."));
    assert_eq!(with_id.count(), 8, "{names:?}");
}

#[test]
fn an_old_file_that_cannot_be_read_is_no_error() {
    let replayed = everything();
    let recorded = Recorded::new(&[("dhat", "alloc")]);
    let words = ["works", "--default-tool=dhat"];
    assert_eq!(replayed.run(recorded.path(), &words).err, "");
    let file = replayed.folder().join("works/dhat.works.out");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let shown = replayed.run(recorded.path(), &words);
    assert_eq!(shown.exit, Exit::Ok);
    assert_data_eq!(
        shown.err,
        str![[r#"
warning: `bench::kernels::works`: the last result cannot be compared with, `[..]dhat.works.out` cannot be read: EOF while parsing [..] at line [..] column [..]

"#]]
    );
    assert!(
        shown
            .out
            .contains("  Total bytes:                       108488|N/A "),
        "{}",
        shown.out
    );
}

#[test]
fn an_exceeded_limit_can_stop_the_run() {
    let mut replayed = Replayed::new();
    let config = replayed.suite.config.as_mut().unwrap();
    let mut callgrind = Callgrind::default();
    callgrind.settings.limits.hard = vec![(EventKind::Ir.into(), Limit::Int(10))];
    callgrind.settings.fail_fast = Some(true);
    config.tools.push(ToolConfig::Callgrind(callgrind));
    let shown = replayed.run(&recordings("first"), &[]);
    assert_eq!(shown.exit, Exit::Regression);
    assert_data_eq!(
        shown.out,
        str![[r#"
bench::kernels::sort reversed:(0..500_u32).rev().collect()
...
Performance has regressed: Instructions (4717) exceeds limit by 4707 (>10)

Regressions:

  bench::kernels::sort reversed:
    Callgrind: Instructions (4717): 4717 exceeds limit of 10 by 4707

Iai-Callgrind result: Regressed. 0 without regressions; 1 regressed; 0 compared; 1 new; 1 not run; 1 benchmarks finished in [..]s

"#]]
    );
    assert_eq!(
        shown.err,
        "error: a limit is exceeded, and `fail_fast` stops the run\n"
    );
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a directory of the test")]
fn threads_of_callgrind_are_added_up_and_rates_recomputed() {
    let replayed = everything();
    let recorded = Recorded::new(&[]);
    let data = recorded_files().join("callgrind/3.27.1/threads_live");
    let works = recorded.of("callgrind");
    fs::remove_dir_all(&works).unwrap();
    copy(&data, &works, "callgrind");
    let shown = replayed.run(
        recorded.path(),
        &["works", "--callgrind-args=--branch-sim=no"],
    );
    assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
    let summary = fs::read(replayed.folder().join("works/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    let metrics = summary["profiles"][0]["metrics"].as_array().unwrap();
    let value = |kind: &str| {
        let metric = metrics.iter().find(|metric| metric["kind"] == kind);
        metric.map(|metric| metric["new"].as_f64().unwrap())
    };
    // The log of this program has one line for all threads.
    let expected = fs::read(data.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_slice(&expected).unwrap();
    let log = &expected["log"]["log.1001"];
    assert_eq!(value("Ir"), log["collected"][0].as_f64());
    if let (Some(hits), Some(total)) = (value("L1hits"), value("TotalRW")) {
        assert_eq!(value("L1HitRate"), Some(hits / total * 100.0));
    }
}

#[test]
fn the_file_of_dhat_can_be_reduced_to_what_counts() {
    let mut replayed = everything();
    let config = replayed.suite.config.as_mut().unwrap();
    config.tools.push(ToolConfig::Dhat(Dhat {
        entry_point: Some("small_blocks".into()),
        sanitize_output: Some(SanitizeOutput::KeepOrig),
        ..Dhat::default()
    }));
    let recorded = Recorded::new(&[("dhat", "alloc")]);
    let words = ["works", "--default-tool=dhat"];
    // The figures of `by_hand` in expected.json.
    for old in ["N/A ", "160 "] {
        let shown = replayed.run(recorded.path(), &words);
        assert_eq!((shown.err.as_str(), shown.exit), ("", Exit::Ok));
        let line = format!("  Total bytes:                          160|{old}");
        assert!(shown.out.contains(&line), "{}", shown.out);
    }
    let read = |name: &str| fs::read(replayed.folder().join("works").join(name)).unwrap();
    let whole = fs::read(recorded.of("dhat").join("out.1001")).unwrap();
    assert_eq!(read("dhat.works.out.orig"), whole);
    assert_eq!(read("dhat.works.out.orig.old"), whole);
    let reduced = dhat::read(&*read("dhat.works.out")).unwrap().unwrap();
    assert_eq!(reduced.points.len(), 1);
    assert_eq!(reduced.points[0].total_blocks, 10);
    assert_eq!(
        reduced.functions(&reduced.points[0]).next(),
        Some("small_blocks")
    );
}

/// The program takes another way then than it takes without Valgrind.
#[test]
fn calls_that_valgrind_does_not_know_are_said() {
    let replayed = Replayed::new();
    let recorded = Recorded::new(&[]);
    let log = recorded.of("callgrind").join("log.1001");
    let text = fs::read_to_string(&log).unwrap();
    let pid = text[2..].split('=').next().unwrap().to_owned();
    let said = format!(
        "--{pid}-- WARNING: unhandled amd64-linux syscall: 449\n--{pid}-- You may be able to write your own handler.\n\
         =={pid}== Warning: unimplemented fcntl command: 1027\n\
         =={pid}== Warning: noted but unhandled ioctl 0x5499 with no size/direction hints.\n"
    );
    fs::write(
        &log,
        text.replacen("== \n", &format!("== \n{said}{said}"), 1),
    )
    .unwrap();
    let shown = replayed.run(recorded.path(), &["works"]);
    let refused =
        "Valgrind does not know the system call `futex_waitv` (449) and let it fail, so the way \
                   that the program takes without it was measured\n";
    assert_eq!(shown.err.matches(refused).count(), 1, "{}", shown.err);
    let of_fcntl = "Valgrind does not know the command 1027 of `fcntl` and let it fail";
    assert_eq!(shown.err.matches(of_fcntl).count(), 1, "{}", shown.err);
    let passed_on =
        "Valgrind does not know the request 0x5499 of `ioctl`: the kernel carried it out";
    assert_eq!(shown.err.matches(passed_on).count(), 1, "{}", shown.err);
    let record: serde_json::Value =
        serde_json::from_str(&replayed.records(&Slot::Last)[0]).unwrap();
    let environment = &record["profiles"][0]["environment"];
    let calls = serde_json::json!(["system call `futex_waitv` (449)", "command 1027 of `fcntl`"]);
    assert_eq!(environment["unknown_calls"], calls);
    let strict = replayed.run(recorded.path(), &["works", "--strict"]);
    assert_eq!(strict.exit, Exit::Error);
    assert!(
        strict.err.contains(&format!("was measured, but {refused}")),
        "{}",
        strict.err
    );
}

/// Each error is about a profile that would give a plausible figure.
#[test]
fn figures_of_anything_but_one_call_of_the_function_are_refused() {
    let run = |edit: fn(&str) -> String| {
        let replayed = Replayed::new();
        let recorded = Recorded::new(&[]);
        let profile = recorded.of("callgrind").join("out.1001");
        let text = fs::read_to_string(&profile).unwrap();
        let edited = edit(&text);
        assert_ne!(edited, text);
        fs::write(&profile, edited).unwrap();
        let shown = replayed.run(recorded.path(), &["works"]);
        assert_eq!(shown.exit, Exit::Error, "{}", shown.out);
        assert!(!shown.out.contains("Instructions:"), "{}", shown.out);
        let records = replayed.records(&Slot::Last).concat();
        assert!(records.contains("\"nothing_counted\""), "{records}");
        shown.err
    };
    // A benchmark that runs on a stack above that of the process enters it again.
    let twice = run(|text| text.replace("calls=1 17 \n23 2001", "calls=2 17 \n23 2001"));
    assert!(
        twice.contains(
            "`bench::kernels::works` returned, but its function was entered 2 times, and"
        ),
        "{twice}"
    );
    // The linker has folded two functions.
    let other = run(|text| text.replace("wrapper_mod::works", "wrapper_mod::other"));
    assert!(
        other.contains("the benchmark function `other` was entered instead of its own"),
        "{other}"
    );
    let never = run(|text| text.replace("__iai_callgrind_wrapper_mod::works", "inlined"));
    assert!(never.contains("counted nothing: "), "{never}");
    // Something outside of the function was counted as well.
    let more = run(|text| {
        let text = text.replace("\nfn=main\n", "\nfn=main\n0 7\n");
        text.replace("totals: 2001", "totals: 2008")
            .replace("summary: 2001", "summary: 2008")
    });
    assert!(
        more.contains("returned, but Ir is 2008 in all and 2001 inside of its function"),
        "{more}"
    );
}

/// The profile does not show what is missing after a jump out of a handler.
#[test]
fn handlers_of_signals_are_named_and_jumps_back_are_errors() {
    let run = |lines: &[&str], words: &[&str]| {
        let replayed = Replayed::new();
        let recorded = Recorded::new(&[]);
        let log = recorded.of("callgrind").join("log.1001");
        let text = fs::read_to_string(&log).unwrap();
        let pid = text[2..].split('=').next().unwrap().to_owned();
        let lines = lines.iter().map(|line| line.replace("PID", &pid) + "\n");
        let lines: String = lines.collect();
        fs::write(&log, text.replacen("== \n", &format!("== \n{lines}"), 1)).unwrap();
        replayed.run(recorded.path(), words)
    };
    let entered = "--PID-- push_signal_frame (thread 1): signal 10";
    let function = "==PID==    at 0x1: b::__iai_callgrind_wrapper_mod::works (b.rs:1)";
    let callee = "==PID==    at 0x2: b::callee (b.rs:2)";
    let below = "==PID==    by 0x1: b::__iai_callgrind_wrapper_mod::works (b.rs:1)";
    let main = "==PID==    by 0x3: main (in /b)";
    let returned = "--PID-- VG_(signal_return) (thread 1): isRT=1 valid magic; RIP=0x1";

    let jumped = run(&[entered, function, main], &["works"]);
    let said = "counting was off in the benchmark function after a handler of signal 10 (SIGUSR1)";
    assert!(jumped.err.contains(said), "{}", jumped.err);
    assert_eq!(jumped.exit, Exit::Error);

    let outwards = run(&[entered, callee, below, main], &["works"]);
    let said = "a handler of signal 10 (SIGUSR1) ran inside of the benchmark and jumped out of `b::callee`";
    assert!(outwards.err.contains(said), "{}", outwards.err);
    assert_eq!(outwards.exit, Exit::Ok);

    let lines = [entered, function, main, returned];
    let came_back = run(&lines, &["works"]);
    let said =
        "a handler of signal 10 (SIGUSR1) ran inside of the benchmark, and Callgrind does not";
    assert!(came_back.err.contains(said), "{}", came_back.err);
    let strict = run(&lines, &["works", "--strict"]);
    assert_eq!(strict.exit, Exit::Error);
    assert!(
        strict.err.contains(&format!("was measured, but {said}")),
        "{}",
        strict.err
    );

    let outside = run(&[entered, callee, main], &["works"]);
    assert_eq!((outside.err.as_str(), outside.exit), ("", Exit::Ok));
    let elsewhere = entered.replace("thread 1", "thread 2");
    let elsewhere = run(&[&elsewhere, function], &["works"]);
    assert_eq!((elsewhere.err.as_str(), elsewhere.exit), ("", Exit::Ok));
}

/// A recorded case of DHAT, as of this program.
fn recorded_of_dhat(case: &str, program: &Path) -> Recorded {
    let recorded = Recorded::new(&[("dhat", case)]);
    for entry in fs::read_dir(recorded.of("dhat")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with("log.") {
            let text = fs::read_to_string(&path).unwrap();
            let mut lines = text.lines();
            let line = lines.find(|line| line.contains("Command: ")).unwrap();
            let (begin, _) = line.split_once("Command: ").unwrap();
            let other = format!("{begin}Command: {}", program.display());
            fs::write(&path, text.replace(line, &other)).unwrap();
        }
    }
    recorded
}

/// A limit on allocations holds for a file that the program reads as well.
#[test]
fn the_same_program_with_other_data_regresses_under_dhat() {
    let own = small_executable();
    let mut replayed = everything();
    replayed.executable = own.clone();
    let run = |case: &str| {
        let limits = "--dhat-limits=totalbytes=5%";
        let recorded = recorded_of_dhat(case, &own);
        replayed.run(recorded.path(), &["works", "--tools=dhat", limits])
    };
    assert_eq!(run("alloc").exit, Exit::Ok);
    // 108,488 bytes, and 3,017,000.
    let shown = run("alloc_many");
    assert_eq!(shown.exit, Exit::Regression, "{}", shown.err);
    let said = "the same in one more run: what it reads or loads has changed\n";
    assert!(shown.err.contains(said), "{}", shown.err);
    let regressed = "DHAT: Total bytes (108488 -> 3017000)";
    assert!(shown.out.contains(regressed), "{}", shown.out);
}

/// Programs of processes are known by their logs, their libraries are not.
#[test]
fn a_program_under_dhat_has_a_mark_if_all_of_its_code_is_known() {
    let own = small_executable();
    let directory = tempfile::tempdir().unwrap();
    let script = directory.path().join("worker");
    fs::write(&script, "#!/bin/sh\nexec other\n").unwrap();
    let code_of = |command: &Path| {
        let mut replayed = everything();
        replayed.executable = own.clone();
        let recorded = recorded_of_dhat("alloc", command);
        let shown = replayed.run(recorded.path(), &["works", "--tools=dhat"]);
        assert_eq!(shown.exit, Exit::Ok, "{}", shown.err);
        let mut files = replayed.files().into_iter();
        let summary = files.find(|(name, _)| name == "works/summary.json");
        let summary: serde_json::Value = serde_json::from_slice(&summary.unwrap().1).unwrap();
        let dhat = &summary["profiles"][1];
        assert_eq!(dhat["tool"], "dhat");
        dhat["environment"]["code"].clone()
    };
    let known = code_of(&own);
    assert!(known.is_string(), "{known}");
    assert_eq!(code_of(&own), known);
    // The programs that a script starts are not known, nor those that were removed.
    for unknown in [&*script, Path::new("/build/worker"), Path::new("worker")] {
        assert_eq!(code_of(unknown), serde_json::Value::Null);
    }
}
