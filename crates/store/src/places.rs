//! Directories below the home: real ones, private ones, and how they are removed.
//!
//! The home itself may be a link, as its owner made it. What is below it may have come from
//! elsewhere, so a link there is not followed: nothing outside of the home is written, renamed or
//! removed.

#![expect(
    clippy::disallowed_methods,
    reason = "removes private directories, which hold no results"
)]

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use nix::errno::Errno;

/// Prefix of the names of private directories.
pub(super) const WORK_PREFIX: &str = ".work-";

/// The longest path of a file that Valgrind takes for its log. It ends by a signal of its own if
/// the path is longer.
const LONGEST_LOG: usize = 900;

/// The name of a log in the private directory of a server, as long as they are: Valgrind replaces
/// `%p`.
const LOG: &str = "/.work-123456/job/log.%p";

/// Is the path of a directory short enough for the logs of Valgrind in its private directories?
pub(super) fn check_length(directory: &Path) -> io::Result<()> {
    let path = directory.as_os_str().as_bytes();
    // Valgrind wants `%%` for each `%`.
    let doubled = path.iter().filter(|byte| **byte == b'%').count();
    let length = path.len() + doubled;
    let most = LONGEST_LOG - LOG.len();
    if length <= most {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "the path of the results of this bench file has {length} bytes, and Valgrind takes no more than {most}"
    )))
}

/// Makes a directory and those above it, if they are missing. It may be a link to a directory.
pub(super) fn make(path: &Path) -> io::Result<()> {
    match fs::create_dir_all(path) {
        // The system says that there is a file already, and not what is wrong with it.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(Errno::ENOTDIR.into()),
        made => made,
    }
}

/// The directory of this name, which is made if it is missing.
pub(super) fn real_directory(parent: &Path, name: &str) -> io::Result<PathBuf> {
    let path = parent.join(name);
    if !is_real(&path)? {
        // Another run may be faster.
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                is_real(&path).map(drop)?
            }
            made => made?,
        }
    }
    Ok(path)
}

/// Is there a directory at this path? A link to one is an error, as is everything else.
pub(super) fn is_real(path: &Path) -> io::Result<bool> {
    let what = match fs::symlink_metadata(path) {
        Ok(data) if data.is_dir() => return Ok(true),
        Ok(data) if data.is_symlink() => {
            "is a symbolic link, and links among results are not followed"
        }
        Ok(_) => "is no directory",
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let text = format!("`{}` {what}; move or remove it", path.display());
    Err(io::Error::other(text))
}

/// Removes the private directories in a directory, whose owners are gone and which nobody needs.
pub(super) fn remove_left(directory: &Path, is_needed: impl Fn(&str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_private = name.starts_with(WORK_PREFIX) && !is_needed(&name);
        // Runs create directories only: any other entry with such a name is not ours.
        if !is_private || !entry.file_type()?.is_dir() {
            continue;
        }
        let path = entry.path();
        log::debug!("removing `{}`, left by an earlier run", path.display());
        if let Err(error) = remove_directory(&path) {
            // It may belong to another user, for example. Names are never used twice, so it does no
            // harm.
            log::warn!(
                "`{}`, left by an earlier run, cannot be removed: {error}",
                path.display()
            );
        }
    }
    Ok(())
}

/// Removes a directory with everything in it, also if a benchmark took away the permission to do
/// so. It may be gone already.
pub fn remove_directory(path: &Path) -> io::Result<()> {
    let removed = fs::remove_dir_all(path).or_else(|_| {
        allow(path);
        fs::remove_dir_all(path)
    });
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Gives back the permission to remove everything in a directory. Errors show when it is removed.
fn allow(directory: &Path) {
    if !fs::symlink_metadata(directory).is_ok_and(|data| data.is_dir()) {
        return;
    }
    let _ = fs::set_permissions(directory, Permissions::from_mode(0o700));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            allow(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn paths_are_as_long_as_valgrind_takes_them() {
        let path =
            |length: usize, end: &str| PathBuf::from(format!("/{}{end}", "x".repeat(length)));
        let fits = |path: &Path| check_length(path).is_ok();
        // 900 bytes with the log's name, as Valgrind 3.19 was seen to take.
        assert!(fits(&path(875, "")));
        assert!(!fits(&path(876, "")));
        assert!(fits(&path(873, "%")));
        assert!(!fits(&path(874, "%")));
        let error = check_length(&path(999, "")).unwrap_err().to_string();
        let expected = "has 1000 bytes, and Valgrind takes no more than 876";
        assert!(error.ends_with(expected), "{error}");
    }

    #[test]
    fn directories_are_real() {
        let root = tempfile::tempdir().unwrap();
        let place = |name: &str| root.path().join(name);
        let made = real_directory(root.path(), "made").unwrap();
        assert_eq!(real_directory(root.path(), "made").unwrap(), made);
        symlink(&made, place("link")).unwrap();
        symlink(place("nowhere"), place("dangling")).unwrap();
        fs::write(place("file"), "").unwrap();
        for (name, expected) in [
            (
                "link",
                "is a symbolic link, and links among results are not followed",
            ),
            (
                "dangling",
                "is a symbolic link, and links among results are not followed",
            ),
            ("file", "is no directory"),
        ] {
            let error = real_directory(root.path(), name).unwrap_err().to_string();
            let path = place(name);
            assert_eq!(
                error,
                format!("`{}` {expected}; move or remove it", path.display())
            );
        }
        assert!(!place("nowhere").exists());
    }

    #[test]
    fn only_private_directories_are_removed() {
        let (root, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let place = |name: &str| root.path().join(name);
        fs::write(elsewhere.path().join("file"), "theirs").unwrap();
        for name in [
            ".work-a/sub",
            ".workshop",
            ".work-b/none/file",
            ".work-needed/file",
        ] {
            fs::create_dir_all(place(name)).unwrap();
        }
        // A benchmark may take away permissions from its sandbox.
        fs::set_permissions(place(".work-b/none"), Permissions::from_mode(0o000)).unwrap();
        fs::write(place(".work-file"), "").unwrap();
        symlink(elsewhere.path(), place(".work-link")).unwrap();
        symlink(elsewhere.path(), place(".work-a/link")).unwrap();
        nix::unistd::mkfifo(&place(".work-fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        remove_left(root.path(), |name| name == ".work-needed").unwrap();
        let mut left: Vec<_> = fs::read_dir(root.path())
            .unwrap()
            .map(|it| it.unwrap().file_name())
            .collect();
        left.sort();
        assert_eq!(
            left,
            [
                ".work-fifo",
                ".work-file",
                ".work-link",
                ".work-needed",
                ".workshop"
            ]
        );
        assert_eq!(fs::read(elsewhere.path().join("file")).unwrap(), b"theirs");
    }

    #[test]
    fn a_directory_that_is_gone_is_removed() {
        let root = tempfile::tempdir().unwrap();
        remove_directory(&root.path().join("gone")).unwrap();
    }
}
