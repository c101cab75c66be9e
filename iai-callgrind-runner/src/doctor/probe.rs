//! The probe: this program runs itself under Callgrind, which has to find a function by its name.

use std::hint::black_box;

/// Name of the function that Callgrind looks for.
pub(super) const NAME: &str = "function_that_the_doctor_counts";

/// Environment variable that makes `doctor` run the probe and nothing else. It is no option, since
/// completions would propose one.
pub const VARIABLE: &str = "IAI_CALLGRIND_DOCTOR_PROBE";

/// Runs the probe, to be counted by Callgrind.
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
