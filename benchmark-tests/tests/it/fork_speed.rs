//! Time and memory that forks save. One test after the other, so that processor time is that of one
//! run.
//!
//! `FORK_MANY=1000` runs a thousand benchmarks instead of a hundred.

use std::ops::Range;
use std::time::{Duration, Instant};

use benchmark_tests::server::{self, Options};
use benchmark_tests::{build, processes, valgrinds, Bench, Home};
use nix::sys::resource::{getrusage, UsageWho};
use nix::sys::time::TimeVal;

/// User and system time of all processes that ended.
fn processor_time() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    let time = |value: TimeVal| Duration::new(value.tv_sec() as u64, value.tv_usec() as u32 * 1000);
    time(usage.user_time()) + time(usage.system_time())
}

fn forks_need_a_quarter_of_the_time() {
    let number = std::env::var("FORK_MANY").map_or(100, |number| number.parse().unwrap());
    let functions: Vec<String> = (0..number / 100).map(|n| format!("::many_{n}::")).collect();
    valgrinds::with_each(|valgrind| {
        let run = |arguments: &[&str], filters: &[String], number: usize, sizes: Range<u64>| {
            let home = Home::new();
            let (begin, start) = (processor_time(), Instant::now());
            let bench = Bench::new("fork_many").measure(&home);
            let bench = bench.args(filters).args(arguments);
            let ended = bench
                .arg("--valgrind-bin")
                .arg(valgrind)
                .run()
                .code(0)
                .quiet();
            let time = processor_time() - begin;
            println!(
                "{number} with {arguments:?}: {time:?}, {:?} wall",
                start.elapsed()
            );
            ended.shows(&[&format!("First results. {number} without regressions")]);
            // Each round of a loop is worth the same.
            let count = |n| home.count(&format!("fork_many::group::many_0::n_{n}"), "Ir");
            let round = count(51) - count(50);
            assert!(round > 0);
            for n in sizes {
                assert_eq!(count(n + 1) - count(n), round, "{n}");
            }
            time
        };
        let hundred = ["::many_0::".to_owned()];
        // Each process costs the same, so some are enough.
        let some = ["4", "5", "6"].map(|ten| format!("*::many_0::n_{ten}?"));
        let forks = run(&["--fork=yes"], &hundred, 100, 10..99);
        let processes = run(&["--fork=no"], &some, 30, 40..69) * 100 / 30;
        assert!(forks * 4 <= processes, "{forks:?} {processes:?}");
        if number > 100 {
            let many = run(&["--fork=yes"], &functions, number, 10..99);
            assert!(
                many * 100 <= forks * number as u32 * 2,
                "{many:?} {forks:?}"
            );
            run(&["--fork=yes", "--parallel=2"], &functions, number, 10..99);
        }
        assert!(processes::naming(&build::bench("fork_many")).is_empty());
    });
}

/// Memory that processes share is counted once.
fn every_fork_needs_little_memory() {
    let executable = build::bench("fork_endings");
    let spins = server::cases(&executable);
    let spins = spins.into_iter().find(|case| case.name == "spins").unwrap();
    valgrinds::with_each(|valgrind| {
        // Memory of a process on its own: a server that runs nothing.
        let one = Options::new(valgrind, &executable).start();
        let alone = server::resident(one.pid());
        let mut servers: Vec<_> = (0..2)
            .map(|_| Options::new(valgrind, &executable).start())
            .collect();
        let mut all: Vec<i32> = servers.iter().map(server::Server::pid).collect();
        all.extend(servers.iter_mut().map(|server| server.begin(&spins)));
        std::thread::sleep(Duration::from_millis(300));
        let sum: u64 = all.iter().map(|pid| server::proportional(*pid)).sum();
        println!("alone {alone} KiB, two servers with a fork each {sum} KiB");
        assert!(sum < 2 * (alone + 30 * 1024), "{sum} {alone}");
    });
}

mod in_full_runs {
    use super::*;

    #[test]
    fn speed_and_memory() {
        build::bench("fork_many");
        build::runner();
        forks_need_a_quarter_of_the_time();
        every_fork_needs_little_memory();
    }
}
