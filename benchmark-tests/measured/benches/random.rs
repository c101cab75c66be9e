//! Benchmarks whose count depends on random numbers.

use std::collections::HashMap;
use std::hint::black_box;

use iai_callgrind::{library_benchmark, library_benchmark_group, main, LibraryBenchmarkConfig};
use nix::libc;

fn fill() -> HashMap<u64, u64> {
    (0..1000).map(|n| (n, n * n)).collect()
}

#[library_benchmark]
#[bench::deterministic()]
#[bench::own_process(config = LibraryBenchmarkConfig::default().fork(false))]
#[bench::random(config = LibraryBenchmarkConfig::default().deterministic_random(false))]
fn map() -> HashMap<u64, u64> {
    fill()
}

/// Two instructions a round: the number decides what is counted.
fn rounds(number: u16) {
    for _ in 0..black_box(number) {
        black_box(());
    }
}

/// Crates that do not link to the C function of this name use the system call.
#[cfg(target_os = "linux")]
fn by_system_call() -> u16 {
    let mut number = [0; 2];
    // SAFETY: the place has two bytes.
    let filled = unsafe { libc::syscall(libc::SYS_getrandom, number.as_mut_ptr(), 2, 0) };
    assert_eq!(filled, 2);
    u16::from_ne_bytes(number)
}

#[cfg(target_os = "linux")]
fn by_getentropy() -> u16 {
    let mut number = [0; 2];
    // SAFETY: the place has two bytes.
    let outcome = unsafe { libc::getentropy(number.as_mut_ptr().cast(), 2) };
    assert_eq!(outcome, 0);
    u16::from_ne_bytes(number)
}

#[cfg(target_os = "linux")]
#[library_benchmark]
#[bench::system_call(by_system_call)]
#[bench::entropy(by_getentropy)]
#[bench::declined(
    args = (by_system_call),
    config = LibraryBenchmarkConfig::default().deterministic_random(false)
)]
fn numbers(draw: fn() -> u16) {
    rounds(draw());
}

/// The other system calls are as ever.
#[cfg(target_os = "linux")]
#[library_benchmark]
fn system_calls() {
    // SAFETY: changes nothing but the bytes of the two places.
    unsafe {
        let pid = libc::syscall(libc::SYS_getpid);
        assert_eq!(pid, i64::from(std::process::id()) as libc::c_long);
        assert_eq!(libc::syscall(libc::SYS_close, -1), -1);
        let error = std::io::Error::last_os_error();
        assert_eq!(error.raw_os_error(), Some(libc::EBADF));
        // Six arguments: one of them is on the stack.
        let (from, mut to) = ([7_u8; 4096], [0_u8; 4096]);
        let place = libc::syscall(
            libc::SYS_mmap,
            std::ptr::null_mut::<u8>(),
            4096_usize,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        ) as *mut u8;
        assert!(!place.is_null() && place as isize != -1);
        place.copy_from(from.as_ptr(), 4096);
        to.as_mut_ptr().copy_from(place, 4096);
        assert_eq!(from, to);
        assert_eq!(libc::syscall(libc::SYS_munmap, place, 4096_usize), 0);
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().unwrap().get()
}

#[library_benchmark]
#[bench::single(config = LibraryBenchmarkConfig::default().single_cpu(true))]
#[bench::any()]
fn cpus() {
    println!("processors: {}", processors());
}

library_benchmark_group!(name = hashing, benchmarks = [map, numbers, system_calls]);
library_benchmark_group!(name = processor, benchmarks = [cpus]);
main!(
    deterministic_random = true,
    library_benchmark_groups = [hashing, processor],
);
