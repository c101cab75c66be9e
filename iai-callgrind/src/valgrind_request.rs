//! The instruction sequence that Valgrind recognizes as a request and a real processor as nothing.
//!
//! Six words in memory (number and five arguments), their address in one register and the default
//! result in another. The registers and sequences are those of `valgrind.h`: a scratch register is
//! rotated by a full turn, then an instruction without effect says that this is a request.
//!
//! One row for each platform of Valgrind that Rust can assemble for. It has no row for
//! - x32 and the 32-bit ABI of aarch64, which Valgrind does not know;
//! - mips, for which `asm!` is unstable.
//!
//! For powerpc `asm!` is stable since Rust 1.95 only, and without a build script this crate does
//! not learn which compiler is at work. So its rows need the feature `client_requests_powerpc`, by
//! which users say that theirs is new enough. For older compilers and mips there is the feature
//! `client_requests_cc`, which calls a C function instead.

/// `VG_USERREQ__RUNNING_ON_VALGRIND`.
#[cfg(any(feature = "client_requests_defs", unix))]
pub(crate) const RUNNING_ON_VALGRIND: u32 = 0x1001;

/// Asks Valgrind; without Valgrind, or where it has no request of this number, the answer is
/// `default`.
///
/// Valgrind reads and writes the memory that the words point to. The callers, all in this crate,
/// see to it that those pointers are good for what the request does with them.
#[inline(always)]
pub(crate) fn request(default: usize, words: &[usize; 6]) -> usize {
    sequence(default, words)
}

/// Number of Valgrinds around this process; 0 on a real processor.
#[cfg(all(feature = "benchmark", unix))]
#[inline]
pub(crate) fn running_on_valgrind() -> usize {
    request(0, &[RUNNING_ON_VALGRIND as usize, 0, 0, 0, 0, 0])
}

macro_rules! platforms {
    ($( $platform:meta => {
        $( $instruction:literal )+
        words in $words:tt, result in $result:tt, options $options:tt
    } )+) => { $(
        #[cfg($platform)]
        #[inline(always)]
        fn sequence(default: usize, words: &[usize; 6]) -> usize {
            let mut result = default;
            // SAFETY: the rotations add up to a full turn and the last instruction copies a
            // register to itself, so nothing but the result changes. Valgrind reads `words`, which
            // outlive the block; it may also access what they point to, as `request` says, so
            // memory counts as changed.
            unsafe {
                core::arch::asm!(
                    $( $instruction, )+
                    in($words) words.as_ptr(),
                    inout($result) result,
                    options $options,
                );
            }
            result
        }
        )+

        /// Can requests reach Valgrind on this platform?
        #[cfg(feature = "client_requests_defs")]
        pub(crate) const SUPPORTED: bool = cfg!(any($( $platform ),+)) || shim::SUPPORTED;

        #[cfg(not(any($( $platform ),+)))]
        use shim::sequence;

        /// The platforms as text, for the test which evaluates them for many targets.
        #[cfg(test)]
        const PLATFORMS: &[&str] = &[$( stringify!($platform) ),+];
    };
}

