//! Linux perf. What no kernel here can be relied on to do is tested with a stand-in that speaks as perf does
//! (`perfs::fake`); with a real perf, page faults are counted that can be added up by hand.

use std::path::Path;
use std::process::Command;

use benchmark_tests::{build, perfs, Bench, Ended, Home};
use serde_json::Value;

fn fake(bench: &str, home: &Home, arguments: &[&str]) -> Ended {
    under(&perfs::fake(), bench, home, arguments)
}

fn under(perf: &Path, bench: &str, home: &Home, arguments: &[&str]) -> Ended {
    let bench = Bench::new(bench).measure(home).arg("--default-tool=perf");
    bench.arg("--perf-bin").arg(perf).args(arguments).run()
}

/// The row of an event.
#[track_caller]
fn row(home: &Home, benchmark: &str, event: &str) -> Value {
    let profile = home.profile(benchmark, "perf");
    let rows = profile["metrics"].as_array().unwrap();
    let found = rows.iter().find(|row| row["kind"] == event);
    found
        .unwrap_or_else(|| panic!("{event} in {profile:#}"))
        .clone()
}

#[track_caller]
fn value(home: &Home, benchmark: &str, event: &str) -> f64 {
    row(home, benchmark, event)["new"].as_f64().unwrap()
}

#[test]
fn the_counters_are_switched_around_the_benchmark_function_or_by_marks() {
    let home = Home::new();
    fake("perf", &home, &["counts", "--perf-events=switched"])
        .code(0)
        .quiet();
    for (benchmark, times) in [
        ("pages::two_hundred", 1.0),
        ("nothing", 1.0),
        ("marked", 2.0),
        ("marked_in_vain::two_hundred", 1.0),
    ] {
        assert_eq!(
            value(&home, &format!("perf::counts::{benchmark}"), "switched"),
            times,
            "{benchmark}"
        );
    }
    let log = home.entry("perf::counts::marked").join("perf.marked.log");
    let log = std::fs::read_to_string(log).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert!(
        lines[0].starts_with("Command: ") && lines[0].contains(" stat '--control=fd:100,101' "),
        "{log}"
    );
    assert!(lines[1].starts_with("Pid: "), "{log}");
    assert_eq!(lines[2..], ["Part: 1", "", "touched 8200192 bytes"]);
}

#[test]
fn programs_count_as_a_whole_or_between_marks() {
    let home = Home::new();
    let ended = fake(
        "perf_programs",
        &home,
        &["--skip=fails", "--perf-events=switched,task-clock"],
    );
    ended.code(0).says(&["perf measures as with `direct`"]);
    for (benchmark, times) in [
        ("touches::few", 0.0),
        ("marked", 1.0),
        ("marked_in_vain", 0.0),
        ("exits", 0.0),
        ("aborts", 0.0),
    ] {
        assert_eq!(
            value(
                &home,
                &format!("perf_programs::programs::{benchmark}"),
                "switched"
            ),
            times
        );
    }
    let log = home
        .entry("perf_programs::programs::marked")
        .join("perf.marked.log");
    assert!(std::fs::read_to_string(log)
        .unwrap()
        .ends_with("touched 200 pages\n"));
}

/// The variable is not from a runner that started the program, and the descriptors are the program's own.
#[test]
fn marks_leave_the_descriptors_of_others_alone() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own");
    std::fs::write(&own, "data").unwrap();
    for descriptors in ["", "102<>\"$OWN\" 103<>\"$OWN\" 104<>\"$OWN\""] {
        for value in ["1", "2:3:4"] {
            let output = Command::new("bash")
                .args(["-c", &format!("exec \"$PROGRAM\" marked 1 {descriptors}")])
                .env("PROGRAM", build::program("perf_program"))
                .env("OWN", &own)
                .env("IAI_CALLGRIND_PERF", value)
                .output()
                .unwrap();
            assert!(output.status.success(), "{descriptors} {value}: {output:?}");
            assert_eq!(std::fs::read_to_string(&own).unwrap(), "data");
        }
    }
}

