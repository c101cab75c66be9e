//! One run at a time for each bench file.
//!
//! The lock is on an open file, so it ends with the process that holds it, however that ends. The
//! file's text names this process.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use base::os::file_lock::FileLock;
use base::regular_file;

/// The name of the lock file. The file stays: deleting it would let two runs lock two files.
const NAME: &str = ".lock";

/// The text of the file before the number of the process.
const PROCESS: &str = "process ";

/// Held until dropped.
#[derive(Debug)]
pub(super) struct Lock(
    #[cfg_attr(not(test), expect(dead_code, reason = "unlocks when it is dropped"))] FileLock,
);

impl Lock {
    /// Takes the lock. If another run holds it, calls `waiting` with the text of the file, and
    /// waits.
    pub(super) fn acquire(directory: &Path, waiting: impl FnOnce(&str)) -> io::Result<Self> {
        let path = directory.join(NAME);
        let unusable = |reason: &dyn std::fmt::Display| {
            io::Error::other(format!("`{}` cannot be locked: {reason}", path.display()))
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = regular_file::checked(&mut options, &path).map_err(|error| unusable(&error))?;
        let mut lock = match FileLock::try_now(file) {
            Ok(lock) => lock,
            Err((file, error)) if error.kind() == io::ErrorKind::WouldBlock => {
                let owner = match text(&file) {
                    Some(text) if !text.is_empty() => text,
                    _ => "its process is not known".to_owned(),
                };
                waiting(&owner);
                FileLock::wait(file)?
            }
            Err((_, error)) => return Err(unusable(&error)),
        };
        // The file may be a second name of another one, whose content stays.
        if text(&lock).is_some() {
            lock.set_len(0)?;
            lock.rewind()?;
            // The text is a courtesy: on a full disk the run itself may still succeed.
            let _ = writeln!(lock, "{PROCESS}{}", std::process::id());
        }
        Ok(Self(lock))
    }
}

/// The text of a lock file, which is shown: the owner, or nothing before it is written. `None`: it
/// is the text of something else.
fn text(mut file: &File) -> Option<String> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(64).read_to_string(&mut text).ok()?;
    let text = text.trim();
    let number = text.strip_prefix(PROCESS);
    let is_owner = number.is_some_and(|number| number.parse::<u32>().is_ok());
    (is_owner || text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "files of the tests")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[track_caller]
    fn acquire(directory: &Path) -> io::Result<Lock> {
        Lock::acquire(directory, |owner| panic!("{owner} holds it"))
    }

    #[test]
    fn what_is_in_the_place_of_the_lock_is_named() {
        let (directory, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = directory.path().join(NAME);
        let victim = elsewhere.path().join("victim");
        fs::write(&victim, "theirs").unwrap();
        let fails = |expected: &str| {
            let error = acquire(directory.path()).unwrap_err().to_string();
            let expected = format!("`{}` cannot be locked: {expected}", path.display());
            assert_eq!(error, expected);
        };
        symlink(&victim, &path).unwrap();
        fails("it is a symbolic link");
        fs::rename(&path, elsewhere.path().join("link")).unwrap();
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
        fails("it is a FIFO");
        fs::rename(&path, elsewhere.path().join("fifo")).unwrap();
        fs::create_dir(&path).unwrap();
        fails("Is a directory (os error 21)");
        assert_eq!(fs::read(&victim).unwrap(), b"theirs");
    }

    #[test]
    fn the_content_of_another_file_stays_and_is_not_shown() {
        let directory = tempfile::tempdir().unwrap();
        let victim = directory.path().join("victim");
        for content in ["theirs", "process 1\x1b[31m", &"process 1".repeat(100)] {
            fs::write(&victim, content).unwrap();
            let linked = tempfile::tempdir_in(directory.path()).unwrap();
            fs::hard_link(&victim, linked.path().join(NAME)).unwrap();
            let lock = acquire(linked.path()).unwrap();
            assert_eq!(text(&lock.0), None);
            drop(lock);
            assert_eq!(fs::read(&victim).unwrap(), content.as_bytes());
        }
        // A lock file with the content that a killed run leaves is one of ours.
        fs::write(&victim, "process 4194304\n").unwrap();
        let linked = tempfile::tempdir_in(directory.path()).unwrap();
        fs::hard_link(&victim, linked.path().join(NAME)).unwrap();
        drop(acquire(linked.path()).unwrap());
        let expected = format!("process {}\n", std::process::id());
        assert_eq!(fs::read_to_string(&victim).unwrap(), expected);
    }

    #[test]
    fn the_second_waits_and_is_told_for_whom() {
        let directory = tempfile::tempdir().unwrap();
        let first = Lock::acquire(directory.path(), |_| panic!("nobody holds it")).unwrap();
        let (told, hears) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let second = scope.spawn(|| {
                Lock::acquire(directory.path(), |owner| {
                    told.send(owner.to_owned()).unwrap()
                })
            });
            let owner = hears.recv().unwrap();
            assert_eq!(owner, format!("process {}", std::process::id()));
            drop(first);
            second.join().unwrap().unwrap();
        });
    }
}
