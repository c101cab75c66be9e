//! Records as they were read, before they are checked as a whole.

use super::benchmark::{RecordedBenchmark, RecordedRun};
use super::digest_line::RecordedDigest;
use super::point::RecordedPoint;

/// Records of some inputs, in their order, of whatever runs and commits.
#[derive(Debug, Default)]
pub struct RecordSet {
    /// The arguments that name the inputs.
    pub arguments: Vec<String>,
    /// The inputs that records are from.
    pub inputs: Vec<RecordInput>,
    /// Records of benchmarks.
    pub benchmarks: Vec<RecordedBenchmark>,
    /// Records of runs.
    pub runs: Vec<RecordedRun>,
    /// Lines of `history.jsonl`, if they were asked for.
    pub points: Vec<RecordedPoint>,
    /// Lines with digests, if they were asked for.
    pub digests: Vec<RecordedDigest>,
    /// Notes about text that was skipped.
    pub notes: Vec<String>,
}

/// A text with records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordInput {
    /// The path of the file, or `-`.
    pub name: String,
}

impl RecordSet {
    /// The name of an input.
    #[must_use]
    pub fn input(&self, input: u32) -> &str {
        let input = self.inputs.get(input as usize);
        input.map_or("", |input| &input.name)
    }

    /// Is there no record?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.benchmarks.is_empty() && self.runs.is_empty()
    }
}
