//! What this executable was built for, and which C library it runs with.

use crate::protocol::Platform;

pub(super) fn platform() -> Platform {
    Platform {
        target: target(),
        libc: libc(),
    }
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
    let mut target = format!("{arch}-{vendor}-{os}");
    for (is_it, environment) in [
        (cfg!(target_env = "gnu"), "-gnu"),
        (cfg!(target_env = "musl"), "-musl"),
        (cfg!(target_env = "uclibc"), "-uclibc"),
    ] {
        if is_it {
            target.push_str(environment);
        }
    }
    target
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
        let Platform { target, libc } = platform();
        assert_eq!(target, "x86_64-unknown-linux-gnu");
        let libc = libc.unwrap();
        let version = libc.strip_prefix("glibc 2.").unwrap();
        assert!(version.parse::<u32>().is_ok(), "{libc}");
    }
}