#[test]
fn events_are_shown_with_their_units_and_compared() {
    let home = Home::new();
    let events = "--perf-events=instructions:u,cycles:u,task-clock,power/energy-pkg/,branch-misses";
    let missing = "warning: perf has no counters for these events here: branch-misses; ";
    fake("perf", &home, &["nothing", events])
        .code(0)
        .says(&[missing])
        .shows(&[
            "  instructions:u:                      1000|N/A                  (*********)\n",
            "  task-clock:                    500.000 us|N/A                  (*********)\n",
        ]);
    let changed = ["nothing", events, "--perf-args=--fake=instructions=1100"];
    fake("perf", &home, &changed).code(0).shows(&[
        "  ======= PERF ===",
        "  instructions:u:                      1100|1000                 (+10.0000%) [+1.10000x]\n",
        "  cycles:u:                            2000|2000                 (No change)\n",
        "  task-clock:                    500.000 us|500.000 us           (No change)\n",
        "  power/energy-pkg/:              1.25000 J|1.25000 J            (No change)\n",
    ]);
    let row = row(&home, "perf::counts::nothing", "task-clock");
    assert_eq!(
        (&row["new"], &row["unit"], &row["part"]),
        (&0.5.into(), &"ms".into(), &1.into())
    );
    assert_eq!(row["new_samples"]["n"], 1);
    assert!(row.get("significance").is_none());
}

#[test]
fn event_sets_are_runs_of_their_own() {
    let home = Home::new();
    let sets = [
        "nothing",
        "--perf-events=instructions:u,cycles:u",
        "--perf-events=task-clock,cycles:u",
    ];
    fake("perf", &home, &sets).code(0).quiet();
    let ended = fake("perf", &home, &sets).code(0).quiet();
    let rows: Vec<&str> = ended
        .stdout
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    let expected = [
        "  ## Part 1",
        "  instructions",
        "  cycles",
        "  ## Part 2",
        "  task-clock",
        "  cycles",
    ];
    assert_eq!(rows[2..8], expected, "{ended}");
    let names: Vec<String> = home.results().into_keys().collect();
    let names: Vec<&str> = names
        .iter()
        .map(|name| name.rsplit('/').next().unwrap())
        .collect();
    let mut expected = Vec::new();
    for part in ["p1", "p2"] {
        for file in ["log", "log.old", "out", "out.old"] {
            expected.push(format!("perf.nothing.{part}.{file}"));
        }
    }
    expected.push("summary.json".to_owned());
    assert_eq!(names, expected);
}

#[test]
fn samples_are_compared_by_their_significance() {
    let home = Home::new();
    let number = tempfile::NamedTempFile::new().unwrap();
    let run = |instructions: &str, limits: &str| {
        // The arguments stay the same, or limits would not be checked.
        std::fs::write(number.path(), instructions).unwrap();
        // At most 20 samples: hundreds would make a smaller change significant.
        let path = number.path().display();
        let fake_args = format!("--perf-args=--fake=instructions={path} --fake=pause=20");
        let arguments = [
            "nothing",
            "--perf-events=instructions:u",
            "--perf-sampling=400ms",
            &fake_args,
            limits,
        ];
        fake("perf", &home, &arguments)
    };
    let limits = "--perf-limits=instructions*=0.0001%";
    run("100000", limits)
        .code(0)
        .quiet()
        .shows(&["    samples:  "]);
    let sampled = row(&home, "perf::counts::nothing", "instructions:u");
    let mean = sampled["new_samples"]["mean"].as_f64().unwrap();
    // The first sample, which has 900 more, is left out.
    assert!((mean - 100_000.0).abs() < 2.0, "{sampled:#}");
    // Above the limit, but not significant: the samples differ by up to 4.
    let ended = run("100000.2", limits).code(0);
    ended.shows(&["    rse%:  "]);
    let found = &row(&home, "perf::counts::nothing", "instructions:u")["significance"];
    assert_eq!(found["significant"], false, "{found:#}");
    assert!(
        found["threshold_pct"].as_f64().unwrap() > 0.0002,
        "{found:#}"
    );
    run("100100", limits)
        .code(3)
        .shows(&["Performance has regressed: instructions:u ("]);
    let found = &row(&home, "perf::counts::nothing", "instructions:u")["significance"];
    assert_eq!(found["significant"], true, "{found:#}");
    // The kept file holds the means; it is read again for the next comparison.
    let out = home.entry("perf::counts::nothing").join("perf.nothing.out");
    assert_eq!(std::fs::read_to_string(out).unwrap().lines().count(), 1);
}

#[test]
fn an_empty_benchmark_is_subtracted() {
    let home = Home::new();
    let arguments = [
        "nothing",
        "--perf-events=instructions:u,task-clock",
        "--perf-run-mode=calibrate=50ms",
    ];
    fake("perf", &home, &arguments).code(0).quiet();
    let net = value(&home, "perf::counts::nothing", "instructions:u");
    assert_eq!(net, 870.0);
    assert_eq!(value(&home, "perf::counts::nothing", "task-clock"), 0.0);
}

