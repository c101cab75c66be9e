//! One run at a time for each bench file.
//!
//! The lock is on an open file, so it ends with the process that holds it, however that ends. The file's
//! text names this process.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

/// The name of the lock file. The file stays: deleting it would let two runs lock two files.
const NAME: &str = ".lock";

/// Held until dropped.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "unlocks when it is dropped")] Flock<File>);

impl Lock {
    /// Takes the lock. If another run holds it, calls `waiting` with the text of the file, and waits.
    pub(super) fn acquire(directory: &Path, waiting: impl FnOnce(&str)) -> io::Result<Self> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(directory.join(NAME))?;
        let mut lock = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(lock) => lock,
            Err((mut file, Errno::EWOULDBLOCK)) => {
                let mut owner = String::new();
                // Only for the message; a reader that comes between lock and text sees nothing.
                let _ = file.read_to_string(&mut owner);
                waiting(owner.trim());
                lock(file)?
            }
            Err((_, error)) => return Err(error.into()),
        };
        lock.set_len(0)?;
        lock.rewind()?;
        // The text is a courtesy: on a full disk the run itself may still succeed.
        let _ = writeln!(lock, "process {}", std::process::id());
        Ok(Self(lock))
    }
}

/// Waits for the lock; a signal for us ends the wait.
fn lock(file: File) -> io::Result<Flock<File>> {
    Flock::lock(file, FlockArg::LockExclusive).map_err(|(_, error)| error.into())
}

#[cfg(test)]
mod tests {
    use super::*;

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
