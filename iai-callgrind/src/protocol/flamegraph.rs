//! Flamegraphs of Callgrind's and DHAT's profiles.

use super::json::described;
use super::{EventKind, Over};

described! {
    /// Settings of flamegraphs at one level.
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Flamegraph {
        /// Kinds of graphs to draw.
        pub kind: Option<FlamegraphKind>,
        /// One graph for each of these metrics of Callgrind.
        pub event_kinds: Option<Vec<EventKind>>,
        /// Direction in which the stacks grow.
        pub direction: Option<Direction>,
        /// Swap the colors of more and less.
        pub negate_differential: Option<bool>,
        /// Scale the old profile to the total of the new one.
        pub normalize_differential: Option<bool>,
        /// The headline of the graph.
        pub title: Option<String>,
        /// The line below the headline.
        pub subtitle: Option<String>,
        /// Frames that are narrower than this percentage of the graph are left out.
        pub min_width: Option<f64>,
    }
}

impl Over for Flamegraph {
    #[inline]
    fn over(self, below: Self) -> Self {
        Self {
            kind: self.kind.or(below.kind),
            event_kinds: self.event_kinds.or(below.event_kinds),
            direction: self.direction.or(below.direction),
            negate_differential: self.negate_differential.or(below.negate_differential),
            normalize_differential: self.normalize_differential.or(below.normalize_differential),
            title: self.title.or(below.title),
            subtitle: self.subtitle.or(below.subtitle),
            min_width: self.min_width.or(below.min_width),
        }
    }
}

described! {
    /// Kinds of flamegraphs that are drawn.
    ///
    /// ```
    /// use iai_callgrind::{FlamegraphConfig, FlamegraphKind};
    ///
    /// FlamegraphConfig::default().kind(FlamegraphKind::Differential);
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum FlamegraphKind {
        /// Regular and differential ones.
        #[default]
        All,
        /// Flamegraphs of this run, and of the old one.
        Regular,
        /// Flamegraphs of the difference to the old run.
        Differential,
        /// No flamegraphs.
        None,
    }
}

described! {
    /// Direction in which the stacks of a flamegraph grow.
    ///
    /// ```
    /// use iai_callgrind::{Direction, FlamegraphConfig};
    ///
    /// FlamegraphConfig::default().direction(Direction::BottomToTop);
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Direction {
        /// The callers are at the top.
        #[default]
        TopToBottom,
        /// The callers are at the bottom.
        BottomToTop,
    }
}
