//! The outcome of `--verify` for one benchmark: both counts, and the functions in which they differ.

use base::benchmark_path::BenchmarkPath;

/// Both counts of a benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// The benchmark.
    pub benchmark_path: BenchmarkPath,
    /// Callgrind's figure, as a run reports it.
    pub callgrind: Option<u64>,
    /// The count in single steps; `Err`: the reason why there is none.
    pub stepped: Result<SteppedCount, String>,
}

/// Count in single steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SteppedCount {
    /// Instructions of the benchmark function, or of the regions in it.
    pub count: i64,
    /// Instructions of the count for the last checks of `rep` instructions, which no step shows.
    pub of_repeats: i64,
    /// Instructions of the count for client requests; negative, since each is several steps.
    pub of_requests: i64,
    /// Number of calls of signal handlers.
    pub handlers: u64,
    /// Functions whose counts differ, in the order in which they were entered.
    pub partings: Vec<Parting>,
}

impl Verification {
    /// Are both counts equal?
    #[must_use]
    pub fn is_equal(&self) -> bool {
        let stepped = self.stepped.as_ref().ok();
        let stepped = stepped.and_then(|stepped| u64::try_from(stepped.count).ok());
        stepped.is_some() && stepped == self.callgrind
    }
}

/// A function that executed more in one way of counting than in the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parting {
    /// Name of the function.
    pub function: String,
    /// The file name of the executable or library.
    pub object: String,
    /// The function from which this one was reached first, if it was reached without Valgrind.
    pub reached_from: Option<String>,
    /// Own cost under Callgrind.
    pub callgrind: u64,
    /// Own cost in single steps.
    pub stepped: i64,
}
