//! A program that prints into the log of Valgrind.
#![cfg(not(test))] // The harness of rustc itself allows `dead_code` for `main`.
#![forbid(unsafe_code)]

use iai_callgrind::client_requests::error::ClientRequestError;
use iai_callgrind::{
    valgrind_printf, valgrind_printf_backtrace, valgrind_println, valgrind_println_backtrace,
};

fn main() -> Result<(), ClientRequestError> {
    valgrind_printf!("{} of ", 1)?;
    valgrind_println!("{}", 2)?;
    valgrind_println!()?;
    valgrind_printf_backtrace!("{number}", number = 3)?;
    valgrind_println_backtrace!("{}", 4,)?;
    valgrind_println_backtrace!()?;
    println!("ok");
    Ok(())
}
