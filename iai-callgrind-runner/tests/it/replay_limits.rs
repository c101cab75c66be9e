//! Limits of every tool, from the command line and from the configuration.

use std::fs;

use crate::recorded::{copy, everything, Recorded};
use crate::replayed::{recorded_files, Replayed, Shown};
use base::exit::Exit;
use cli::env::RunnerEnvironment;
use cli::{Args, ShownExplanations};
use iai_callgrind::protocol::{
    Callgrind, Config, ErrorMetric, EventKind, Limit, Limits, MassifMetric, ToolConfig,
    ToolSettings, Tools,
};
use iai_callgrind_runner::plan;
use iai_callgrind_runner::settings::Settings;
use serde_json::{json, Value};

/// Runs `works` with these limits; errors are figures.
fn limited(replayed: &Replayed, recorded: &Recorded, tool: &str, limits: &str) -> Shown {
    let name = tool.trim_start_matches("exp-");
    let words = [
        "works".to_owned(),
        format!("--default-tool={tool}"),
        "--valgrind-args=--error-exitcode=0".to_owned(),
        format!("--{name}-limits={limits}"),
    ];
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    replayed.run(recorded.path(), &words)
}

#[track_caller]
fn check(shown: &Shown, regressions: &[&str]) {
    for line in regressions {
        assert!(shown.out.contains(line), "{line} in\n{}", shown.out);
    }
    let expected = match regressions {
        [] => Exit::Ok,
        _ => Exit::Regression,
    };
    assert_eq!(shown.exit, expected, "{}{}", shown.out, shown.err);
}

#[test]
fn every_tool_has_limits_on_the_command_line() {
    // The figures are those of `every_tool_shows_what_it_counted` in `replay_tools.rs`, and of
    // `expected.json` beside the files.
    for (tool, case, reached, below, regression) in [
        (
            "cachegrind",
            "plain",
            "ir=402068",
            "ir=402067",
            "Instructions (402068) exceeds limit by 1 (>402067)",
        ),
        (
            "dhat",
            "alloc",
            "tb=108488",
            "tb=108487",
            "Total bytes (108488) exceeds limit by 1 (>108487)",
        ),
        (
            "massif",
            "peak",
            "ph=3001000",
            "peakheap=3000999",
            "Peak heap (3001000) exceeds limit by 1 (>3000999)",
        ),
        (
            "exp-bbv",
            "threads",
            "reps=80",
            "reps=79",
            "Reps (80) exceeds limit by 1 (>79)",
        ),
        (
            "memcheck",
            "reads",
            "errors=5,contexts=2",
            "errors=4",
            "Errors (5) exceeds limit by 1 (>4)",
        ),
        (
            "helgrind",
            "clean",
            "@all=7",
            "suppressederrors=6",
            "Suppressed Errors (7) exceeds limit by 1 (>6)",
        ),
        ("drd", "clean", "errors=0", "serr=0", "Suppressed Errors ("),
    ] {
        let replayed = everything();
        let recorded = Recorded::new(&[(tool, case)]);
        check(&limited(&replayed, &recorded, tool, reached), &[]);
        check(&limited(&replayed, &recorded, tool, below), &[regression]);
    }
}

#[test]
fn errors_may_not_grow() {
    let replayed = everything();
    let clean = Recorded::new(&[("memcheck", "clean")]);
    let faulty = Recorded::new(&[("memcheck", "reads")]);
    check(&limited(&replayed, &clean, "memcheck", "errors=0%"), &[]);
    check(
        &limited(&replayed, &faulty, "memcheck", "errors=10%"),
        &[
            "Performance has regressed: Errors (0 -> 5) regressed by +++inf+++ (>+10.0000%)",
            "    Memcheck: Errors (0 -> 5): +++inf+++ exceeds limit of +10.0000%",
        ],
    );
    // A result beyond a limit is kept, so the next one is as many as before.
    let names: Vec<String> = replayed.files().into_iter().map(|(name, _)| name).collect();
    assert!(
        names.contains(&"works/memcheck.works.log.old".to_owned()),
        "{names:?}"
    );
    check(&limited(&replayed, &faulty, "memcheck", "errors=0%"), &[]);
}

