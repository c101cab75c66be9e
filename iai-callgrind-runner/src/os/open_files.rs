//! Who has a file open.

use std::fs::File;

/// Is this the only place where the file is open? False as well where the system does not tell.
pub(crate) fn is_open_here_only(file: &File) -> bool {
    system::is_open_here_only(file)
}

#[cfg(target_os = "linux")]
mod system {
    use std::os::fd::AsRawFd;

    use super::*;

    /// `asm-generic/fcntl.h`, the same on each architecture.
    const F_SETSIG: libc::c_int = 10;

    /// The kernel gives a lease for writing only where nobody else has the file open.
    pub(super) fn is_open_here_only(file: &File) -> bool {
        let control = |command: libc::c_int, value: libc::c_int| {
            // SAFETY: a call without pointers, on an open descriptor.
            unsafe { libc::fcntl(file.as_raw_fd(), command, value) == 0 }
        };
        // Whoever opens it while there is a lease causes a signal, which by default would end the process.
        control(F_SETSIG, libc::SIGURG)
            && control(libc::F_SETLEASE, libc::F_WRLCK)
            && control(libc::F_SETLEASE, libc::F_UNLCK)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn who_reads_a_file_has_it_open() {
            let root = tempfile::tempdir().unwrap();
            let path = root.path().join("file");
            let file = File::create(&path).unwrap();
            assert!(is_open_here_only(&file));
            let reader = File::open(&path).unwrap();
            assert!(!is_open_here_only(&file));
            drop(reader);
            assert!(is_open_here_only(&file));
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::*;

    pub(super) fn is_open_here_only(_file: &File) -> bool {
        false
    }
}
