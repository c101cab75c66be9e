//! Numbers of processes come again when many ran: no file of a process that is gone may be in the
//! way.

use std::collections::BTreeSet;

use benchmark_tests::bench::{wait_until, Copied};
use benchmark_tests::Home;
use nix::sys::signal::Signal;

#[test]
fn only_the_server_and_the_benchmark_have_files() {
    let copied = Copied::new("endings");
    let home = Home::new();
    let started = copied.beside("started");
    let bench = copied.bench().measure(&home).env("ENDING", "spins");
    let run = bench.env("STARTED", &started).start();
    wait_until("the benchmark runs", || started.exists());
    // Not those of the warm-ups, nor those of the benchmark before, which are kept beside this one.
    wait_until("only two processes have files", || {
        processes(&home.names()).len() == 2
    });
    run.signal(Signal::SIGTERM);
    run.wait().signalled(Signal::SIGTERM);
}

/// Processes with a log in a private directory.
fn processes(names: &[String]) -> BTreeSet<&str> {
    let in_work = names.iter().filter(|name| name.contains("/.work-"));
    let logs = in_work.filter_map(|name| name.rsplit_once("/log."));
    logs.map(|(_, pid)| pid).collect()
}
