//! The file system in memory, and how much room a file system has.

use std::io;
use std::path::Path;

/// The directory of the file system in memory that every process may use. `None`: there is none that is known.
pub(crate) fn place() -> Option<&'static Path> {
    system::place()
}

/// Is this directory on a file system in memory?
pub(crate) fn is_in_memory(directory: &Path) -> bool {
    system::is_in_memory(directory)
}

/// What is free on the file system of a directory.
///
/// # Errors
///
/// The system does not tell, or the directory is gone.
pub(crate) fn free(directory: &Path) -> io::Result<Free> {
    system::free(directory)
}

/// Room on a file system.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Free {
    pub(crate) bytes: u64,
    pub(crate) files: u64,
}

#[cfg(target_os = "linux")]
mod system {
    use nix::sys::statfs::{statfs, TMPFS_MAGIC};

    use super::*;

    /// `shm_overview(7)`.
    pub(super) fn place() -> Option<&'static Path> {
        Some(Path::new("/dev/shm"))
    }

    pub(super) fn is_in_memory(directory: &Path) -> bool {
        statfs(directory).is_ok_and(|data| data.filesystem_type() == TMPFS_MAGIC)
    }

    pub(super) fn free(directory: &Path) -> io::Result<Free> {
        let data = statfs(directory)?;
        let size = u64::try_from(data.block_size()).unwrap_or_default();
        Ok(Free {
            bytes: data.blocks_available().saturating_mul(size),
            files: data.files_free(),
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::*;

    pub(super) fn place() -> Option<&'static Path> {
        None
    }

    pub(super) fn is_in_memory(_directory: &Path) -> bool {
        false
    }

    pub(super) fn free(_directory: &Path) -> io::Result<Free> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_kernel_are_not_in_memory_and_have_no_room() {
        let kernel = Path::new("/proc");
        assert!(!is_in_memory(kernel));
        assert_eq!(free(kernel).unwrap().bytes, 0);
        assert!(free(Path::new("/proc/none")).is_err());
    }
}
