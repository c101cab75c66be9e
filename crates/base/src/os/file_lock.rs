//! An exclusive lock on an open file.
//!
//! The kernel releases it when the file is closed. A file system that cannot release it earlier,
//! such as NFS without its lock service, is no reason to fail: by then everything is written.

use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut};
use std::os::fd::AsRawFd;

/// A file with an exclusive lock, which is released when this is dropped.
#[derive(Debug)]
pub struct FileLock(File);

impl FileLock {
    /// Waits for the lock; a signal ends the wait.
    ///
    /// # Errors
    ///
    /// The file system has no locks, or a signal arrived.
    pub fn wait(file: File) -> io::Result<Self> {
        change(&file, libc::LOCK_EX)?;
        Ok(Self(file))
    }

    /// Takes the lock if it is free.
    ///
    /// # Errors
    ///
    /// The file, and why it is not locked: `WouldBlock` if another process has the lock.
    pub fn try_now(file: File) -> Result<Self, (File, io::Error)> {
        match change(&file, libc::LOCK_EX | libc::LOCK_NB) {
            Ok(()) => Ok(Self(file)),
            Err(error) => Err((file, error)),
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Processes that were forked meanwhile may have the file open. If this fails, the lock ends
        // with the last of them.
        let _ = change(&self.0, libc::LOCK_UN);
    }
}

impl Deref for FileLock {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for FileLock {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

fn change(file: &File, operation: libc::c_int) -> io::Result<()> {
    // SAFETY: a plain system call on an open descriptor.
    match unsafe { libc::flock(file.as_raw_fd(), operation) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &std::path::Path) -> File {
        File::open(path).unwrap()
    }

    #[test]
    fn one_has_it_until_it_is_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let first = FileLock::try_now(open(directory.path())).unwrap();
        let (_, error) = FileLock::try_now(open(directory.path())).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        drop(first);
        FileLock::wait(open(directory.path())).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_lock_that_cannot_be_released_is_no_panic() {
        use std::os::unix::fs::OpenOptionsExt;

        let directory = tempfile::tempdir().unwrap();
        let lock = FileLock::try_now(open(directory.path())).unwrap();
        // The kernel refuses every operation on locks of such a descriptor.
        let mut options = std::fs::OpenOptions::new();
        let path_only = options.read(true).custom_flags(libc::O_PATH);
        let path_only = path_only.open(directory.path()).unwrap();
        // SAFETY: both descriptors are open, and each keeps its owner.
        let replaced = unsafe { libc::dup2(path_only.as_raw_fd(), lock.as_raw_fd()) };
        assert_eq!(replaced, lock.as_raw_fd());
        assert!(change(&lock, libc::LOCK_UN).is_err());
        drop(lock);
    }
}
