//! Requests that Memcheck answers: what it knows about memory, and what it reports.

use std::fs;
use std::path::Path;

use benchmark_tests::requests::{Made, Requests};
use benchmark_tests::valgrinds::{number, with_each};

fn memcheck(valgrind: &Path, scenario: &str) -> Made {
    Requests::under(valgrind, "memcheck").make(&format!("memcheck::{scenario}"))
}

#[test]
fn memory_is_as_it_was_told() {
    with_each(|valgrind| {
        // The first bad byte for two checks: can it be accessed, is it defined?
        memcheck(valgrind, "states").shows(&[
            "at_first=[None, None]",
            "make_mem_undefined=18446744073709551615",
            "undefined=[None, Some(16)]",
            "make_mem_noaccess=18446744073709551615",
            "noaccess=[Some(8), Some(8)]",
            "make_mem_defined_if_addressable=18446744073709551615",
            // Bytes 8 to 23 cannot be accessed still.
            "defined_if_addressable=[Some(8), Some(8)]",
            "make_mem_defined=18446744073709551615",
            "defined=[None, None]",
        ]);
    });
}

#[test]
fn values_and_slices_are_checked_byte_by_byte() {
    with_each(|valgrind| {
        memcheck(valgrind, "value").shows(&["defined=None", "undefined=Some(2)"]);
        memcheck(valgrind, "slices").shows(&[
            "undefined=Some(6)",
            "partly=Some(10)",
            "defined=None",
        ]);
    });
}

#[test]
fn single_bits_can_be_undefined() {
    with_each(|valgrind| {
        memcheck(valgrind, "vbits").shows(&[
            "get_vbits=(1, [0, 0, 0, 0])",
            "set_vbits=1",
            "get_vbits_again=(1, [0, 255, 15, 0])",
            "check=Some(1)",
            "get_vbits_noaccess=3",
            // Not a byte more than the buffer has.
            "get_vbits_short=(1, [0, 0])",
        ]);
    });
}

#[test]
fn blocks_have_their_names_in_reports() {
    with_each(|valgrind| {
        memcheck(valgrind, "blocks")
            .shows(&["handles=(0, 1, Some(2))", "discard=0", "discard_again=1"])
            .logs(&[
                (
                    "4 bytes inside a the second block of size 32 client-defined",
                    1,
                ),
                (
                    "5 bytes inside a the first block of size 32 client-defined",
                    1,
                ),
                // After it was discarded there was an error in the second block as well.
                ("the second block", 1),
                ("Invalid read of size 1", 3),
            ]);
    });
}

#[test]
fn leaks_are_counted_and_reported() {
    with_each(|valgrind| {
        let made = memcheck(valgrind, "leaks")
            .shows(&[
                "none=(0, 0)",
                "none.reachable=(true, true)",
                "three=(30, 3)",
                "three.reachable=(true, true)",
                "four=(130, 4)",
                "four.reachable=(true, true)",
                "unchanged=(130, 4)",
                "unchanged.reachable=(true, true)",
                "five=(330, 5)",
                "five.reachable=(true, true)",
            ])
            .logs(&[
                ("definitely lost: 30 bytes in 3 blocks", 1),
                // `do_added_leak_check` shows what has grown, `do_changed_leak_check` sees no
                // change.
                ("100 (+100) bytes in 1 (+1) blocks are definitely lost", 1),
                ("definitely lost: 130 (+100) bytes in 4 (+1) blocks", 1),
                ("definitely lost: 130 (+0) bytes in 4 (+0) blocks", 1),
            ]);
        // `do_new_leak_check` is a full check for a Valgrind that does not know it.
        let is_new = number(valgrind) >= (3, 21);
        made.logs(&[
            (
                "200 (+200) bytes in 1 (+1) blocks are definitely lost in new",
                usize::from(is_new),
            ),
            (
                "200 bytes in 1 blocks are definitely lost",
                usize::from(!is_new),
            ),
            // In `do_leak_check` and in that full check.
            (
                "30 bytes in 3 blocks are definitely lost",
                2 - usize::from(is_new),
            ),
        ]);
    });
}

#[test]
fn leaks_are_of_several_kinds() {
    let suppressions = tempfile::NamedTempFile::new().unwrap();
    let text = "{\nname\nMemcheck:Leak\n...\nfun:lose_in_another_function\n}\n";
    fs::write(suppressions.path(), text).unwrap();
    let argument = format!("--suppressions={}", suppressions.path().display());
    with_each(|valgrind| {
        let requests = Requests::under(valgrind, "memcheck").arg(&argument);
        requests.make("memcheck::kinds_of_leaks").shows(&[
            "bytes=LeakCounts { leaked: 10, dubious: 40, reachable: 0, suppressed: 20 }",
            "blocks=LeakCounts { leaked: 1, dubious: 1, reachable: 0, suppressed: 1 }",
        ]);
    });
}

#[test]
fn errors_in_a_range_are_not_reported() {
    with_each(|valgrind| {
        memcheck(valgrind, "ranges").shows(&[
            "disable=1",
            "errors_inside=0",
            "errors_outside=1",
            "enable=1",
            "errors_enabled=2",
        ]);
    });
}

#[test]
fn blocks_of_an_allocator_of_our_own() {
    with_each(|valgrind| {
        // The first bad byte of the block, for both checks.
        memcheck(valgrind, "malloclike")
            .shows(&[
                "zeroed=[Some(40), Some(40)]",
                // New bytes are undefined.
                "grown=[Some(48), Some(40)]",
                "shrunk=[Some(8), Some(8)]",
                "freed=[Some(0), Some(0)]",
                "undefined=[Some(24), Some(0)]",
            ])
            .logs(&[
                ("40 bytes inside a block of size 48 alloc'd", 1),
                ("0 bytes inside a block of size 8 free'd", 2),
                ("definitely lost: 24 bytes in 1 blocks", 1),
            ]);
    });
}

#[test]
fn pools() {
    with_each(|valgrind| {
        memcheck(valgrind, "mempools")
            .shows(&[
                "exists_before=false",
                "exists=true",
                "allocated=Some(96)",
                // Memcheck keeps books; it is the program that says what can be accessed.
                "changed=Some(96)",
                "trimmed=None",
                "trimmed_away=Some(256)",
                "freed=Some(64)",
                "moved=[false, true]",
                "moved_block=Some(544)",
                "destroyed=false",
                "destroyed_block=Some(512)",
            ])
            .logs(&[
                // By `mempool_change` and by `mempool_trim`.
                ("inside a block of size 48 client-defined", 1),
                ("inside a block of size 16 free'd", 1),
                ("inside a block of size 32 free'd", 1),
            ]);
        memcheck(valgrind, "metapools").shows(&["metapool=0", "autofree=1"]);
    });
}

#[test]
fn reporting_can_be_switched_off() {
    with_each(|valgrind| {
        // The check has a result in any case; the number of errors grows only if they are reported.
        memcheck(valgrind, "reporting").shows(&[
            "before=0",
            "reported=(Some(8), 1)",
            "disabled=(Some(9), 1)",
            "nested=(Some(9), 1)",
            "closure=(Some(9), 1)",
            "enabled=(Some(9), 2)",
        ]);
    });
}
