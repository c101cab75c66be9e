//! Names of files that change places, and whether somebody has a file open.

use std::fs::File;
use std::io;
use std::path::Path;

/// Has two files change their names, at once for everybody.
///
/// # Errors
///
/// The system or the file system knows no such thing, or one of them is missing. Nothing changes then.
pub(crate) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    system::exchange(one, other)
}

/// Is this the only place where the file is open? False as well where the system does not tell.
pub(crate) fn is_open_here_only(file: &File) -> bool {
    system::is_open_here_only(file)
}

#[cfg(target_os = "linux")]
mod system {
    use std::ffi::CString;
    use std::os::fd::AsRawFd;
    use std::os::unix::ffi::OsStrExt;

    use nix::errno::Errno;

    use super::*;

    /// `asm-generic/fcntl.h`, the same on each architecture.
    const F_SETSIG: libc::c_int = 10;

    pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
        let terminated = |path: &Path| CString::new(path.as_os_str().as_bytes());
        let (one, other) = (terminated(one)?, terminated(other)?);
        // SAFETY: two texts that live as long as the call. The C library of musl has no function for it.
        let outcome = unsafe {
            libc::syscall(
                libc::SYS_renameat2,
                libc::AT_FDCWD,
                one.as_ptr(),
                libc::AT_FDCWD,
                other.as_ptr(),
                libc::RENAME_EXCHANGE,
            )
        };
        Errno::result(outcome)?;
        Ok(())
    }

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
        use std::fs;

        use super::*;

        #[test]
        fn names_change_places() {
            let root = tempfile::tempdir().unwrap();
            let [one, other, none] = ["one", "other", "none"].map(|name| root.path().join(name));
            fs::write(&one, "1").unwrap();
            fs::write(&other, "2").unwrap();
            exchange(&one, &other).unwrap();
            assert_eq!(fs::read(&one).unwrap(), b"2");
            assert_eq!(fs::read(&other).unwrap(), b"1");
            let missing = exchange(&one, &none).unwrap_err();
            assert_eq!(missing.kind(), io::ErrorKind::NotFound);
            assert_eq!(fs::read(&one).unwrap(), b"2");
        }

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

    pub(super) fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn is_open_here_only(_file: &File) -> bool {
        false
    }
}
