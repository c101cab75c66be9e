//! The way of what benchmarks and hooks print to whoever shows it.
//!
//! `Capture` reads pieces from the files that benchmarks print to, [`OutputChannel`] passes them on in their
//! order: at once, or when it is the turn of the benchmark. Who shows them, and where, is known to the
//! report alone.

use std::sync::{Arc, Mutex, PoisonError};

use crate::cli::Stream;

/// Shows a piece of what was printed.
type Show = dyn Fn(Stream, &[u8]) + Send + Sync;

/// What was printed, in its order.
type Pieces = Mutex<Vec<(Stream, Vec<u8>)>>;

/// Passes on what benchmarks and hooks print. Clones belong to the same benchmark.
#[derive(Clone)]
pub struct OutputChannel {
    show: Arc<Show>,
    is_one_place: bool,
    /// Pieces that wait for their turn, if they have to.
    waiting: Option<Arc<Pieces>>,
}

impl OutputChannel {
    /// To whoever shows it. Where both streams end up in one place, their order is kept.
    pub fn new(is_one_place: bool, show: impl Fn(Stream, &[u8]) + Send + Sync + 'static) -> Self {
        Self {
            show: Arc::new(show),
            is_one_place,
            waiting: None,
        }
    }

    /// One for a benchmark that runs beside others: nothing is shown before [`OutputChannel::show_waiting`].
    #[must_use]
    pub fn waiting(&self) -> Self {
        Self {
            waiting: Some(Arc::default()),
            ..self.clone()
        }
    }

    /// A piece of what was printed.
    pub fn printed(&self, stream: Stream, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        match &self.waiting {
            None => (self.show)(stream, bytes),
            Some(pieces) => {
                let mut pieces = pieces.lock().unwrap_or_else(PoisonError::into_inner);
                pieces.push((stream, bytes.to_owned()));
            }
        }
    }

    /// It is the turn of the benchmark: shows what was printed until now.
    pub fn show_waiting(&self) {
        let Some(pieces) = &self.waiting else { return };
        let mut pieces = pieces.lock().unwrap_or_else(PoisonError::into_inner);
        for (stream, bytes) in pieces.drain(..) {
            (self.show)(stream, &bytes);
        }
    }

    /// Do both streams end up in the same place?
    pub fn is_one_place(&self) -> bool {
        self.is_one_place
    }
}
