//! A metric of any tool.
//!
//! Every tool has a table of its own in `protocol::metric`; `MetricKind` hides from later stages
//! which one a metric is from.

use std::fmt;
use std::sync::{Arc, OnceLock};

use iai_callgrind::protocol::metric::{Family, Number, Origin};
use iai_callgrind::protocol::{
    BbvMetric, CachegrindMetric, DhatMetric, Direction, ErrorMetric, EventKind, MassifMetric,
    Metric, ToolMetric,
};

use super::perf::PerfMetricKind;
use base::tool::Tool;

/// A metric of some tool. The order is that of the tools and, within one, that of its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MetricKind {
    /// A metric of a tool of Valgrind, which has a row in a table.
    Tabled(ToolMetric),
    /// A metric of perf.
    Perf(PerfMetricKind),
}

/// Calls one function on a metric of any tool; metrics of perf have no row in a table.
macro_rules! each {
    ($kind:expr, $metric:ident => $call:expr, $perf:pat => $of_perf:expr) => {
        match $kind {
            MetricKind::Tabled(ToolMetric::Callgrind($metric)) => $call,
            MetricKind::Tabled(ToolMetric::Cachegrind($metric)) => $call,
            MetricKind::Tabled(ToolMetric::Dhat($metric)) => $call,
            MetricKind::Tabled(ToolMetric::Massif($metric)) => $call,
            MetricKind::Tabled(ToolMetric::Bbv($metric)) => $call,
            MetricKind::Tabled(ToolMetric::Error($metric)) => $call,
            MetricKind::Perf($perf) => $of_perf,
        }
    };
}

impl MetricKind {
    /// Every metric of a tool, in the order of its table. perf has none.
    #[must_use]
    pub fn all(tool: Tool) -> Vec<Self> {
        let mut all = Vec::new();
        Self::first_in_table(tool, |_, kind| {
            all.push(kind);
            false
        });
        all
    }

    /// The first metric of a tool that is wanted, by its name as in JSON.
    fn first_in_table(tool: Tool, mut is_wanted: impl FnMut(&str, Self) -> bool) -> Option<Self> {
        fn of<M: Metric + Into<MetricKind>>(
            is_wanted: &mut dyn FnMut(&str, MetricKind) -> bool,
        ) -> Option<MetricKind> {
            let mut rows = M::TABLE.iter().map(|row| (row.name, row.kind.into()));
            let (_, kind) = rows.find(|(name, kind)| is_wanted(name, *kind))?;
            Some(kind)
        }
        let is_wanted = &mut is_wanted;
        match tool {
            Tool::Callgrind => of::<EventKind>(is_wanted),
            Tool::Cachegrind => of::<CachegrindMetric>(is_wanted),
            Tool::Dhat => of::<DhatMetric>(is_wanted),
            Tool::Massif => of::<MassifMetric>(is_wanted),
            Tool::Bbv => of::<BbvMetric>(is_wanted),
            Tool::Memcheck | Tool::Helgrind | Tool::Drd => of::<ErrorMetric>(is_wanted),
            Tool::Perf => None,
        }
    }

    /// The default metrics of a tool. `None`: all that were counted.
    #[must_use]
    pub fn shown_by_default(tool: Tool) -> Option<Arc<[Self]>> {
        // One list for all benchmarks, of which there may be thousands.
        static SHOWN: [OnceLock<Option<Arc<[MetricKind]>>>; Tool::ALL.len()] =
            [const { OnceLock::new() }; Tool::ALL.len()];
        SHOWN[tool as usize]
            .get_or_init(|| Self::usual(tool))
            .clone()
    }

    /// The members of each group of the metrics of a tool. perf has no groups.
    #[must_use]
    pub fn groups(tool: Tool) -> Vec<Vec<Self>> {
        fn of<M: Metric + Into<MetricKind>>() -> Vec<Vec<MetricKind>> {
            let members = |group: &M::Groups| M::members(*group).into_iter().map(M::into).collect();
            M::GROUPS.iter().map(members).collect()
        }
        match tool {
            Tool::Callgrind => of::<EventKind>(),
            Tool::Cachegrind => of::<CachegrindMetric>(),
            Tool::Dhat => of::<DhatMetric>(),
            Tool::Massif => of::<MassifMetric>(),
            Tool::Bbv => of::<BbvMetric>(),
            Tool::Memcheck | Tool::Helgrind | Tool::Drd => of::<ErrorMetric>(),
            Tool::Perf => Vec::new(),
        }
    }

    fn usual(tool: Tool) -> Option<Arc<[Self]>> {
        fn of<M: Metric + Into<MetricKind>>() -> Arc<[MetricKind]> {
            let metrics = M::members(M::Groups::default()).into_iter();
            metrics.map(M::into).collect()
        }
        Some(match tool {
            Tool::Callgrind => of::<EventKind>(),
            Tool::Cachegrind => of::<CachegrindMetric>(),
            Tool::Dhat => of::<DhatMetric>(),
            Tool::Massif => of::<MassifMetric>(),
            Tool::Bbv => of::<BbvMetric>(),
            Tool::Memcheck | Tool::Helgrind => of::<ErrorMetric>(),
            // DRD's suppressed figures differ from run to run of the same program.
            Tool::Drd => [ErrorMetric::Errors, ErrorMetric::Contexts]
                .map(Self::from)
                .into(),
            Tool::Perf => return None,
        })
    }

