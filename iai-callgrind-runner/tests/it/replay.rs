//! The whole runner with recorded files instead of Valgrind: what the terminal shows, byte for
//! byte, and what is kept.

use std::fs;

use crate::output::readers;
use crate::replayed::{copy_recording, recordings, Replayed};
use base::exit::Exit;
use cli::ShownExplanations;
use explain::format;
use snapbox::{assert_data_eq, str};

#[test]
fn the_first_run_has_nothing_to_compare_with() {
    let replayed = Replayed::new();
    let shown = replayed.run(&recordings("first"), &[]);
    assert_eq!((shown.err.as_str(), shown.exit), ("", Exit::Ok));
    assert_data_eq!(
        shown.out,
        str![[r#"
bench::kernels::sort reversed:(0..500_u32).rev().collect()
  Instructions:                        4717|N/A                  (*********)
  L1 Hits:                             6018|N/A                  (*********)
  L2 Hits:                                5|N/A                  (*********)
  RAM Hits:                              23|N/A                  (*********)
  Total read+write:                    6046|N/A                  (*********)
  Estimated Cycles:                    6848|N/A                  (*********)
bench::kernels::works work()
  Instructions:                        2001|N/A                  (*********)
  L1 Hits:                             2001|N/A                  (*********)
  L2 Hits:                                0|N/A                  (*********)
  RAM Hits:                               1|N/A                  (*********)
  Total read+write:                    2002|N/A                  (*********)
  Estimated Cycles:                    2036|N/A                  (*********)

Iai-Callgrind result: First results. 2 without regressions; 0 regressed; 0 compared; 2 new; 2 benchmarks finished in [..]s

"#]]
    );
    let names: Vec<String> = replayed.files().into_iter().map(|(name, _)| name).collect();
    let expected = [
        "sort.reversed/callgrind.sort.reversed.digest",
        "sort.reversed/callgrind.sort.reversed.log",
        "sort.reversed/callgrind.sort.reversed.out",
        "sort.reversed/summary.json",
        "works/callgrind.works.digest",
        "works/callgrind.works.log",
        "works/callgrind.works.out",
        "works/summary.json",
    ];
    assert_eq!(names, expected);
}

#[test]
fn the_second_run_shows_no_change() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &[]);
    let shown = replayed.run(&recordings("first"), &[]);
    assert_eq!((shown.err.as_str(), shown.exit), ("", Exit::Ok));
    assert_data_eq!(
        shown.out,
        str![[r#"
bench::kernels::sort reversed:(0..500_u32).rev().collect()
  Instructions:                        4717|4717                 (No change)
  L1 Hits:                             6018|6018                 (No change)
  L2 Hits:                                5|5                    (No change)
  RAM Hits:                              23|23                   (No change)
  Total read+write:                    6046|6046                 (No change)
  Estimated Cycles:                    6848|6848                 (No change)
bench::kernels::works work()
  Instructions:                        2001|2001                 (No change)
  L1 Hits:                             2001|2001                 (No change)
  L2 Hits:                                0|0                    (No change)
  RAM Hits:                               1|1                    (No change)
  Total read+write:                    2002|2002                 (No change)
  Estimated Cycles:                    2036|2036                 (No change)

Iai-Callgrind result: Ok. 2 without regressions; 0 regressed; 2 compared; 2 benchmarks finished in [..]s

"#]]
    );
}

/// The recorded profiles have no instructions, so functions are all that is known.
#[test]
fn a_changed_run_is_explained_where_it_is_wanted() {
    let why = "  Why  Instructions +1,000 (+50.0%): limits +1,000
       functions only: the profiles have no instructions (`--dump-instr=no`)
        +1,000    +50.0%  limits::works  benchmark-tests/benches/limits.rs
                          2,001 -> 3,001
";
    let shown = |explain, width| {
        let mut replayed = Replayed::new();
        replayed.explain = explain;
        replayed.styles.width = width;
        replayed.run(&recordings("first"), &[]);
        replayed.run(&recordings("changed"), &[])
    };
    let on_terminal = "2,001 -> 3,001: +50.0%, limit +5%\n";
    let piped = "regressed by +49.9750% (>+5.00000%)\n";
    for (explain, width, regression) in [
        (ShownExplanations::Auto, Some(100), on_terminal),
        (ShownExplanations::Auto, None, piped),
        (ShownExplanations::Yes, None, piped),
    ] {
        let shown = shown(explain, width);
        assert_eq!(shown.err, "");
        assert!(
            shown.out.contains(&format!("{regression}{why}")),
            "{}",
            shown.out
        );
        if width.is_none() {
            // Programs that do not know these lines read all rows.
            let read = readers::read(&shown.out);
            let read = read.iter();
            let read: Vec<_> = read
                .map(|(name, metrics)| (name.as_str(), metrics.len()))
                .collect();
            let sort = "bench::kernels::sort reversed:(0..500_u32).rev().collect()";
            assert_eq!(read, [(sort, 6), ("bench::kernels::works work()", 6)]);
        }
    }
    let off = shown(ShownExplanations::No, Some(120));
    assert!(!(off.out + &off.err).contains("Why"));
}

/// A run that counts what the last one did neither makes a digest nor reads more of that than its
/// preface.
#[test]
fn a_digest_stays_until_something_else_is_counted() {
    let replayed = Replayed::new();
    let path = replayed.folder().join("works/callgrind.works.digest");
    let after = |recording: &str| {
        replayed.run(&recordings(recording), &[]);
        let record = fs::read_to_string(replayed.folder().join("works/summary.json")).unwrap();
        assert!(record.contains(r#""name":"limits::works""#), "{record}");
        fs::read(&path).unwrap()
    };
    let made = after("first");
    let mut digest = format::read(&made).unwrap();
    digest.strings.push("what no profile says".into());
    let marked = format::write(&digest);
    assert_ne!(marked, made);
    fs::write(&path, &marked).unwrap();
    assert_eq!(after("first"), marked);
    assert_eq!(after("first"), marked);
    // A damaged one is none.
    let mut damaged = marked.clone();
    *damaged.last_mut().unwrap() ^= 1;
    for damaged in [&damaged, &marked[..marked.len() - 1], b"iaid"] {
        fs::write(&path, damaged).unwrap();
        assert_eq!(after("first"), made);
    }
    fs::write(&path, &marked).unwrap();
    let changed = after("changed");
    assert!(changed != marked && changed != made);
    assert_eq!(format::read(&changed).unwrap().head.totals[0], 3001);
}

/// Also of a run that counts the same as the last one.
#[test]
fn files_of_each_run_replace_those_of_the_last_one() {
    let replayed = Replayed::new();
    let place = |name: &str| replayed.folder().join("works").join(name);
    let read = |name: &str| fs::read_to_string(place(name)).unwrap();
    let run = || {
        let shown = replayed.run(&recordings("first"), &[]);
        assert_eq!((shown.err.as_str(), shown.exit), ("", Exit::Ok));
    };
    run();
    let files = ["callgrind.works.out", "callgrind.works.log"].map(|name| (name, read(name)));
    let pid = files[1].1.split("==").nth(1).unwrap().to_owned();
    for _ in 0..2 {
        for (name, text) in &files {
            // That of another process, but for which it is the same.
            let other = "7".repeat(pid.len());
            let other = text.replace(&pid, &other);
            assert_ne!(other, *text);
            fs::write(place(name), other).unwrap();
        }
        let before = files.each_ref().map(|(name, _)| read(name));
        run();
        for ((name, text), before) in files.iter().zip(before) {
            assert_eq!(read(name), *text, "{name}");
            assert_eq!(read(&format!("{name}.old")), before, "{name}");
        }
    }
}

/// `explain` on what is kept, without a run.
#[test]
fn kept_results_are_explained_by_calls_lines_and_instructions() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &[]);
    replayed.run(&recordings("changed"), &[]);
    #[expect(clippy::disallowed_methods, reason = "the runner itself")]
    let explain = |words: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_iai-callgrind-runner"))
            .arg("explain")
            .arg(format!("--home={}", replayed.home().display()))
            .args(words)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let (code, out, err) = explain(&["works", "--lines"]);
    assert_eq!((code, &*err), (Some(0), ""));
    assert_data_eq!(
        out,
        str![[r#"
bench::kernels::works
  Why  Instructions +1,000 (+50.0%): limits +1,000
       functions only: the profiles have no instructions (`--dump-instr=no`)
        +1,000    +50.0%  limits::works  benchmark-tests/benches/limits.rs
                          2,001 -> 3,001
  Functions  before    now
     +1,000   2,001  3,001  limits::works
  Calls   before    now
  +1,000   2,001  3,001  limits::works (recursive)
  Lines of limits::works, benchmark-tests/benches/limits.rs                    before    now  change
    no texts: the source was newer than the executable, or not readable; lines are paired by their
    numbers
    17                                                                          2,000  3,000  +1,000
    23                                                                              1      1      +0

"#]]
    );
    let (_, without_tree, _) = explain(&["works", "--depth=0"]);
    assert!(!without_tree.contains("Calls"), "{without_tree}");
    let (code, out, err) = explain(&["works", "--asm=works", "--functions=0"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(
        out.contains("limits::works") && !out.contains("Instructions of"),
        "{out}"
    );
    assert_eq!(
        err.lines().next().unwrap(),
        "warning: `bench::kernels::works`: the old result has no machine code: its profile has no instructions, its \
         executable was not readable, or its processor is not x86; `cargo bench` without `--dump-instr=no` keeps it"
    );
    // Results whose digests have another version cannot be explained.
    for (name, mut digest) in replayed.files() {
        if name.ends_with(".digest.old") {
            digest[4] -= 1;
            fs::write(replayed.folder().join(&name), digest).unwrap();
        }
    }
    let (code, out, err) = explain(&[]);
    assert_eq!((code, &*out), (Some(1), ""));
    assert!(err.contains("version"), "{err}");
}

#[test]
fn flamegraphs_are_named_below_their_benchmark() {
    let mut replayed = Replayed::new();
    replayed.links.here = Some(replayed.home().to_owned());
    let works = ["--flamegraph", "works", "--callgrind-metrics=ir"];
    let first = replayed.run(&recordings("first"), &works);
    let drawn = "replayed/bench/kernels/works/callgrind.works.total.Ir.flamegraph.svg";
    assert_eq!(
        first.out.lines().take(3).collect::<Vec<_>>(),
        [
            "bench::kernels::works work()",
            "  Instructions:                        2001|N/A                  (*********)",
            &format!("  Flamegraph:          {drawn}"),
        ]
    );
    assert!(replayed.home().join(drawn).is_file());
    // The whole line is the same with a hyperlink around the path, which has a host.
    replayed.links.host = Some("my host".to_owned());
    let linked = replayed.run(&recordings("changed"), &works);
    let address = format!("file://my%20host{}/{drawn}", replayed.home().display());
    let line = format!(
        "  Flamegraph:          \x1b]8;;{address}\x1b\\{drawn}\x1b]8;;\x1b\\ (and 2 more)\n"
    );
    assert!(linked.out.contains(&line), "{}", linked.out);
    // Other directories have no part in the path.
    replayed.links.here = Some("/elsewhere".into());
    replayed.links.host = None;
    let elsewhere = replayed.run(&recordings("changed"), &works);
    let path = replayed.home().join(drawn);
    let line = format!("\n  Flamegraph:          {} (and 2 more)\n", path.display());
    assert!(elsewhere.out.contains(&line), "{}", elsewhere.out);
    for left_out in [["--flamegraph=none"], ["--show-only-comparison"]] {
        let shown = replayed.run(&recordings("changed"), &[&works[..], &left_out].concat());
        assert!(!shown.out.contains("Flamegraph"), "{}", shown.out);
    }
}

#[test]
fn a_changed_run_shows_differences_and_regressions() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &[]);
    let shown = replayed.run(&recordings("changed"), &[]);
    assert_eq!((shown.err.as_str(), shown.exit), ("", Exit::Regression));
    assert_data_eq!(
        shown.out,
        str![[r#"
bench::kernels::sort reversed:(0..500_u32).rev().collect()
  Instructions:                        4717|4717                 (No change)
  L1 Hits:                             6018|6018                 (No change)
  L2 Hits:                                5|5                    (No change)
  RAM Hits:                              23|23                   (No change)
  Total read+write:                    6046|6046                 (No change)
  Estimated Cycles:                    6848|6848                 (No change)
bench::kernels::works work()
  Instructions:                        3001|2001                 (+49.9750%) [+1.49975x]
  L1 Hits:                             3001|2001                 (+49.9750%) [+1.49975x]
  L2 Hits:                                0|0                    (No change)
  RAM Hits:                               1|1                    (No change)
  Total read+write:                    3002|2002                 (+49.9500%) [+1.49950x]
  Estimated Cycles:                    3036|2036                 (+49.1159%) [+1.49116x]
Performance has regressed: Instructions (2001 -> 3001) regressed by +49.9750% (>+5.00000%)

Regressions:

  bench::kernels::works:
    Callgrind: Instructions (2001 -> 3001): +49.9750% exceeds limit of +5.00000%

Iai-Callgrind result: Regressed. 1 without regressions; 1 regressed; 2 compared; 2 benchmarks finished in [..]s
  Changed: 1 more, 1 unchanged
  Largest: bench::kernels::works Instructions +50.0% (2,001 -> 3,001)
  hint: the next run compares with this one; to compare with the base of the branch:
      `iai-callgrind-runner bench --base`

"#]]
    );
}

#[test]
fn a_failing_benchmark_keeps_its_last_result_and_the_others_run() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &["works"]);
    let before = replayed.files();
    let shown = replayed.run(&recordings("failing"), &[]);
    assert_eq!(shown.exit, Exit::Error);
    assert_data_eq!(
        shown.out,
        str![[r#"
bench::kernels::sort reversed:(0..500_u32).rev().collect()
  Instructions:                        4717|N/A                  (*********)
  L1 Hits:                             6018|N/A                  (*********)
  L2 Hits:                                5|N/A                  (*********)
  RAM Hits:                              23|N/A                  (*********)
  Total read+write:                    6046|N/A                  (*********)
  Estimated Cycles:                    6848|N/A                  (*********)
bench::kernels::works work()

Iai-Callgrind result: Failed. 1 without regressions; 0 regressed; 0 compared; 1 new; 1 failed; 1 benchmarks finished in [..]s
  Failed: bench::kernels::works

"#]]
    );
    assert_data_eq!(
        shown.err,
        str![[r#"
error: benchmark `bench::kernels::works` panicked
  hint: `RUST_BACKTRACE=1 cargo bench --bench bench -- --test --exact bench::kernels::works` shows a backtrace; measured runs do not get this variable
  output:
  | stdout before it panics
  | stderr before it panics
  | 
  | thread 'main' (1001) panicked at benchmark-tests/benches/endings.rs:60:13:
  | on purpose
  | note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

"#]]
    );
    let mut after = replayed.files();
    after.retain(|(name, _)| name.starts_with("works/"));
    assert_eq!(after, before);
}

#[test]
fn a_result_that_was_cut_is_an_error() {
    let replayed = Replayed::new();
    replayed.run(&recordings("first"), &["works"]);
    let before = replayed.files();
    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("kernels/works");
    fs::create_dir_all(&cut).unwrap();
    for name in ["out.1001", "log.1001"] {
        fs::copy(
            recordings("changed/kernels/works").join(name),
            cut.join(name),
        )
        .unwrap();
    }
    let whole = fs::read(cut.join("out.1001")).unwrap();
    fs::write(cut.join("out.1001"), &whole[..whole.len() - 200]).unwrap();
    let shown = replayed.run(folder.path(), &["works"]);
    assert_eq!(shown.exit, Exit::Error);
    assert_data_eq!(
        shown.err,
        str![[r#"
error: benchmark `bench::kernels::works` returned, but the result that callgrind wrote is not complete
  hint: is there space left below the directory for results? `--home=<directory>` chooses another one

"#]]
    );
    assert_eq!(replayed.files(), before);
}

/// Texts of others may hold what a terminal obeys, or what hides and turns around other text.
#[test]
fn texts_of_others_neither_move_the_cursor_nor_hide_anything() {
    let mut replayed = Replayed::new();
    let functions = &mut replayed.suite.groups[0].functions;
    functions[0].cases[0].args = Some("safe \u{202e}toor\u{200b}\x1b[2K".to_owned());
    let recorded = tempfile::tempdir().unwrap();
    for name in ["sort.reversed", "works"] {
        let to = recorded.path().join("kernels").join(name);
        copy_recording(&recordings("failing/kernels").join(name), &to);
    }
    let output = "\x1b[1;31mred\x1b[0m \x1b[38;5;9mtoo\x1b[m\n\x1b]0;title\x07\x1b]52;c;ZXZpbA==\x1b\\\rover\n";
    fs::write(recorded.path().join("kernels/works/output"), output).unwrap();
    let shown = replayed.run(recorded.path(), &[]);
    let first = shown.out.lines().next().unwrap();
    assert_eq!(
        first,
        "bench::kernels::sort reversed:safe \\u{202e}toor\\u{200b}\\u{1b}[2K"
    );
    let below = shown.err.split_once("output:\n").unwrap().1;
    assert_eq!(
        below,
        "  | red too\n  | \\u{1b}]0;title\\u{7}\\u{1b}]52;c;ZXZpbA==\\u{1b}\\\\rover\n"
    );
    // Programs that read objects get the text itself.
    replayed.json = Some(cli::JsonFormat::Json);
    let shown = replayed.run(recorded.path(), &["sort"]);
    assert!(!shown.out.contains('\u{202e}'), "{}", shown.out);
    let line = shown.out.lines().next().unwrap();
    let object: serde_json::Value = serde_json::from_str(line).unwrap();
    let args = object["benchmark"]["args"].as_str().unwrap();
    assert_eq!(args, "safe \u{202e}toor\u{200b}\x1b[2K");
}

/// Two crates with the customary `benches/bench.rs`.
#[test]
fn benchmarks_of_the_same_name_are_told_apart_by_their_packages() {
    let first_line = |package: &str, names_package| {
        let mut replayed = Replayed::new();
        replayed.suite.package.name = package.to_owned();
        replayed.names_package = names_package;
        let shown = replayed.run(&recordings("first"), &["works"]);
        shown.out.lines().next().unwrap().to_owned()
    };
    let alone = first_line("p1", false);
    assert!(alone.starts_with("bench::kernels::works"), "{alone}");
    for package in ["p1", "p2"] {
        assert_eq!(first_line(package, true), format!("{package} {alone}"));
    }
}