platforms! {
    all(
        target_arch = "x86_64",
        target_pointer_width = "64",
        any(
            target_os = "linux",
            target_os = "android",
            target_os = "freebsd",
            target_os = "macos",
            target_os = "solaris",
            target_os = "illumos",
            all(target_os = "windows", target_env = "gnu")
        )
    ) => {
        "rol rdi, 3"
        "rol rdi, 13"
        "rol rdi, 61"
        "rol rdi, 51"
        "xchg rbx, rbx"
        words in "rax", result in "rdx", options(nostack)
    }

    all(
        target_arch = "x86",
        any(
            target_os = "linux",
            target_os = "android",
            target_os = "freebsd",
            target_os = "macos",
            target_os = "solaris",
            target_os = "illumos",
            target_os = "windows"
        )
    ) => {
        "rol edi, 3"
        "rol edi, 13"
        "rol edi, 29"
        "rol edi, 19"
        "xchg ebx, ebx"
        words in "eax", result in "edx", options(nostack)
    }

    all(
        target_arch = "arm",
        target_endian = "little",
        any(target_os = "linux", target_os = "android")
    ) => {
        "ror r12, r12, #3"
        "ror r12, r12, #13"
        "ror r12, r12, #29"
        "ror r12, r12, #19"
        "orr r10, r10, r10"
        words in "r4", result in "r3", options(nostack, preserves_flags)
    }

    // On macOS only with a port that is not part of Valgrind.
    all(
        target_arch = "aarch64",
        target_endian = "little",
        target_pointer_width = "64",
        any(
            target_os = "linux",
            target_os = "android",
            target_os = "freebsd",
            target_os = "macos"
        )
    ) => {
        "ror x12, x12, #3"
        "ror x12, x12, #13"
        "ror x12, x12, #51"
        "ror x12, x12, #61"
        "orr x10, x10, x10"
        words in "x4", result in "x3", options(nostack, preserves_flags)
    }

    // Valgrind 3.25 and later. The compressed forms are other instructions to Valgrind.
    all(target_arch = "riscv64", target_os = "linux") => {
        ".option push"
        ".option norvc"
        "srli zero, zero, 3"
        "srli zero, zero, 13"
        "srli zero, zero, 51"
        "srli zero, zero, 61"
        "or a0, a0, a0"
        ".option pop"
        words in "a4", result in "a3", options(nostack, preserves_flags)
    }

    all(target_arch = "s390x", target_os = "linux") => {
        "lr %r15, %r15"
        "lr %r1, %r1"
        "lr %r2, %r2"
        "lr %r3, %r3"
        "lr %r2, %r2"
        words in "r2", result in "r3", options(nostack)
    }

    all(
        feature = "client_requests_powerpc",
        target_arch = "powerpc",
        target_os = "linux"
    ) => {
        "rlwinm 0, 0, 3, 0, 31"
        "rlwinm 0, 0, 13, 0, 31"
        "rlwinm 0, 0, 29, 0, 31"
        "rlwinm 0, 0, 19, 0, 31"
        "or 1, 1, 1"
        words in "r4", result in "r3", options(nostack)
    }

    all(
        feature = "client_requests_powerpc",
        target_arch = "powerpc64",
        target_os = "linux"
    ) => {
        "rotldi 0, 0, 3"
        "rotldi 0, 0, 13"
        "rotldi 0, 0, 61"
        "rotldi 0, 0, 51"
        "or 1, 1, 1"
        words in "r4", result in "r3", options(nostack)
    }
}

/// Requests on platforms without a row: a call to C, if the user chose so.
#[cfg(feature = "client_requests_cc")]
#[allow(dead_code)]
mod shim {
    pub(super) use iai_callgrind_cc::SUPPORTED;

    #[inline(always)]
    pub(super) fn sequence(default: usize, words: &[usize; 6]) -> usize {
        // SAFETY: the pointers in `words` are good for the request, as `request` demands.
        unsafe { iai_callgrind_cc::request(default, words) }
    }
}

/// Requests on platforms without a row: every one has its default result.
#[cfg(not(feature = "client_requests_cc"))]
#[allow(dead_code)]
mod shim {
    pub(super) const SUPPORTED: bool = false;

    #[inline(always)]
    pub(super) fn sequence(default: usize, _words: &[usize; 6]) -> usize {
        default
    }
}

#[cfg(test)]
mod tests {
    //! The compiler knows the `cfg` values of targets that are not installed, so the conditions of
    //! the platforms are evaluated for many of them here.
    extern crate std;

    use std::prelude::v1::*;
    use std::process::Command;
    use std::{env, format};

    use super::{request, PLATFORMS};

