//! The macros that are to stand in an `unsafe` block of whoever uses them. This file alone does not
//! forbid `unsafe_code`.
#![cfg(not(test))] // The harness of rustc itself allows `dead_code` for `main`.

use iai_callgrind::{
    cstring, format_cstring, valgrind_printf_backtrace_unchecked, valgrind_printf_unchecked,
    valgrind_println_backtrace_unchecked, valgrind_println_unchecked,
};

fn main() {
    // SAFETY: no text has a NUL byte.
    unsafe {
        valgrind_printf_unchecked!("{} of ", 1);
        valgrind_println_unchecked!("{}", 2);
        valgrind_println_unchecked!();
        valgrind_printf_backtrace_unchecked!("{number}", number = 3);
        valgrind_println_backtrace_unchecked!("{}", 4,);
        valgrind_println_backtrace_unchecked!();
        assert_eq!(cstring!("a").as_bytes(), b"a");
        assert_eq!(format_cstring!("{}%", 100).as_bytes(), b"100%");
    }
    // SAFETY: a number has no NUL byte.
    let string = unsafe { format_cstring!("{}", 1) };
    println!("ok: {}", string.as_bytes().len());
}