#[test]
fn counters_that_take_turns_are_left_out() {
    let home = Home::new();
    let arguments = [
        "nothing",
        "--perf-events=instructions:u,cycles:u",
        "--perf-args=--fake=multiplexed",
    ];
    let ended = fake("perf", &home, &arguments).code(0);
    ended
        .says(&[
            "these events were counted for a part of the time only and are left out: cycles:u; ",
        ])
        .without("  cycles:u:");
}

#[test]
fn limits_are_for_patterns_and_have_units() {
    let home = Home::new();
    let run = |limits: &str| {
        let limits = format!("--perf-limits={limits}");
        fake(
            "perf",
            &home,
            &[
                "nothing",
                "--perf-events=instructions:u,task-clock",
                &limits,
            ],
        )
    };
    run("INSTR*=1000,task-clock=1ms").code(0).quiet();
    run("task*=400us").code(3).quiet().shows(&[
        "Performance has regressed: task-clock (500.000 us) exceeds limit by 100.000 us (>400.000 us)\n",
        "    perf: task-clock (500.000 us): 500.000 us exceeds limit of 400.000 us by 100.000 us\n",
    ]);
    run("cycles=5%,task-clock=1MiB")
        .code(0)
        .says(&["limits on metrics that were not collected: cycles, task-clock in MiB"]);
    run("cycles=5x")
        .code(2)
        .says(&["`5x` is no limit for `cycles`"]);
}

#[test]
fn a_recording_is_kept_beside_the_counts() {
    let home = Home::new();
    fake(
        "perf",
        &home,
        &["nothing", "--perf-events=cycles:u", "--perf-record"],
    )
    .code(0)
    .quiet();
    let entry = home.entry("perf::counts::nothing");
    let data = std::fs::read_to_string(entry.join("perf.nothing.data")).unwrap();
    assert!(data.contains("PERFILE2"), "{data}");
    let log = std::fs::read_to_string(entry.join("perf.nothing.record.log")).unwrap();
    assert!(log.contains(" record '--control=fd:100,101' "), "{log}");
    // The recording of the run before is kept as well.
    fake(
        "perf",
        &home,
        &["nothing", "--perf-events=cycles:u", "--perf-record"],
    )
    .code(0)
    .quiet();
    assert!(entry.join("perf.nothing.data.old").is_file());
}

#[test]
fn baselines_hold_every_event_set() {
    let home = Home::new();
    let sets = ["--perf-events=instructions:u", "--perf-events=task-clock"];
    let run = |arguments: &[&str]| {
        let all = [&["nothing"], &sets[..], arguments].concat();
        fake("perf", &home, &all).code(0)
    };
    run(&["--save-baseline=one"]).quiet();
    let other = "--fake=instructions=2000";
    run(&["--save-baseline=two", &format!("--perf-args={other}")]).quiet();
    let ended = run(&["--load-baseline=two", "--baseline=one"]);
    let note =
        format!("the baseline `one` was made with other arguments for perf: without `{other}`; ");
    ended.says(&[&note]).shows(&[
        "  ## Part 1\n  instructions:u:                      2000|1000                 (+100.000%) [+2.00000x]\n",
        "  ## Part 2\n  task-clock:                    500.000 us|500.000 us           (No change)\n",
    ]);
}

#[test]
fn benchmarks_under_perf_run_alone() {
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let alone = format!(
        "--perf-args=--fake=alone={}",
        folder.path().join("x").display()
    );
    let arguments = [
        "counts",
        "--perf-events=task-clock",
        "--parallel=4",
        "--tools=callgrind",
        &alone,
    ];
    let ended = fake("perf", &home, &arguments).code(0);
    // The benchmark that does nothing.
    ended.says(&["`perf::counts::nothing`: only 1 instruction ran"]);
}

#[test]
fn ends_are_told_as_under_other_tools() {
    let home = Home::new();
    for sampling in ["--perf-sampling=no", "--perf-sampling=50ms"] {
        let ended = fake(
            "perf",
            &home,
            &["fails", "--perf-events=task-clock", sampling],
        )
        .code(1);
        ended.says(&[
            "error: benchmark `perf::fails::panics` under perf panicked\n",
            "as it has to",
            "error: benchmark `perf::fails::is_killed` under perf was ended by signal 9 (SIGKILL)\n",
        ]);
        let arguments = [
            "fails",
            "exits",
            "aborts",
            "--perf-events=task-clock",
            sampling,
        ];
        let ended = fake("perf_programs", &home, &arguments).code(1);
        ended
            .says(&["programs::fails` under perf was ended by signal 6 (SIGABRT), but was to "])
            .shows(&[
                "2 without regressions; 0 regressed; ",
                "; 1 failed; 5 filtered; ",
            ]);
    }
}

