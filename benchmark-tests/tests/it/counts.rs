//! Are the figures true, exact and repeatable, and how are they shown?

use std::fs;

use benchmark_tests::{build, counted, executables, Bench, Ended, Home};
use snapbox::{assert_data_eq, str};

const ALL: [&str; 11] = [
    "exact::nops_0",
    "exact::nops_1",
    "exact::nops_1000",
    "exact::rounds::short",
    "exact::rounds::long",
    "exact::reads::short",
    "exact::reads::long",
    "exact::writes::short",
    "exact::writes::long",
    "ordinary::bench_fibonacci::long",
    "ordinary::sort::reversed",
];

#[test]
fn the_first_run_has_nothing_to_compare_with_and_the_second_no_change() {
    let home = Home::new();
    let run = || {
        Bench::new("counts")
            .measure(&home)
            .args(["nops_1", "rounds::long"])
    };
    let first = run().run().code(0).quiet();
    assert_data_eq!(
        &first.stdout,
        str![[r#"
counts::exact::nops_1
  Instructions:        [..]|N/A                  (*********)
  L1 Hits:             [..]|N/A                  (*********)
  L2 Hits:             [..]|N/A                  (*********)
  RAM Hits:            [..]|N/A                  (*********)
  Total read+write:    [..]|N/A                  (*********)
  Estimated Cycles:    [..]|N/A                  (*********)
counts::exact::nops_1000
  Instructions:        [..]|N/A                  (*********)
  L1 Hits:             [..]|N/A                  (*********)
  L2 Hits:             [..]|N/A                  (*********)
  RAM Hits:            [..]|N/A                  (*********)
  Total read+write:    [..]|N/A                  (*********)
  Estimated Cycles:    [..]|N/A                  (*********)
counts::exact::rounds long:12345
  Instructions:        [..]|N/A                  (*********)
  L1 Hits:             [..]|N/A                  (*********)
  L2 Hits:             [..]|N/A                  (*********)
  RAM Hits:            [..]|N/A                  (*********)
  Total read+write:    [..]|N/A                  (*********)
  Estimated Cycles:    [..]|N/A                  (*********)

Iai-Callgrind result: First results. 3 without regressions; 0 regressed; 0 compared; 3 new; 8 filtered; 3 benchmarks finished in [..]s

"#]]
    );
    let second = run().run().code(0).quiet();
    assert_data_eq!(
        &second.stdout,
        str![[r#"
counts::exact::nops_1
  Instructions:        [..]|[..] (No change)
  L1 Hits:             [..]|[..] (No change)
  L2 Hits:             [..]|[..] (No change)
  RAM Hits:            [..]|[..] (No change)
  Total read+write:    [..]|[..] (No change)
  Estimated Cycles:    [..]|[..] (No change)
counts::exact::nops_1000
  Instructions:        [..]|[..] (No change)
  L1 Hits:             [..]|[..] (No change)
  L2 Hits:             [..]|[..] (No change)
  RAM Hits:            [..]|[..] (No change)
  Total read+write:    [..]|[..] (No change)
  Estimated Cycles:    [..]|[..] (No change)
counts::exact::rounds long:12345
  Instructions:        [..]|[..] (No change)
  L1 Hits:             [..]|[..] (No change)
  L2 Hits:             [..]|[..] (No change)
  RAM Hits:            [..]|[..] (No change)
  Total read+write:    [..]|[..] (No change)
  Estimated Cycles:    [..]|[..] (No change)

Iai-Callgrind result: Ok. 3 without regressions; 0 regressed; 3 compared; 8 filtered; 3 benchmarks finished in [..]s

"#]]
    );
    let ir = home.count("counts::exact::nops_1000", "Ir");
    let line = format!("  Instructions:        {ir:>20}|{ir:<20} (No change)\n");
    second.shows(&[&line]);
}

#[test]
fn every_metric_is_the_same_in_every_run() {
    let home = Home::new();
    for _ in 0..2 {
        Bench::new("counts").measure(&home).run().code(0).quiet();
    }
    for benchmark in ALL.map(|address| format!("counts::{address}")) {
        assert_eq!(
            home.new_values(&benchmark),
            home.old_values(&benchmark),
            "{benchmark}"
        );
    }
    Bench::new("counts")
        .measure(&home)
        .run()
        .code(0)
        .quiet()
        .unchanged();
}

#[test]
fn an_async_function_counts_its_body_in_every_poll() {
    let home = Home::new();
    let run = || Bench::new("asynchronous").measure(&home);
    run().arg("awaited").run().code(0).quiet();
    let count = |case: &str| home.count(&format!("asynchronous::awaited::{case}"), "Ir");
    for function in [
        "plain",
        "blocking_by_hand",
        "ready",
        "with_executor",
        "with_closure",
    ] {
        let [short, long] = [0, 1].map(|index| count(&format!("{function}::of_{index}")));
        assert_eq!(long - short, 2 * 1000, "{function}");
        // Running a future that is ready costs nothing.
        assert_eq!(short, count("plain::of_0"), "{function}");
    }
    let [alone, once, often] = [0, 1, 11].map(|index| match index {
        11 => count("in_steps::polls_2"),
        index => count(&format!("in_steps::polls_{index}")),
    });
    assert_eq!((often - once) % 10, 0);
    let step = (often - once) / 10;
    assert!((2000..2100).contains(&step), "{step}");
    assert!((2000..2100).contains(&(once - alone)), "{once} {alone}");
    assert_eq!(
        count("made::constants_1") - count("made::constants_0"),
        2 * 1000
    );
    assert_eq!(
        count("made::elements_0"),
        count("made::elements_1"),
        "the same body"
    );

    let never = run().arg("never").run().code(1);
    never.says(&["the future of this benchmark waits, and nothing has woken it"]);
}

#[test]
fn instructions_and_accesses_add_up() {
    let home = Home::new();
    Bench::new("counts")
        .measure(&home)
        .arg("exact")
        .run()
        .code(0);
    let count = |function: &str, kind| home.count(&format!("counts::exact::{function}"), kind);
    // The function without its kernel differs between compilers, not between kernels.
    let added = |more, less, kind| count(more, kind) - count(less, kind);
    assert_eq!(added("nops_1", "nops_0", "Ir"), 1);
    assert_eq!(added("nops_1000", "nops_0", "Ir"), 1000);
    assert_eq!(added("nops_1000", "nops_0", "Dr"), 0);
    let rounds = 12345 - 10;
    assert_eq!(added("rounds::long", "rounds::short", "Ir"), 2 * rounds);
    assert_eq!(added("rounds::long", "rounds::short", "Dr"), 0);
    assert_eq!(added("rounds::long", "rounds::short", "Dw"), 0);
    assert_eq!(added("reads::long", "reads::short", "Ir"), 3 * rounds);
    assert_eq!(added("reads::long", "reads::short", "Dr"), rounds);
    assert_eq!(added("reads::long", "reads::short", "Dw"), 0);
    assert_eq!(added("writes::long", "writes::short", "Ir"), 3 * rounds);
    assert_eq!(added("writes::long", "writes::short", "Dr"), 0);
    assert_eq!(added("writes::long", "writes::short", "Dw"), rounds);
    // Nothing but the function itself: its sixteen, it returns, and does little else.
    let least = count("nops_0", "Ir");
    assert!((17..=24).contains(&least), "{least}");
}

#[test]
fn valgrind_alone_counts_the_same() {
    let home = Home::new();
    Bench::new("counts").measure(&home).run().code(0);
    for address in ALL {
        let executable = build::bench("counts");
        let functions = counted::functions(&executable);
        let expected = counted::independently(&executable, address, &functions);
        for kind in ["Ir", "Dr", "Dw"] {
            let ours = home.count(&format!("counts::{address}"), kind);
            assert_eq!(ours, expected[kind], "{kind} of {address}");
        }
    }
}

#[test]
fn shown_metrics_follow_from_the_simulated_events() {
    let home = Home::new();
    Bench::new("counts")
        .measure(&home)
        .arg("ordinary")
        .run()
        .code(0);
    for address in &ALL[9..] {
        let count = |kind| home.count(&format!("counts::{address}"), kind);
        let all = count("Ir") + count("Dr") + count("Dw");
        let ram = count("ILmr") + count("DLmr") + count("DLmw");
        let l2 = count("I1mr") + count("D1mr") + count("D1mw") - ram;
        let l1 = all - l2 - ram;
        assert_eq!(count("TotalRW"), all, "{address}");
        assert_eq!(count("RamHits"), ram, "{address}");
        assert_eq!(count("LLhits"), l2, "{address}");
        assert_eq!(count("L1hits"), l1, "{address}");
        assert_eq!(
            count("EstimatedCycles"),
            l1 + 5 * l2 + 35 * ram,
            "{address}"
        );
    }
}

/// The place of the executable and the environment of whoever runs it lie above the stack, and
/// still change nothing.
#[test]
fn neither_the_folder_nor_the_environment_changes_a_count() {
    let folder = tempfile::tempdir().unwrap();
    let counts = |subfolder: &str, variables: usize| {
        let folder = folder.path().join(subfolder);
        fs::create_dir(&folder).unwrap();
        let executable = folder.join("counts");
        executables::copy(build::bench("counts"), &executable);
        let home = Home::new();
        let mut bench = Bench::at(&executable).measure(&home);
        for number in 0..variables {
            bench = bench.env(format!("ONE_MORE_{number}"), "x".repeat(97 * number));
        }
        bench.run().code(0).quiet();
        ALL.map(|address| {
            let values = home.new_values(&format!("counts::{address}"));
            ["Ir", "Dr", "Dw"].map(|kind| values[kind])
        })
    };
    let expected = counts("a", 0);
    assert_eq!(counts("a_folder_with_a_much_longer_name", 7), expected);
    assert_eq!(counts(&"x".repeat(123), 40), expected);
}

/// Simulated caches remember what ran before; benchmarks must not see it.
#[test]
fn neither_the_order_nor_the_company_changes_a_figure() {
    let all = Home::new();
    Bench::new("counts").measure(&all).run().code(0);
    for address in ALL {
        let name = format!("counts::{address}");
        let alone = Home::new();
        let bench = Bench::new("counts").measure(&alone);
        bench.args(["--exact", &name]).run().code(0);
        assert_eq!(alone.new_values(&name), all.new_values(&name), "{name}");
    }
}

#[test]
fn a_fork_counts_what_a_process_of_its_own_counts() {
    let (fork, own) = (Home::new(), Home::new());
    Bench::new("counts").measure(&fork).run().code(0);
    Bench::new("counts")
        .measure(&own)
        .arg("--fork=no")
        .run()
        .code(0);
    for name in ALL.map(|address| format!("counts::{address}")) {
        for kind in ["Ir", "Dr", "Dw"] {
            assert_eq!(fork.count(&name, kind), own.count(&name, kind), "{name}");
        }
    }
}

#[test]
fn side_by_side_the_figures_and_their_order_are_the_same() {
    let home = Home::new();
    let bench = || Bench::new("counts").measure(&home);
    let serial = bench().run().code(0).quiet();
    let parallel = bench()
        .arg("--parallel=4")
        .run()
        .code(0)
        .quiet()
        .unchanged();
    let headlines = |ended: &Ended| -> Vec<String> {
        let lines = ended
            .stdout
            .lines()
            .filter(|line| line.starts_with("counts::"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(headlines(&parallel), headlines(&serial));
    bench()
        .args(["--fork=no", "--parallel", "2", "exact"])
        .run()
        .code(0);
}
