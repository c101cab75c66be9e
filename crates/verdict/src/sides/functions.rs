//! The functions whose own instructions changed most between two records.

use std::collections::BTreeMap;

use iai_callgrind::protocol::EventKind;

use super::RowFunction;
use explain::SourceOrigin;
use metrics::MetricKind;
use records::{MeasuredFunction, RecordedTool};

/// The most functions of a row.
const MOST: usize = 3;

/// The name of the row with all functions that have none of their own.
const OTHERS: &str = "…";

/// The functions that changed most, the greatest change first. Records have only functions that
/// matter, so one that is in none of them changed little. Another C library has other functions
/// inside, and maybe no names of them, so then each library of the system is one row.
pub(super) fn changed(old: &RecordedTool, new: &RecordedTool) -> Vec<RowFunction> {
    let mut changes = BTreeMap::new();
    // Another tool, or a version that kept no functions: all those of the other side would look
    // new.
    if old.functions.is_empty() || new.functions.is_empty() {
        return Vec::new();
    }
    let by_library = old.circumstances.libc != new.circumstances.libc;
    let instructions = MetricKind::from(EventKind::Ir).name();
    for (side, sign) in [(old, -1), (new, 1)] {
        let functions = side.functions.iter();
        let functions =
            functions.map(|MeasuredFunction { name, origin, own }| (&**name, *origin, *own));
        let functions =
            functions.filter(|(_, origin, _)| !by_library || *origin != SourceOrigin::System);
        let libraries = side
            .objects
            .iter()
            .filter(|object| by_library && !object.own);
        let libraries = libraries.filter_map(|object| {
            Some((
                &*object.name,
                SourceOrigin::System,
                *object.counts.get(instructions)?,
            ))
        });
        for (name, origin, own) in functions.chain(libraries) {
            // In 128 bits, which no sum of counts with either sign leaves.
            *changes.entry((name, origin)).or_insert(0) += sign * i128::from(own);
        }
    }
    let changes = changes.into_iter();
    // The rest of one side has other functions in it than that of the other.
    let changes = changes.filter(|((name, _), diff)| *diff != 0 && *name != OTHERS);
    let mut changes: Vec<RowFunction> = changes
        .map(|((name, origin), diff)| RowFunction {
            diff: i64::try_from(diff).unwrap_or(if diff < 0 { i64::MIN } else { i64::MAX }),
            name: name.to_string(),
            origin,
        })
        .collect();
    // Stable, and the map was in the order of names, so ties are the same in each report.
    changes.sort_by_key(|change| std::cmp::Reverse(change.diff.unsigned_abs()));
    changes.truncate(MOST);
    changes
}