#[test]
fn a_program_that_reads_runs_once() {
    let home = Home::new();
    let arguments = ["reads", "--perf-events=task-clock", "--perf-sampling=1s"];
    fake("perf_programs", &home, &arguments)
        .code(0)
        .says(&["what it reads from stdin is there only once"]);
    let row = row(&home, "perf_programs::programs::reads", "task-clock");
    assert_eq!(row["new_samples"]["n"], 1);
}

#[test]
fn arguments_that_would_change_what_is_read_are_dropped() {
    let home = Home::new();
    let arguments = [
        "nothing",
        "--perf-events=task-clock",
        "--perf-args=-r 5 -o x -e cycles --fake=y -x ,",
    ];
    let ended = fake("perf", &home, &arguments).code(0);
    for word in ["-r", "-o", "-e", "-x"] {
        assert!(
            ended
                .stderr
                .contains(&format!("the argument `{word}` for perf stat is ignored: ")),
            "{ended}"
        );
    }
    assert_eq!(ended.stderr.lines().count(), 4, "{ended}");
}

#[test]
fn what_the_kernel_refuses_is_said_with_what_to_do() {
    let home = Home::new();
    for bench in ["perf", "perf_programs"] {
        let filter = if bench == "perf" { "nothing" } else { "exits" };
        fake(bench, &home, &[filter, "--perf-args=--fake=paranoid"])
            .code(1)
            .says(&[
                "under perf could not be started: ",
                "  Access to performance monitoring and observability operations is limited.\n",
                "hint: the kernel allows more with `sudo sysctl kernel.perf_event_paranoid=1`",
            ]);
    }
    fake(
        "perf",
        &home,
        &["nothing", "--perf-events=branches,branch-misses"],
    )
    .code(1)
    .says(&[
        "counted nothing: perf has no figure of any event\n  branches is not supported here\n",
        "hint: virtual machines and containers often have no counters of the processor; ",
    ]);
    assert_eq!(home.results().len(), 0, "nothing is kept");
}

#[test]
fn without_perf_the_other_tools_still_count() {
    let home = Home::new();
    let bench = || {
        Bench::new("perf")
            .measure(&home)
            .args(["nothing", "--tools=perf"])
    };
    let ended = bench().args(["--perf-bin", "/no/perf"]).run().code(1);
    ended
        .says(&["under perf could not be started: `/no/perf`, given by `--perf-bin` or IAI_CALLGRIND_PERF_BIN, is no program"])
        .shows(&["  Instructions:  "]);
    let path = std::env::var_os("PATH").unwrap();
    let folders = std::env::split_paths(&path).filter(|folder| !folder.join("perf").exists());
    let tools = tempfile::tempdir().unwrap();
    let valgrind = &benchmark_tests::valgrinds::all()[0];
    let without = std::env::join_paths(folders).unwrap();
    let ended = bench()
        .env("PATH", without)
        .arg("--valgrind-bin")
        .arg(valgrind)
        .run()
        .code(1);
    ended.says(&[
        "under perf could not be started: perf was not found in PATH (`",
        "apt install linux-perf",
    ]);
    // And perf needs no Valgrind.
    let ended = Bench::new("perf").measure(&home).env("PATH", tools.path());
    let ended = ended.args([
        "nothing",
        "--default-tool=perf",
        "--perf-events=task-clock",
        "--perf-bin",
    ]);
    ended.arg(perfs::fake()).run().code(0).quiet();
}

#[test]
fn variables_are_as_good_as_options() {
    let home = Home::new();
    let bench = Bench::new("perf").measure(&home).arg("nothing");
    let ended = bench
        .env("IAI_CALLGRIND_DEFAULT_TOOL", "perf")
        .env("IAI_CALLGRIND_PERF_BIN", perfs::fake())
        .env("IAI_CALLGRIND_PERF_EVENTS", "instructions:u")
        .env("IAI_CALLGRIND_PERF_ARGS", "--fake=instructions=7")
        .env("IAI_CALLGRIND_PERF_LIMITS", "instr*=6")
        .env("IAI_CALLGRIND_PERF_RECORD", "yes")
        .env("IAI_CALLGRIND_PERF_RECORD_ARGS", "--fake=z")
        .env("IAI_CALLGRIND_PERF_RUN_MODE", "direct")
        .env("IAI_CALLGRIND_PERF_SAMPLING", "no")
        .run();
    ended
        .code(3)
        .quiet()
        .shows(&["instructions:u (7) exceeds limit by 1 (>6)"]);
    assert!(home
        .entry("perf::counts::nothing")
        .join("perf.nothing.data")
        .is_file());
}

