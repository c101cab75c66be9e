//! Facts about this executable: target, flags, profile, and the C library that it runs with.
//!
//! Flags and most settings of the profile hold for all crates, so what the library was compiled
//! with is what the benchmarks were compiled with.

use crate::protocol::Platform;

pub(super) fn platform() -> Platform {
    Platform {
        target: target(),
        libc: libc(),
        target_features: target_features(),
        debug_assertions: cfg!(debug_assertions),
        panic_aborts: cfg!(panic = "abort"),
    }
}

/// Instruction sets that flags such as `target-cpu` allow beyond those of every processor of the
/// target.
fn target_features() -> Vec<String> {
    macro_rules! present {
        ($($feature:tt),+) => {
            &[$(($feature, cfg!(target_feature = $feature))),+]
        };
    }
    const FEATURES: &[(&str, bool)] = present![
        "sse3",
        "ssse3",
        "sse4.1",
        "sse4.2",
        "popcnt",
        "avx",
        "avx2",
        "bmi1",
        "bmi2",
        "f16c",
        "fma",
        "lzcnt",
        "movbe",
        "aes",
        "pclmulqdq",
        "lse",
        "crc",
        "dotprod",
        "sha2",
        "sve"
    ];
    let mut present = Vec::new();
    for (feature, is_present) in FEATURES {
        if *is_present {
            present.push((*feature).to_owned());
        }
    }
    present
}

/// The compiler tells its parts only; the name that cargo takes is known to build scripts alone.
fn target() -> String {
    let arch = match std::env::consts::ARCH {
        "x86" => "i686",
        arch => arch,
    };
    let vendor = if cfg!(target_vendor = "apple") {
        "apple"
    } else {
        "unknown"
    };
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        os => os,
    };
    let environment = if cfg!(target_env = "gnu") {
        "-gnu"
    } else if cfg!(target_env = "musl") {
        "-musl"
    } else if cfg!(target_env = "uclibc") {
        "-uclibc"
    } else {
        ""
    };
    format!("{arch}-{vendor}-{os}{environment}")
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn libc() -> Option<String> {
    use std::ffi::CStr;

    // SAFETY: the function takes nothing and returns a constant string.
    let version = unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) };
    Some(format!("glibc {}", version.to_str().ok()?))
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn libc() -> Option<String> {
    cfg!(target_env = "musl").then(|| "musl".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
    fn this_platform() {
        let Platform {
            target,
            libc,
            target_features,
            debug_assertions,
            ..
        } = platform();
        assert_eq!(target, "x86_64-unknown-linux-gnu");
        let libc = libc.unwrap();
        let version = libc.strip_prefix("glibc 2.").unwrap();
        assert!(version.parse::<u32>().is_ok(), "{libc}");
        let has_avx2 = target_features.iter().any(|feature| feature == "avx2");
        assert_eq!(has_avx2, cfg!(target_feature = "avx2"));
        assert_eq!(debug_assertions, cfg!(debug_assertions));
    }
}
