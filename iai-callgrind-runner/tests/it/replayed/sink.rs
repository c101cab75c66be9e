//! A sink that can be looked into.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Clones write to the same place.
#[derive(Clone, Default)]
pub(crate) struct Sink {
    written: Arc<Mutex<Vec<u8>>>,
    /// Nothing can be written after the first line.
    closes: bool,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.written.lock().unwrap();
        match self.closes && written.contains(&b'\n') {
            true => Err(io::ErrorKind::BrokenPipe.into()),
            false => written.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink {
    #[allow(dead_code, reason = "not every test closes it")]
    /// A sink which nobody reads after the first line, or one for everything.
    pub(crate) fn new(closes: bool) -> Self {
        Self {
            closes,
            ..Self::default()
        }
    }

    /// Everything so far.
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.written.lock().unwrap().clone()).unwrap()
    }
}
