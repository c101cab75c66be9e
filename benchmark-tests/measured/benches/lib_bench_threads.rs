//! The example of the guide's page about threads and subprocesses, with each of its configurations.

use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitStatus;

use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, Callgrind, EntryPoint,
    LibraryBenchmarkConfig, OutputFormat,
};

/// The library of the page.
pub mod my_lib {
    use std::io;
    use std::path::Path;
    use std::process::{Command, ExitStatus};
    use std::sync::{Arc, Barrier};

    use iai_callgrind::client_requests::callgrind;

    /// Is it a prime number?
    pub fn is_prime(num: u64) -> bool {
        if num <= 1 {
            return false;
        }
        for i in 2..=(num as f64).sqrt() as u64 {
            if num % i == 0 {
                return false;
            }
        }
        true
    }

    /// All prime numbers from `low` to `high`.
    #[inline(never)]
    pub fn find_primes(low: u64, high: u64) -> Vec<u64> {
        (low..=high).filter(|n| is_prime(*n)).collect()
    }

    /// The prime numbers up to `num_threads * 10000`.
    pub fn find_primes_multi_thread(num_threads: usize) -> Vec<u64> {
        on_threads(num_threads, find_primes)
    }

    /// The same, counted by client requests.
    pub fn find_primes_with_requests(num_threads: usize) -> Vec<u64> {
        on_threads(num_threads, |low, high| {
            callgrind::toggle_collect();
            let primes = find_primes(low, high);
            callgrind::toggle_collect();
            primes
        })
    }

    fn on_threads(
        num_threads: usize,
        find: impl Fn(u64, u64) -> Vec<u64> + Copy + Send + 'static,
    ) -> Vec<u64> {
        let mut handles = vec![];
        let mut low = 0;
        // Not of the page: Valgrind gives the number of a thread that has ended to the next one.
        let all_are_there = Arc::new(Barrier::new(num_threads));
        for _ in 0..num_threads {
            let all_are_there = Arc::clone(&all_are_there);
            handles.push(std::thread::spawn(move || {
                all_are_there.wait();
                find(low, low + 10_000)
            }));
            low += 10_000;
        }
        let mut primes = vec![];
        for handle in handles {
            primes.extend(handle.join().unwrap());
        }
        primes
    }

    /// Runs the program `cat`, which counts itself by client requests.
    pub fn cat(file: &Path) -> io::Result<ExitStatus> {
        Command::new(env!("CARGO_BIN_EXE_cat")).arg(file).status()
    }
}

fn config(callgrind: &Callgrind) -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default().tool(callgrind).build()
}

#[library_benchmark]
#[bench::two_threads(2)]
#[bench::with_toggle(
    args = (2),
    config = config(&Callgrind::with_args(["--toggle-collect=lib_bench_threads::my_lib::find_primes"]))
)]
#[bench::at_start(
    args = (2),
    config = config(Callgrind::with_args(["--collect-atstart=yes"]).entry_point(EntryPoint::None))
)]
fn bench_threads(num_threads: usize) -> Vec<u64> {
    black_box(my_lib::find_primes_multi_thread(num_threads))
}

#[library_benchmark]
#[bench::two_threads(2)]
#[bench::only_threads(
    args = (2),
    config = config(Callgrind::with_args(["--collect-atstart=no"]).entry_point(EntryPoint::None))
)]
fn bench_requests(num_threads: usize) -> Vec<u64> {
    black_box(my_lib::find_primes_with_requests(num_threads))
}

/// Finds the same primes without threads.
#[library_benchmark]
#[bench::first(0, 10_000)]
#[bench::second(10_000, 20_000)]
fn alone(low: u64, high: u64) -> Vec<u64> {
    black_box(my_lib::find_primes(low, high))
}

/// A file with some content.
fn create_file() -> PathBuf {
    let path = std::env::temp_dir().join("lib_bench_threads.txt");
    std::fs::write(&path, "some content").unwrap();
    path
}

#[library_benchmark]
#[bench::some(args = (), setup = create_file)]
fn bench_subprocess(path: PathBuf) -> ExitStatus {
    black_box(my_lib::cat(&path)).unwrap()
}

library_benchmark_group!(
    name = my_group,
    benchmarks = [bench_threads, bench_requests, alone, bench_subprocess]
);
main!(
    config = LibraryBenchmarkConfig::default()
        .output_format(OutputFormat::default().show_intermediate(true)),
    library_benchmark_groups = [my_group]
);
