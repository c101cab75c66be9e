//! Empty files of tools, which nobody keeps: a new file of a result takes the place of one instead of being made.
//!
//! To make a file and to delete another one are the dearest calls for a small benchmark, and the dearer the more files were
//! deleted lately (`commit/mod.rs`). Callgrind leaves an empty file beside each profile that has a number.

use std::fs::{File, OpenOptions, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The permissions that a new file gets. `None`: the system does not tell what the user withholds.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewFileMode(Option<u32>);

impl NewFileMode {
    /// No file is used again.
    pub(super) const UNKNOWN: Self = Self(None);

    /// Asks the system.
    pub(super) fn detect() -> Self {
        let status = std::fs::read_to_string("/proc/self/status");
        Self(status.ok().and_then(|status| mode(&status)))
    }

    /// Opens a file of ours, which was seen to be empty, to be written as if it were new. `None`: a new one has to be made.
    pub(super) fn reuse(self, path: &Path) -> Option<File> {
        let permissions = Permissions::from_mode(self.0?);
        let file = OpenOptions::new().write(true).open(path).ok()?;
        file.set_permissions(permissions).ok()?;
        Some(file)
    }
}

/// The permissions of new files, from the status of a process.
fn mode(status: &str) -> Option<u32> {
    let withheld = status
        .lines()
        .find_map(|line| line.strip_prefix("Umask:"))?;
    let withheld = u32::from_str_radix(withheld.trim(), 8).ok()?;
    Some(0o666 & !withheld)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn the_status_tells_what_is_withheld() {
        assert_eq!(mode("Name:\tx\nUmask:\t0022\nState:\tR\n"), Some(0o644));
        assert_eq!(mode("Umask:\t0077\n"), Some(0o600));
        for status in ["", "Name: x\n", "Umask:\n", "Umask: 9\n"] {
            assert_eq!(mode(status), None, "{status}");
        }
    }

    #[test]
    fn without_a_file_or_without_permissions_a_new_one_is_made() {
        let root = tempfile::tempdir().unwrap();
        let place = root.path().join("spare");
        assert!(NewFileMode(Some(0o600)).reuse(&place).is_none());
        fs::write(&place, "").unwrap();
        assert!(NewFileMode(None).reuse(&place).is_none());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_that_is_used_again_has_the_permissions_of_a_new_one() {
        let root = tempfile::tempdir().unwrap();
        let place = |name: &str| root.path().join(name);
        for name in ["spare", "new"] {
            fs::write(place(name), "").unwrap();
        }
        fs::set_permissions(place("spare"), Permissions::from_mode(0o600)).unwrap();
        NewFileMode::detect().reuse(&place("spare")).unwrap();
        let mode = |name: &str| place(name).metadata().unwrap().mode();
        assert_eq!(mode("spare"), mode("new"));
    }
}
