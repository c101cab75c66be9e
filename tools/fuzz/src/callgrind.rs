//! The complete reader of Callgrind's files, and what follows from the totals.

use std::collections::BTreeMap;

use crate::{add, same, wide, Dribble};
use base::tool::Tool;
use formats::callgrind::{self, CallgrindFlag, CallgrindItem, CallgrindProfile};
use metrics::Metrics;
use verdict::compare;

pub(crate) fn check(bytes: &[u8]) {
    // Adds up the items that the visitor gets.
    let mut self_costs: Vec<Vec<u128>> = Vec::new();
    let mut own: Vec<Vec<u128>> = Vec::new();
    let result = callgrind::read_with(bytes, |event| match event {
        CallgrindItem::Part => {
            self_costs.push(Vec::new());
            own.push(Vec::new());
        }
        CallgrindItem::Cost { positions, costs } => {
            assert!((1..=3).contains(&positions.len()));
            let part = self_costs
                .last_mut()
                .expect("a part begins before its costs");
            assert!(part.is_empty() || part.len() == costs.len());
            add(part, costs);
        }
        CallgrindItem::Call {
            target, positions, ..
        } => assert_eq!(target.len(), positions.len()),
        // All lines of a function together.
        CallgrindItem::Own(costs) => add(own.last_mut().expect("a part begins before it"), costs),
        CallgrindItem::Events { .. }
        | CallgrindItem::Place(_)
        | CallgrindItem::Callee(_)
        | CallgrindItem::JumpTo(_) => {}
    });
    same(&result, &callgrind::read(Dribble(bytes)));
    let Ok(Some(profile)) = result else { return };
    assert_eq!(profile.parts.len(), self_costs.len());
    for ((part, mut sums), mut own) in profile.parts.iter().zip(self_costs).zip(own) {
        sums.resize(part.events.len(), 0);
        own.resize(part.events.len(), 0);
        assert_eq!(own, sums);
        assert_eq!(part.totals.len(), part.events.len());
        let has = |flag| part.flags.contains(&flag);
        assert!(!has(CallgrindFlag::SummaryUsed) || has(CallgrindFlag::Incomplete));
        assert!(!has(CallgrindFlag::SumUsed) || has(CallgrindFlag::Incomplete));
        // A total that is not the sum of the costs is never taken silently.
        if !has(CallgrindFlag::Inconsistent) && !has(CallgrindFlag::SummaryUsed) {
            assert_eq!(wide(&part.totals), sums);
        }
    }
    totals(&profile);
}

/// Counts add up by name, or are refused.
fn totals(profile: &CallgrindProfile) {
    let mut expected: BTreeMap<&str, u128> = BTreeMap::new();
    for part in &profile.parts {
        for (event, count) in part.events.iter().zip(&part.totals) {
            *expected.entry(event).or_default() += u128::from(*count);
        }
    }
    let fits = expected.values().all(|sum| u64::try_from(*sum).is_ok());
    let totals = profile.totals();
    assert_eq!(totals.is_ok(), fits);
    let Ok(totals) = totals else { return };
    let found: BTreeMap<&str, u128> = totals
        .iter()
        .map(|(event, sum)| (*event, u128::from(*sum)))
        .collect();
    assert_eq!(found, expected);
    let Ok(metrics) = Metrics::from_counters(Tool::Callgrind, totals) else {
        return;
    };
    let count = |event: &str| expected.get(event).copied().unwrap_or_default();
    // In a file of Callgrind's; what is made up may say otherwise, and have rates above 100 %.
    let misses_are_accesses = [
        ["ILmr", "I1mr", "Ir"],
        ["DLmr", "D1mr", "Dr"],
        ["DLmw", "D1mw", "Dw"],
    ]
    .into_iter()
    .all(|levels| levels.map(count).is_sorted());
    for (kind, value) in metrics.iter() {
        let number = value.as_f64();
        assert!(number.is_finite() && number >= 0.0, "{kind}: {value}");
        if misses_are_accesses && kind.name().ends_with("Rate") {
            assert!(number <= 100.0, "{kind}: {value}");
        }
    }
    for row in compare(&metrics, Some(&metrics)).rows {
        assert_eq!(
            row.difference().map(|difference| difference.percent),
            Some(0.0)
        );
    }
}
