//! Figures of perf, in the types of the format: values have units, and are means of several runs.

use super::finite;
use crate::ComparisonRow;
use metrics;
use metrics::perf::PerfFigure;
use records::summary::{Metric, Samples, Significance};

/// The metric with the fields that only rows of perf have.
pub(super) fn completed(metric: Metric, row: &ComparisonRow) -> Metric {
    Metric {
        part: row.kind.event_set(),
        new_samples: row.new.and_then(samples),
        old_samples: row
            .old
            .map(|old| in_unit_of(row.new, old))
            .and_then(samples),
        significance: row.significance.map(|found| Significance {
            significant: found.is_significant(),
            threshold_pct: finite(found.threshold),
            factor: finite(found.factor),
        }),
        ..metric
    }
}

/// The unit of a metric of perf; counts have none.
pub(super) fn unit(value: metrics::MetricValue) -> Option<String> {
    match value {
        metrics::MetricValue::Perf(figure) => figure.unit().map(|unit| unit.to_string()),
        _ => None,
    }
}

/// The old value in the unit of the new one, if both units belong to one family.
pub(super) fn in_unit_of(
    new: Option<metrics::MetricValue>,
    old: metrics::MetricValue,
) -> metrics::MetricValue {
    match (new, old) {
        (Some(metrics::MetricValue::Perf(new)), metrics::MetricValue::Perf(old))
            if new.family() == old.family() =>
        {
            metrics::MetricValue::Perf(PerfFigure {
                value: new.of_base(old.base()),
                unit: new.unit,
                ..old
            })
        }
        (_, old) => old,
    }
}

fn samples(value: metrics::MetricValue) -> Option<Samples> {
    match value {
        metrics::MetricValue::Perf(figure) => Some(Samples {
            n: figure.n,
            mean: figure.value,
            rse_pct: figure.rse.abs() * 100.0,
            event_runtime: figure.runtime,
            pcnt_running: figure.running,
        }),
        _ => None,
    }
}
