//! Functions whose instructions `cargo xtask client-requests --costs` counts, beside those of
//! `costs.c`: ten requests each, with the same arguments.

use std::hint::black_box;

use iai_callgrind::client_requests::{callgrind, dhat, helgrind, memcheck, valgrind};

macro_rules! ten {
    ($($request:tt)*) => {
        $($request)*; $($request)*; $($request)*; $($request)*; $($request)*;
        $($request)*; $($request)*; $($request)*; $($request)*; $($request)*;
    };
}

#[no_mangle]
#[inline(never)]
extern "C" fn cost_running_on_valgrind() -> usize {
    let mut sum = 0;
    ten!(sum += valgrind::running_on_valgrind());
    sum
}

#[no_mangle]
#[inline(never)]
extern "C" fn cost_count_errors() -> usize {
    let mut sum = 0;
    ten!(sum += valgrind::count_errors());
    sum
}

#[no_mangle]
#[inline(never)]
extern "C" fn cost_start_instrumentation() {
    ten!(callgrind::start_instrumentation());
}

#[no_mangle]
#[inline(never)]
extern "C" fn cost_disable_error_reporting() {
    ten!(valgrind::disable_error_reporting());
}

#[no_mangle]
#[inline(never)]
extern "C" fn cost_do_leak_check() {
    ten!(memcheck::do_leak_check());
}

#[no_mangle]
#[inline(never)]
extern "C" fn cost_ad_hoc_event(weight: usize) {
    ten!(dhat::ad_hoc_event(weight));
}

#[no_mangle]
#[inline(never)]
extern "C" fn cost_happens_before(object: *const ()) {
    ten!(helgrind::annotate_happens_before(object));
}

#[no_mangle]
#[inline(never)]
extern "C" fn cost_make_mem_defined(start: *const (), length: usize) -> usize {
    let mut sum = 0_usize;
    ten!(sum = sum.wrapping_add(memcheck::make_mem_defined(start, length)));
    sum
}

#[no_mangle]
#[inline(never)]
extern "C" fn cost_mempool_alloc(pool: *const (), start: *const (), length: usize) {
    ten!(valgrind::mempool_alloc(pool, start, length));
}

#[no_mangle]
#[inline(never)]
extern "C" fn cost_malloclike_block(
    start: *const (),
    length: usize,
    redzone: usize,
    is_zeroed: bool,
) {
    ten!(valgrind::malloclike_block(
        start, length, redzone, is_zeroed
    ));
}

#[no_mangle]
#[inline(never)]
extern "C" fn cost_stack_register(start: *const (), end: *const ()) -> usize {
    let mut sum = 0;
    ten!(sum += valgrind::stack_register(start, end));
    sum
}

#[no_mangle]
#[inline(never)]
extern "C" fn toggle_pair() {
    callgrind::toggle_collect();
    callgrind::toggle_collect();
}

#[no_mangle]
#[inline(never)]
extern "C" fn toggle_pairs() {
    ten!(callgrind::toggle_collect());
}

fn main() {
    let memory = [0_u8; 64];
    let start = black_box(memory.as_ptr().cast());
    match std::env::args().nth(1).as_deref() {
        Some("pair") => toggle_pair(),
        Some("pairs") => toggle_pairs(),
        _ => {
            cost_start_instrumentation();
            black_box(cost_running_on_valgrind());
            black_box(cost_count_errors());
            cost_disable_error_reporting();
            cost_do_leak_check();
            cost_ad_hoc_event(black_box(1));
            cost_happens_before(start);
            black_box(cost_make_mem_defined(start, black_box(64)));
            cost_mempool_alloc(start, start, black_box(64));
            cost_malloclike_block(start, black_box(64), black_box(0), black_box(true));
            black_box(cost_stack_register(start, start));
        }
    }
}
