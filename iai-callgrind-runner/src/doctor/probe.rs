//! A tiny program in this program: it runs under Callgrind, which has to find its function.

use std::hint::black_box;

/// The function, as Callgrind looks for it.
pub(super) const NAME: &str = "function_that_the_doctor_counts";

/// The variable with which `doctor` calls it and does nothing else. No option, since completions
/// would propose that.
pub const VARIABLE: &str = "IAI_CALLGRIND_DOCTOR_PROBE";

/// What runs under Callgrind.
pub fn run() {
    black_box(function_that_the_doctor_counts(black_box(100)));
}

#[inline(never)]
fn function_that_the_doctor_counts(rounds: u64) -> u64 {
    (0..rounds).fold(0, |sum, round| black_box(sum + round))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_that_of_the_function() {
        let function = std::any::type_name_of_val(&function_that_the_doctor_counts);
        assert!(function.ends_with(NAME), "{function}");
    }
}
