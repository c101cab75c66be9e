//! A benchmark that ends as the variable `ENDING` says, between two that always return.

use std::hint::black_box;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};
use inside_benchmarks::rounds;
use nix::libc;

enum Ending {
    Returns,
    /// Prints, and returns.
    Talks,
    /// Prints more than a pipe holds, and returns.
    Floods,
    Panics,
    /// Panics when the result is dropped.
    PanicsInDrop,
    Exits(i32),
    Aborts,
    Segfaults,
    /// Reserves more address space than Valgrind has.
    Reserves,
    /// Tells the test so through the file `STARTED`, and runs until it is killed.
    Spins,
    /// The same, after it has stopped the processes above it, which have to notice its end.
    StopsAbove,
}

fn ending() -> Ending {
    match std::env::var("ENDING").as_deref() {
        Ok("talks") => Ending::Talks,
        Ok("floods") => Ending::Floods,
        Ok("panics") => Ending::Panics,
        Ok("panics in the setup") => panic!("on purpose"),
        Ok("panics in a drop") => Ending::PanicsInDrop,
        Ok("exits 0") => Ending::Exits(0),
        Ok("exits 3") => Ending::Exits(3),
        Ok("exits 86") => Ending::Exits(86),
        Ok("aborts") => Ending::Aborts,
        Ok("segfaults") => Ending::Segfaults,
        Ok("reserves") => Ending::Reserves,
        Ok("spins") => Ending::Spins,
        Ok("stops above") => Ending::StopsAbove,
        Ok("spins once") => match started().exists() {
            true => Ending::Returns,
            false => Ending::Spins,
        },
        Ok(other) => unreachable!("unknown ending {other}"),
        Err(_) => Ending::Returns,
    }
}

fn started() -> PathBuf {
    std::env::var_os("STARTED").unwrap().into()
}

fn say(text: &str) {
    println!("stdout before it {text}");
    eprintln!("stderr before it {text}");
}

/// Stops the parent, and its parent if that is a guardian as well.
fn stop_above() {
    let mut pid = std::os::unix::process::parent_id();
    for _ in 0..2 {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let (name, rest) = stat.rsplit_once(") ").unwrap();
        if !name.ends_with("(iai-guardian") && !name.contains("(callgrind-") {
            return;
        }
        let stop = format!("kill -STOP {pid}");
        let stopped = Command::new("sh").args(["-c", &stop]).status();
        assert!(stopped.unwrap().success());
        pid = rest.split(' ').nth(1).unwrap().parse().unwrap();
    }
}

fn spin() {
    std::fs::write(started(), "").unwrap();
    // A test that failed must not leave it behind for ever.
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(100) {
        // Tests beside it need the processor.
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[library_benchmark]
fn before() -> u64 {
    rounds(10);
    black_box(1)
}

struct Made(bool);

impl Drop for Made {
    fn drop(&mut self) {
        assert!(!self.0, "on purpose");
    }
}

#[library_benchmark(setup = ending)]
fn ends(ending: Ending) -> Made {
    let panics_later = matches!(ending, Ending::PanicsInDrop);
    match ending {
        Ending::Returns | Ending::PanicsInDrop => {}
        Ending::Talks => say("talks"),
        Ending::Floods => (0..20_000).for_each(|_| say("floods")),
        Ending::Panics => {
            say("panics");
            panic!("on purpose");
        }
        Ending::Exits(code) => {
            say("exits");
            std::process::exit(code);
        }
        Ending::Aborts => {
            say("aborts");
            std::process::abort();
        }
        Ending::Segfaults => {
            say("segfaults");
            // SAFETY: none, that is the point.
            unsafe { black_box(8 as *mut u8).write_volatile(1) };
        }
        Ending::Reserves => {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            let none = libc::PROT_NONE;
            // SAFETY: a new mapping, which nobody uses.
            let place = unsafe { libc::mmap(std::ptr::null_mut(), 200 << 30, none, flags, -1, 0) };
            assert!(place != libc::MAP_FAILED, "no address space");
        }
        Ending::Spins => {
            say("spins");
            spin();
        }
        Ending::StopsAbove => {
            say("spins");
            stop_above();
            spin();
        }
    }
    Made(black_box(panics_later))
}

#[library_benchmark]
fn after() -> u64 {
    rounds(10);
    black_box(3)
}

library_benchmark_group!(name = group, benchmarks = [before, ends, after]);
main!(
    config = LibraryBenchmarkConfig::default().pass_through_envs(["ENDING", "STARTED"]),
    library_benchmark_groups = [group]
);
