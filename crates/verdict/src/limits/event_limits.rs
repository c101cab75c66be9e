//! Limits on events (perf), which are set by globs, since the counted events are known only
//! afterwards.

use iai_callgrind::protocol::{Limit, PerfLimits, Unit};

use crate::MetricsComparison;
use base::event_glob;
use metrics::{MetricKind, MetricValue};

/// Limits on metrics that were collected, and the globs of the others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundLimits {
    pub soft: Vec<(MetricKind, f64)>,
    pub hard: Vec<(MetricKind, Limit)>,
    pub uncollected: Vec<String>,
}

/// The limits on metrics that were collected, of limits by globs.
pub fn event_limits(limits: &PerfLimits, total: &MetricsComparison) -> FoundLimits {
    let mut found = FoundLimits::default();
    let new = |pattern: &str| -> Vec<(MetricKind, MetricValue)> {
        let rows = total
            .rows
            .iter()
            .filter_map(|row| Some((row.kind, row.new?)));
        rows.filter(|(kind, _)| event_glob::matches(pattern, kind.name()))
            .collect()
    };
    let soft = limits.soft.iter().map(|(metric, _)| metric);
    // A glob may have a soft and a hard limit, and is named once.
    for metric in soft.chain(limits.hard.iter().map(|(metric, _)| metric)) {
        if new(&metric.0).is_empty() && !found.uncollected.contains(&metric.0) {
            found.uncollected.push(metric.0.clone());
        }
    }
    for (metric, percent) in &limits.soft {
        let kinds = new(&metric.0).into_iter();
        found.soft.extend(kinds.map(|(kind, _)| (kind, *percent)));
    }
    for (metric, (unit, limit)) in &limits.hard {
        for (kind, value) in new(&metric.0) {
            match in_unit_of(value, unit.as_ref(), *limit) {
                Some(limit) => found.hard.push((kind, limit)),
                None => {
                    let unit = unit.as_ref().map(ToString::to_string).unwrap_or_default();
                    found.uncollected.push(format!("{} in {unit}", kind.name()));
                }
            }
        }
    }
    found
}

/// A limit in the unit in which perf writes the metric. `None`: they have nothing in common.
fn in_unit_of(value: MetricValue, unit: Option<&Unit>, limit: Limit) -> Option<Limit> {
    // A limit without a unit is in that of perf.
    let (MetricValue::Perf(figure), Some(unit)) = (value, unit) else {
        return Some(limit);
    };
    let (family, size) = unit.base();
    let number = match limit {
        Limit::Int(limit) => limit as f64,
        Limit::Float(limit) => limit,
    };
    (figure.family() == family).then(|| Limit::Float(figure.of_base(number * size)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare;
    use metrics::perf::PerfFigure;
    use metrics::Metrics;

    #[test]
    fn limits_are_found_by_globs_in_every_part() {
        let mut metrics = Metrics::default();
        metrics.insert(1, "task-clock", PerfFigure::exact(2.0, "msec".into()));
        metrics.insert(2, "task-clock:u", PerfFigure::exact(3.0, "msec".into()));
        metrics.insert(2, "faults", PerfFigure::exact(7.0, "".into()));
        let total = compare(&metrics, None);
        let limits = PerfLimits {
            clear: false,
            soft: vec![("TASK*".into(), 5.0), ("cycles".into(), 1.0)],
            hard: vec![
                (
                    "task-clock".into(),
                    (Some(Unit::Microseconds), Limit::Int(500)),
                ),
                ("faults".into(), (Some(Unit::Seconds), Limit::Int(1))),
                ("f*".into(), (None, Limit::Int(6))),
            ],
        };
        let found = event_limits(&limits, &total);
        let names: Vec<&str> = found.soft.iter().map(|(kind, _)| kind.name()).collect();
        assert_eq!(names, ["task-clock", "task-clock:u"]);
        let hard: Vec<(&str, Limit)> = found
            .hard
            .iter()
            .map(|(kind, limit)| (kind.name(), *limit))
            .collect();
        assert_eq!(
            hard,
            [("task-clock", Limit::Float(0.5)), ("faults", Limit::Int(6))]
        );
        assert_eq!(found.uncollected, ["cycles", "faults in s"]);
    }
}
