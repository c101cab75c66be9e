//! A function with requests and the same function without. In a build without active requests both
//! are made of the same bytes, and the texts are not in the program.

use std::hint::black_box;

use iai_callgrind::client_requests::{callgrind, dhat, memcheck, valgrind};
use iai_callgrind::{valgrind_printf, valgrind_println, valgrind_println_backtrace};

/// Without.
#[no_mangle]
#[inline(never)]
extern "C" fn plain(words: *const u64, length: usize) -> u64 {
    let mut sum = length as u64;
    for index in 0..length {
        // SAFETY: `main` passes an array and its length.
        sum = sum.rotate_left(5) ^ unsafe { words.add(index).read() };
    }
    sum
}

/// With.
#[no_mangle]
#[inline(never)]
extern "C" fn annotated(words: *const u64, length: usize) -> u64 {
    callgrind::toggle_collect();
    let mut sum = length as u64;
    memcheck::make_mem_defined(words.cast(), length * size_of::<u64>());
    for index in 0..length {
        dhat::ad_hoc_event(index);
        // SAFETY: `main` passes an array and its length.
        sum = sum.rotate_left(5) ^ unsafe { words.add(index).read() };
        if valgrind::running_on_valgrind() > 0 {
            // No error: there is no zero byte.
            let _ = valgrind_println!("text of a line: {sum}");
            let _ = valgrind_println_backtrace!("text with frames: {sum}");
        }
    }
    let _ = valgrind_printf!("text at the end: {}", sum);
    callgrind::dump_stats_at(c"text of a dump");
    callgrind::toggle_collect();
    sum
}

fn main() {
    let words = black_box([1, 2, 3, 4]);
    let plain = plain(words.as_ptr(), words.len());
    assert_eq!(plain, annotated(words.as_ptr(), words.len()));
    println!("{plain}");
}
