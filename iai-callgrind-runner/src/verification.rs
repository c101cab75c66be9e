//! The outcome of `--verify` for one benchmark: what both ways of counting found, and where they part.

use crate::identity::Identity;

/// Both counts of a benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// Its name.
    pub identity: Identity,
    /// Callgrind's figure, as a run reports it.
    pub callgrind: Option<u64>,
    /// What was counted in single steps; `Err`: why nothing was.
    pub stepped: Result<Stepped, String>,
}

/// What was counted in single steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stepped {
    /// Instructions of the benchmark function, or of the regions in it.
    pub count: i64,
    /// How many of them stand for the last look of `rep` instructions, which no step shows.
    pub of_repeats: i64,
    /// The same for client requests, which are several steps.
    pub of_requests: i64,
    /// How often the handler of a signal ran meanwhile.
    pub handlers: u64,
    /// Functions with other counts, those that were entered first at the begin.
    pub partings: Vec<Parting>,
}

impl Verification {
    /// Is Callgrind's figure the true one?
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
    /// Its name.
    pub function: String,
    /// The file name of the executable or library.
    pub object: String,
    /// The function from which it was reached first, if it was reached without Valgrind.
    pub reached_from: Option<String>,
    /// What it executed itself under Callgrind.
    pub callgrind: u64,
    /// The same in single steps.
    pub stepped: i64,
}
