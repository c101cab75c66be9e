//! The C library's choices for a processor, made as under Valgrind.
//!
//! Valgrind shows programs a processor with AVX2 at most and caches of its own. glibc has functions
//! for newer processors, and chooses among the parts of a copy by the size of the caches. The
//! environment variable `GLIBC_TUNABLES` lets it make natively the choices that it makes under
//! Valgrind: features that Valgrind's processor lacks are off, and sizes are those that its loader
//! lists under Valgrind.

use std::ffi::{OsStr, OsString};

const VARIABLE: &str = "GLIBC_TUNABLES";

const FEATURES: &str = "glibc.cpu.hwcaps=";

/// Features that Valgrind's processor lacks.
const MISSING: &str =
    "-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-AVX512ER,-AVX512PF,-RTM,-FSRM,-XSAVEC";

/// Begin of the names of sizes.
const SIZES: &str = "glibc.cpu.x86_";

/// Adds Valgrind's choices. Sizes that the environment sets already stay.
pub fn like_valgrind(environment: &mut Vec<(OsString, OsString)>, sizes: &[String]) {
    let given = environment.iter_mut().find(|(name, _)| name == VARIABLE);
    match given {
        Some((_, value)) => *value = with_choices(value, sizes),
        None => environment.push((VARIABLE.into(), with_choices(OsStr::new(""), sizes))),
    }
}

fn with_choices(value: &OsStr, sizes: &[String]) -> OsString {
    // The value is a list of assignments in ASCII.
    let value = value.to_string_lossy();
    let given = value.split(':').filter(|option| !option.is_empty());
    let mut options: Vec<String> = given.map(str::to_owned).collect();
    match options
        .iter_mut()
        .find(|option| option.starts_with(FEATURES))
    {
        Some(option) => *option = format!("{option},{MISSING}"),
        None => options.push(format!("{FEATURES}{MISSING}")),
    }
    for size in sizes {
        let name = size.split('=').next().unwrap_or_default();
        if !options
            .iter()
            .any(|option| option.split('=').next() == Some(name))
        {
            options.push(size.clone());
        }
    }
    options.join(":").into()
}

/// The sizes in the list of the loader (`ld.so --list-tunables`), as assignments.
#[must_use]
pub fn sizes(list: &str) -> Vec<String> {
    let size = |line: &str| {
        let (name, rest) = line.split_once(':')?;
        let value = rest.split_whitespace().next()?;
        let is_size = name.starts_with(SIZES) && value.starts_with("0x");
        is_size.then(|| format!("{name}={value}"))
    };
    list.lines().filter_map(size).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_stays() {
        let sizes = ["glibc.cpu.x86_a=0x1".to_owned()];
        let check = |before: &str, expected: String| {
            assert_eq!(
                with_choices(OsStr::new(before), &sizes),
                OsStr::new(&expected)
            );
        };
        let size = &sizes[0];
        check("", format!("{FEATURES}{MISSING}:{size}"));
        check("a.b=1", format!("a.b=1:{FEATURES}{MISSING}:{size}"));
        check(
            "glibc.cpu.hwcaps=-ERMS:glibc.cpu.x86_a=0x7",
            format!("{FEATURES}-ERMS,{MISSING}:glibc.cpu.x86_a=0x7"),
        );
    }

    #[test]
    fn the_loader_tells_sizes() {
        let list = "\
glibc.rtld.nns: 0x4 (min: 0x1, max: 0x10)
glibc.cpu.x86_rep_movsb_threshold: 0x2000 (min: 0x100, max: 0xffffffffffffffff)
glibc.cpu.x86_shstk:
glibc.cpu.hwcaps:
odd
";
        assert_eq!(sizes(list), ["glibc.cpu.x86_rep_movsb_threshold=0x2000"]);
    }
}