    /// The `cfg` lines of a target, such as `target_os="linux"`.
    fn cfgs_of(target: &str) -> Vec<String> {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(rustc)
            .args(["--print=cfg", "--target", target])
            .output()
            .unwrap();
        assert!(output.status.success(), "rustc does not know `{target}`");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    /// Evaluates a condition of `all`, `any` and `name = "value"`.
    fn holds(condition: &str, cfgs: &[String]) -> bool {
        let condition = condition.trim();
        let parts = |name: &str| {
            let inner = condition.strip_prefix(name)?.trim().strip_prefix('(')?;
            inner.strip_suffix(')').map(split)
        };
        if let Some(all) = parts("all") {
            all.into_iter().all(|part| holds(part, cfgs))
        } else if let Some(any) = parts("any") {
            any.into_iter().any(|part| holds(part, cfgs))
        } else {
            let (name, value) = condition.split_once('=').unwrap();
            cfgs.contains(&format!("{}={}", name.trim(), value.trim()))
        }
    }

    /// The parts between the commas that are in no parentheses.
    fn split(list: &str) -> Vec<&str> {
        let mut depth = 0;
        let parts = list.split(|letter| {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            letter == ',' && depth == 0
        });
        parts.filter(|part| !part.trim().is_empty()).collect()
    }

    /// The number of rows that hold for a target.
    fn rows(target: &str) -> usize {
        rows_with(target, &[])
    }

    /// The number of rows that hold for a target when further lines hold.
    fn rows_with(target: &str, further: &[&str]) -> usize {
        let mut cfgs = cfgs_of(target);
        cfgs.extend(further.iter().map(|line| (*line).to_owned()));
        PLATFORMS
            .iter()
            .filter(|condition| holds(condition, &cfgs))
            .count()
    }

    #[test]
    fn platforms_of_valgrind_have_one_row() {
        for target in [
            "aarch64-apple-darwin",
            "aarch64-linux-android",
            "aarch64-unknown-freebsd",
            "aarch64-unknown-linux-gnu",
            "aarch64-unknown-linux-musl",
            "arm-unknown-linux-gnueabi",
            "armv7-linux-androideabi",
            "armv7-unknown-linux-gnueabihf",
            "armv7-unknown-linux-musleabihf",
            "i686-linux-android",
            "i686-pc-windows-gnu",
            "i686-pc-windows-msvc",
            "i686-unknown-freebsd",
            "i686-unknown-linux-gnu",
            "riscv64gc-unknown-linux-gnu",
            "riscv64gc-unknown-linux-musl",
            "s390x-unknown-linux-gnu",
            "thumbv7neon-unknown-linux-gnueabihf",
            "x86_64-apple-darwin",
            "x86_64-linux-android",
            "x86_64-pc-solaris",
            "x86_64-pc-windows-gnu",
            "x86_64-unknown-freebsd",
            "x86_64-unknown-illumos",
            "x86_64-unknown-linux-gnu",
            "x86_64-unknown-linux-musl",
        ] {
            assert_eq!(rows(target), 1, "{target}");
        }
    }

    #[test]
    fn powerpc_has_one_with_its_feature() {
        for target in [
            "powerpc-unknown-linux-gnu",
            "powerpc64-unknown-linux-gnu",
            "powerpc64le-unknown-linux-gnu",
        ] {
            let feature = r#"feature="client_requests_powerpc""#;
            assert_eq!(rows_with(target, &[feature]), 1, "{target}");
            assert_eq!(rows(target), 0, "{target}");
        }
    }

    #[test]
    fn other_platforms_have_none() {
        for target in [
            "aarch64-pc-windows-msvc",
            "aarch64-unknown-linux-gnu_ilp32",
            "aarch64_be-unknown-linux-gnu",
            "loongarch64-unknown-linux-gnu",
            "mips-unknown-linux-gnu",
            "powerpc64le-unknown-linux-gnu",
            "riscv32gc-unknown-linux-gnu",
            "thumbv7em-none-eabihf",
            "wasm32-unknown-unknown",
            "x86_64-pc-windows-msvc",
            "x86_64-unknown-linux-gnux32",
            "x86_64-unknown-none",
        ] {
            assert_eq!(rows(target), 0, "{target}");
        }
    }

    #[test]
    fn a_request_that_nobody_knows_has_its_default() {
        assert_eq!(request(42, &[0x0101_0101, 1, 2, 3, 4, 5]), 42);
    }

    /// Also if this test runs under Valgrind.
    #[cfg(feature = "client_requests_cc")]
    #[test]
    fn c_gives_the_same_answers() {
        use crate::client_requests::numbers::{
            VG_USERREQ__COUNT_ERRORS, VG_USERREQ__MEMPOOL_EXISTS, VG_USERREQ__RUNNING_ON_VALGRIND,
        };

        for number in [
            VG_USERREQ__RUNNING_ON_VALGRIND,
            VG_USERREQ__COUNT_ERRORS,
            VG_USERREQ__MEMPOOL_EXISTS,
            0x0101_0101,
        ] {
            let words = [number, 1, 2, 3, 4, 5];
            // SAFETY: these requests follow no pointer.
            let by_c = unsafe { iai_callgrind_cc::request(42, &words) };
            assert_eq!(request(42, &words), by_c, "{number:#x}");
        }
    }
}
