//! The operating system: files, streams, environment, time.

use std::fs;
use std::io::{Read, Seek, Write};
use std::os::unix::net::UnixStream;
use std::panic;
use std::time::{Instant, SystemTime};

use iai_callgrind::{library_benchmark, library_benchmark_group};

use crate::numbers;

/// In a temporary directory, without a name that could differ.
#[library_benchmark]
fn write_and_read_a_file() -> usize {
    let mut file = tempfile::tempfile().unwrap();
    for n in numbers(50) {
        writeln!(file, "{n}").unwrap();
    }
    file.rewind().unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    text.lines().count()
}

#[library_benchmark]
fn read_a_device() -> u64 {
    let mut zeros = Vec::new();
    let file = fs::File::open("/dev/zero").unwrap();
    file.take(20_000).read_to_end(&mut zeros).unwrap();
    zeros.iter().map(|byte| u64::from(*byte)).sum()
}

#[library_benchmark]
fn a_missing_file() -> bool {
    fs::read("/no/such/file").is_err()
}

#[library_benchmark]
fn sockets() -> [u8; 100] {
    let (mut one, mut other) = UnixStream::pair().unwrap();
    let mut received = [0; 100];
    for n in 0..20 {
        one.write_all(&[n; 100]).unwrap();
        other.read_exact(&mut received).unwrap();
    }
    received
}

#[library_benchmark]
fn stdout() {
    for n in 0..30 {
        println!("line {n}");
    }
}

#[library_benchmark]
fn stdout_without_line_end() {
    print!("left in the buffer until the end");
}

#[library_benchmark]
fn stderr() {
    for n in 0..30 {
        eprintln!("line {n}");
    }
}

/// Without the message, which names the thread's id.
#[library_benchmark]
fn caught_panic() -> bool {
    panic::set_hook(Box::new(|_| ()));
    let outcome = panic::catch_unwind(|| {
        let _guard = numbers(10);
        panic!("on purpose");
    });
    outcome.is_err()
}

#[library_benchmark]
fn environment() -> usize {
    let all = std::env::vars_os().count();
    all + usize::from(std::env::var("IAI_CALLGRIND_PADDING").is_ok())
}

/// A comparison of two times takes another branch where a second passes between them.
#[library_benchmark]
fn clock() -> (Instant, SystemTime, Instant) {
    (Instant::now(), SystemTime::now(), Instant::now())
}

library_benchmark_group!(
    name = system,
    benchmarks = [
        write_and_read_a_file,
        read_a_device,
        a_missing_file,
        sockets,
        stdout,
        stdout_without_line_end,
        stderr,
        caught_panic,
        environment,
        clock
    ]
);
