//! The macros that print, and the two that make strings of C.
//!
//! They live at the root of the crate. The constant condition makes the arguments type-checked, but
//! not evaluated, in a build without active requests.

/// Prints formatted text into the log of Valgrind, without a newline: the next text continues the
/// line. Nothing is printed natively.
///
/// The arguments are those of [`format!`](https://doc.rust-lang.org/std/macro.format.html). Nothing
/// is allocated. Without active requests the arguments are not evaluated. In a benchmark the log is
/// the tool's `.log` file; Valgrind begins each line with `**<pid>**`.
///
/// # Errors
///
/// A text with a NUL byte is printed up to it. The error says where it is, in a build with active
/// requests also natively; without active requests the result is always `Ok(())`.
///
/// ```
/// use iai_callgrind::valgrind_printf;
///
/// valgrind_printf!("{} of ", 1)?;
/// valgrind_printf!("{}\n", 2)?;
/// # Ok::<(), iai_callgrind::client_requests::error::ClientRequestError>(())
/// ```
#[doc = request_doc!(VG_USERREQ__PRINTF_VALIST_BY_REF)]
#[macro_export]
macro_rules! valgrind_printf {
    ($($text:tt)+) => {
        if $crate::client_requests::ACTIVE {
            $crate::client_requests::__print::print(
                ::core::format_args!($($text)+),
                $crate::client_requests::__print::Ending::None,
                $crate::client_requests::__print::Backtrace::Without,
            )
        } else {
            ::core::result::Result::Ok(())
        }
    };
}

/// Prints formatted text and a newline into the log of Valgrind. Nothing is printed natively.
///
/// All else is as with [`valgrind_printf!`].
///
/// # Errors
///
/// A text with a NUL byte is printed up to it. The error says where it is, in a build with active
/// requests also natively; without active requests the result is always `Ok(())`.
///
/// ```
/// use iai_callgrind::valgrind_println;
///
/// let done = 100;
/// valgrind_println!("{done}% done")?;
/// # Ok::<(), iai_callgrind::client_requests::error::ClientRequestError>(())
/// ```
#[doc = request_doc!(VG_USERREQ__PRINTF_VALIST_BY_REF)]
#[macro_export]
macro_rules! valgrind_println {
    () => {
        $crate::valgrind_println!("")
    };
    ($($text:tt)+) => {
        if $crate::client_requests::ACTIVE {
            $crate::client_requests::__print::print(
                ::core::format_args!($($text)+),
                $crate::client_requests::__print::Ending::Newline,
                $crate::client_requests::__print::Backtrace::Without,
            )
        } else {
            ::core::result::Result::Ok(())
        }
    };
}

/// Prints as [`valgrind_printf!`] does, and then the stack of the calling function.
///
/// The stack begins on the same line if the text does not end with a newline.
///
/// # Errors
///
/// A text with a NUL byte is printed up to it. The error says where it is, in a build with active
/// requests also natively; without active requests the result is always `Ok(())`.
///
/// ```
/// use iai_callgrind::valgrind_printf_backtrace;
///
/// valgrind_printf_backtrace!("who calls with {}?\n", 1)?;
/// # Ok::<(), iai_callgrind::client_requests::error::ClientRequestError>(())
/// ```
#[doc = request_doc!(VG_USERREQ__PRINTF_BACKTRACE_VALIST_BY_REF)]
#[macro_export]
macro_rules! valgrind_printf_backtrace {
    ($($text:tt)+) => {
        if $crate::client_requests::ACTIVE {
            $crate::client_requests::__print::print(
                ::core::format_args!($($text)+),
                $crate::client_requests::__print::Ending::None,
                $crate::client_requests::__print::Backtrace::With,
            )
        } else {
            ::core::result::Result::Ok(())
        }
    };
}

/// Prints as [`valgrind_println!`] does, and then the stack of the calling function.
///
/// # Errors
///
/// A text with a NUL byte is printed up to it. The error says where it is, in a build with active
/// requests also natively; without active requests the result is always `Ok(())`.
///
/// ```
/// use iai_callgrind::valgrind_println_backtrace;
///
/// valgrind_println_backtrace!("who calls with {}?", 1)?;
/// # Ok::<(), iai_callgrind::client_requests::error::ClientRequestError>(())
/// ```
#[doc = request_doc!(VG_USERREQ__PRINTF_BACKTRACE_VALIST_BY_REF)]
#[macro_export]
macro_rules! valgrind_println_backtrace {
    () => {
        $crate::valgrind_println_backtrace!("")
    };
    ($($text:tt)+) => {
        if $crate::client_requests::ACTIVE {
            $crate::client_requests::__print::print(
                ::core::format_args!($($text)+),
                $crate::client_requests::__print::Ending::Newline,
                $crate::client_requests::__print::Backtrace::With,
            )
        } else {
            ::core::result::Result::Ok(())
        }
    };
}

/// Prints as [`valgrind_printf!`] does and has no result.
///
/// # Safety
///
/// The text must have no NUL byte.
///
/// ```
/// use iai_callgrind::valgrind_printf_unchecked;
///
/// // SAFETY: a number has no NUL byte.
/// unsafe { valgrind_printf_unchecked!("{}", 42) };
/// ```
#[doc = request_doc!(VG_USERREQ__PRINTF_VALIST_BY_REF)]
#[macro_export]
macro_rules! valgrind_printf_unchecked {
    ($($text:tt)+) => {
        if $crate::client_requests::ACTIVE {
            $crate::client_requests::__print::print_unchecked(
                ::core::format_args!($($text)+),
                $crate::client_requests::__print::Ending::None,
                $crate::client_requests::__print::Backtrace::Without,
            )
        }
    };
}

