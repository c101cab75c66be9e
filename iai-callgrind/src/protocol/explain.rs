//! Explanations of changed counts.

use super::json::described;
use super::{EventKind, Over};

described! {
    /// Settings of explanations at one level.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Explain {
        /// Keep what explains a result.
        pub enabled: Option<bool>,
        /// The metric whose change is explained.
        pub metric: Option<EventKind>,
        /// Most rows below a benchmark.
        pub rows: Option<u64>,
    }
}

impl Over for Explain {
    #[inline]
    fn over(self, below: Self) -> Self {
        Self {
            enabled: self.enabled.or(below.enabled),
            metric: self.metric.or(below.metric),
            rows: self.rows.or(below.rows),
        }
    }
}
