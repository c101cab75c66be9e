//! A program with marks for perf.
#![cfg(not(test))] // The harness of rustc itself allows `dead_code` for `main`.
#![forbid(unsafe_code)]

use iai_callgrind::{perf_disable, perf_enable, perf_log};

fn main() {
    let token = perf_enable!();
    let sum: u64 = std::hint::black_box(0..100).sum();
    perf_disable!(token);
    perf_log!("the sum is {}", sum);
    perf_log!("{done} of {}", 100, done = 7,);
    println!("ok");
}
