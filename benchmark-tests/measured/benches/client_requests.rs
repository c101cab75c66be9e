//! Benchmarks that say by client requests what is counted: in threads, in other processes, and in
//! parts of a function.

use std::arch::asm;
use std::hint::black_box;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use iai_callgrind::client_requests::callgrind;
use iai_callgrind::{
    library_benchmark, library_benchmark_group, main, measure, Callgrind, EntryPoint,
    LibraryBenchmarkConfig,
};

/// The measured code; the names are those of the guide for threads and processes.
mod my_lib {
    use std::io;
    use std::path::Path;
    use std::process::ExitStatus;

    use iai_callgrind::client_requests::callgrind;

    fn is_prime(num: u64) -> bool {
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

    /// Return all prime numbers in the inclusive range `low` to `high`
    #[inline(never)]
    pub(crate) fn find_primes(low: u64, high: u64) -> Vec<u64> {
        (low..=high).filter(|n| is_prime(*n)).collect()
    }

    /// Return the prime numbers in the range `0..(num_threads * 10000)`
    pub(crate) fn find_primes_multi_thread(num_threads: usize) -> Vec<u64> {
        let mut handles = vec![];
        let mut low = 0;
        for _ in 0..num_threads {
            let handle = std::thread::spawn(move || {
                callgrind::toggle_collect();
                let result = find_primes(low, low + 10000);
                callgrind::toggle_collect();
                result
            });
            handles.push(handle);

            low += 10000;
        }

        let mut primes = vec![];
        for handle in handles {
            let result = handle.join();
            primes.extend(result.unwrap())
        }

        primes
    }

    /// A function executing the crate's binary `cat`
    pub(crate) fn cat(file: &Path) -> io::Result<ExitStatus> {
        std::process::Command::new(env!("CARGO_BIN_EXE_cat"))
            .arg(file)
            .status()
    }
}

/// Nothing is counted but what is between toggles.
fn toggles_only() -> LibraryBenchmarkConfig {
    LibraryBenchmarkConfig::default()
        .tool(Callgrind::with_args(["--collect-atstart=no"]).entry_point(EntryPoint::None))
        .build()
}

#[library_benchmark]
#[bench::with_main(2)]
#[bench::alone(args = (2), config = toggles_only())]
fn threads(num_threads: usize) -> Vec<u64> {
    black_box(my_lib::find_primes_multi_thread(num_threads))
}

/// Does the work of the threads in one thread, counted from the function's entry on.
#[library_benchmark(
    config = LibraryBenchmarkConfig::default()
        .tool(Callgrind::default().entry_point("*my_lib::find_primes".into()))
)]
#[bench::first(0)]
#[bench::second(10000)]
fn one_thread(low: u64) -> Vec<u64> {
    black_box(my_lib::find_primes(low, low + 10000))
}

fn create_file(size: usize) -> PathBuf {
    let path = std::env::temp_dir().join(format!("iai-callgrind-cat-{}", std::process::id()));
    std::fs::write(&path, "x".repeat(size)).unwrap();
    path
}

#[library_benchmark]
#[bench::with_parent(args = (12), setup = create_file)]
#[bench::alone(args = (12), setup = create_file, config = toggles_only())]
fn subprocess(path: PathBuf) -> io::Result<ExitStatus> {
    let status = black_box(my_lib::cat(&path));
    std::fs::remove_file(path).unwrap();
    status
}

/// Two instructions a round.
#[inline(never)]
fn kernel(rounds: u64) {
    // SAFETY: counts a register down.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!("2:", "dec {n}", "jnz 2b", n = inout(reg) rounds => _, options(nomem, nostack));
        #[cfg(target_arch = "aarch64")]
        asm!("2:", "subs {n}, {n}, #1", "b.ne 2b", n = inout(reg) rounds => _, options(nomem, nostack));
    }
}

fn observed_later(more: &[&str], entry_point: EntryPoint) -> LibraryBenchmarkConfig {
    let mut callgrind = Callgrind::with_args(["--instr-atstart=no"]);
    callgrind.args(more).entry_point(entry_point);
    LibraryBenchmarkConfig::default().tool(callgrind).build()
}

