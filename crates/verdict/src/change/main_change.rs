//! The one change that a benchmark is known by: more, less, or as before.

use iai_callgrind::protocol::metric::Family;

use super::{is_cycles, is_instructions, ComparisonRow, Trend};
use crate::{RowClass, ToolResult};
use records::summary::{Changes, LargestChange, Number};

/// The change of a result, by the metric that decides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MainChange {
    /// Class of the result, without regard to limits: new, not compared, the same, noise or
    /// changed.
    pub class: RowClass,
    /// The row that changed, if one did, and whether that is welcome.
    pub row: Option<(ComparisonRow, Trend)>,
}

impl ToolResult {
    /// Instructions decide, then cycles, then the other shown metrics, except for caches: more of
    /// one of them is less of another. If the results handled different amounts, the count for each
    /// unit decides alone.
    pub fn main_change(&self) -> MainChange {
        let total = &self.total;
        if total.rows.iter().all(|row| row.old.is_none()) {
            return MainChange::without_row(match self.not_compared {
                true => RowClass::NotCompared,
                false => RowClass::New,
            });
        }
        let per_unit = total.other_amount().map(|amount| amount.kind);
        let decides = |row: &&ComparisonRow| per_unit.is_none_or(|kind| kind == row.kind);
        let per_unit = per_unit.and_then(|kind| total.row(kind));
        let first = total.rows.iter().filter(|row| is_instructions(row.kind));
        let second = total.rows.iter().filter(|row| is_cycles(row.kind));
        let shown = self.format.iter().filter_map(|kind| total.row(*kind));
        let shown = shown.filter(|row| row.kind.family() != Family::Caches);
        let mut class = RowClass::Same;
        let rows = per_unit.into_iter().chain(first).chain(second).chain(shown);
        for row in rows.filter(decides) {
            let difference = row.difference();
            let Some(trend) = difference.and_then(|it| it.trend(row.kind.direction())) else {
                continue;
            };
            // Noise does not end the search: a later metric may have changed for a reason.
            if total.noise(row).is_some() {
                class = RowClass::Noise;
                continue;
            }
            return MainChange {
                class: RowClass::Changed,
                row: Some((*row, trend)),
            };
        }
        MainChange::without_row(class)
    }
}

impl MainChange {
    fn without_row(class: RowClass) -> Self {
        Self { class, row: None }
    }

    /// Does it represent the benchmark, rather than the change under another tool? Changes come
    /// first, the worse ones before the better ones, then compared results without a change.
    pub fn is_above(&self, other: &Self) -> bool {
        let rank = |change: &Self| match change.class {
            RowClass::New => 0,
            RowClass::NotCompared => 1,
            RowClass::Same => 2,
            RowClass::Noise => 3,
            _ if !change.is_worse() => 4,
            _ => 5,
        };
        rank(self) > rank(other)
    }

    /// The numbers of one benchmark, which has this whole name.
    #[must_use]
    pub fn counted(&self, benchmark: &str) -> Changes {
        let mut changes = Changes::default();
        let counter = match self.class {
            RowClass::New => &mut changes.new,
            RowClass::NotCompared => &mut changes.not_compared,
            RowClass::Same => &mut changes.same,
            RowClass::Noise => &mut changes.noise,
            _ if self.is_worse() => &mut changes.worse,
            _ => &mut changes.better,
        };
        *counter = 1;
        changes.largest = self.row.and_then(|(row, _)| {
            let percent = row.difference()?.percent;
            Some(LargestChange {
                benchmark: benchmark.to_owned(),
                metric: row.kind.label().to_owned(),
                new: Number::from(row.new?),
                old: Number::from(row.old?),
                diff_pct: percent.is_finite().then_some(percent),
                worse: self.is_worse(),
            })
        });
        changes
    }

    /// Did it change for the worse?
    pub fn is_worse(&self) -> bool {
        self.row.is_some_and(|(_, trend)| trend == Trend::Worse)
    }
}
