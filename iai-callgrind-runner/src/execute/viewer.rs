//! What benchmarks and hooks print, for those who want to see it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::cli::Stream;

/// Sees what benchmarks and hooks print.
pub trait Viewer: Send + Sync {
    /// A piece of what was printed, in its order.
    fn printed(&self, stream: Stream, bytes: &[u8]);

    /// Do both streams end up in the same place? Then their order is kept.
    fn is_one_place(&self) -> bool;
}

/// Keeps what is printed until it is its turn to be seen.
pub struct Kept {
    pieces: Mutex<Vec<(Stream, Vec<u8>)>>,
    viewer: Arc<dyn Viewer>,
}

impl Kept {
    /// For this viewer.
    pub fn new(viewer: Arc<dyn Viewer>) -> Self {
        Self {
            pieces: Mutex::default(),
            viewer,
        }
    }

    /// Shows everything that was kept.
    pub fn show(&self) {
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        for (stream, bytes) in pieces.drain(..) {
            self.viewer.printed(stream, &bytes);
        }
    }
}

impl Viewer for Kept {
    fn printed(&self, stream: Stream, bytes: &[u8]) {
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.push((stream, bytes.to_owned()));
    }

    fn is_one_place(&self) -> bool {
        self.viewer.is_one_place()
    }
}
