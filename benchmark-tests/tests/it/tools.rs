//! The figures of each tool against figures from elsewhere: those that follow from the text of the
//! benchmarks, and those of Valgrind's own programs that read the same files.

use std::fs;
use std::path::Path;
use std::process::Command;

use benchmark_tests::{valgrinds, Bench, Ended, Home};
use serde_json::Value;
use snapbox::{assert_data_eq, str};

fn run(home: &Home, arguments: &[&str]) -> Ended {
    Bench::new("tools").measure(home).args(arguments).run()
}

fn run_with(valgrind: &Path, home: &Home, arguments: &[&str]) -> Ended {
    let bench = Bench::new("tools").measure(home).args(arguments);
    bench.arg("--valgrind-bin").arg(valgrind).run()
}

/// These metrics of a tool.
#[track_caller]
fn check(home: &Home, benchmark: &str, tool: &str, expected: &[(&str, u64)]) {
    let values = home.values_of(benchmark, tool);
    for (kind, count) in expected {
        assert_eq!(values[*kind], Some(*count), "{benchmark} {tool} {kind}");
    }
}

/// Output of a program of Valgrind about a file.
fn said_by(program: &str, file: &Path) -> String {
    let output = Command::new(program).arg(file).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn number(word: &str) -> Option<u64> {
    word.replace(',', "").parse().ok()
}

#[test]
fn dhat_counts_the_allocations_of_the_benchmark_alone() {
    valgrinds::with_each(|valgrind| {
        let home = Home::new();
        let arguments = ["plain", "--default-tool=dhat", "--tools=callgrind"];
        run_with(valgrind, &home, &arguments).code(0).quiet();
        check(
            &home,
            "tools::plain::ten_blocks",
            "dhat",
            &[
                ("TotalBytes", 10 * 64),
                ("TotalBlocks", 10),
                ("AtTEndBytes", 0),
                ("AtTEndBlocks", 0),
                ("ReadsBytes", 10 * 2),
                ("WritesBytes", 10 * 3),
            ],
        );
        check(
            &home,
            "tools::plain::kept_blocks",
            "dhat",
            &[
                ("TotalBytes", 4 * 1000),
                ("TotalBlocks", 4),
                ("AtTEndBytes", 4 * 1000),
                ("AtTEndBlocks", 4),
            ],
        );
        check(
            &home,
            "tools::plain::two_million",
            "dhat",
            &[
                ("TotalBytes", 3_000_000),
                ("TotalBlocks", 3),
                ("AtTGmaxBytes", 2_000_000),
                ("AtTGmaxBlocks", 2),
                ("AtTEndBytes", 0),
            ],
        );
        // Nothing is a result as well.
        check(&home, "tools::plain::nothing", "dhat", &[("TotalBytes", 0)]);
        // Callgrind counts the same by the calls.
        for (benchmark, allocations, frees) in [
            ("ten_blocks", 10, 10),
            ("kept_blocks", 4, 0),
            ("two_million", 3, 3),
            ("growing", 1 + 5 + 1, 2),
            ("nothing", 0, 0),
        ] {
            let benchmark = format!("tools::plain::{benchmark}");
            check(&home, &benchmark, "dhat", &[("TotalBlocks", allocations)]);
            let expected = [("Allocations", allocations), ("Frees", frees)];
            check(&home, &benchmark, "callgrind", &expected);
        }
    });
}

/// Which stacks Valgrind can follow is only seen with Valgrind.
#[cfg(target_arch = "x86_64")]
#[test]
fn blocks_that_dhat_misses_are_said_where_callgrind_saw_them() {
    let home = Home::new();
    let warning =
        "DHAT counts 0 blocks, Callgrind 10: on stacks that do not lead to the benchmark function";
    let both = [
        "stacks",
        "--tools=dhat",
        "--callgrind-metrics=allocations,frees",
    ];
    let alone =
        "DHAT cannot see who made 10 blocks of 10000 bytes in all while the benchmark function ran";
    run(&home, &both).code(0).says(&[warning, alone]);
    let benchmark = "tools::stacks::on_another_stack";
    check(&home, benchmark, "dhat", &[("TotalBlocks", 0)]);
    let expected = [("Allocations", 10), ("Frees", 10)];
    check(&home, benchmark, "callgrind", &expected);
    let dhat = ["stacks", "--default-tool=dhat"];
    run(&home, &dhat).code(0).says(&[alone]);
    let strict = [&dhat[..], &["--strict"]].concat();
    run(&home, &strict).code(1).says(&[alone]);
}

#[test]
fn dhat_can_count_below_other_functions() {
    let home = Home::new();
    run(&home, &["below_helper"]).code(0).quiet();
    let benchmark = "tools::below_helper::with_helper";
    check(
        &home,
        benchmark,
        "dhat",
        &[("TotalBytes", 300), ("TotalBlocks", 1)],
    );

    run(&home, &["everything"]).code(0).quiet();
    let benchmark = "tools::everything::with_helper";
    let log = fs::read_to_string(home.entry(benchmark).join("dhat.with_helper.log")).unwrap();
    let total = log
        .lines()
        .find_map(|line| line.split_once("Total: "))
        .unwrap()
        .1;
    let total = total.split_whitespace().find_map(number).unwrap();
    assert!(total > 350);
    check(&home, benchmark, "dhat", &[("TotalBytes", total)]);

    let ended = run(&home, &["below_no_function"]).code(1);
    ended.says(&["the executable has no function whose name matches `*no_such_name`"]);
}

/// A function that has ended with a jump is not on the stack of what it jumped to.
#[test]
fn dhat_counts_what_a_benchmark_ends_with() {
    valgrinds::with_each(|valgrind| {
        let home = Home::new();
        for fork in ["--fork=yes", "--fork=no"] {
            run_with(valgrind, &home, &["jumping", "--tools=dhat", fork]).code(0);
            for benchmark in ["jumps", "region_jumps"] {
                check(
                    &home,
                    &format!("tools::jumping::{benchmark}"),
                    "dhat",
                    &[("TotalBytes", 5000), ("TotalBlocks", 1)],
                );
            }
        }
    });
}

#[test]
fn dhat_counts_regions_alone() {
    let home = Home::new();
    run(&home, &["in_a_region", "--tools=dhat"]).code(0).quiet();
    let benchmark = "tools::regions::in_a_region";
    let expected = [("TotalBytes", 200), ("TotalBlocks", 1)];
    check(&home, benchmark, "dhat", &expected);
    // Calls of functions that both call, the region and the rest, are not known one by one.
    let of_callgrind = home.values_of(benchmark, "callgrind");
    assert!(of_callgrind.contains_key("Ir"), "{of_callgrind:?}");
    assert!(
        !of_callgrind.contains_key("Allocations"),
        "{of_callgrind:?}"
    );
}

#[test]
fn massif_finds_the_peak_to_the_byte() {
    valgrinds::with_each(|valgrind| {
        let home = Home::new();
        run_with(valgrind, &home, &["plain", "--default-tool=massif"])
            .code(0)
            .quiet();
        let of = |benchmark: &str| {
            home.values_of(&format!("tools::plain::{benchmark}"), "massif")["PeakHeap"].unwrap()
        };
        // The process's own allocations are the same every time, and few.
        let rest = of("two_million").checked_sub(2_000_000).unwrap();
        assert!(rest < 3000, "{rest}");
        assert_eq!(of("kept_blocks"), rest + 4 * 1000);
    });
}

#[test]
fn massif_agrees_with_ms_print() {
    let home = Home::new();
    run(&home, &["two_million", "--default-tool=massif"])
        .code(0)
        .quiet();
    let benchmark = "tools::plain::two_million";
    let table = said_by(
        "ms_print",
        &home.entry(benchmark).join("massif.two_million.out"),
    );
    let rows = table.lines().filter_map(|line| {
        let numbers: Option<Vec<u64>> = line.split_whitespace().map(number).collect();
        numbers.filter(|numbers| numbers.len() == 6)
    });
    let largest = rows.max_by_key(|row| row[2]).unwrap();
    check(
        &home,
        benchmark,
        "massif",
        &[
            ("PeakTotal", largest[2]),
            ("PeakHeap", largest[3]),
            ("PeakExtraHeap", largest[4]),
            ("PeakStack", largest[5]),
        ],
    );
}

/// Massif's own last snapshot lies before the block in all three.
#[test]
fn massif_sees_a_leak_at_the_end() {
    valgrinds::with_each(|valgrind| {
        for mode in ["--fork=yes", "--fork=no"] {
            let home = Home::new();
            run_with(valgrind, &home, &["tools::leaking", mode])
                .code(0)
                .quiet();
            let at_end = |id: &str| {
                let benchmark = format!("tools::leaking::leak::{id}");
                let values = home.values_of(&benchmark, "massif");
                assert!(!values.contains_key("LastTotal"), "{values:?}");
                let file = home.entry(&benchmark).join(format!("massif.leak.{id}.out"));
                let table = said_by("ms_print", &file);
                let last = table.lines().rev().find(|line| !line.is_empty()).unwrap();
                let total = last.split_whitespace().nth(2).and_then(number);
                assert_eq!(values["AtEndTotal"], total, "{last}");
                total.unwrap()
            };
            let nothing = at_end("nothing");
            // Eight bytes of each block are the allocator's.
            assert_eq!(at_end("small"), nothing + 20_000 + 8);
            assert_eq!(at_end("large"), nothing + 80_000 + 8);
        }
    });
}

#[test]
fn cachegrind_agrees_with_cg_annotate() {
    let home = Home::new();
    run(&home, &["plain::nothing", "--default-tool=cachegrind"])
        .code(0)
        .quiet();
    let benchmark = "tools::plain::nothing";
    let file = home.entry(benchmark).join("cachegrind.nothing.out");
    let table = said_by("cg_annotate", &file);
    let totals = table
        .lines()
        .find(|line| line.ends_with("PROGRAM TOTALS"))
        .unwrap();
    let totals: Vec<u64> = totals
        .split_whitespace()
        .filter(|word| !word.starts_with('('))
        .map_while(number)
        .collect();
    let events = [
        "Ir", "I1mr", "ILmr", "Dr", "D1mr", "DLmr", "Dw", "D1mw", "DLmw",
    ];
    let expected: Vec<(&str, u64)> = events.into_iter().zip(totals).collect();
    assert_eq!(expected.len(), 9);
    check(&home, benchmark, "cachegrind", &expected);
}

#[test]
fn bbv_agrees_with_the_end_of_its_file() {
    let home = Home::new();
    run(
        &home,
        &[
            "plain::nothing",
            "--default-tool=exp-bbv",
            "--bbv-args=--interval-size=10000",
        ],
    )
    .code(0)
    .quiet();
    let benchmark = "tools::plain::nothing";
    let file = fs::read_to_string(home.entry(benchmark).join("exp-bbv.nothing.bb.out")).unwrap();
    let said = |key: &str| {
        let value = file
            .lines()
            .find_map(|line| line.split_once(key))
            .unwrap()
            .1;
        value.split_whitespace().next().and_then(number).unwrap()
    };
    let intervals = file.lines().filter(|line| line.starts_with('T')).count();
    assert!(intervals > 10);
    check(
        &home,
        benchmark,
        "exp-bbv",
        &[
            ("Instructions", said("Total instructions: ")),
            ("Intervals", intervals as u64),
            ("Reps", said("Total reps: ")),
        ],
    );
}

#[test]
fn all_tools_in_one_run() {
    let home = Home::new();
    let arguments = [
        "ten_blocks",
        "--skip=configured",
        "--tools=cachegrind,dhat,massif,exp-bbv,memcheck,helgrind,drd",
    ];
    let ended = run(&home, &arguments).code(0).quiet();
    let headlines: Vec<&str> = ended
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("  ======= "))
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    let tools = [
        "callgrind",
        "cachegrind",
        "dhat",
        "massif",
        "exp-bbv",
        "memcheck",
        "helgrind",
        "drd",
    ];
    assert_eq!(headlines, tools.map(str::to_uppercase));
    let benchmark = "tools::plain::ten_blocks";
    let summary = home.summary(benchmark);
    let profiles = summary["profiles"].as_array().unwrap();
    let told: Vec<&Value> = profiles.iter().map(|profile| &profile["tool"]).collect();
    assert_eq!(told, tools);
    check(&home, benchmark, "memcheck", &[("Errors", 0)]);
    check(&home, benchmark, "helgrind", &[("Errors", 0)]);
    check(&home, benchmark, "drd", &[("Errors", 0)]);

    // Everything is kept under its name, and nothing else is left.
    let files = |ends: &[&str]| -> Vec<String> {
        let files = [
            "callgrind.ten_blocks.digest",
            "callgrind.ten_blocks.log",
            "callgrind.ten_blocks.out",
            "cachegrind.ten_blocks.log",
            "cachegrind.ten_blocks.out",
            "dhat.ten_blocks.digest",
            "dhat.ten_blocks.log",
            "dhat.ten_blocks.out",
            "drd.ten_blocks.log",
            "exp-bbv.ten_blocks.bb.out",
            "exp-bbv.ten_blocks.log",
            "exp-bbv.ten_blocks.pc.out",
            "helgrind.ten_blocks.log",
            "massif.ten_blocks.log",
            "massif.ten_blocks.out",
            "memcheck.ten_blocks.log",
        ];
        let all = files
            .iter()
            .flat_map(|file| ends.iter().map(move |end| format!("{file}{end}")));
        let all = all.chain(["summary.json".to_owned()]);
        let mut all: Vec<String> = all
            .map(|name| format!("measured-benchmarks/tools/plain/ten_blocks/{name}"))
            .collect();
        all.sort_unstable();
        all
    };
    let kept: Vec<String> = home.results().into_keys().collect();
    assert_eq!(kept, files(&[""]));

    let ended = run(&home, &arguments).code(0).quiet();
    for line in ended.stdout.lines().filter(|line| line.contains('|')) {
        assert!(line.ends_with("(No change)"), "{line}\n{ended}");
    }
    let kept: Vec<String> = home.results().into_keys().collect();
    assert_eq!(kept, files(&["", ".old"]));
}

