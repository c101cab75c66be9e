//! Files of the tools to counters ([`readers`]), and counters to metrics: by name, and the metrics
//! that are derived from them.
//!
//! **In**: counters of one benchmark under one tool, with the tool's names ([`CounterSet`]), or
//! figures of perf. **Out**: [`Metrics`], with hits, cycles and rates that follow from the
//! counters. A sum that does not fit into 64 bits is an error.
//!
//! Derived metrics are computed here, once, from the counters of the whole benchmark. Adding up the
//! rates of parts, threads or processes would give percentages above 100.
//!
//! ```
//! use iai_callgrind::protocol::{EventKind, Tool};
//! use iai_callgrind_metrics::{MetricValue, Metrics};
//!
//! // 130 accesses: 6 missed the first level of the caches, 2 of them the last level as well.
//! let counters = [
//!     ("Ir", 100), ("Dr", 20), ("Dw", 10),
//!     ("I1mr", 3), ("D1mr", 2), ("D1mw", 1),
//!     ("ILmr", 1), ("DLmr", 1), ("DLmw", 0),
//! ];
//! let metrics = Metrics::from_counters(Tool::Callgrind, counters)?;
//! assert_eq!(metrics.get(EventKind::L1hits), Some(MetricValue::Int(124)));
//! let cycles = 124 + 4 * 5 + 2 * 35;
//! assert_eq!(metrics.get(EventKind::EstimatedCycles), Some(MetricValue::Int(cycles)));
//!
//! // Without a counter that they need, derived metrics are absent. They are never 0 instead.
//! let metrics = Metrics::from_counters(Tool::Callgrind, [("Ir", 100)])?;
//! assert_eq!(metrics.get(EventKind::Ir), Some(MetricValue::Int(100)));
//! assert_eq!(metrics.get(EventKind::L1hits), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod counter_set;
mod derive;
mod kind;
pub mod perf;
mod process;
pub mod processes;
pub mod readers;
mod row_values;
mod throughput;
mod typed_limits;
pub mod typed_metrics;
mod value;
pub mod while_it_ran;

use iai_callgrind::protocol::EventKind;

pub use counter_set::{totals, CounterSet};
pub use kind::MetricKind;
pub use process::MeasuredProcess;
pub use row_values::RowValues;
pub use throughput::per_unit;
pub use typed_limits::{limit_text, TypedLimits};
pub use value::{decimals, MetricValue};

use base::tool::Tool;
use formats::ParseErrorKind;
use perf::{PerfFigure, PerfMetricKind};

/// The metrics of one benchmark under one tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metrics {
    /// In the order of the metrics. There are some twenty, so that a list is faster than a map in
    /// everything.
    values: Vec<(MetricKind, MetricValue)>,
    /// Counters without a metric (`--collect-alloc=yes`), under the tool's names.
    pub unknown: Vec<(String, u64)>,
    /// Unit of the counters that are times.
    pub time_unit: Option<String>,
    /// Level of significance of changes, where there is one (perf).
    pub alpha: Option<f64>,
}

/// One derived counter, if all counters were collected that it follows from.
///
/// Fails if a sum does not fit into 64 bits.
fn derived(
    event: EventKind,
    counter: impl Fn(EventKind) -> Option<u64>,
) -> Result<Option<u64>, ParseErrorKind> {
    let mut derived = derive::derive(counter)?.into_iter();
    Ok(derived.find_map(|(kind, value)| match value {
        MetricValue::Int(count) if kind == event => Some(count),
        _ => None,
    }))
}

impl Metrics {
    /// Metrics of several sets: their counters, summed by name, and the derived metrics.
    ///
    /// Fails if a sum does not fit into 64 bits.
    pub fn of_sets<'a>(
        tool: Tool,
        sets: impl IntoIterator<Item = &'a CounterSet>,
    ) -> Result<Self, ParseErrorKind> {
        let sets: Vec<&CounterSet> = sets.into_iter().collect();
        let mut metrics = Self::from_counters(tool, totals(sets.iter().copied())?)?;
        metrics.time_unit = sets.iter().find_map(|set| set.time_unit.clone());
        // Figures of different event sets come from different runs and do not add up.
        for set in sets {
            let part = set.part.and_then(|part| u32::try_from(part).ok());
            for (event, figure) in &set.figures {
                metrics.insert(part.unwrap_or(1), event, *figure);
            }
        }
        Ok(metrics)
    }

    /// Adds a figure of perf.
    pub fn insert(&mut self, part: u32, event: &str, figure: PerfFigure) {
        let kind = PerfMetricKind {
            part,
            event: event.into(),
        };
        self.set(kind.into(), MetricValue::Perf(figure));
    }

    /// The metrics that follow from these counters, named as the tool names them.
    ///
    /// Fails if a sum does not fit into 64 bits.
    pub fn from_counters<'a>(
        tool: Tool,
        counters: impl IntoIterator<Item = (&'a str, u64)>,
    ) -> Result<Self, ParseErrorKind> {
        let mut metrics = Self::default();
        let counters: Vec<(&str, u64)> = counters.into_iter().collect();
        for (name, count) in &counters {
            // A counter of the file must not pass for a metric that is computed here.
            match MetricKind::named(tool, name).filter(|kind| !kind.is_derived()) {
                Some(kind) => {
                    metrics.set(kind, MetricValue::Int(*count));
                }
                // Kept under its own name: Callgrind has undocumented counters such as
                // `allocCount`.
                None => metrics.unknown.push(((*name).to_owned(), *count)),
            }
        }
        if matches!(tool, Tool::Callgrind | Tool::Cachegrind) {
            let counter = |event: EventKind| {
                let mut counters = counters.iter();
                let found = counters.find(|(name, _)| *name == MetricKind::from(event).name());
                found.map(|(_, count)| *count)
            };
            for (event, value) in derive::derive(counter)? {
                let kind = match tool {
                    Tool::Callgrind => Some(event.into()),
                    _ => MetricKind::named(tool, MetricKind::from(event).name()),
                };
                if let Some(kind) = kind {
                    metrics.set(kind, value);
                }
            }
        }
        Ok(metrics)
    }

    /// Adds a metric that no counter of the tool has.
    pub fn add_count(&mut self, kind: impl Into<MetricKind>, count: u64) {
        self.set(kind.into(), MetricValue::Int(count));
    }

    /// Sets a metric, such as one that was read back from a record.
    pub fn set(&mut self, kind: MetricKind, value: MetricValue) {
        match self.place(kind) {
            Ok(known) => self.values[known].1 = value,
            Err(place) => self.values.insert(place, (kind, value)),
        }
    }

    /// The place of a metric; `Err`: where it belongs.
    fn place(&self, kind: MetricKind) -> Result<usize, usize> {
        self.values.binary_search_by_key(&kind, |(kind, _)| *kind)
    }

    /// The value of one metric, if it was collected.
    #[must_use]
    pub fn get(&self, kind: impl Into<MetricKind>) -> Option<MetricValue> {
        self.place(kind.into())
            .ok()
            .map(|place| self.values[place].1)
    }

    /// Every collected metric, in the order of [`MetricKind`].
    pub fn iter(&self) -> impl Iterator<Item = (MetricKind, MetricValue)> + '_ {
        self.values.iter().copied()
    }

    /// Are all metrics 0, and the unknown counters? Then the count never began.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        let zero = self.iter().all(|(_, value)| value.as_f64() == 0.0);
        zero && self.unknown.iter().all(|(_, count)| *count == 0)
    }
}
