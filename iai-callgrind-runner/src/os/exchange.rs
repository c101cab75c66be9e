//! Files that change their names.

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

#[cfg(target_os = "linux")]
mod system {
    use rustix::fs::{renameat_with, RenameFlags, CWD};

    use super::*;

    pub(super) fn exchange(one: &Path, other: &Path) -> io::Result<()> {
        Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
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
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::*;

    pub(super) fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
