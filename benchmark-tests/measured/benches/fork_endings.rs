//! Benchmarks that leave the process in every way there is, and quiet ones between them.

use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};

/// Depends on the heap, the stack and the caches that it finds.
#[library_benchmark]
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
    let mut shell = Command::new("/bin/sh");
    let mut shell = shell
        .args(["-c", "echo started >&2; while :; do :; done"])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It shall run, not only be about to.
    let mut started = [0; 8];
    shell
        .stderr
        .take()
        .unwrap()
        .read_exact(&mut started)
        .unwrap();
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
    let (sender, receiver) = channel();
    thread::spawn(move || {
        sender.send(()).unwrap();
        thread::sleep(Duration::from_secs(100));
    });
    receiver.recv().unwrap();
}

/// The test does something in the meantime: nothing is measured now.
fn wait_for_the_test() {
    let (Some(ready), Some(go)) = (std::env::var_os("READY"), std::env::var_os("GO")) else {
        return;
    };
    std::fs::write(ready, "").unwrap();
    for _ in 0..10_000 {
        if Path::new(&go).exists() {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("the test is gone");
}

library_benchmark_group!(name = before, benchmarks = [quiet]);
library_benchmark_group!(
    name = endings,
    benchmarks = [
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
library_benchmark_group!(
    name = after,
    setup = wait_for_the_test(),
    benchmarks = [quiet]
);
main!(library_benchmark_groups = [before, endings, after]);
