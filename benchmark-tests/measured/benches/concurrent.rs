//! Work on threads and in processes, which is not counted unless someone asks for it.

use std::process::Command;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};
use inside_benchmarks::rounds;

#[inline(never)]
fn elsewhere(n: u64) {
    rounds(n);
}

#[library_benchmark]
#[bench::long(1_000_000)]
#[bench::short(1000)]
fn thread(n: u64) {
    std::thread::spawn(move || elsewhere(n)).join().unwrap();
}

#[library_benchmark]
fn process() {
    assert!(Command::new("/bin/true").status().unwrap().success());
}

library_benchmark_group!(name = group, benchmarks = [thread, process]);
main!(library_benchmark_groups = [group]);
