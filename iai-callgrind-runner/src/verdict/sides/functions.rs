//! The functions whose own instructions changed most between two records.

use std::collections::BTreeMap;

use super::RowFunction;
use crate::records::{MeasuredFunction, RecordedTool};

/// The most functions of a row.
const MOST: usize = 3;

/// The name of the row with all functions that have none of their own.
const OTHERS: &str = "…";

/// The functions that changed most, the greatest change first. Records have only functions that matter, so one that
/// is in none of them changed little.
pub(super) fn changed(old: &RecordedTool, new: &RecordedTool) -> Vec<RowFunction> {
    let mut changes = BTreeMap::new();
    if old.functions.is_empty() || new.functions.is_empty() {
        return Vec::new();
    }
    for (side, sign) in [(old, -1), (new, 1)] {
        for MeasuredFunction { name, origin, own } in &side.functions {
            *changes.entry((name, *origin)).or_insert(0) += sign * i128::from(*own);
        }
    }
    let changes = changes.into_iter();
    let changes = changes.filter(|((name, _), diff)| *diff != 0 && &***name != OTHERS);
    let mut changes: Vec<RowFunction> = changes
        .map(|((name, origin), diff)| RowFunction {
            diff: i64::try_from(diff).unwrap_or(if diff < 0 { i64::MIN } else { i64::MAX }),
            name: name.to_string(),
            origin,
        })
        .collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.diff.unsigned_abs()));
    changes.truncate(MOST);
    changes
}
