//! The times that benchmarks took in the last run, read beside this one.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// Larger records take longer to read than an estimate is worth.
const LARGEST: u64 = 1 << 24;

/// Times by the whole name of a benchmark, as soon as they are read.
#[derive(Debug, Clone, Default)]
pub struct LastTimes(Arc<OnceLock<HashMap<String, Duration>>>);

impl LastTimes {
    /// Reads the records of the last run in a thread. Without records, or a thread, there are no times.
    pub fn begin(file: &Path) -> Self {
        let times = Self::default();
        let (to, file) = (times.clone(), file.to_owned());
        let read = move || {
            // A link does not lead to records of ours.
            let is_small = |data: Metadata| data.is_file() && data.len() <= LARGEST;
            if fs::symlink_metadata(&file).is_ok_and(is_small) {
                // Whatever is wrong with them is said by those who need them.
                let read = crate::times(&file).unwrap_or_default().into_iter();
                let read = read.map(|time| (time.path, Duration::from_nanos(time.duration_ns)));
                let _ = to.0.set(read.collect());
            }
        };
        let _ = thread::Builder::new().spawn(read);
        times
    }

    /// The times, if they are read by now.
    pub fn get(&self) -> Option<&HashMap<String, Duration>> {
        self.0.get()
    }
}

#[cfg(any(test, feature = "sample"))]
impl<'a> FromIterator<(&'a str, u64)> for LastTimes {
    /// Times in seconds.
    fn from_iter<I: IntoIterator<Item = (&'a str, u64)>>(times: I) -> Self {
        let times = times.into_iter();
        let times = times.map(|(name, seconds)| (name.to_owned(), Duration::from_secs(seconds)));
        Self(Arc::new(OnceLock::from(times.collect::<HashMap<_, _>>())))
    }
}
