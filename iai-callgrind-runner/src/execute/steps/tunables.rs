//! The C library's choice of functions for a processor, made as under Valgrind.
//!
//! Valgrind shows programs a processor with AVX2 at most. glibc has functions for newer ones, which it
//! would choose natively, and can be told by a variable what the processor lacks.

use std::ffi::{OsStr, OsString};

/// The variable.
const VARIABLE: &str = "GLIBC_TUNABLES";

const OPTION: &str = "glibc.cpu.hwcaps=";

/// Valgrind's processor has none of them.
const MISSING: &str = "-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-AVX512ER,-AVX512PF,-RTM,-FSRM";

/// Hides what Valgrind's processor lacks. What the environment says already stays.
pub(super) fn like_valgrind(environment: &mut Vec<(OsString, OsString)>) {
    let given = environment.iter_mut().find(|(name, _)| name == VARIABLE);
    match given {
        Some((_, value)) => *value = with_missing(value),
        None => environment.push((VARIABLE.into(), with_missing(OsStr::new("")))),
    }
}

fn with_missing(value: &OsStr) -> OsString {
    // It is a list of assignments in ASCII.
    let value = value.to_string_lossy();
    let mut options: Vec<String> = value
        .split(':')
        .filter(|option| !option.is_empty())
        .map(str::to_owned)
        .collect();
    match options.iter_mut().find(|option| option.starts_with(OPTION)) {
        Some(option) => *option = format!("{option},{MISSING}"),
        None => options.push(format!("{OPTION}{MISSING}")),
    }
    options.join(":").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_stays() {
        let check = |before: &str, expected: String| {
            assert_eq!(with_missing(OsStr::new(before)), OsStr::new(&expected));
        };
        check("", format!("{OPTION}{MISSING}"));
        check("a.b=1", format!("a.b=1:{OPTION}{MISSING}"));
        check(
            "glibc.cpu.hwcaps=-ERMS:a.b=1",
            format!("{OPTION}-ERMS,{MISSING}:a.b=1"),
        );
    }
}
