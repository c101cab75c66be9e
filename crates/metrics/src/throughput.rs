//! Instructions per unit of a benchmark's throughput.

use iai_callgrind::protocol::{EventKind, Metric, Throughput};

use super::{MetricKind, MetricValue, Metrics};
use base::tool::Tool;

/// The metric of each unit, named as that of Callgrind.
const PER_UNIT: [EventKind; 2] = [
    EventKind::InstructionsPerByte,
    EventKind::InstructionsPerElement,
];

/// The metrics that a tool has for these amounts.
pub fn per_unit(tool: Tool, throughput: Throughput) -> impl Iterator<Item = (MetricKind, u64)> {
    let Throughput { bytes, elements } = throughput;
    let amounts = PER_UNIT.into_iter().zip([bytes, elements]);
    amounts.filter_map(move |(event, amount)| {
        let kind = MetricKind::named(tool, event.row().name)?;
        // A benchmark that handles nothing has no figure for each unit.
        Some((kind, amount.filter(|amount| *amount > 0)?))
    })
}

impl Metrics {
    /// Adds the instructions for each unit, if the tool counts instructions.
    pub fn add_per_unit(&mut self, tool: Tool, throughput: Throughput) {
        for (kind, amount) in per_unit(tool, throughput) {
            let instructions = MetricKind::named(tool, EventKind::Ir.row().name);
            if let Some(count) = instructions.and_then(|kind| self.get(kind)) {
                let figure = count.as_f64() / amount as f64;
                self.set(kind, MetricValue::Float(figure));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::{BbvMetric, CachegrindMetric};

    use super::*;

    const BOTH: Throughput = Throughput {
        bytes: Some(16),
        elements: Some(4),
    };

    #[test]
    fn instructions_are_divided_by_each_amount() {
        let mut metrics = Metrics::from_counters(Tool::Callgrind, [("Ir", 1000)]).unwrap();
        metrics.add_per_unit(Tool::Callgrind, BOTH);
        let of = |kind| metrics.get(kind);
        assert_eq!(
            of(EventKind::InstructionsPerByte),
            Some(MetricValue::Float(62.5))
        );
        assert_eq!(
            of(EventKind::InstructionsPerElement),
            Some(MetricValue::Float(250.0))
        );
    }

    #[test]
    fn only_tools_that_count_instructions_have_them() {
        let mut metrics = Metrics::from_counters(Tool::Cachegrind, [("Ir", 8)]).unwrap();
        let bytes = Throughput {
            elements: None,
            ..BOTH
        };
        metrics.add_per_unit(Tool::Cachegrind, bytes);
        let of = |kind| metrics.get(kind);
        assert_eq!(
            of(CachegrindMetric::InstructionsPerByte),
            Some(MetricValue::Float(0.5))
        );
        assert_eq!(of(CachegrindMetric::InstructionsPerElement), None);
        for tool in [Tool::Dhat, Tool::Bbv, Tool::Perf] {
            assert_eq!(per_unit(tool, BOTH).count(), 0, "{tool}");
        }
        let mut of_bbv = Metrics::default();
        of_bbv.add_count(BbvMetric::all().next().unwrap(), 3);
        of_bbv.add_per_unit(Tool::Bbv, BOTH);
        assert_eq!(of_bbv.iter().count(), 1);
    }

    #[test]
    fn nothing_is_divided_by_zero() {
        let zero = Throughput {
            bytes: Some(0),
            elements: None,
        };
        assert_eq!(per_unit(Tool::Callgrind, zero).count(), 0);
    }
}