/// Prints as [`valgrind_println!`] does and has no result.
///
/// # Safety
///
/// The text must have no NUL byte.
///
/// ```
/// use iai_callgrind::valgrind_println_unchecked;
///
/// // SAFETY: a number has no NUL byte.
/// unsafe { valgrind_println_unchecked!("{}", 42) };
/// ```
#[doc = request_doc!(VG_USERREQ__PRINTF_VALIST_BY_REF)]
#[macro_export]
macro_rules! valgrind_println_unchecked {
    () => {
        $crate::valgrind_println_unchecked!("")
    };
    ($($text:tt)+) => {
        if $crate::client_requests::ACTIVE {
            $crate::client_requests::__print::print_unchecked(
                ::core::format_args!($($text)+),
                $crate::client_requests::__print::Ending::Newline,
                $crate::client_requests::__print::Backtrace::Without,
            )
        }
    };
}

/// Prints as [`valgrind_printf_backtrace!`] does and has no result.
///
/// # Safety
///
/// The text must have no NUL byte.
///
/// ```
/// use iai_callgrind::valgrind_printf_backtrace_unchecked;
///
/// // SAFETY: a number has no NUL byte.
/// unsafe { valgrind_printf_backtrace_unchecked!("{}", 42) };
/// ```
#[doc = request_doc!(VG_USERREQ__PRINTF_BACKTRACE_VALIST_BY_REF)]
#[macro_export]
macro_rules! valgrind_printf_backtrace_unchecked {
    ($($text:tt)+) => {
        if $crate::client_requests::ACTIVE {
            $crate::client_requests::__print::print_unchecked(
                ::core::format_args!($($text)+),
                $crate::client_requests::__print::Ending::None,
                $crate::client_requests::__print::Backtrace::With,
            )
        }
    };
}

/// Prints as [`valgrind_println_backtrace!`] does and has no result.
///
/// # Safety
///
/// The text must have no NUL byte.
///
/// ```
/// use iai_callgrind::valgrind_println_backtrace_unchecked;
///
/// // SAFETY: a number has no NUL byte.
/// unsafe { valgrind_println_backtrace_unchecked!("{}", 42) };
/// ```
#[doc = request_doc!(VG_USERREQ__PRINTF_BACKTRACE_VALIST_BY_REF)]
#[macro_export]
macro_rules! valgrind_println_backtrace_unchecked {
    () => {
        $crate::valgrind_println_backtrace_unchecked!("")
    };
    ($($text:tt)+) => {
        if $crate::client_requests::ACTIVE {
            $crate::client_requests::__print::print_unchecked(
                ::core::format_args!($($text)+),
                $crate::client_requests::__print::Ending::Newline,
                $crate::client_requests::__print::Backtrace::With,
            )
        }
    };
}

/// A [`CString`](https://doc.rust-lang.org/std/ffi/struct.CString.html) of a text.
///
/// Where a literal will do, `c"text"` is simpler, and safe. The string is made also without active
/// requests. It takes memory from the heap; a crate without `std` needs an allocator to use it.
///
/// # Safety
///
/// The text must have no NUL byte.
///
/// ```
/// use iai_callgrind::client_requests::valgrind;
/// use iai_callgrind::cstring;
///
/// // SAFETY: there is no NUL byte in it.
/// let option = unsafe { cstring!("--leak-check=no") };
/// valgrind::clo_change(&option);
/// # assert_eq!(option.as_c_str(), c"--leak-check=no");
/// ```
#[macro_export]
macro_rules! cstring {
    ($text:expr) => {{
        // Not by way of this crate, which is without `alloc`, so that programs without an allocator
        // can use the rest of it.
        extern crate alloc as __iai_callgrind_alloc;
        __iai_callgrind_alloc::ffi::CString::from_vec_unchecked(
            __iai_callgrind_alloc::string::String::from($text).into_bytes(),
        )
    }};
}

/// A [`CString`](https://doc.rust-lang.org/std/ffi/struct.CString.html) of a formatted text, with
/// the arguments of [`format!`](https://doc.rust-lang.org/std/macro.format.html).
///
/// The string is made also without active requests. It takes memory from the heap; a crate without
/// `std` needs an allocator to use it.
///
/// # Safety
///
/// The text must have no NUL byte.
///
/// ```
/// use iai_callgrind::client_requests::callgrind;
/// use iai_callgrind::format_cstring;
///
/// for phase in 1..=2 {
///     // SAFETY: a number has no NUL byte.
///     callgrind::dump_stats_at(unsafe { format_cstring!("phase {phase}") });
/// }
/// ```
#[macro_export]
macro_rules! format_cstring {
    ($($text:tt)+) => {{
        extern crate alloc as __iai_callgrind_alloc;
        __iai_callgrind_alloc::ffi::CString::from_vec_unchecked(
            __iai_callgrind_alloc::format!($($text)+).into_bytes(),
        )
    }};
}