/// Counts 1000 rounds of 7000.
#[library_benchmark]
#[bench::collecting(config = observed_later(&[], EntryPoint::None))]
#[bench::not_collecting(config = observed_later(&["--collect-atstart=no"], EntryPoint::None))]
#[bench::with_entry_point(config = observed_later(&[], EntryPoint::Default))]
fn instrumentation() {
    kernel(2000);
    callgrind::start_instrumentation();
    kernel(1000);
    callgrind::stop_instrumentation();
    kernel(4000);
}

/// Counts 1000 rounds of 9000.
#[library_benchmark(config = observed_later(&["--collect-atstart=no"], EntryPoint::None))]
fn instrumentation_and_toggle() {
    kernel(2000);
    callgrind::start_instrumentation();
    kernel(2000);
    callgrind::toggle_collect();
    kernel(1000);
    callgrind::toggle_collect();
    callgrind::stop_instrumentation();
    kernel(4000);
}

/// Forgets 1000 rounds, then two dumps: 2000 and 4000 rounds.
#[library_benchmark]
#[bench::entry_point()]
#[bench::none(config = LibraryBenchmarkConfig::default()
    .tool(Callgrind::default().entry_point(EntryPoint::None)))]
fn zero_and_dump() {
    kernel(1000);
    callgrind::zero_stats();
    kernel(2000);
    callgrind::dump_stats();
    kernel(4000);
    callgrind::dump_stats_at(c"the end");
}

/// With the entry point counting is on, and toggles switch it off for 1000 rounds of 7000.
#[library_benchmark]
fn left_out() {
    kernel(2000);
    callgrind::toggle_collect();
    kernel(1000);
    callgrind::toggle_collect();
    kernel(4000);
}

/// Forgets 1000 rounds in a region of 3000.
#[library_benchmark]
fn zeroed_region() {
    measure(|| {
        kernel(1000);
        callgrind::zero_stats();
        kernel(2000);
    });
}

/// Counts 1000 rounds of 7000: Callgrind forgets the function where instrumentation stops.
#[library_benchmark]
fn stopped() {
    kernel(1000);
    callgrind::stop_instrumentation();
    kernel(2000);
    callgrind::start_instrumentation();
    kernel(4000);
}

/// The same in a region.
#[library_benchmark]
fn stopped_region() {
    measure(|| {
        kernel(1000);
        callgrind::stop_instrumentation();
        callgrind::start_instrumentation();
        kernel(4000);
    });
}

/// A single toggle leaves out the rest.
#[library_benchmark]
fn toggled_once() {
    kernel(1000);
    callgrind::toggle_collect();
    kernel(2000);
}

/// The same in a region: the next one is left out as well.
#[library_benchmark]
fn toggled_region() {
    measure(|| {
        kernel(1000);
        callgrind::toggle_collect();
        kernel(2000);
    });
    measure(|| kernel(4000));
}

/// Nothing is left out that was not to be.
#[library_benchmark(setup = observed_setup)]
#[bench::after_a_setup(1000)]
fn toggled_twice(rounds: u64) {
    kernel(rounds);
    callgrind::toggle_collect();
    kernel(2000);
    callgrind::toggle_collect();
}

/// Stops and starts as the function does not.
fn observed_setup(rounds: u64) -> u64 {
    callgrind::stop_instrumentation();
    kernel(500);
    callgrind::start_instrumentation();
    rounds
}

library_benchmark_group!(name = guide, benchmarks = [threads, one_thread, subprocess]);
library_benchmark_group!(
    name = parts,
    benchmarks = [
        instrumentation,
        instrumentation_and_toggle,
        zero_and_dump,
        left_out,
        zeroed_region
    ]
);
library_benchmark_group!(
    name = cut,
    benchmarks = [
        stopped,
        stopped_region,
        toggled_once,
        toggled_region,
        toggled_twice
    ]
);
main!(library_benchmark_groups = [guide, parts, cut]);
