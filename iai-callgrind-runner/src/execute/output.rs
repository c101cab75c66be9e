//! The output of benchmarks and hooks on its way to the report, which shows it.
//!
//! `Capture` reads pieces from the files that benchmarks print to, [`OutputChannel`] passes them on
//! in their order: at once, or when it is the turn of the benchmark. Only the report knows where
//! they are shown.

use std::sync::{Arc, Mutex, PoisonError};

use cli::Stream;

/// Shows a piece of output.
type Show = dyn Fn(Stream, &[u8]) + Send + Sync;

/// Output in its order.
type Pieces = Mutex<Vec<(Stream, Vec<u8>)>>;

/// Channel of the output of benchmarks and hooks to the report. Clones belong to the same
/// benchmark.
#[derive(Clone)]
pub struct OutputChannel {
    show: Arc<Show>,
    is_one_place: bool,
    /// Output of a benchmark whose turn has not come. `None`: it is shown at once.
    waiting: Option<Arc<Pieces>>,
}

impl OutputChannel {
    /// A channel to `show`. Where both streams end up in one place, their order is kept.
    pub fn new(is_one_place: bool, show: impl Fn(Stream, &[u8]) + Send + Sync + 'static) -> Self {
        Self {
            show: Arc::new(show),
            is_one_place,
            waiting: None,
        }
    }

    /// The channel of a benchmark that runs beside others: nothing is shown before
    /// [`OutputChannel::show_waiting`].
    #[must_use]
    pub fn waiting(&self) -> Self {
        Self {
            waiting: Some(Arc::default()),
            ..self.clone()
        }
    }

    /// Takes a piece of output.
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

    /// Shows the output until now: it is the turn of the benchmark.
    pub fn show_waiting(&self) {
        let Some(pieces) = &self.waiting else { return };
        // Held to the end, so that what is printed meanwhile comes after it.
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
