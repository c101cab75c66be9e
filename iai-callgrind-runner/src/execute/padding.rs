//! The environment of the measuring process, padded to a fixed size.
//!
//! The kernel puts the environment and the program's path above the stack, so their length moves
//! the stack, and with it addresses, cache lines and sometimes counts. One more variable makes the
//! sum constant.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use base::shell_line::PADDING;

/// The padded size is a multiple of this.
const SIZE: usize = 16 * 1024;

/// Adds the environment variable that makes the size constant for this program.
pub(super) fn pad(environment: &mut Vec<(OsString, OsString)>, program: &Path) {
    // Before the size is taken, which the name of the variable and its pointer are a part of.
    environment.push((PADDING.into(), OsString::new()));
    let used = size(environment, program);
    let missing = used.next_multiple_of(SIZE) - used;
    if let Some((_, value)) = environment.last_mut() {
        *value = "x".repeat(missing).into();
    }
}

/// Size of the strings with their final NUL and of the pointers to them. The path is there twice,
/// as first argument and as name of the program.
fn size(environment: &[(OsString, OsString)], program: &Path) -> usize {
    let length = |text: &OsStr| text.len();
    let strings: usize = environment
        .iter()
        .map(|(name, value)| length(name) + 1 + length(value) + 1)
        .sum();
    strings + 8 * environment.len() + 2 * (length(program.as_os_str()) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variables: &[(&str, &str)], program: &str, expected: usize) {
        let mut environment: Vec<(OsString, OsString)> = variables
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        pad(&mut environment, Path::new(program));
        assert_eq!(size(&environment, Path::new(program)), expected);
    }

    #[test]
    fn the_size_is_constant() {
        check(&[], "/a", SIZE);
        check(
            &[("HOME", "/home/me"), ("A", "")],
            "/a/much/longer/path/to/the/program",
            SIZE,
        );
    }

    #[test]
    fn a_large_environment_takes_the_next_multiple() {
        check(&[("LARGE", &"x".repeat(SIZE))], "/a", 2 * SIZE);
    }
}