    /// The families of the metrics of a tool. Metrics without a table are those of the hardware.
    pub fn families(tool: Tool) -> Vec<Family> {
        let families: Vec<Family> = Self::all(tool).into_iter().map(Self::family).collect();
        match families.is_empty() {
            true => vec![Family::Hardware],
            false => families,
        }
    }

    /// Metric of a tool by name: that of an event (`sysCount`) or of a variant, in any case.
    #[must_use]
    pub fn named(tool: Tool, name: &str) -> Option<Self> {
        Self::first_in_table(tool, |other, _| other.eq_ignore_ascii_case(name))
    }

    /// Name of the variant, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        each!(self, metric => metric.row().name, perf => perf.event.as_str())
    }

    /// The label on the terminal.
    #[must_use]
    pub fn label(self) -> &'static str {
        each!(self, metric => metric.row().label, perf => perf.event.as_str())
    }

    /// Direction of an improvement.
    #[must_use]
    pub fn direction(self) -> Direction {
        each!(self, metric => metric.row().direction, _ => Direction::Lower)
    }

    /// Is the metric a percentage, or a count for each unit? Neither adds up.
    #[must_use]
    pub fn is_rate(self) -> bool {
        each!(self, metric => metric.row().number == Number::Float, _ => false)
    }

    /// Is the metric a count per unit of the throughput?
    #[must_use]
    pub fn is_per_unit(self) -> bool {
        use {CachegrindMetric as Cachegrind, EventKind as Callgrind};
        matches!(
            self,
            Self::Tabled(
                ToolMetric::Callgrind(
                    Callgrind::InstructionsPerByte | Callgrind::InstructionsPerElement
                ) | ToolMetric::Cachegrind(
                    Cachegrind::InstructionsPerByte | Cachegrind::InstructionsPerElement
                )
            )
        )
    }

    /// Is the metric a time, in a unit that the tool chooses?
    #[must_use]
    pub fn is_time(self) -> bool {
        each!(self, metric => metric.row().number == Number::Time, _ => false)
    }

    /// Is it the same in each run of the same program? Times and figures of the hardware never are.
    #[must_use]
    pub fn is_repeatable(self) -> bool {
        !self.is_time() && !matches!(self, Self::Perf(_))
    }

    /// Is the metric a time of system calls? Programs look for its label, so that has no unit.
    #[must_use]
    pub fn is_system_time(self) -> bool {
        matches!(self, Self::Tabled(ToolMetric::Callgrind(_))) && self.is_time()
    }

    /// The metrics that depend on the same facts.
    #[must_use]
    pub fn family(self) -> Family {
        each!(self, metric => metric.row().family, _ => Family::Hardware)
    }

    /// Is the metric summarized by the estimated cycles?
    #[must_use]
    pub fn is_detail(self) -> bool {
        use {CachegrindMetric as Cachegrind, EventKind as Callgrind};
        match self {
            Self::Tabled(ToolMetric::Callgrind(metric)) => matches!(
                metric,
                Callgrind::L1hits | Callgrind::LLhits | Callgrind::RamHits | Callgrind::TotalRW
            ),
            Self::Tabled(ToolMetric::Cachegrind(metric)) => matches!(
                metric,
                Cachegrind::L1hits | Cachegrind::LLhits | Cachegrind::RamHits | Cachegrind::TotalRW
            ),
            _ => false,
        }
    }

    /// The event set in whose runs the metric was counted, if the tool has event sets.
    #[must_use]
    pub fn event_set(self) -> Option<u32> {
        match self {
            Self::Perf(perf) => Some(perf.part),
            _ => None,
        }
    }

    /// Is the metric computed from others?
    #[must_use]
    pub fn is_derived(self) -> bool {
        each!(self, metric => metric.row().origin == Origin::Derived, _ => false)
    }
}

impl fmt::Display for MetricKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label())
    }
}

impl<M: Into<ToolMetric>> From<M> for MetricKind {
    fn from(metric: M) -> Self {
        Self::Tabled(metric.into())
    }
}

impl From<PerfMetricKind> for MetricKind {
    fn from(metric: PerfMetricKind) -> Self {
        Self::Perf(metric)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again() {
        for tool in Tool::ALL {
            let all = MetricKind::all(tool);
            assert_eq!(all.is_empty(), tool == Tool::Perf);
            for kind in all {
                assert_eq!(MetricKind::named(tool, kind.name()), Some(kind));
            }
        }
        assert_eq!(
            MetricKind::named(Tool::Callgrind, "sysCount"),
            Some(EventKind::SysCount.into())
        );
        assert_eq!(MetricKind::named(Tool::Callgrind, "allocCount"), None);
    }
}
