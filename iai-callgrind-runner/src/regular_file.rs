//! Regular files that are read although others may have put something else in their place.
//!
//! Results lie in directories that are restored from caches, shared, or edited by hand. A FIFO there would
//! make the reader wait for ever, a link would let it read what is elsewhere, and a sparse file or a device
//! has more bytes than there is memory. So these are refused. Of a short file the first bytes are read before anybody looks at it:
//! a FIFO gives none to such a read, and a device none or too many.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use nix::errno::Errno;
use rustix::buffer::spare_capacity;

use crate::os::access_times;

/// Files with fewer bytes are read at once, without a look at them before.
const SHORT: usize = 16 << 10;

/// Opens a file for reading.
///
/// # Errors
///
/// There is no such file, it cannot be opened, or it is a link, FIFO, device or directory.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    checked(OpenOptions::new().read(true), path)
}

/// Opens a file for reading that nobody writes any more.
///
/// # Errors
///
/// As [`open`].
pub(crate) fn open_finished(path: &Path) -> io::Result<FinishedFile> {
    let (file, data) = with_metadata(OpenOptions::new().read(true), path)?;
    Ok(FinishedFile {
        file,
        length: data.len(),
        read: 0,
        at_end: data.len() == 0,
    })
}

/// Opens a file with these options, without following a link at the end of its path and without waiting.
pub(crate) fn checked(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    with_metadata(options, path).map(|(file, _)| file)
}

fn with_metadata(options: &mut OpenOptions, path: &Path) -> io::Result<(File, Metadata)> {
    let file = whatever(options, path)?;
    let data = looked_at(&file)?;
    Ok((file, data))
}

/// What the system knows of a file. `Err`: it is no regular one.
fn looked_at(file: &File) -> io::Result<Metadata> {
    let data = file.metadata()?;
    let kind = data.file_type();
    if kind.is_file() {
        return Ok(data);
    }
    let what = match kind {
        kind if kind.is_dir() => "it is a directory",
        kind if kind.is_fifo() => "it is a FIFO",
        _ => "it is a device",
    };
    Err(io::Error::other(what))
}

/// Opens what has this path, without following a link at its end and without waiting.
fn whatever(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Regular files do not know O_NONBLOCK; a FIFO would wait for its other end without it.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let opened = access_times::left(|flag| options.custom_flags(flags | flag).open(path));
    opened.map_err(|error| match error.raw_os_error().map(Errno::from_raw) {
        // FreeBSD says EMLINK.
        Some(Errno::ELOOP | Errno::EMLINK) => io::Error::other("it is a symbolic link"),
        // Of a FIFO without a reader, or a socket.
        Some(Errno::ENXIO) => io::Error::other("it is no regular file"),
        _ => error,
    })
}

/// The content of a file of at most this many bytes.
///
/// # Errors
///
/// As [`open`], or the file is longer.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let too_long = || io::Error::other(format!("it has more than {most} bytes"));
    whole(path, most)?.ok_or_else(too_long)
}

/// The content of a file. `Ok(None)`: it has more than this many bytes.
///
/// # Errors
///
/// As [`open`].
pub(crate) fn whole(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let file = whatever(OpenOptions::new().read(true), path)?;
    let mut bytes = Vec::with_capacity(SHORT);
    // Most are short, and are whole then: to look at each before takes a fourth of the time.
    if let Ok(1..SHORT) = read_behind(&file, &mut bytes) {
        bytes.shrink_to_fit();
        return Ok((bytes.len() as u64 <= most).then_some(bytes));
    }
    let length = looked_at(&file)?.len();
    if length > most {
        return Ok(None);
    }
    // With room for one byte more, so that the next read sees the end.
    bytes.reserve_exact((length as usize).saturating_sub(bytes.len()) + 1);
    // It may grow while it is read.
    while bytes.len() as u64 <= most {
        bytes.reserve(1);
        let room = bytes.capacity() - bytes.len();
        let read = read_behind(&file, &mut bytes)?;
        if read == 0 || (read < room && bytes.len() as u64 >= length) {
            return Ok(Some(bytes));
        }
    }
    Ok(None)
}

/// Reads once what the file has behind these bytes into the room behind them, which is not cleared before. Returns how many bytes came.
///
/// What has no places to read from, as a FIFO, is refused by the system.
fn read_behind(file: &File, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let place = bytes.len() as u64;
    loop {
        match rustix::io::pread(file, spare_capacity(bytes), place) {
            Err(rustix::io::Errno::INTR) => {}
            read => return Ok(read?),
        }
    }
}

/// A file that nobody writes any more: after a read of less than was wanted that reaches its length, the system is not
/// asked for its end.
#[derive(Debug)]
pub(crate) struct FinishedFile {
    file: File,
    length: u64,
    /// The place in the file up to which it was read.
    read: u64,
    at_end: bool,
}

impl Read for FinishedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at_end {
            return Ok(0);
        }
        let read = self.file.read(buffer)?;
        self.read += read as u64;
        self.at_end = read < buffer.len() && self.read >= self.length;
        Ok(read)
    }
}

impl Seek for FinishedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.read = self.file.seek(to)?;
        self.at_end = false;
        Ok(self.read)
    }
}

impl FinishedFile {
    /// The length when it was opened.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }
}

/// Copies a file, with its permissions.
///
/// # Errors
///
/// As [`open`], or the copy cannot be written, or exists.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
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
        // Also where somebody writes into it.
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
    fn the_end_is_seen_by_the_read_that_reaches_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        for length in [0, 1, 7, 8, 9, 100] {
            fs::write(&path, vec![b'x'; length]).unwrap();
            let mut file = open_finished(&path).unwrap();
            let mut all = 0;
            while let read @ 1.. = file.read(&mut [0; 8]).unwrap() {
                all += read;
                assert_eq!(file.at_end, read < 8);
            }
            assert_eq!(all, length);
            assert_eq!(super::read(&path, 100).unwrap().len(), length);
        }
        for length in [SHORT - 1, SHORT, SHORT + 1, 5 * SHORT] {
            let content: Vec<u8> = (0..length).map(|place| place as u8).collect();
            fs::write(&path, &content).unwrap();
            assert_eq!(whole(&path, length as u64).unwrap(), Some(content));
            assert_eq!(whole(&path, length as u64 - 1).unwrap(), None);
        }
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
