//! Benchmarks that leave the process in every way there is, and quiet ones between them.

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

/// Depends on the heap, the stack and the caches that it finds.
#[library_benchmark]
#[bench::first()]
#[bench::second()]
#[bench::last()]
fn quiet() -> u64 {
    let texts: Vec<String> = (0..50).map(|n: u64| format!("{n:?}")).collect();
    texts.iter().map(|text| text.len() as u64).sum()
}

#[library_benchmark]
fn aborts() {
    println!("stdout of aborts");
    eprintln!("stderr of aborts");
    std::process::abort();
}

#[library_benchmark]
fn segfaults() {
    println!("stdout of segfaults");
    eprintln!("stderr of segfaults");
    // SAFETY: none, that is the point.
    unsafe { black_box(8 as *mut u8).write_volatile(1) };
}

#[library_benchmark]
fn panics() {
    println!("stdout of panics");
    eprintln!("stderr of panics");
    panic!("on purpose");
}

#[library_benchmark]
fn exits() {
    println!("stdout of exits");
    eprintln!("stderr of exits");
    std::process::exit(3);
}

/// Ends when it is stopped, or with the patience of the test.
#[library_benchmark]
fn spins() {
    println!("stdout of spins");
    eprintln!("stderr of spins");
    for _ in 0..100 {
        thread::sleep(Duration::from_secs(1));
    }
}

#[library_benchmark]
fn starts_a_process() {
    println!("stdout of starts_a_process");
    eprintln!("stderr of starts_a_process");
    let mut echo = Command::new("/bin/echo");
    assert!(echo.arg("stdout of a process").status().unwrap().success());
}

/// The process has the streams, and lives longer than the benchmark.
#[library_benchmark]
fn leaves_a_process() {
    println!("stdout of leaves_a_process");
    eprintln!("stderr of leaves_a_process");
    let mut sleep = Command::new("/bin/sleep");
    sleep.arg("100").stdin(Stdio::null()).spawn().unwrap();
}

#[library_benchmark]
fn starts_threads() {
    println!("stdout of starts_threads");
    eprintln!("stderr of starts_threads");
    let threads: Vec<_> = (0..2)
        .map(|n| thread::spawn(move || black_box(n)))
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

/// Still there when the process ends.
#[library_benchmark]
fn leaves_a_thread() {
    println!("stdout of leaves_a_thread");
    eprintln!("stderr of leaves_a_thread");
    thread::spawn(|| thread::sleep(Duration::from_secs(100)));
}

library_benchmark_group!(
    name = group,
    benchmarks = [
        quiet,
        aborts,
        segfaults,
        panics,
        exits,
        spins,
        starts_a_process,
        leaves_a_process,
        starts_threads,
        leaves_a_thread
    ]
);
main!(library_benchmark_groups = [group]);