#[test]
fn options_of_perf_without_perf_are_named() {
    let home = Home::new();
    let bench = Bench::new("perf").measure(&home).args([
        "counts::nothing",
        "--perf-record",
        "--perf-sampling",
    ]);
    bench.run().code(0).says(&[
        "`--perf-record` has no effect, since no benchmark runs under perf; `--tools=perf` adds it",
        "`--perf-sampling` has no effect",
    ]);
}

/// Faults can be counted by hand: each page is touched once. What the runner does around the function has
/// none.
#[test]
fn a_real_perf_counts_the_benchmark_function_only() {
    let perfs = perfs::real();
    for perf in &perfs {
        println!("{}", perf.display());
        let home = Home::new();
        let events = "--perf-events=faults,task-clock";
        let ended = under(perf, "perf", &home, &["counts", events, "--tolerance=1000"]);
        ended.code(0).quiet();
        for (benchmark, faults) in [
            ("pages::two_hundred", 200.0),
            ("nothing", 0.0),
            ("marked", 400.0),
            ("marked_in_vain::two_hundred", 200.0),
        ] {
            let counted = value(&home, &format!("perf::counts::{benchmark}"), "faults");
            assert!(
                (faults..faults + 8.0).contains(&counted),
                "{benchmark}: {counted}"
            );
        }
        let time = value(&home, "perf::counts::milliseconds", "task-clock");
        // Other processes cannot add to it.
        assert!((1.9..20.0).contains(&time), "{time} ms");
    }
    without_real(&perfs);
}

#[test]
fn a_real_perf_repeats_and_subtracts_and_records() {
    let perfs = perfs::real();
    for perf in &perfs {
        println!("{}", perf.display());
        let home = Home::new();
        let arguments = [
            "pages",
            "--perf-events=faults",
            "--perf-events=task-clock",
            "--perf-sampling=2s",
            "--perf-run-mode=calibrate=100ms",
            "--perf-record",
        ];
        under(perf, "perf", &home, &arguments).code(0);
        let faults = row(&home, "perf::counts::pages::two_hundred", "faults");
        let mean = faults["new_samples"]["mean"].as_f64().unwrap();
        assert!((199.0..208.0).contains(&mean), "{faults:#}");
        assert!(
            faults["new_samples"]["n"].as_u64().unwrap() > 1,
            "{faults:#}"
        );
        let entry = home.entry("perf::counts::pages::two_hundred");
        assert!(entry.join("perf.pages.two_hundred.p1.data").is_file());
    }
    without_real(&perfs);
}

#[test]
fn a_real_perf_counts_programs() {
    let perfs = perfs::real();
    for perf in &perfs {
        println!("{}", perf.display());
        let home = Home::new();
        for sampling in ["--perf-sampling=no", "--perf-sampling=100ms"] {
            let arguments = ["--perf-events=faults", "--skip=::fails", sampling];
            under(perf, "perf_programs", &home, &arguments).code(0);
            let faults = |benchmark: &str| {
                value(
                    &home,
                    &format!("perf_programs::programs::{benchmark}"),
                    "faults",
                )
            };
            // The start of the process is the same.
            let difference = faults("touches::many") - faults("touches::few");
            assert!((990.0..1010.0).contains(&difference), "{difference}");
            assert!(
                (200.0..208.0).contains(&faults("marked")),
                "{}",
                faults("marked")
            );
            assert!(faults("marked_in_vain") > 2200.0);
        }
        let ended = under(
            perf,
            "perf_programs",
            &home,
            &["::fails", "--perf-events=faults"],
        )
        .code(1);
        ended.says(&["under perf was ended by signal 6 (SIGABRT), but was to "]);
        let ended = under(perf, "perf", &home, &["is_killed", "--perf-events=faults"]).code(1);
        ended.says(&["under perf was ended by signal 9 (SIGKILL)\n"]);
    }
    without_real(&perfs);
}

/// On a machine whose perf cannot be used, that is what users are told.
fn without_real(perfs: &[std::path::PathBuf]) {
    if perfs.is_empty() {
        println!("there is no perf that may count page faults here");
        let home = Home::new();
        let bench = Bench::new("perf").measure(&home);
        let ended = bench
            .args(["nothing", "--default-tool=perf", "--perf-events=faults"])
            .run();
        ended
            .code(1)
            .says(&["benchmark `perf::counts::nothing` under perf "]);
    }
}
