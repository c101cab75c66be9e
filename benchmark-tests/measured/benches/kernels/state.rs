//! Changes of the whole process. Each of these panics if someone has made the change before.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use iai_callgrind::{library_benchmark, library_benchmark_group};
use inside_benchmarks::rounds;
use nix::libc;

use crate::numbers;

thread_local! {
    static OF_THREAD: Cell<u64> = const { Cell::new(0) };
    static LAZY_OF_THREAD: Vec<u64> = numbers(50);
}

static ONCE: OnceLock<Vec<u64>> = OnceLock::new();
static COUNTER: AtomicU64 = AtomicU64::new(0);
static CACHE: Mutex<BTreeMap<u64, u64>> = Mutex::new(BTreeMap::new());

#[library_benchmark]
fn thread_local() -> u64 {
    assert_eq!(OF_THREAD.replace(1), 0);
    LAZY_OF_THREAD.with(|values| values[7])
}

#[library_benchmark]
fn once_lock() -> usize {
    assert!(ONCE.get().is_none());
    ONCE.get_or_init(|| numbers(50)).len()
}

#[library_benchmark]
fn counter() -> u64 {
    let before = COUNTER.fetch_add(1, Ordering::SeqCst);
    assert_eq!(before, 0);
    rounds(10);
    before
}

#[library_benchmark]
fn cache() -> usize {
    let mut cache = CACHE.lock().unwrap();
    assert!(cache.is_empty());
    cache.extend(numbers(40).into_iter().zip(0..));
    cache.len()
}

#[library_benchmark]
fn change_of_the_environment() {
    assert!(std::env::var_os("CHANGED").is_none());
    std::env::set_var("CHANGED", "yes");
}

#[library_benchmark]
fn change_of_the_directory() {
    assert_ne!(std::env::current_dir().unwrap(), Path::new("/dev"));
    std::env::set_current_dir("/dev").unwrap();
}

/// The next one would have no stdin, and could not print. Higher numbers are not touched: Valgrind
/// 3.19 leaves its log open there, and in a fork also that of the server.
#[library_benchmark]
fn closed_descriptors() {
    assert_eq!(std::io::stdin().read(&mut [0; 1]).unwrap(), 0);
    println!("there is a stdout");
    for descriptor in 0..3 {
        // SAFETY: nobody uses them after this.
        unsafe { libc::close(descriptor) };
    }
}

#[library_benchmark]
fn leak() -> usize {
    let leaked: &'static [u64] = numbers(10_000).leak();
    leaked.len()
}

library_benchmark_group!(
    name = state,
    benchmarks = [
        thread_local,
        once_lock,
        counter,
        cache,
        change_of_the_environment,
        change_of_the_directory,
        closed_descriptors,
        leak
    ]
);
