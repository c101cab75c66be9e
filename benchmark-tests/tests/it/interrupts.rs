//! The runner is asked to stop, or killed, while a benchmark runs.

use benchmark_tests::bench::{wait_until, Copied};
use benchmark_tests::{processes, Home, Started};
use nix::sys::signal::Signal;

/// Interrupts a run, and checks that no process, no file and no change stays.
fn check(signal: Signal, send: fn(&Started, Signal)) {
    let copied = Copied::new("endings");
    let home = Home::new();
    copied.bench().measure(&home).run().code(0);
    let before = home.results();

    let run = spinning(&copied, &home);
    send(&run, signal);
    let ended = run.wait().signalled(signal);

    wait_until("all processes are gone", || {
        processes::naming(copied.path()).is_empty()
    });
    // The benchmark that was done before has a new result; of the other one everything is as it
    // was.
    let after = home.results();
    for (name, bytes) in &before {
        if name.contains("/ends/") || name.contains("/after/") {
            assert_eq!(after.get(name), Some(bytes), "{name}");
        }
    }
    let new: Vec<_> = after
        .keys()
        .filter(|name| !before.contains_key(*name))
        .collect();
    match signal {
        Signal::SIGKILL => assert!(new.iter().any(|name| name.contains("/.work-")), "{new:?}"),
        _ => {
            assert!(new.iter().all(|name| name.ends_with(".old")), "{new:?}");
            let number = signal as i32;
            ended.says(&[&format!("error: stopped by signal {number} ({signal})\n")]);
        }
    }

    let again = copied.bench().measure(&home).run().code(0);
    again.quiet().unchanged();
    let left = home.names();
    assert!(
        !left.iter().any(|name| name.contains("/.work-")),
        "{left:?}"
    );
}

/// A run whose second benchmark has begun and does not end.
fn spinning(copied: &Copied, home: &Home) -> Started {
    let started = copied.beside("started");
    let bench = copied.bench().measure(home).env("ENDING", "spins");
    let run = bench.env("STARTED", &started).start();
    wait_until("the benchmark runs", || started.exists());
    assert!(!processes::valgrinds(copied.path()).is_empty());
    run
}

#[test]
fn sigterm_for_the_runner_alone() {
    check(Signal::SIGTERM, Started::signal);
}

#[test]
fn sigint_for_the_whole_group() {
    check(Signal::SIGINT, Started::signal_group);
}

#[test]
fn sigterm_for_the_whole_group() {
    check(Signal::SIGTERM, Started::signal_group);
}

#[test]
fn sighup_for_the_whole_group() {
    check(Signal::SIGHUP, Started::signal_group);
}

#[test]
fn sigkill_for_the_runner() {
    check(Signal::SIGKILL, Started::signal);
}
