//! The one change that a benchmark is known by: more, less, or as before.

use iai_callgrind::protocol::metric::Family;

use super::{is_cycles, is_instructions, ComparisonRow, ToolResult, Trend};

/// The change of a result, by the metric that decides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MainChange {
    pub(crate) kind: MainChangeKind,
    /// The row that changed, if one did.
    pub(crate) row: Option<ComparisonRow>,
}

/// What became of a result. The order is that of what is worth to be said: of several tools the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MainChangeKind {
    /// There is no old result.
    New,
    /// There is an old result, or one was asked for, and nothing was compared with.
    NotCompared,
    Same,
    /// Something changed, which says nothing about the code.
    Noise,
    Better,
    Worse,
}

impl ToolResult {
    /// Instructions decide, then cycles, then what else is shown, except for caches: of these more of one kind is less of
    /// another. Where the results handled different amounts, the count for each unit decides alone.
    pub(crate) fn main_change(&self) -> MainChange {
        let total = &self.total;
        if total.rows.iter().all(|row| row.old.is_none()) {
            return MainChange::without_row(match self.not_compared {
                true => MainChangeKind::NotCompared,
                false => MainChangeKind::New,
            });
        }
        let per_unit = total.other_amount().map(|amount| amount.kind);
        let decides = |row: &&ComparisonRow| per_unit.is_none_or(|kind| kind == row.kind);
        let per_unit = per_unit.and_then(|kind| total.row(kind));
        let first = total.rows.iter().filter(|row| is_instructions(row.kind));
        let second = total.rows.iter().filter(|row| is_cycles(row.kind));
        let shown = self.format.iter().filter_map(|kind| total.row(*kind));
        let shown = shown.filter(|row| row.kind.family() != Family::Caches);
        let mut kind = MainChangeKind::Same;
        let rows = per_unit.into_iter().chain(first).chain(second).chain(shown);
        for row in rows.filter(decides) {
            let difference = row.difference();
            let Some(trend) = difference.and_then(|it| it.trend(row.kind.direction())) else {
                continue;
            };
            if total.noise(row).is_some() {
                kind = MainChangeKind::Noise;
                continue;
            }
            return MainChange {
                kind: match trend {
                    Trend::Better => MainChangeKind::Better,
                    Trend::Worse => MainChangeKind::Worse,
                },
                row: Some(*row),
            };
        }
        MainChange::without_row(kind)
    }
}

impl MainChange {
    fn without_row(kind: MainChangeKind) -> Self {
        Self { kind, row: None }
    }
}
