//! A program whose page faults are known, with marks for perf.

use std::hint::black_box;

use iai_callgrind::{perf_disable, perf_enable, perf_log};

/// Touches this many pages for the first time.
fn touch(pages: usize) {
    let mut memory = vec![0_u8; (pages + 2) * 4096];
    for page in 0..pages {
        memory[page * 4096] = black_box(1);
    }
    black_box(memory);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["touch", pages] => touch(pages.parse().unwrap()),
        ["marked", pages] => {
            touch(2000);
            let token = perf_enable!();
            touch(pages.parse().unwrap());
            perf_disable!(token);
            perf_log!("touched {pages} pages");
        }
        ["exit", code] => std::process::exit(code.parse().unwrap()),
        ["abort"] => std::process::abort(),
        other => panic!("what is {other:?}?"),
    }
}
