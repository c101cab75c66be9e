//! Notes on two results of the same code under the same conditions that differ.

use super::{CountChange, SameCode};
use metrics::MetricValue;

/// A change of the same code under the same conditions.
pub struct Doubt<'a> {
    /// The first count that changed.
    pub change: &'a CountChange,
    /// Is a limit on changes exceeded?
    pub exceeds: bool,
    /// Relation between the code of both results; decides what the note says.
    pub code: SameCode,
}

impl Doubt<'_> {
    /// The note about it. `hints` are lines with likely reasons why a benchmark is not
    /// deterministic.
    pub fn note(&self, hints: impl FnOnce() -> String) -> String {
        let CountChange {
            label,
            new: ours,
            old,
        } = self.change;
        let value =
            |value: &Option<MetricValue>| value.map(|it| it.to_string()).unwrap_or_default();
        let change = format!("{label} {}, before {}", value(ours), value(old));
        match self.code {
            // No hints: they name random numbers, clocks and the like, and are wrong where data
            // changed.
            SameCode::OtherData => format!(
                "same executable, other counts ({change}), the same in one more run: what it reads or loads has changed"
            ),
            SameCode::ByChance => {
                let limit = match self.exceeds {
                    true => "; that exceeds a limit on changes, which is not checked",
                    false => "",
                };
                format!("same executable, other counts: not deterministic ({change}){limit}{}", hints())
            }
            _ => format!(
                "same executable, other counts ({change}), what it reads or loads has changed, or it is not deterministic{}",
                hints()
            ),
        }
    }
}
