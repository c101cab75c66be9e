//! Names of signals, for messages.

use nix::sys::signal::Signal;

/// `signal 11 (SIGSEGV)`.
pub fn signal_name(number: i32) -> String {
    match Signal::try_from(number) {
        Ok(signal) => format!("signal {number} ({signal})"),
        Err(_) => format!("signal {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_named() {
        assert_eq!(signal_name(11), "signal 11 (SIGSEGV)");
        assert_eq!(signal_name(77), "signal 77");
    }
}
