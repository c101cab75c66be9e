//! Runs that are killed at random moments, again and again: the next run always works and is right.
//!
//! `KILL_ROUNDS` sets how many (12 if it is not set), `SUITE_SEED` takes another sequence of moments:
//!
//! ```text
//! KILL_ROUNDS=1000 cargo test -p benchmark-tests --test it -- --nocapture killed_runs::
//! ```

use std::thread;
use std::time::Instant;

use benchmark_tests::bench::{wait_until, Copied};
use benchmark_tests::kills::Kills;
use benchmark_tests::{processes, Bench, Home};
use nix::sys::signal::Signal;

const BENCHMARKS: [&str; 3] = ["before", "ends", "after"];

#[test]
fn after_every_kill_the_next_run_is_right() {
    let mut kills = Kills::of_environment(12);

    let copied = Copied::new("endings");
    let home = Home::new();
    let run = || copied.bench().measure(&home).run().code(0).quiet();
    run();
    let start = Instant::now();
    run();
    let one_run = start.elapsed();
    let figures = || BENCHMARKS.map(|name| home.new_values(&format!("endings::group::{name}")));
    let (known, files) = (figures(), home.names());
    let history = home.history("endings");
    assert_eq!(history[0]["runs"], BENCHMARKS.len());

    for round in 0..kills.rounds {
        let signal = match round % 2 {
            0 => Signal::SIGKILL,
            _ => Signal::SIGTERM,
        };
        // Results get their names in the last part of a run, so every other time it is that part.
        let begin = [0.0, 0.5][(round / 4 % 2) as usize];
        let delay = one_run.mul_f64(begin + kills.fraction() * (1.05 - begin));
        let parallel = ["--parallel=1", "--parallel=3"][(round / 2 % 2) as usize];
        let killed = copied.bench().measure(&home).arg(parallel).start();
        thread::sleep(delay);
        killed.signal_group(signal);
        killed.wait();
        wait_until("all processes are gone", || {
            processes::naming(copied.path()).is_empty()
        });

        // The record of the killed run, if it could handle the signal, else that of the run before
        // it.
        let records = home.records("endings");
        let run_record = records.last().unwrap();
        assert_eq!(
            run_record["type"], "run",
            "round {round}, {signal} after {delay:?}"
        );
        assert!(
            records.len() == 4 || run_record["ending"] == "interrupted",
            "{records:?}"
        );
        run().unchanged();
        // Nothing changed in any of the runs, and the line of the first one is whole.
        assert_eq!(
            home.history("endings"),
            history,
            "round {round}, {signal} after {delay:?}"
        );
        assert_eq!(figures(), known, "round {round}, {signal} after {delay:?}");
        assert_eq!(
            home.names(),
            files,
            "round {round}, {signal} after {delay:?}"
        );
    }
}

#[test]
fn records_are_old_or_new_after_every_kill() {
    let mut kills = Kills::of_environment(40);
    let home = Home::new();
    let labels = || {
        let records = home.records("endings").into_iter();
        records
            .map(|record| record["label"].clone())
            .collect::<Vec<_>>()
    };
    // Nothing is selected, so nearly all that a run does is to replace the records.
    let run = |label: &str| {
        let bench = Bench::new("endings").measure(&home);
        bench.args(["no_such_benchmark", "--label", label])
    };
    run("first").run().code(0);
    let start = Instant::now();
    run("second").run().code(0);
    let one_run = start.elapsed();
    let mut before = labels();
    assert_eq!(before, ["second"]);
    let mut replaced = 0;
    for round in 0..kills.rounds {
        let label = format!("round-{round}");
        let started = run(&label).start();
        thread::sleep(one_run.mul_f64(1.3 * kills.fraction()));
        started.signal_group(Signal::SIGKILL);
        started.wait();
        let now = labels();
        replaced += u64::from(now != before);
        assert!(
            now == before || now == [label.as_str()],
            "round {round}: {now:?} after {before:?}"
        );
        before = now;
    }
    println!("{replaced} of {} were replaced", kills.rounds);
    run("last").run().code(0);
    assert_eq!(labels(), ["last"]);
}
