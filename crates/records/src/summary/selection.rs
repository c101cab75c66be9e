//! The types of the JSON output: which part of a suite ran.

use iai_callgrind::protocol::{Filter, Partition};
use iai_callgrind::shared::hash::hash;
use serde::{Deserialize, Serialize};

/// The part of a suite that a run selects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunSelection {
    /// The part of `--partition`.
    pub partition: Option<RecordedPartition>,
    /// Filters of the run.
    pub filter: Filter,
    /// All benchmarks of the file.
    pub suite: Option<SuiteFacts>,
}

/// The part of a suite that `--partition` selected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedPartition {
    /// The way of dividing: `hash`, `count` or `time`.
    pub kind: String,
    /// The number of the part, from 1.
    pub part: u64,
    /// The number of parts.
    pub parts: u64,
}

/// All benchmarks of a bench file, before filters and `--partition`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuiteFacts {
    /// Number of benchmarks.
    pub benchmarks: u64,
    /// A hash of the sorted paths, equal in all runs of the same benchmarks.
    pub hash: String,
}

impl From<Partition> for RecordedPartition {
    fn from(partition: Partition) -> Self {
        Self {
            kind: partition.kind().to_owned(),
            part: partition.part(),
            parts: partition.parts(),
        }
    }
}

impl SuiteFacts {
    /// Facts of the benchmarks with these paths, in whatever order.
    #[must_use]
    pub fn new(mut paths: Vec<String>) -> Self {
        paths.sort_unstable();
        Self {
            benchmarks: paths.len() as u64,
            hash: format!("{:016x}", hash(paths.join("\n").as_bytes())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_are_equal_in_any_order() {
        let facts =
            |paths: &[&str]| SuiteFacts::new(paths.iter().map(ToString::to_string).collect());
        let one = facts(&["a::g::b", "a::g::a"]);
        assert_eq!(one, facts(&["a::g::a", "a::g::b"]));
        // `printf 'a::g::a\na::g::b'` through the published FNV-1a.
        assert_eq!((one.benchmarks, one.hash.as_str()), (2, "6e6283c6c8d6017c"));
        assert_ne!(one.hash, facts(&["a::g::a", "a::g::c"]).hash);
        assert_ne!(one.hash, facts(&["a::g::a"]).hash);
        assert_eq!(facts(&[]).hash, "cbf29ce484222325");
    }

    #[test]
    fn partitions_say_their_parts() {
        let partition: Partition = "count:2/3".parse().unwrap();
        let recorded = RecordedPartition {
            kind: "count".to_owned(),
            part: 2,
            parts: 3,
        };
        assert_eq!(RecordedPartition::from(partition), recorded);
    }
}
