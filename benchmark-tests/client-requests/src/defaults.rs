//! Every request once. Natively, and without active requests, it prints the default of each.
//!
//! Requests about stacks are in [`stacks`](crate::stacks) only: DRD ends with a failed assertion at
//! the end of a thread that has registered one and is not on it.

use iai_callgrind::client_requests::{
    cachegrind, callgrind, dhat, drd, helgrind, memcheck, valgrind,
};
use iai_callgrind::{
    valgrind_printf, valgrind_printf_backtrace, valgrind_println, valgrind_println_backtrace,
};

use crate::memory::Pages;
use crate::show;

/// Results one by one; requests without a result only have to return.
pub(crate) fn all() {
    core();
    counting();
    memory();
    threads();
    show(
        "printing",
        [
            valgrind_printf!("{}", 1),
            valgrind_println!("{}", 2),
            valgrind_printf_backtrace!("{}", 3),
            valgrind_println_backtrace!("{}", 4),
        ],
    );
}

extern "C" fn never_called(_thread: usize) -> usize {
    7
}

fn core() {
    let pages = Pages::new(4096);
    let [pool, other] = [pages.address(0), pages.address(64)];
    show("running_on_valgrind", valgrind::running_on_valgrind());
    show("replaces_malloc", valgrind::replaces_malloc());
    show("toolname", valgrind::toolname());
    // SAFETY: the function touches nothing.
    let result = unsafe { valgrind::non_simd_call0(never_called) };
    show("non_simd_call0", result);
    show("count_errors", valgrind::count_errors());
    show("monitor_command", valgrind::monitor_command(c"help"));
    show(
        "try_monitor_command",
        valgrind::try_monitor_command(c"help"),
    );
    let mut place = [b'x'; 64];
    let result = valgrind::map_ip_to_srcloc(std::ptr::null(), &mut place);
    show("map_ip_to_srcloc", (result, place[0]));
    valgrind::discard_translations(pool, 64);
    valgrind::clo_change(c"--merge-recursive-frames=1");
    valgrind::disable_error_reporting();
    valgrind::enable_error_reporting();
    valgrind::load_pdb_debuginfo(-1, pool, 0, 0);
    valgrind::malloclike_block(std::ptr::null(), 8, 0, true);
    valgrind::resizeinplace_block(std::ptr::null(), 8, 16, 0);
    valgrind::freelike_block(std::ptr::null(), 0);
    valgrind::create_mempool(pool, 0, false);
    show("mempool_exists", valgrind::mempool_exists(pool));
    valgrind::mempool_alloc(pool, other, 8);
    valgrind::mempool_change(pool, other, other, 16);
    valgrind::mempool_trim(pool, other, 16);
    valgrind::mempool_free(pool, other);
    valgrind::move_mempool(pool, other);
    valgrind::destroy_mempool(other);
}

fn counting() {
    callgrind::toggle_collect();
    callgrind::toggle_collect();
    callgrind::stop_instrumentation();
    callgrind::start_instrumentation();
    callgrind::dump_stats();
    callgrind::dump_stats_at(c"here");
    callgrind::zero_stats();
    cachegrind::stop_instrumentation();
    cachegrind::start_instrumentation();
    dhat::ad_hoc_event(1);
    dhat::histogram_memory(Pages::new(4096).address(0));
}

fn memory() {
    let pages = Pages::new(4096);
    let start = pages.address(0);
    show(
        "make_mem",
        [
            memcheck::make_mem_undefined(start, 8),
            memcheck::make_mem_noaccess(start, 8),
            memcheck::make_mem_defined_if_addressable(start, 8),
            memcheck::make_mem_defined(start, 8),
        ],
    );
    show(
        "check",
        [
            memcheck::check_mem_is_addressable(start, 8),
            memcheck::check_mem_is_defined(start, 8),
            memcheck::check_value_is_defined(&1_u32),
        ],
    );
    let mut bits = [9; 4];
    show(
        "vbits",
        [
            memcheck::get_vbits(start, &mut bits, 4),
            memcheck::set_vbits(start, &[0; 4], 4),
        ],
    );
    show("bits", bits);
    show("create_block", memcheck::create_block(start, 8, c"block"));
    let tried = memcheck::try_create_block(start, 8, c"block");
    show("try_create_block", tried);
    show("discard", memcheck::discard(77));
    memcheck::do_quick_leak_check();
    memcheck::do_leak_check();
    memcheck::do_added_leak_check();
    memcheck::do_changed_leak_check();
    memcheck::do_new_leak_check();
    show("count_leaks", memcheck::count_leaks());
    show("count_leak_blocks", memcheck::count_leak_blocks());
    show(
        "ranges",
        [
            memcheck::disable_addr_error_reporting_in_range(start, 8),
            memcheck::enable_addr_error_reporting_in_range(start, 8),
        ],
    );
}

fn threads() {
    let pages = Pages::new(4096);
    // DRD ends with a failed assertion if an object of one kind is used as another kind.
    let [object, lock] = [pages.address(0), pages.address(64)];
    helgrind::annotate_happens_before(object);
    helgrind::annotate_happens_after(object);
    helgrind::annotate_happens_before_forget_all(object);
    helgrind::annotate_rwlock_create(lock);
    helgrind::annotate_rwlock_acquired(lock, true);
    helgrind::annotate_rwlock_released(lock, true);
    helgrind::annotate_rwlock_destroy(lock);
    helgrind::clean_memory(object, 8);
    show(
        "clean_memory_heapblock",
        helgrind::clean_memory_heapblock(object),
    );
    let mut bits = [9; 4];
    let result = helgrind::get_abits(object, &mut bits, 4);
    show("get_abits", (result, bits));
    drd::annotate_thread_name(c"main");
    drd::annotate_ignore_reads_and_writes_begin();
    drd::annotate_ignore_reads_and_writes_end();
    let word = 1_u64;
    drd::ignore_var(&word);
    drd::stop_ignoring_var(&word);
    drd::annotate_benign_race(&word);
    show(
        "ids",
        (drd::get_valgrind_threadid(), drd::get_drd_threadid()),
    );
}
