//! Files and directories that are read without a mark of the time of it: each mark changes the inode, which is to be written
//! to the disk then.

use std::io;

/// Opens for reading by this function, which gets a flag for it. Only owners may leave the time as it is; others open without
/// the flag.
#[cfg(target_os = "linux")]
pub(crate) fn left<T>(mut open: impl FnMut(libc::c_int) -> io::Result<T>) -> io::Result<T> {
    match open(libc::O_NOATIME) {
        Err(error) if error.raw_os_error() == Some(libc::EPERM) => open(0),
        opened => opened,
    }
}

/// Opens for reading by this function, which gets no flag for it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn left<T>(mut open: impl FnMut(libc::c_int) -> io::Result<T>) -> io::Result<T> {
    open(0)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn others_open_without_the_flag() {
        let flags_of = |result: fn(libc::c_int) -> io::Result<()>| {
            let mut flags = Vec::new();
            let opened = left(|flag| {
                flags.push(flag);
                result(flag)
            });
            (flags, opened.map_err(|error| error.kind()))
        };
        let owner = flags_of(|_| Ok(()));
        assert_eq!(owner, (vec![libc::O_NOATIME], Ok(())));
        let other = flags_of(|flag| match flag {
            0 => Ok(()),
            _ => Err(io::Error::from_raw_os_error(libc::EPERM)),
        });
        assert_eq!(other, (vec![libc::O_NOATIME, 0], Ok(())));
        let missing = flags_of(|_| Err(io::ErrorKind::NotFound.into()));
        assert_eq!(
            missing,
            (vec![libc::O_NOATIME], Err(io::ErrorKind::NotFound))
        );
    }
}
