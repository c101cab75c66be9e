//! The file that a record is written to: most often one that nobody needs any more, instead of a new one.
//!
//! To make a file and to delete another one are the dearest calls for a small benchmark, and the dearer the more files were
//! deleted lately (`commit/mod.rs`). Callgrind leaves an empty file beside each profile that has a number, and each record
//! replaces an earlier one (`replaced_records.rs`).

use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;

use crate::error::{FileContext, Result};

/// An open file for a record. What is in it is written over.
#[derive(Debug)]
pub(crate) struct RecordFile {
    file: File,
    path: PathBuf,
    /// How long it is.
    length: u64,
}

impl RecordFile {
    /// A new file.
    pub(super) fn create(path: PathBuf) -> Result<Self> {
        let file = File::create(&path).context("write", &path)?;
        Ok(Self::opened(file, path, 0))
    }

    /// A file of ours, which was seen to be empty, as if it were new. `None`: a new one has to be made.
    pub(super) fn spare(path: PathBuf, mode: NewFileMode) -> Option<Self> {
        let permissions = Permissions::from_mode(mode.0?);
        let file = OpenOptions::new().write(true).open(&path).ok()?;
        file.set_permissions(permissions).ok()?;
        Some(Self::opened(file, path, 0))
    }

    /// A file that is open and so long.
    pub(super) fn opened(file: File, path: PathBuf, length: u64) -> Self {
        Self { file, path, length }
    }

    /// Writes a record, and nothing else is in the file then. Returns its path.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(crate) fn write(mut self, record: &[u8]) -> Result<PathBuf> {
        let written = self.write_over(record);
        written.context("write", &self.path)?;
        Ok(self.path)
    }

    fn write_over(&mut self, record: &[u8]) -> io::Result<()> {
        self.file.write_all(record)?;
        let length = record.len() as u64;
        match self.length > length {
            true => self.file.set_len(length),
            false => Ok(()),
        }
    }
}

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

    /// Has a file the permissions of a new one?
    pub(super) fn is_that_of(self, data: &Metadata) -> bool {
        self.0 == Some(data.mode() & 0o7777)
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
        assert!(RecordFile::spare(place.clone(), NewFileMode(Some(0o600))).is_none());
        fs::write(&place, "").unwrap();
        assert!(RecordFile::spare(place, NewFileMode(None)).is_none());
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
        RecordFile::spare(place("spare"), NewFileMode::detect()).unwrap();
        let mode = |name: &str| place(name).metadata().unwrap().mode();
        assert_eq!(mode("spare"), mode("new"));
    }
}
