//! Redirects stdout to stderr while functions of the user register benchmarks: what they print must
//! not be taken for the output of a run.

/// Redirects stdout to stderr until it is dropped. Has no effect on systems other than Unix.
pub(super) struct StdoutAside {
    #[cfg(unix)]
    stdout: std::ffi::c_int,
}

impl StdoutAside {
    pub(super) fn begin() -> Self {
        // What is buffered belongs to the stream as it was.
        flush();
        Self {
            #[cfg(unix)]
            // SAFETY: plain calls. Where there is no stdout, the copy is -1, and there is nothing
            // to take back.
            stdout: unsafe {
                // Above the standard streams, and closed in programs that functions of the user
                // start.
                let copy = libc::fcntl(1, libc::F_DUPFD_CLOEXEC, 3);
                libc::dup2(2, 1);
                copy
            },
        }
    }
}

impl Drop for StdoutAside {
    fn drop(&mut self) {
        flush();
        #[cfg(unix)]
        // SAFETY: plain calls, on a descriptor that nobody else has.
        unsafe {
            libc::dup2(self.stdout, 1);
            libc::close(self.stdout);
        }
    }
}

fn flush() {
    // Who prints there next sees the error again.
    let _ = std::io::Write::flush(&mut std::io::stdout());
}
