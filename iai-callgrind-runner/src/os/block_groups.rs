//! Directories whose directories lie in places of the disk that are far apart.
//!
//! ext4 numbers the files of a directory in one group of blocks, that of the directory. Without a journal it gives no number
//! again that was free for less than a minute: whenever a file is made there it passes over all of these, one after the other. A
//! run makes and deletes some files for each benchmark, in private directories that lie beside each other: a thousand small benchmarks
//! took 3.4 s instead of 2.9 s, and the more the oftener they ran. With the flag of a directory whose directories have nothing to do with each
//! other (`T` of chattr(1)) each of them gets a group of its own. With a journal it makes no difference.

use std::io;
use std::path::Path;

/// Has each new directory in this one lie elsewhere, where the file system is one that would put them side by side.
///
/// # Errors
///
/// The system refuses; nothing is different then.
pub(crate) fn spread(directory: &Path) -> io::Result<()> {
    system::spread(directory)
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs::File;
    use std::os::fd::AsRawFd;

    use nix::errno::Errno;
    use nix::sys::statfs::{fstatfs, EXT4_SUPER_MAGIC};

    use super::*;

    /// The children of this directory have nothing to do with each other (`FS_TOPDIR_FL` of `linux/fs.h`).
    const TOP_DIRECTORY: libc::c_int = 0x0002_0000;

    pub(super) fn spread(directory: &Path) -> io::Result<()> {
        let directory = File::open(directory)?;
        if fstatfs(&directory)?.filesystem_type() != EXT4_SUPER_MAGIC {
            return Ok(());
        }
        let flags = flags(&directory)?;
        if flags & TOP_DIRECTORY != 0 {
            return Ok(());
        }
        let flags = flags | TOP_DIRECTORY;
        // SAFETY: the system reads a number there, of this size whatever the name of the call says.
        let outcome = unsafe {
            libc::ioctl(
                directory.as_raw_fd(),
                libc::FS_IOC_SETFLAGS,
                &raw const flags,
            )
        };
        Errno::result(outcome)?;
        Ok(())
    }

    pub(super) fn flags(directory: &File) -> io::Result<libc::c_int> {
        let mut flags = 0;
        // SAFETY: the system writes a number there, of this size whatever the name of the call says.
        let outcome =
            unsafe { libc::ioctl(directory.as_raw_fd(), libc::FS_IOC_GETFLAGS, &raw mut flags) };
        Errno::result(outcome)?;
        Ok(flags)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn directories_on_ext4_get_the_flag_and_others_stay() {
            let places = [std::env::temp_dir(), "/dev/shm".into(), "target".into()];
            for place in places {
                let Ok(directory) = tempfile::tempdir_in(&place) else {
                    continue;
                };
                let opened = File::open(directory.path()).unwrap();
                let is_ext4 = fstatfs(&opened).unwrap().filesystem_type() == EXT4_SUPER_MAGIC;
                for _ in 0..2 {
                    spread(directory.path()).unwrap();
                    let is_set = flags(&opened).is_ok_and(|flags| flags & TOP_DIRECTORY != 0);
                    assert_eq!(is_set, is_ext4, "{}", place.display());
                }
            }
        }

        #[test]
        fn one_that_is_not_there_is_an_error() {
            let gone = Path::new("/nonexistent");
            assert_eq!(spread(gone).unwrap_err().kind(), io::ErrorKind::NotFound);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::*;

    pub(super) fn spread(_directory: &Path) -> io::Result<()> {
        Ok(())
    }
}
