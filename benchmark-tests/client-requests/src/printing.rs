//! Text in Valgrind's log.

use std::thread;

use iai_callgrind::client_requests::{valgrind_print, valgrind_print_backtrace};
use iai_callgrind::{
    valgrind_printf, valgrind_printf_backtrace, valgrind_printf_backtrace_unchecked,
    valgrind_printf_unchecked, valgrind_println, valgrind_println_backtrace,
    valgrind_println_backtrace_unchecked, valgrind_println_unchecked,
};

use crate::show;

/// Lines, and a line in parts.
pub(crate) fn lines() {
    show("line", valgrind_println!("number {}, {:?}", 5, "text"));
    show("part", valgrind_printf!("one, "));
    show("part", valgrind_printf!("two, {}", 3));
    show("end", valgrind_println!());
    show("literal", valgrind_println!("the end"));
}

/// Format specifiers, which Valgrind must not interpret, and non-ASCII characters.
pub(crate) fn percent() {
    show("line", valgrind_println!("100% of %s and %n, {}%d", "%p"));
    show("line", valgrind_println!("Grüße, 数"));
}

/// Text with a zero byte, which C cannot print.
pub(crate) fn zero() {
    let result = valgrind_println!("before\0after");
    show("is_error", result.is_err());
}

/// More than any buffer holds, all of it on one line.
pub(crate) fn long() {
    show("line", valgrind_println!("<{}>", "0123456789".repeat(500)));
    show(
        "many",
        valgrind_println!("<{}{}>", "a".repeat(511), "b".repeat(513)),
    );
}

/// With the frames of this function and its caller.
#[inline(never)]
pub(crate) fn backtrace() {
    show("line", valgrind_println_backtrace!("here is {}", "a line"));
    show("part", valgrind_printf_backtrace!("a part: {}\n", 7));
}

/// The same without checks.
#[inline(never)]
pub(crate) fn unchecked() {
    // SAFETY: no text has a zero byte.
    unsafe {
        valgrind_println_unchecked!("unchecked {}", 1);
        valgrind_printf_unchecked!("unchecked {}\n", 2);
        valgrind_println_backtrace_unchecked!("unchecked {}", 3);
        valgrind_printf_backtrace_unchecked!("unchecked {}\n", 4);
    }
}

/// Strings of C, made by macros or not.
#[inline(never)]
pub(crate) fn strings() {
    valgrind_print(c"100%d of a string\n");
    // SAFETY: no text has a zero byte.
    let [literal, formatted] = unsafe {
        [
            iai_callgrind::cstring!("a literal\n"),
            iai_callgrind::format_cstring!("number {}\n", 5),
        ]
    };
    valgrind_print(literal);
    valgrind_print(formatted);
    valgrind_print_backtrace(c"a string with frames\n");
}

/// Threads that print at once.
pub(crate) fn threads() {
    let start = |number: usize| {
        thread::spawn(move || {
            for line in 0..25 {
                valgrind_println!("thread {number} line {line} {}", "x".repeat(40))
                    .expect("there is no zero byte");
            }
        })
    };
    let threads: Vec<_> = (0..4).map(start).collect();
    for thread in threads {
        thread.join().expect("nothing panics");
    }
}
