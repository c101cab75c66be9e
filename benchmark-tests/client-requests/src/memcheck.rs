//! Requests about the state of memory in Memcheck.

use std::hint::black_box;
use std::sync::atomic::{AtomicPtr, Ordering};

use iai_callgrind::client_requests::memcheck::LeakCounts;
use iai_callgrind::client_requests::valgrind::MempoolFlags;
use iai_callgrind::client_requests::{memcheck, valgrind};

use crate::memory::Pages;
use crate::show;

const LENGTH: usize = 64;

/// Tells Memcheck about 64 bytes, and asks what it knows.
pub(crate) fn states() {
    let pages = Pages::new(4096);
    let start = pages.address(0);
    let check = |name: &str| {
        let addressable = memcheck::check_mem_is_addressable(start, LENGTH);
        let defined = memcheck::check_mem_is_defined(start, LENGTH);
        show(
            name,
            [pages.offset_of(addressable), pages.offset_of(defined)],
        );
    };
    check("at_first");
    let told = memcheck::make_mem_undefined(pages.address(16), 16);
    show("make_mem_undefined", told);
    check("undefined");
    let told = memcheck::make_mem_noaccess(pages.address(8), 16);
    show("make_mem_noaccess", told);
    check("noaccess");
    let told = memcheck::make_mem_defined_if_addressable(start, LENGTH);
    show("make_mem_defined_if_addressable", told);
    check("defined_if_addressable");
    let told = memcheck::make_mem_defined(start, LENGTH);
    show("make_mem_defined", told);
    check("defined");
}

/// Checks a value with a byte that nobody wrote.
pub(crate) fn value() {
    let value = black_box([1_u8, 2, 3, 4]);
    let start = value.as_ptr() as usize;
    let offset = |bad: usize| (bad != 0).then(|| bad.wrapping_sub(start));
    let defined = memcheck::check_value_is_defined(&value);
    show("defined", offset(defined));
    memcheck::make_mem_undefined(value.as_ptr().wrapping_add(2).cast(), 1);
    let defined = memcheck::check_value_is_defined(&value);
    show("undefined", offset(defined));
    memcheck::make_mem_defined(value.as_ptr().cast(), 4);
    black_box(&value);
}

/// The same for slices.
pub(crate) fn slices() {
    let mut values = black_box([1_u16; 8]);
    memcheck::make_slice_undefined(&mut values[3..]);
    show("undefined", memcheck::check_slice_is_defined(&values));
    memcheck::make_slice_defined(&mut values[3..5]);
    show("partly", memcheck::check_slice_is_defined(&values));
    memcheck::make_slice_defined(&mut values);
    show("defined", memcheck::check_slice_is_defined(&values));
}

/// Writes and reads the bits that say what is defined.
pub(crate) fn vbits() {
    let pages = Pages::new(4096);
    let mut bits = [9_u8; 4];
    let result = memcheck::get_vbits(pages.address(0), &mut bits, 4);
    show("get_vbits", (result, bits));
    let result = memcheck::set_vbits(pages.address(0), &[0, 0xff, 0x0f, 0], 4);
    show("set_vbits", result);
    let result = memcheck::get_vbits(pages.address(0), &mut bits, 4);
    show("get_vbits_again", (result, bits));
    let defined = memcheck::check_mem_is_defined(pages.address(0), 4);
    show("check", pages.offset_of(defined));
    memcheck::make_mem_noaccess(pages.address(0), 4);
    show(
        "get_vbits_noaccess",
        memcheck::get_vbits(pages.address(0), &mut bits, 4),
    );
    // More than there is room for.
    let mut short = [7_u8; 2];
    memcheck::make_mem_defined(pages.address(0), 4096);
    let result = memcheck::get_vbits(pages.address(0), &mut short, 4096);
    show("get_vbits_short", (result, short));
}

/// Gives memory a name, and lets Memcheck say it.
pub(crate) fn blocks() {
    let pages = Pages::new(4096);
    let first = memcheck::create_block(pages.address(0), 32, c"the first block");
    let second = memcheck::create_block(pages.address(64), 32, c"the second block");
    let third = memcheck::try_create_block(pages.address(128), 32, c"the third block");
    show("handles", (first, second, third));
    memcheck::make_mem_noaccess(pages.address(0), 96);
    pages.read(68);
    show("discard", memcheck::discard(second));
    show("discard_again", memcheck::discard(second));
    memcheck::make_mem_noaccess(pages.address(64), 32);
    pages.read(70);
    pages.read(5);
}

