//! Runs that are killed at random moments, again and again: the next run always works and is right.
//!
//! `KILL_ROUNDS` sets how many (12 if it is not set), `KILL_SEED` repeats a sequence:
//!
//! ```text
//! KILL_ROUNDS=1000 cargo test -p benchmark-tests --test killed_runs -- --nocapture
//! ```

use std::thread;
use std::time::Instant;

use benchmark_tests::bench::{wait_until, Copied};
use benchmark_tests::kills::Kills;
use benchmark_tests::{processes, Home};
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

        run().unchanged();
        assert_eq!(figures(), known, "round {round}, {signal} after {delay:?}");
        assert_eq!(
            home.names(),
            files,
            "round {round}, {signal} after {delay:?}"
        );
    }
}
