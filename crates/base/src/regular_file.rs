//! Regular files that are read although others may have put something else in their place.
//!
//! Results lie in directories that are restored from caches, shared, or edited by hand. A FIFO
//! there would make the reader wait for ever, a link would let it read what is elsewhere, and a
//! sparse file or a device has more bytes than there is memory. So these are refused.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use nix::errno::Errno;

/// Opens a file for reading.
///
/// # Errors
///
/// There is no such file, it cannot be opened, or it is a link, FIFO, device or directory.
pub fn open(path: &Path) -> io::Result<File> {
    checked(OpenOptions::new().read(true), path)
}

/// Opens a file with these options, without following a link at the end of its path and without
/// waiting.
pub fn checked(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Regular files do not know O_NONBLOCK; a FIFO would wait for its other end without it.
    let options = options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let opened = options.open(path);
    let file = opened.map_err(|error| match error.raw_os_error().map(Errno::from_raw) {
        // FreeBSD says EMLINK.
        Some(Errno::ELOOP | Errno::EMLINK) => io::Error::other("it is a symbolic link"),
        // The error for a FIFO without a reader, or a socket.
        Some(Errno::ENXIO) => io::Error::other("it is no regular file"),
        _ => error,
    })?;
    let reason = match file.metadata()?.file_type() {
        kind if kind.is_file() => return Ok(file),
        kind if kind.is_dir() => "it is a directory",
        kind if kind.is_fifo() => "it is a FIFO",
        _ => "it is a device",
    };
    Err(io::Error::other(reason))
}

/// The content of a file of at most this many bytes.
///
/// # Errors
///
/// The same errors as [`open`], and a file that is longer.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    whole(path, most)?.ok_or_else(|| too_long(most))
}

fn too_long(most: u64) -> io::Error {
    io::Error::other(format!("it has more than {most} bytes"))
}

/// Opens a file that a user names, which may be a link or the pipe of a shell. A device has no end.
///
/// # Errors
///
/// There is no such file, it cannot be opened, or it is a device.
pub fn open_named(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    let kind = file.metadata()?.file_type();
    match kind.is_char_device() || kind.is_block_device() {
        true => Err(io::Error::other("it is a device")),
        false => Ok(file),
    }
}

/// The content of a file that a user names, of at most this many bytes.
///
/// # Errors
///
/// The same errors as [`open_named`], and a file that is longer.
pub fn read_named(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    bounded(open_named(path)?, most, 0)?.ok_or_else(|| too_long(most))
}

/// The content of a file. `Ok(None)`: it has more than this many bytes.
///
/// # Errors
///
/// The same errors as [`open`].
pub fn whole(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Ok(None);
    }
    // It may grow while it is read.
    bounded(file, most, length as usize)
}

/// All bytes of a file, of which so many are expected. `None`: there are more than `most`.
fn bounded(file: File, most: u64, expected: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::with_capacity(expected);
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// Copies a file, with its permissions.
///
/// # Errors
///
/// The same errors as [`open`]; or the copy cannot be written, or exists.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = open(from)?;
    let mut to = File::create_new(to)?;
    io::copy(&mut from, &mut to)?;
    to.set_permissions(from.metadata()?.permissions())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn only_regular_files_are_opened_and_nothing_waits() {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        fs::write(place("file"), "text").unwrap();
        symlink(place("file"), place("link")).unwrap();
        symlink("loop", place("loop")).unwrap();
        symlink("/dev/zero", place("zero")).unwrap();
        nix::unistd::mkfifo(&place("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        fs::create_dir(place("directory")).unwrap();
        let _listener = UnixListener::bind(place("socket")).unwrap();
        assert_eq!(read(&place("file"), 4).unwrap(), b"text");
        for (name, expected) in [
            ("link", "it is a symbolic link"),
            ("loop", "it is a symbolic link"),
            ("zero", "it is a symbolic link"),
            ("fifo", "it is a FIFO"),
            ("directory", "it is a directory"),
            ("socket", "it is no regular file"),
        ] {
            let error = read(&place(name), 4).unwrap_err().to_string();
            assert_eq!(error, expected, "{name}");
            copy(&place(name), &place("copy")).unwrap_err();
            assert!(!place("copy").exists(), "{name}");
        }
        let error = open(Path::new("/dev/zero")).unwrap_err().to_string();
        assert_eq!(error, "it is a device");
        // The same for a FIFO with a writer.
        let mut writer = OpenOptions::new();
        let mut writer = writer.read(true).write(true).open(place("fifo")).unwrap();
        writer.write_all(b"text").unwrap();
        let error = read(&place("fifo"), 4).unwrap_err().to_string();
        assert_eq!(error, "it is a FIFO");
        for (device, most) in [("/dev/null", 0), ("/dev/zero", 1 << 20)] {
            let error = read(Path::new(device), most).unwrap_err().to_string();
            assert_eq!(error, "it is a device");
        }
        let missing = open(&place("missing")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn whoever_names_a_file_may_name_a_link_or_a_pipe() {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        fs::write(place("file"), "text").unwrap();
        symlink(place("file"), place("link")).unwrap();
        symlink("/dev/zero", place("zero")).unwrap();
        nix::unistd::mkfifo(&place("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        for name in ["file", "link"] {
            assert_eq!(read_named(&place(name), 4).unwrap(), b"text");
        }
        std::thread::scope(|scope| {
            scope.spawn(|| fs::write(place("fifo"), "piped"));
            assert_eq!(read_named(&place("fifo"), 5).unwrap(), b"piped");
        });
        for (name, most, expected) in [
            ("file", 3, "it has more than 3 bytes"),
            ("zero", 9, "it is a device"),
        ] {
            let error = read_named(&place(name), most).unwrap_err().to_string();
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn files_of_any_length_are_read_whole() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        for length in [1, 8, (16 << 10) - 1, 16 << 10, (16 << 10) + 1, 80 << 10] {
            let content: Vec<u8> = (0..length).map(|place| place as u8).collect();
            fs::write(&path, &content).unwrap();
            assert_eq!(whole(&path, length as u64).unwrap(), Some(content));
            assert_eq!(whole(&path, length as u64 - 1).unwrap(), None);
        }
        fs::write(&path, "").unwrap();
        assert_eq!(whole(&path, 0).unwrap(), Some(Vec::new()));
    }

    #[test]
    fn what_is_too_long_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sparse");
        File::create(&path).unwrap().set_len(10 << 30).unwrap();
        let error = read(&path, 1 << 20).unwrap_err().to_string();
        assert_eq!(error, "it has more than 1048576 bytes");
    }
}