/// Loses three blocks of 10 bytes and one of 100, keeps one of 1000, and asks after each step.
pub(crate) fn leaks() {
    let kept = black_box(vec![0_u8; 1000]);
    let counts = |name: &str| {
        let bytes = memcheck::count_leaks();
        let blocks = memcheck::count_leak_blocks();
        show(name, (bytes.leaked, blocks.leaked));
        show(&format!("{name}.reachable"), {
            (bytes.reachable >= 1000, blocks.reachable >= 1)
        });
    };
    memcheck::do_quick_leak_check();
    counts("none");
    lose(3, 10);
    memcheck::do_leak_check();
    counts("three");
    lose(1, 100);
    memcheck::do_added_leak_check();
    counts("four");
    memcheck::do_changed_leak_check();
    counts("unchanged");
    lose(1, 200);
    memcheck::do_new_leak_check();
    counts("five");
    black_box(kept);
}

/// Loses one block of 10 bytes and another one of 20, and keeps a pointer into the middle of a
/// third one, of 40.
pub(crate) fn kinds_of_leaks() {
    static MIDDLE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
    lose(1, 10);
    lose_in_another_function();
    keep_the_middle(&MIDDLE);
    wipe();
    memcheck::do_leak_check();
    black_box(&MIDDLE);
    let without_reachable = |counts: LeakCounts| LeakCounts {
        reachable: 0,
        ..counts
    };
    show("bytes", without_reachable(memcheck::count_leaks()));
    show("blocks", without_reachable(memcheck::count_leak_blocks()));
}

#[inline(never)]
fn keep_the_middle(of_block: &AtomicPtr<u8>) {
    let block = Box::leak(vec![1_u8; 40].into_boxed_slice());
    of_block.store(&raw mut block[20], Ordering::Relaxed);
}

/// For a suppression that names it.
#[no_mangle]
#[inline(never)]
extern "C" fn lose_in_another_function() {
    lose(1, 20);
    wipe();
}

/// Loses blocks, and overwrites the stack where their addresses were.
#[inline(never)]
fn lose(blocks: usize, size: usize) {
    for _ in 0..blocks {
        black_box(Box::leak(vec![1_u8; size].into_boxed_slice()));
    }
    wipe();
}

#[inline(never)]
fn wipe() {
    black_box([0_u8; 4096]);
}

/// Reads what it may not, where Memcheck is told to look away, and where not.
pub(crate) fn ranges() {
    let pages = Pages::new(4096);
    memcheck::make_mem_noaccess(pages.address(0), 4096);
    let result = memcheck::disable_addr_error_reporting_in_range(pages.address(0), 64);
    show("disable", result);
    pages.read(0);
    show("errors_inside", valgrind::count_errors());
    black_box(pages.read(64));
    show("errors_outside", valgrind::count_errors());
    let result = memcheck::enable_addr_error_reporting_in_range(pages.address(0), 64);
    show("enable", result);
    let again = pages.at(1);
    // SAFETY: mapped memory. Not the function above: an error is counted once for each place.
    black_box(unsafe { again.read_volatile() });
    show("errors_enabled", valgrind::count_errors());
}

/// An allocator of our own.
pub(crate) fn malloclike() {
    let pages = Pages::new(4096);
    memcheck::make_mem_noaccess(pages.address(0), 4096);
    let (block, redzone) = (pages.address(16), 16);
    let check = |name: &str, length: usize| {
        let addressable = memcheck::check_mem_is_addressable(block, length);
        let defined = memcheck::check_mem_is_defined(block, length);
        let offset = |bad| pages.offset_of(bad).map(|offset| offset - 16);
        show(name, [offset(addressable), offset(defined)]);
    };
    valgrind::malloclike_block(block, 40, redzone, true);
    check("zeroed", 41);
    valgrind::resizeinplace_block(block, 40, 48, redzone);
    check("grown", 49);
    valgrind::resizeinplace_block(block, 48, 8, redzone);
    check("shrunk", 9);
    valgrind::freelike_block(block, redzone);
    check("freed", 8);
    valgrind::malloclike_block(block, 24, redzone, false);
    check("undefined", 25);
}