/// Every error tool and Massif have builders of the same kind; these are what they write.
#[test]
fn configured_limits_of_error_tools_and_massif() {
    let errors = |limit| {
        Some(ToolSettings {
            limits: Limits {
                hard: vec![(ErrorMetric::Errors.into(), Limit::Int(limit))],
                ..Limits::default()
            },
            args: vec!["--error-exitcode=0".to_owned()],
            ..ToolSettings::default()
        })
    };
    let mut replayed = Replayed::new();
    replayed.suite.config = Some(Config {
        tools: Tools {
            memcheck: errors(4),
            helgrind: errors(0),
            drd: errors(0),
            massif: Some(ToolSettings {
                limits: Limits {
                    hard: vec![(MassifMetric::PeakHeap.into(), Limit::Int(3_000_000))],
                    ..Limits::default()
                },
                ..ToolSettings::default()
            }),
            ..Tools::default()
        }
        .into(),
        ..Config::default()
    });
    let recorded = Recorded::new(&[
        ("memcheck", "reads"),
        ("helgrind", "race"),
        ("drd", "clean"),
        ("massif", "peak"),
    ]);
    let shown = replayed.run(recorded.path(), &["works"]);
    check(
        &shown,
        &[
            "    Massif: Peak heap (3001000): 3001000 exceeds limit of 3000000 by 1000",
            "    Memcheck: Errors (5): 5 exceeds limit of 4 by 1",
            "    Helgrind: Errors (",
        ],
    );
    assert!(!shown.out.contains("    DRD:"), "{}", shown.out);
}

/// A count cannot be 100.5, and whoever writes `5.0` means a change.
#[test]
fn a_fraction_is_no_hard_limit_of_a_count() {
    let plan = |kind: EventKind, limit| {
        let mut replayed = Replayed::new();
        let config = replayed.suite.config.as_mut().unwrap();
        let mut callgrind = Callgrind::default();
        callgrind.settings.limits.hard = vec![(kind.into(), limit)];
        config.tools.push(ToolConfig::Callgrind(callgrind));
        let args = <Args as clap::Parser>::try_parse_from::<_, &str>([]).unwrap();
        let settings =
            Settings::resolve("/bench".into(), args, RunnerEnvironment::default()).unwrap();
        plan::build(&replayed.suite, &settings).map(|_| ())
    };
    let error = plan(EventKind::Ir, Limit::Float(100.5)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "configuration of `bench::kernels::sort::reversed` for callgrind: `100.5` is not a hard limit \
         for `Instructions`: that is a whole number, such as `10`; for a change in percent there is \
         `soft_limits`"
    );
    plan(EventKind::Ir, Limit::Float(5.0)).unwrap_err();
    plan(EventKind::Ir, Limit::Int(5)).unwrap();
    plan(EventKind::L1HitRate, Limit::Float(99.5)).unwrap();
    plan(EventKind::L1HitRate, Limit::Int(99)).unwrap();
    // On the command line.
    let error = Args::try_parse("--callgrind-limits=ir=100.5").unwrap_err();
    assert!(
        error.contains("`100.5` is not a hard limit for `Instructions`: that is a whole number"),
        "{error}"
    );
}

trait TryParse {
    fn try_parse(word: &str) -> Result<(), String>;
}

impl TryParse for Args {
    fn try_parse(word: &str) -> Result<(), String> {
        let parsed = <Self as clap::Parser>::try_parse_from([word]);
        parsed.map(|_| ()).map_err(|error| error.to_string())
    }
}

