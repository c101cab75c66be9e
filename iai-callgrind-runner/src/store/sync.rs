//! Files and directories on the disk, not only in the memory of the system.

use std::fs::File;
use std::io;
use std::path::Path;

use nix::errno::Errno;

use crate::error::{FileContext, Result};
use crate::regular_file;

/// The most kilobytes that all programs have not written yet, so that nobody waits long for files of others: after
/// a build there may be gigabytes.
#[cfg(target_os = "linux")]
const LITTLE: u64 = 256 << 10;

/// Begins to write a file to the disk and does not wait: of many files, the disk writes all at once.
pub(super) fn begin(path: &Path) {
    #[cfg(target_os = "linux")]
    if let Ok(file) = regular_file::open(path) {
        use std::os::fd::AsRawFd;
        // SAFETY: a call without pointers, on an open descriptor. It is a hint: `file` reports errors.
        unsafe { libc::sync_file_range(file.as_raw_fd(), 0, 0, libc::SYNC_FILE_RANGE_WRITE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = path;
}

/// Writes the content of a file to the disk.
pub(super) fn file(path: &Path) -> Result<()> {
    #[cfg(test)]
    watch::tell(path);
    let synced = regular_file::open(path).and_then(|file| supported(file.sync_all()));
    synced.context("write to the disk", path)
}

/// Writes the names in a directory to the disk.
pub(super) fn directory(path: &Path) -> Result<()> {
    #[cfg(test)]
    watch::tell(path);
    let synced = File::open(path).and_then(|directory| supported(directory.sync_all()));
    synced.context("write to the disk", path)
}

/// Writes everything to the disk that the file system of a directory has not written yet, if that is little. False: it
/// is much, not known, or could not be written.
#[cfg(target_os = "linux")]
pub(super) fn file_system(directory: &Path) -> bool {
    let dirty = std::fs::read_to_string("/proc/meminfo").ok();
    let is_little = dirty
        .and_then(|text| kilobytes(&text, "Dirty:"))
        .is_some_and(|dirty| dirty <= LITTLE);
    if !is_little {
        return false;
    }
    #[cfg(test)]
    watch::tell(directory);
    File::open(directory).is_ok_and(|directory| nix::unistd::syncfs(directory).is_ok())
}

/// Only Linux has a call for a single file system that waits for the disk.
#[cfg(not(target_os = "linux"))]
pub(super) fn file_system(_directory: &Path) -> bool {
    false
}

/// A value of `/proc/meminfo`.
#[cfg(target_os = "linux")]
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines();
    let value = lines.find_map(|line| line.strip_prefix(name))?;
    value.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Some file systems of networks and of user space know no such request; results are kept there all the
/// same.
fn supported(result: io::Result<()>) -> io::Result<()> {
    let unknown = |error: &io::Error| {
        let number = error.raw_os_error().map(Errno::from_raw);
        matches!(number, Some(Errno::EINVAL | Errno::ENOSYS | Errno::ENOTSUP))
    };
    match result {
        Err(error) if unknown(&error) => Ok(()),
        other => other,
    }
}

/// The state of the world whenever something is written to the disk, for tests of the order.
#[cfg(test)]
pub(super) mod watch {
    use std::cell::RefCell;
    use std::path::Path;

    type Watcher = Box<dyn FnMut(&Path)>;

    thread_local! {
        static WATCHER: RefCell<Option<Watcher>> = const { RefCell::new(None) };
    }

    /// Calls this before each file or directory that this thread writes to the disk.
    pub(in crate::store) fn with(watcher: impl FnMut(&Path) + 'static) {
        WATCHER.set(Some(Box::new(watcher)));
    }

    pub(super) fn tell(path: &Path) {
        WATCHER.with_borrow_mut(|watcher| {
            if let Some(watcher) = watcher {
                watcher(path);
            }
        });
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn values_of_meminfo() {
        let text = "MemFree:  100 kB\nDirty:               340 kB\nDirtyX: 1 kB\nHuge: 3\n";
        assert_eq!(kilobytes(text, "Dirty:"), Some(340));
        assert_eq!(kilobytes(text, "Huge:"), None);
        assert_eq!(kilobytes(text, "Writeback:"), None);
        let own = std::fs::read_to_string("/proc/meminfo").unwrap();
        assert!(kilobytes(&own, "Dirty:").is_some(), "{own}");
    }
}
