//! Places at which two runs of the same code part: own costs that differ, by line of the user.
//!
//! In: two digests and a metric. Out: the places with the largest differences. A place is the
//! innermost function of the user that was inlined there, or without one the function of the
//! machine code, such as `memcmp`. Costs are own ones, so a loop that ran longer is named and not
//! what called it.

use std::collections::BTreeMap;

use iai_callgrind::protocol::EventKind;
use serde::{Deserialize, Serialize};

use super::digest::Digest;
use super::display::ShownFunctions;
use super::pair::{FunctionPairs, PairNumber};
use super::sides::{side_graphs, SharedNames, SourceLine, NEW, NONE, OLD};
use super::{values, ExplainError};

/// Place whose own costs differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartingPlace {
    /// The function.
    pub function: String,
    /// Its file, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Own costs in the benchmark.
    pub new: u64,
    /// Own costs in the other benchmark.
    pub other: u64,
}

/// Places at which the costs of a benchmark part from those of another one, at most so many, the
/// largest difference first.
///
/// # Errors
///
/// The same errors as [`super::explain`].
pub fn parting_places(
    other: &Digest,
    new: &Digest,
    metric: EventKind,
    most: usize,
) -> Result<Vec<PartingPlace>, ExplainError> {
    let digests = [other, new];
    let values = [values(other, metric)?, values(new, metric)?];
    let pairs = FunctionPairs::find(other, new);
    let shown = ShownFunctions::new(other, new, &pairs);
    let mut names = SharedNames::default();
    let graphs = side_graphs(digests, &values, &pairs, &mut names);
    let mut sums: BTreeMap<(PairNumber, SourceLine), [f64; 2]> = BTreeMap::new();
    for side in [OLD, NEW] {
        // The last body is the outside, which has no costs.
        for (body, own) in graphs[side].own.iter().enumerate().take(pairs.len()) {
            for cost in own {
                let place = match cost.site.user {
                    // The user cannot edit a line of other code.
                    NONE => (body as PairNumber, NOWHERE),
                    user => (user, cost.site.line),
                };
                sums.entry(place).or_default()[side] += cost.cost;
            }
        }
    }
    let difference = |costs: &[f64; 2]| (costs[NEW] - costs[OLD]).abs();
    let mut differing: Vec<_> = sums
        .into_iter()
        .filter(|(_, costs)| difference(costs) > 0.0)
        .collect();
    differing.sort_by(|(_, one), (_, other)| difference(other).total_cmp(&difference(one)));
    differing.truncate(most);
    let place = |((function, line), costs): ((PairNumber, SourceLine), [f64; 2])| PartingPlace {
        function: shown.name(function),
        file: match line.file {
            NONE => shown.file(function),
            file => Some(names.texts[file as usize].to_owned()),
        },
        line: Some(line.line).filter(|line| *line > 0),
        new: costs[NEW] as u64,
        other: costs[OLD] as u64,
    };
    Ok(differing.into_iter().map(place).collect())
}

/// No line of the user.
const NOWHERE: SourceLine = SourceLine {
    file: NONE,
    line: 0,
};

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind::{Dr, Ir};

    use super::super::sample::digest;
    use super::*;

    fn places(other: &str, new: &str, most: usize) -> Vec<String> {
        let found = parting_places(&digest(other), &digest(new), Ir, most).unwrap();
        let text = |place: PartingPlace| {
            let line = place.line.map(|line| format!(":{line}"));
            let (new, other) = (place.new, place.other);
            format!(
                "{}{} {new} {other}",
                place.function,
                line.unwrap_or_default()
            )
        };
        found.into_iter().map(text).collect()
    }

    const EARLY: &str = "root lab::bench
        own lab::bench:1 = 10
        call lab::bench:2 -> lab::compare 1 = 38
        own lab::compare:5 = 20
        own lab::compare:6 > std::Iter::next:80 = 15
        call lab::compare:6 -> memcmp 1 = 3
        own memcmp:0 = 3";

    #[test]
    fn a_loop_that_ran_longer_is_named_and_not_its_caller() {
        let late = EARLY
            .replace("= 38", "= 263")
            .replace("compare:5 = 20", "compare:5 = 200")
            .replace("= 15", "= 60");
        assert_eq!(
            places(EARLY, &late, 5),
            ["lab::compare:5 200 20", "lab::compare:6 60 15"]
        );
        assert_eq!(places(EARLY, &late, 1), ["lab::compare:5 200 20"]);
    }

    #[test]
    fn code_of_others_is_named_without_a_line() {
        let late = EARLY
            .replace("memcmp 1 = 3", "memcmp 1 = 9")
            .replace("memcmp:0 = 3", "memcmp:0 = 9");
        assert_eq!(places(EARLY, &late, 5), ["memcmp 9 3"]);
    }

    #[test]
    fn equal_runs_part_nowhere() {
        assert_eq!(places(EARLY, EARLY, 5), [""; 0]);
    }

    #[test]
    fn metrics_that_were_not_collected_are_an_error() {
        let digest = digest(EARLY);
        parting_places(&digest, &digest, Dr, 5).unwrap_err();
    }
}