/// Two threads with the same counts have the hit rate of one, not twice as much, and the limit
/// looks at that.
#[test]
#[expect(clippy::disallowed_methods, reason = "a directory of the test")]
fn limits_look_at_rates_that_are_recomputed() {
    let replayed = everything();
    let recorded = Recorded::new(&[]);
    let works = recorded.of("callgrind");
    std::fs::remove_dir_all(&works).unwrap();
    let full = recorded_files().join("callgrind/3.27.1/full");
    copy(&full, &works, "callgrind");
    let one = std::fs::read_to_string(works.join("out.1001-01")).unwrap();
    let other = one.replace("\nthread: 1\n", "\nthread: 2\n");
    assert_ne!(one, other);
    std::fs::write(works.join("out.1001-02"), other).unwrap();
    // The log's `Collected`: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw.
    let expected = std::fs::read(full.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_slice(&expected).unwrap();
    let collected = &expected["log"]["log.1001"]["collected"];
    let count = |index: usize| collected[index].as_f64().unwrap();
    let total = count(0) + count(1) + count(2);
    let misses = count(3) + count(4) + count(5);
    let rate = (total - misses) / total * 100.0;
    assert!((50.0..100.0).contains(&rate), "{rate}");
    // A hit rate must not be below its limit.
    let just_below = format!("l1hitrate={:.4}", rate - 0.0001);
    check(
        &limited(&replayed, &recorded, "callgrind", &just_below),
        &[],
    );
    let just_above = format!("l1hitrate={:.4}", rate + 0.0001);
    check(
        &limited(&replayed, &recorded, "callgrind", &just_above),
        &[&format!(
            "Performance has regressed: L1 Hit Rate ({rate:.4}) falls below limit by "
        )],
    );
}

/// A profile by instruction of `works`, which allocates and frees so often. Callgrind's own numbers
/// of calls have those of the setup as well.
fn allocating(allocations: u64, frees: u64) -> Recorded {
    const WORKS: &str = "limits::__iai_callgrind_works::__iai_callgrind";
    let total = 10 + 21 * allocations + 6 * frees;
    let text = format!(
        "\
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 1001
cmd:  /build/target/release/deps/limits
part: 1
thread: 1

desc: Trigger: Program termination

positions: instr line
events: Ir
summary: {total}

ob=/build/target/release/deps/limits
fl=/build/benches/limits.rs
fn={WORKS}_case
cfn={WORKS}_wrapper_mod::works
calls=1 0x2000 17
0x1000 23 {total}

fn={WORKS}_wrapper_mod::works
0x2000 17 10
0x2010 18 {allocations}
cob=/nowhere/libc.so.6
cfi=malloc.c
cfn=malloc
calls=77 0x5000 1
0x2010 18 {}
0x2020 19 {frees}
cob=/nowhere/libc.so.6
cfi=malloc.c
cfn=free
calls=77 0x6000 2
0x2020 19 {}

ob=/nowhere/libc.so.6
fl=malloc.c
fn=malloc
0x5000 1 {allocations}
0x5001 1 {}

fn=free
0x6000 2 {frees}
0x6001 2 {}

totals: {total}
",
        20 * allocations,
        5 * frees,
        19 * allocations,
        4 * frees,
    );
    let recorded = Recorded::new(&[]);
    fs::write(recorded.of("callgrind").join("out.1001"), text).unwrap();
    recorded
}

#[test]
fn allocations_are_a_metric_with_limits() {
    let mut replayed = Replayed::new();
    // The executable whose allocator is known.
    replayed.executable = "/build/target/release/deps/limits".into();
    replayed.explain = ShownExplanations::Yes;
    let metrics = "--callgrind-metrics=ir,allocations,frees";
    let run = |recorded: &Recorded, words: &[&str]| {
        replayed.run(recorded.path(), &[&["works", metrics], words].concat())
    };
    let shown = run(&allocating(3, 3), &["--save-baseline=three"]);
    check(&shown, &[]);
    run(&allocating(3, 2), &[]);
    let shown = run(
        &allocating(4, 2),
        &["--callgrind-limits=allocations=10%,frees=0%,ir=90%"],
    );
    check(
        &shown,
        &[
            "  Allocations:                            4|3                    (+33.3333%) [+1.33333x]\n",
            "  Frees:                                  2|2                    (No change)\n",
            "    Callgrind: Allocations (3 -> 4): +33.3333% exceeds limit of +10.0000%\n",
            "  Why  Allocations +1 (+33.3%): ",
            "allocates 3 -> 4 blocks\n",
        ],
    );
    let record = replayed.folder().join("works/summary.json");
    let record: Value = serde_json::from_slice(&fs::read(record).unwrap()).unwrap();
    let profile = &record["profiles"][0];
    let counts = json!({"new": {"calls": 4, "frees": 2}, "old": {"calls": 3, "frees": 2}});
    assert_eq!(profile["allocations"], counts);
    assert_eq!(profile["events"], json!(["Ir"]));
    let functions = json!([
        {"name": "malloc", "origin": "system", "own": [80], "calls": 4, "inlined": false},
        {"name": "limits::works", "origin": "user", "own": [16], "calls": 10, "inlined": false},
        {"name": "free", "origin": "system", "own": [10], "calls": 2, "inlined": false},
    ]);
    assert_eq!(profile["functions"], functions);
    let limit = "--callgrind-limits=allocations=3,ir=90%";
    let hard = "Allocations (4) exceeds limit by 1 (>3)";
    let shown = run(&allocating(4, 2), &["--baseline=three", limit]);
    check(&shown, &[hard, "4|3 ", "2|3 "]);
    // Two kept results are compared by what was kept.
    run(&allocating(4, 1), &["--save-baseline=four"]);
    let shown = run(
        &allocating(9, 9),
        &["--load-baseline=four", "--baseline=three", limit],
    );
    check(&shown, &[hard, "4|3 ", "1|3 "]);
}

#[test]
fn limits_on_allocations_that_nobody_counted_are_a_warning() {
    let replayed = Replayed::new();
    let first = Recorded::new(&[]);
    let run = |words: &[&str]| replayed.run(first.path(), &[&["works"], words].concat());
    let limited = run(&[
        "--callgrind-limits=allocations=3",
        "--callgrind-metrics=ir,frees",
    ]);
    check(&limited, &[]);
    let expected = "warning: `bench::kernels::works`: limits on metrics that were not collected: Allocations\n  hint: \
                    Callgrind counts allocations by what it keeps to explain results";
    assert!(limited.err.contains(expected), "{}", limited.err);
    let expected =
        "warning: `bench::kernels::works`: not collected: Frees\n  hint: Callgrind counts";
    assert!(limited.err.contains(expected), "{}", limited.err);
    assert!(!limited.out.contains("Frees"), "{}", limited.out);
    // Whoever asks for all gets what there is.
    let all = run(&["--callgrind-metrics=@all"]);
    assert_eq!(all.err, "");
    let strict = replayed.run(
        first.path(),
        &["works", "--callgrind-limits=allocations=3", "--strict"],
    );
    assert_eq!(strict.exit, Exit::Error, "{}", strict.err);
}

#[test]
fn a_limit_on_a_group_holds_for_what_was_collected_of_it() {
    let replayed = Replayed::new();
    let first = Recorded::new(&[]);
    let run = |limits: &str| replayed.run(first.path(), &["works", "--strict", limits]);
    run("--callgrind-limits=ir=5%");
    let group = run("--callgrind-limits=@default=5%");
    check(&group, &[]);
    assert_eq!((group.exit, group.err.as_str()), (Exit::Ok, ""));
    // Nothing of this group was collected, and this metric was named.
    for limit in ["@branchsim=5%", "ir=5%,bcm=5%"] {
        let strict = run(&format!("--callgrind-limits={limit}"));
        let said = "limits on metrics that were not collected: Bc";
        assert_eq!(strict.exit, Exit::Error, "{limit}");
        assert!(strict.err.contains(said), "{}", strict.err);
    }
}

/// A limit without `%` is one for the value. Whoever meant a change is told once, at the end.
#[test]
fn a_limit_far_below_the_value_may_lack_its_percent_sign() {
    let replayed = Replayed::new();
    let first = Recorded::new(&[]);
    let run = |limit: &str| replayed.run(first.path(), &["works", limit]);
    let warning = "`ir=5` limits the value, which is 2001; `ir=5%` limits the change\n";
    let shown = run("--callgrind-limits=ir=5");
    assert_eq!(shown.exit, Exit::Regression);
    assert_eq!(shown.err.matches(warning).count(), 1, "{}", shown.err);
    for limit in ["--callgrind-limits=ir=5%", "--callgrind-limits=ir=2000"] {
        let shown = run(limit);
        assert!(!shown.err.contains("limits the value"), "{}", shown.err);
    }
}
