//! The shim answers as the inline assembly does; under Valgrind, too, if this test runs there.
#![cfg(feature = "compile")]

const RUNNING_ON_VALGRIND: usize = 0x1001;
const UNKNOWN: usize = 0x0101_0101;

#[test]
fn a_request_that_nobody_knows_has_its_default() {
    // SAFETY: no argument is a pointer.
    let answer = unsafe { iai_callgrind_cc::request(42, &[UNKNOWN, 1, 2, 3, 4, 5]) };

    assert_eq!(answer, 42);
}

#[test]
fn the_request_arrives_where_the_preloaded_library_says_there_is_a_valgrind() {
    // Valgrind sets the variable for the program that it runs.
    let inside = std::env::var_os("LD_PRELOAD")
        .is_some_and(|libraries| libraries.to_string_lossy().contains("vgpreload"));

    // SAFETY: no argument is a pointer.
    let answer = unsafe { iai_callgrind_cc::request(0, &[RUNNING_ON_VALGRIND, 0, 0, 0, 0, 0]) };

    assert_eq!(answer, usize::from(inside));
}

#[test]
fn the_headers_have_a_version() {
    let (major, minor) = iai_callgrind_cc::VALGRIND_VERSION;

    assert!(major >= 3, "{major}.{minor}");
}
