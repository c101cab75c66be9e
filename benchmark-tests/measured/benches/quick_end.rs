//! Work that is left for the end of a process whose benchmark has returned.

use std::hint::black_box;
use std::sync::Barrier;
use std::thread;

use iai_callgrind::{library_benchmark, library_benchmark_group, main};
use nix::libc;

/// One block for Valgrind.
#[library_benchmark]
fn one_block() -> u64 {
    black_box(1) + black_box(2) + black_box(3) + black_box(4) + black_box(5)
}

extern "C" fn write_file() {
    let path = std::env::var_os("AT_EXIT").unwrap();
    std::fs::write(path, "at exit").unwrap();
}

#[library_benchmark]
fn registers() -> i32 {
    // SAFETY: the function may run at the end of a process.
    unsafe { libc::atexit(write_file) }
}

/// Text that no stream writes by itself: C's stdout is a file here, and Rust's waits for the end of
/// a line.
#[library_benchmark]
fn prints() {
    print!("of Rust");
    // SAFETY: a terminated text.
    unsafe { libc::printf(c" and of C".as_ptr()) };
}

/// Runs this number of threads at once.
fn crowd(threads: usize) -> u64 {
    let barrier = Barrier::new(threads + 1);
    thread::scope(|scope| {
        let all: Vec<_> = (0..threads)
            .map(|number| {
                let barrier = &barrier;
                scope.spawn(move || {
                    barrier.wait();
                    number as u64
                })
            })
            .collect();
        barrier.wait();
        all.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

#[library_benchmark]
#[bench::few(3)]
#[bench::many(40)]
fn crowded(threads: usize) -> u64 {
    black_box(crowd(threads))
}

/// A thread that is there at the end, and has the lock of stdout for ever.
#[library_benchmark]
fn leaves_a_thread_with_stdout() {
    let (locked, is_locked) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let _stdout = std::io::stdout().lock();
        locked.send(()).unwrap();
        loop {
            thread::park();
        }
    });
    is_locked.recv().unwrap();
}

library_benchmark_group!(
    name = group,
    benchmarks = [
        one_block,
        registers,
        prints,
        crowded,
        leaves_a_thread_with_stdout
    ]
);
main!(library_benchmark_groups = group);
