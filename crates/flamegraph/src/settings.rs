//! Settings of flamegraphs, checked.

use std::collections::HashSet;

use iai_callgrind::protocol::flamegraph::Direction;
use iai_callgrind::protocol::metric::Number;
use iai_callgrind::protocol::{self, EventKind, FlamegraphKind, Truncate};

/// The settings of the flamegraphs of a benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct FlamegraphSettings {
    /// Draw the new result, and the old one.
    pub regular: bool,
    /// Draw the difference.
    pub differential: bool,
    /// The metrics of Callgrind; at least one, each once, no rates. Those of DHAT are always the
    /// same.
    pub kinds: Vec<EventKind>,
    /// End of the stacks that is at the top.
    pub direction: Direction,
    /// Swap the colours of more and less.
    pub negate: bool,
    /// Scale the old result to the total of the new one in a difference.
    pub normalize: bool,
    /// The headline, if not that of the benchmark.
    pub title: Option<String>,
    /// The line below it, if not the generated one.
    pub subtitle: Option<String>,
    /// Length at which the description of the arguments in the headline is cut.
    pub truncate: Truncate,
    /// Frames that are narrower than this percentage are left out.
    pub min_width: f64,
}

/// The settings where nothing is configured: all pictures of the instructions. Nothing is cut off
/// the headline.
impl Default for FlamegraphSettings {
    fn default() -> Self {
        Self {
            regular: true,
            differential: true,
            kinds: vec![EventKind::Ir],
            direction: Direction::default(),
            negate: false,
            normalize: false,
            title: None,
            subtitle: None,
            truncate: Truncate::Never,
            min_width: 0.1,
        }
    }
}

/// Usual cut: the percentage of the total below which calls are added up.
const CUT: f64 = 0.05;

/// Lowest cut, for users who want to see everything: without it the number of paths would have no
/// bound.
const FINEST_CUT: f64 = 0.01;

impl FlamegraphSettings {
    /// Checks the configuration. `None`: nothing is drawn. `Err`: the mistake.
    pub fn new(said: &protocol::Flamegraph, truncate: Truncate) -> Result<Option<Self>, String> {
        let kind = said.kind.unwrap_or_default();
        if kind == FlamegraphKind::None {
            return Ok(None);
        }
        let default = Self::default();
        let mut kinds = said.event_kinds.clone().unwrap_or(default.kinds);
        if kinds.is_empty() {
            return Err(
                "`event_kinds` of the flamegraph is empty; name a metric, or switch \
                 flamegraphs off with `kind(FlamegraphKind::None)`"
                    .to_owned(),
            );
        }
        if let Some(rate) = kinds.iter().find(|kind| kind.number() == Number::Float) {
            return Err(format!(
                "a flamegraph of {rate} cannot be drawn, since rates do not add up; choose counters \
                 such as `EventKind::Ir` or `EventKind::EstimatedCycles`"
            ));
        }
        let mut seen = HashSet::new();
        // The file of a picture is named by its metric, so a second one would replace the first.
        kinds.retain(|kind| seen.insert(*kind));
        let min_width = said.min_width.unwrap_or(default.min_width);
        if !(0.0..=100.0).contains(&min_width) {
            return Err(format!(
                "`min_width` of the flamegraph is a percentage from 0 to 100, not {min_width}"
            ));
        }
        Ok(Some(Self {
            regular: kind != FlamegraphKind::Differential,
            differential: kind != FlamegraphKind::Regular,
            kinds,
            direction: said.direction.unwrap_or_default(),
            negate: said.negate_differential.unwrap_or(default.negate),
            normalize: said.normalize_differential.unwrap_or(default.normalize),
            title: said.title.clone(),
            subtitle: said.subtitle.clone(),
            truncate,
            min_width,
        }))
    }

    /// Checks the configuration of DHAT's, as [`Self::new`].
    pub fn of_dhat(
        said: &protocol::Flamegraph,
        truncate: Truncate,
    ) -> Result<Option<Self>, String> {
        match said.event_kinds {
            Some(_) => Err(
                "`event_kinds` of the flamegraph are metrics of Callgrind; leave them out for \
                 DHAT, which has graphs of bytes, of blocks and of the largest heap"
                    .to_owned(),
            ),
            None => Self::new(said, truncate),
        }
    }

    /// Calls with less than this percentage of the total are added up.
    #[must_use]
    pub fn cut(&self) -> f64 {
        // inferno leaves out frames below `min_width`. With half of it, everything that is added up
        // to `…` would not have been drawn either.
        (self.min_width / 2.0).clamp(FINEST_CUT, CUT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use EventKind::{EstimatedCycles, Ir, L1HitRate};

    fn plan(said: protocol::Flamegraph) -> Result<Option<FlamegraphSettings>, String> {
        FlamegraphSettings::new(&said, Truncate::Never)
    }

    #[test]
    fn defaults() {
        let plan = plan(protocol::Flamegraph::default()).unwrap().unwrap();
        assert!(plan.regular && plan.differential && !plan.negate && !plan.normalize);
        assert_eq!(plan.kinds, [Ir]);
        assert_eq!((plan.min_width, plan.cut()), (0.1, 0.05));
        assert_eq!(plan.direction, Direction::TopToBottom);
    }

    #[test]
    fn kinds_of_graphs() {
        let which = |kind| {
            let said = protocol::Flamegraph {
                kind: Some(kind),
                ..protocol::Flamegraph::default()
            };
            let plan = plan(said).unwrap();
            plan.map(|plan| (plan.regular, plan.differential))
        };
        assert_eq!(which(FlamegraphKind::Regular), Some((true, false)));
        assert_eq!(which(FlamegraphKind::Differential), Some((false, true)));
        assert_eq!(which(FlamegraphKind::None), None);
    }

    #[test]
    fn each_metric_once_and_no_rates() {
        let kinds = |kinds: &[EventKind]| {
            plan(protocol::Flamegraph {
                event_kinds: Some(kinds.to_vec()),
                ..protocol::Flamegraph::default()
            })
        };
        let plan = kinds(&[Ir, EstimatedCycles, Ir]).unwrap().unwrap();
        assert_eq!(plan.kinds, [Ir, EstimatedCycles]);
        let refused = kinds(&[Ir, L1HitRate]).unwrap_err();
        assert!(
            refused.contains("of L1 Hit Rate cannot be drawn"),
            "{refused}"
        );
        assert!(kinds(&[]).unwrap_err().contains("is empty"));
    }

    #[test]
    fn metrics_of_callgrind_are_none_of_dhat() {
        let dhat = |event_kinds| {
            let said = protocol::Flamegraph {
                event_kinds,
                ..protocol::Flamegraph::default()
            };
            FlamegraphSettings::of_dhat(&said, Truncate::Never)
        };
        assert_eq!(dhat(None), Ok(Some(FlamegraphSettings::default())));
        let refused = dhat(Some(vec![Ir])).unwrap_err();
        assert!(refused.contains("leave them out for DHAT"), "{refused}");
    }

    #[test]
    fn widths_are_percentages() {
        let width = |percent| {
            plan(protocol::Flamegraph {
                min_width: Some(percent),
                ..protocol::Flamegraph::default()
            })
        };
        for wrong in [-0.1, 100.1, f64::NAN, f64::INFINITY] {
            width(wrong).unwrap_err();
        }
        assert_eq!(width(0.0).unwrap().unwrap().cut(), 0.01);
        assert_eq!(width(50.0).unwrap().unwrap().cut(), 0.05);
    }
}