#[test]
fn a_tool_that_is_named_twice_runs_once() {
    let home = Home::new();
    run(&home, &["two_million", "--tools=dhat,callgrind,dhat"])
        .code(0)
        .quiet();
    let benchmark = "tools::plain::two_million";
    check(&home, benchmark, "dhat", &[("TotalBytes", 3_000_000)]);
    let summary = home.summary(benchmark);
    assert_eq!(summary["profiles"].as_array().unwrap().len(), 2);
}

#[test]
fn formats_and_limits_of_each_tool() {
    let home = Home::new();
    let ended = run(&home, &["configured"]).code(3).quiet();
    assert_data_eq!(
        ended.stdout,
        str![[r#"
tools::configured::ten_blocks much()
  ======= CALLGRIND ====================================================================
  Instructions:        [..]|N/A                  (*********)
  ======= DHAT =========================================================================
  Total bytes:                          640|N/A                  (*********)
Performance has regressed: Total blocks (10) exceeds limit by 1 (>9)
  ======= MASSIF =======================================================================
  Peak heap:           [..]|N/A                  (*********)

Regressions:

  tools::configured::ten_blocks:
    DHAT: Total blocks (10): 10 exceeds limit of 9 by 1

Iai-Callgrind result: Regressed. 0 without regressions; 1 regressed; 0 compared; 1 new; 19 filtered; 1 benchmarks finished in [..]s

"#]]
    );
}

#[test]
fn tools_can_be_switched_off_and_overridden() {
    let home = Home::new();
    run(&home, &["without_callgrind"])
        .code(0)
        .shows(&["  ======= EXP-BBV ="])
        .says(&["the default tool callgrind is switched off by `enable(false)`; exp-bbv takes its place"])
        .without("CALLGRIND =");
    run(&home, &["without_any"]).code(1).says(&[
        "all tools are switched off by `enable(false)`",
        "`--default-tool`",
    ]);
    run(&home, &["without_any", "--default-tool=callgrind"])
        .code(0)
        .quiet();
    run(&home, &["overridden"])
        .code(0)
        .quiet()
        .shows(&["  ======= CALLGRIND =", "  ======= CACHEGRIND ="]);
    run(&home, &["overridden", "--tools=no-such-tool"])
        .code(2)
        .says(&["unknown tool `no-such-tool`"]);
}

#[test]
fn what_goes_wrong_under_one_tool_leaves_the_others_alone() {
    let home = Home::new();
    let ended = run(&home, &["refused"]).code(1).shows(&["1 failed"]);
    assert_eq!(
        ended.stderr,
        "error: benchmark `tools::refused::nothing` under dhat could not be started: Valgrind does \
         not accept `--no-such-option=1` in the configuration\n  \
         valgrind: Unknown option: --no-such-option=1\n  \
         valgrind: Use --help for more information or consult the user manual.\n"
    );
    let names: Vec<String> = home.results().into_keys().collect();
    let callgrind = |name: &str| format!("measured-benchmarks/tools/refused/nothing/{name}");
    assert_eq!(
        names,
        [
            callgrind("callgrind.nothing.digest"),
            callgrind("callgrind.nothing.log"),
            callgrind("callgrind.nothing.out"),
            callgrind("summary.json")
        ]
    );
}

#[test]
fn files_of_tools_that_do_not_run_stay() {
    let home = Home::new();
    run(&home, &["plain::nothing", "--tools=dhat"])
        .code(0)
        .quiet();
    let file = home.entry("tools::plain::nothing").join("dhat.nothing.out");
    let before = fs::read(&file).unwrap();
    run(&home, &["plain::nothing"]).code(0).quiet();
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn managed_arguments_are_refused_once() {
    let home = Home::new();
    let arguments = [
        "plain",
        "--default-tool=massif",
        "--massif-args=--massif-out-file=x",
    ];
    let ended = run(&home, &arguments).code(0);
    assert_data_eq!(
        ended.stderr,
        str![[r#"
warning: the argument `--massif-out-file` for massif in `--massif-args` is ignored: output and log files have their names from the benchmark

"#]]
    );
}

#[test]
fn the_command_line_says_what_is_shown_and_limited() {
    let home = Home::new();
    let arguments = [
        "configured",
        "--callgrind-metrics=@hits",
        "--dhat-metrics=tbk,tb",
        "--dhat-limits=tb=5%|639",
        "--tools=dhat",
    ];
    let ended = run(&home, &arguments).code(3).quiet();
    assert_data_eq!(
        ended.stdout,
        str![[r#"
tools::configured::ten_blocks much()
  ======= CALLGRIND ====================================================================
  L1 Hits:             [..]|N/A                  (*********)
  L2 Hits:             [..]|N/A                  (*********)
  RAM Hits:            [..]|N/A                  (*********)
  ======= DHAT =========================================================================
  Total blocks:                          10|N/A                  (*********)
  Total bytes:                          640|N/A                  (*********)
Performance has regressed: Total bytes (640) exceeds limit by 1 (>639)
...
"#]]
    );
    // The configured limit of ten blocks is gone.
    run(&home, &["configured", "--dhat-limits=tbk=10"]).code(0);
    let stopped = run(
        &home,
        &["plain", "--callgrind-limits=ir=1", "--regression-fail-fast"],
    );
    stopped
        .code(3)
        .says(&["a limit is exceeded, and `fail_fast` stops the run"])
        .shows(&["0 without regressions; 1 regressed;"]);
    run(&home, &["--dhat-limits=ir=1"])
        .code(2)
        .says(&["invalid value 'ir=1' for '--dhat-limits <LIMITS>': unknown metric `ir`"]);
}

mod in_full_runs {
    use super::*;

    #[test]
    fn forks_and_processes_have_the_same_figures() {
        let benchmarks = ["ten_blocks", "kept_blocks", "two_million", "nothing"];
        let benchmarks = benchmarks.map(|name| format!("tools::plain::{name}"));
        let tools = "--tools=dhat,massif,memcheck,helgrind,drd,cachegrind,exp-bbv";
        let results = |mode: &str, order: &str| {
            let home = Home::new();
            let names = benchmarks.iter().map(String::as_str);
            let words: Vec<&str> = names.chain(["--exact", tools, mode, order]).collect();
            run(&home, &words).code(0);
            home
        };
        let forks = results("--fork=yes", "--parallel=1");
        let others = [
            results("--fork=no", "--parallel=1"),
            results("--fork=yes", "--parallel=2"),
        ];
        for benchmark in &benchmarks {
            for (tool, mode) in [
                ("callgrind", "fork"),
                ("dhat", "fork"),
                ("massif", "fork"),
                ("memcheck", "fork"),
                ("helgrind", "fork"),
                ("drd", "fork"),
                ("cachegrind", "direct"),
                ("exp-bbv", "direct"),
            ] {
                assert_eq!(forks.profile(benchmark, tool)["mode"], mode, "{tool}");
                assert_eq!(
                    others[0].profile(benchmark, tool)["mode"],
                    "direct",
                    "{tool}"
                );
                let comparable = |home: &Home| {
                    let mut values = home.values_of(benchmark, tool);
                    // Events before the fork are not in the results of the fork.
                    values.retain(|kind, _| match tool {
                        "callgrind" => ["Ir", "Dr", "Dw"].contains(&kind.as_str()),
                        "dhat" => !["TotalLifetimes", "MaximumBytes", "MaximumBlocks"]
                            .contains(&kind.as_str()),
                        "massif" => kind.starts_with("Peak") && kind != "PeakTime",
                        "drd" => !kind.starts_with("Suppressed"),
                        _ => true,
                    });
                    values
                };
                for other in &others {
                    assert_eq!(comparable(&forks), comparable(other), "{benchmark} {tool}");
                }
            }
        }
    }
}
