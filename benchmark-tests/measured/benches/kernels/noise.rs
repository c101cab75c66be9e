//! Nondeterministic kernels: their counts cannot be compared, but they must work.

use std::collections::HashMap;
use std::process::Command;
use std::sync::mpsc::channel;
use std::thread;

use iai_callgrind::{library_benchmark, library_benchmark_group};

use crate::numbers;

#[library_benchmark]
fn threads() -> u64 {
    let sum = || numbers(100).iter().fold(0, |a, b| a ^ b);
    let threads: Vec<_> = (0..3).map(|_| thread::spawn(sum)).collect();
    threads
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .fold(0, |a, b| a ^ b)
}

#[library_benchmark]
fn channels() -> u64 {
    let (sender, receiver) = channel();
    let thread = thread::spawn(move || {
        numbers(100)
            .into_iter()
            .for_each(|n| sender.send(n).unwrap())
    });
    let sum = receiver.iter().fold(0, |a, b| a ^ b);
    thread.join().unwrap();
    sum
}

#[library_benchmark]
fn output_of_a_process() -> usize {
    let output = Command::new("/bin/echo").arg("text").output().unwrap();
    assert_eq!(output.stdout, b"text\n");
    output.stdout.len()
}

#[library_benchmark]
fn digits_of_the_process_id() -> String {
    std::process::id().to_string()
}

/// Its keys are those of `deterministic_random`, which is the default.
#[library_benchmark]
fn random_hasher() -> usize {
    let map: HashMap<u64, u64> = numbers(300).into_iter().zip(0..).collect();
    map.len()
}

library_benchmark_group!(
    name = noise,
    benchmarks = [
        threads,
        channels,
        output_of_a_process,
        digits_of_the_process_id,
        random_hasher
    ]
);
