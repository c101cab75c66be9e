//! The times that benchmarks took, of all records of a place.

use std::io;
use std::path::Path;

use super::argument::ResultsPlace;
use super::reader::{RecordError, RecordReader};
use crate::timings::BenchmarkTime;

/// The times of all benchmarks of a file or directory, whatever commit and label they have.
///
/// # Errors
///
/// The records cannot be read.
pub fn times(path: &Path) -> Result<Vec<BenchmarkTime>, RecordError> {
    let mut reader = RecordReader::default();
    ResultsPlace::Path(path.to_owned()).read(&mut reader, io::empty())?;
    let benchmarks = reader.finish().benchmarks.into_iter();
    let times = benchmarks.map(|benchmark| BenchmarkTime {
        package: benchmark.identity.package.to_string(),
        path: benchmark.identity.path.to_string(),
        run: benchmark.read_from,
        started_at: benchmark.started_at,
        duration_ns: benchmark.duration_ns,
    });
    Ok(times.collect())
}
