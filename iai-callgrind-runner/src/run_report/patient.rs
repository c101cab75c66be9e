//! A writer that waits for a slow reader, also if the stream was made non-blocking by others, which
//! would otherwise fail when a pipe is full.

use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd};

/// Writer to a descriptor, which waits for room.
pub(super) struct PatientWriter<W>(pub(super) W);

impl<W: Write + AsFd> PatientWriter<W> {
    /// Does something again after each wait, until there is room for it.
    fn patiently<T>(&mut self, write: impl Fn(&mut W) -> io::Result<T>) -> io::Result<T> {
        loop {
            match write(&mut self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait()?,
                outcome => return outcome,
            }
        }
    }

    /// Waits until something can be written, or the reader is gone, which the next attempt finds out.
    fn wait(&self) -> io::Result<()> {
        let mut place = libc::pollfd {
            fd: self.0.as_fd().as_raw_fd(),
            events: libc::POLLOUT,
            revents: 0,
        };
        // SAFETY: `place` is one place of this frame.
        if unsafe { libc::poll(&mut place, 1, -1) } >= 0 {
            return Ok(());
        }
        match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            error => Err(error),
        }
    }
}

impl<W: Write + AsFd> Write for PatientWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.patiently(|writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.patiently(Write::flush)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{BufWriter, Read};
    use std::thread;
    use std::time::Duration;

    use nix::fcntl::OFlag;
    use nix::unistd::pipe2;

    use super::*;

    /// A file with a buffer of its own, as stdout is.
    struct Buffered(BufWriter<File>);

    impl Write for Buffered {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0.flush()
        }
    }

    impl AsFd for Buffered {
        fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
            self.0.get_ref().as_fd()
        }
    }

    #[track_caller]
    fn check<W: Write + AsFd>(wrap: impl Fn(File) -> W) {
        let (from, to) = pipe2(OFlag::O_NONBLOCK).unwrap();
        // The reader waits, unlike the writer.
        nix::fcntl::fcntl(&from, nix::fcntl::FcntlArg::F_SETFL(OFlag::empty())).unwrap();
        let reader = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            let mut all = Vec::new();
            File::from(from).read_to_end(&mut all).unwrap();
            all
        });
        let text: Vec<u8> = (0..200_000_u32).flat_map(u32::to_ne_bytes).collect();
        let mut writer = PatientWriter(wrap(File::from(to)));
        writer.write_all(&text).unwrap();
        writer.flush().unwrap();
        drop(writer);
        assert!(reader.join().unwrap() == text);
    }

    #[test]
    fn a_slow_reader_of_a_pipe_that_does_not_block_gets_everything() {
        check(|file| file);
        check(|file| Buffered(BufWriter::new(file)));
    }

    #[test]
    fn a_reader_that_is_gone_is_an_error() {
        let (from, to) = pipe2(OFlag::O_NONBLOCK).unwrap();
        drop(from);
        let error = PatientWriter(File::from(to)).write_all(b"x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