/// Pools of blocks.
pub(crate) fn mempools() {
    let pages = Pages::new(4096);
    memcheck::make_mem_noaccess(pages.address(0), 4096);
    let anchors = [0_u8; 3];
    let pool = |number: usize| anchors[number..].as_ptr().cast::<()>();
    let check = |name: &str, offset: usize, length: usize| {
        let bad = memcheck::check_mem_is_addressable(pages.address(offset), length);
        show(name, pages.offset_of(bad));
    };
    show("exists_before", valgrind::mempool_exists(pool(0)));
    valgrind::create_mempool(pool(0), 0, false);
    show("exists", valgrind::mempool_exists(pool(0)));
    valgrind::mempool_alloc(pool(0), pages.address(64), 32);
    check("allocated", 64, 33);
    valgrind::mempool_change(pool(0), pages.address(64), pages.address(64), 48);
    check("changed", 64, 49);
    valgrind::mempool_alloc(pool(0), pages.address(256), 32);
    valgrind::mempool_trim(pool(0), pages.address(64), 16);
    check("trimmed", 64, 17);
    check("trimmed_away", 256, 1);
    valgrind::mempool_free(pool(0), pages.address(64));
    check("freed", 64, 1);
    valgrind::mempool_alloc(pool(0), pages.address(512), 32);
    valgrind::move_mempool(pool(0), pool(1));
    show("moved", [pool(0), pool(1)].map(valgrind::mempool_exists));
    check("moved_block", 512, 33);
    valgrind::destroy_mempool(pool(1));
    show("destroyed", valgrind::mempool_exists(pool(1)));
    check("destroyed_block", 512, 1);
}

/// A pool whose blocks are memory for further blocks. With `AUTOFREE` these are freed with it, so
/// that it is an error to free them once more.
pub(crate) fn metapools() {
    let errors = |flags: u8| {
        let pages = Pages::new(4096);
        let anchor = 0_u8;
        let pool = (&raw const anchor).cast::<()>();
        valgrind::create_mempool_ext(pool, 0, false, flags);
        valgrind::mempool_alloc(pool, pages.address(0), 1024);
        valgrind::malloclike_block(pages.address(128), 32, 0, false);
        valgrind::mempool_free(pool, pages.address(0));
        let before = valgrind::count_errors();
        valgrind::freelike_block(pages.address(128), 0);
        let errors = valgrind::count_errors() - before;
        valgrind::destroy_mempool(pool);
        errors
    };
    show("metapool", errors(MempoolFlags::METAPOOL));
    let both = MempoolFlags::METAPOOL | MempoolFlags::AUTOFREE;
    show("autofree", errors(both));
}

/// Errors count, unless reporting is off.
pub(crate) fn reporting() {
    let pages = Pages::new(4096);
    memcheck::make_mem_noaccess(pages.address(0), 4096);
    show("before", valgrind::count_errors());
    let bad = memcheck::check_mem_is_addressable(pages.address(8), 1);
    show("reported", (pages.offset_of(bad), valgrind::count_errors()));
    valgrind::disable_error_reporting();
    valgrind::disable_error_reporting();
    let bad = memcheck::check_mem_is_addressable(pages.address(9), 1);
    show("disabled", (pages.offset_of(bad), valgrind::count_errors()));
    valgrind::enable_error_reporting();
    let bad = memcheck::check_mem_is_addressable(pages.address(9), 1);
    show("nested", (pages.offset_of(bad), valgrind::count_errors()));
    valgrind::enable_error_reporting();
    let bad = valgrind::without_error_reporting(|| {
        memcheck::check_mem_is_addressable(pages.address(9), 1)
    });
    show("closure", (pages.offset_of(bad), valgrind::count_errors()));
    let bad = memcheck::check_mem_is_addressable(pages.address(9), 1);
    show("enabled", (pages.offset_of(bad), valgrind::count_errors()));
}
