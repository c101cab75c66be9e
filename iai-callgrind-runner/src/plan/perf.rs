//! What perf does for one benchmark.

use std::time::Duration;

use iai_callgrind::protocol::{self, Limit, PerfLimits, Stdin, Unit};

use super::perf_args::{self, Command};
use super::{Subject, Target, ToolArgs};
use crate::compare::Comparison;
use crate::entry_functions::EntryFunctions;
use crate::error::{Error, Result};
use crate::identity::Identity;
use crate::metrics::{Kind, Value};
use crate::pattern;
use crate::settings::Settings;
use crate::tool::Tool;

/// What perf does for one benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Perf {
    /// The events of each run; at least one.
    pub event_sets: Vec<String>,
    /// What counts.
    pub begin: Begin,
    /// For how long an empty benchmark is measured before, to be subtracted.
    pub calibration: Option<Duration>,
    /// For how long the benchmark is repeated.
    pub sampling: Option<Duration>,
    /// Arguments for `perf record`, if that runs as well.
    pub record: Option<Vec<String>>,
    /// The samples that count.
    pub samples: SampleFilter,
    /// The level of significance.
    pub alpha: f64,
    /// Limits, by patterns.
    pub limits: PerfLimits,
}

/// The samples of perf that count.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleFilter {
    /// The least share of the time that a counter has to run, in percent.
    pub least_running: f64,
    /// Patterns of events that cannot be 0.
    pub non_zero: Vec<String>,
}

impl Default for SampleFilter {
    fn default() -> Self {
        Self {
            least_running: protocol::Perf::MIN_RUNNING,
            non_zero: protocol::Perf::NON_ZERO.map(str::to_owned).to_vec(),
        }
    }
}

/// What perf counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// The whole process.
    AtStart,
    /// The benchmark function.
    AtEntry,
    /// What the benchmark marks itself.
    AtMark,
}

/// Limits on metrics that were collected, and the patterns of the others.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Found {
    pub(crate) soft: Vec<(Kind, f64)>,
    pub(crate) hard: Vec<(Kind, Limit)>,
    pub(crate) uncollected: Vec<String>,
}

impl Perf {
    /// Decides everything about perf. Also returns warnings.
    pub(super) fn build(
        identity: &Identity,
        config: Option<&protocol::Perf>,
        target: &Target,
        settings: &Settings,
    ) -> Result<(ToolArgs, Self, Vec<String>)> {
        let nothing = protocol::Perf::default();
        let config = config.unwrap_or(&nothing);
        let options = &settings.tool_options.perf;
        let mut warnings = Vec::new();
        let user = config.args.iter().chain(settings.tool_args(Tool::Perf));
        let (words, said) = perf_args::filter(Command::Stat, user);
        warnings.extend(said);
        let user = config.record_args.iter().chain(&settings.perf_record_args);
        let (record_args, said) = perf_args::filter(Command::Record, user);
        warnings.extend(said);

        let begin = match (config.disable_entry_point.unwrap_or(false), &target.subject) {
            (true, _) => Begin::AtMark,
            (false, Subject::Case(_)) => Begin::AtEntry,
            (false, Subject::Command(_)) => Begin::AtStart,
        };
        let mode = options.run_mode.or(config.run_mode).unwrap_or_default();
        let mut calibration = mode.calibration();
        if calibration.is_some() && begin != Begin::AtEntry {
            warnings.push(
                "perf measures as with `direct`: an empty benchmark can be subtracted only where the \
                 benchmark function counts, not programs and marks"
                    .to_owned(),
            );
            calibration = None;
        }
        let sampling = options.sampling.or(config.sample_duration);
        let mut sampling = sampling.filter(|duration| !duration.is_zero());
        if sampling.is_some() && reads(target) {
            warnings.push(format!(
                "`{identity}` runs once under perf: what it reads from stdin is there only once"
            ));
            sampling = None;
        }
        let wants_record = options.record.or(config.record).unwrap_or(false);
        let configured = config.event_sets.clone().unwrap_or_default();
        let event_sets = match options.events.as_slice() {
            [] if configured.is_empty() => vec![protocol::Perf::EVENTS.to_owned()],
            [] => configured,
            typed => typed.to_vec(),
        };
        let perf = Self {
            event_sets,
            begin,
            calibration,
            sampling,
            record: wants_record.then_some(record_args),
            samples: samples(config),
            alpha: config.alpha.unwrap_or(protocol::Perf::ALPHA),
            limits: match &settings.figure_options.perf_limits {
                Some(typed) => typed.clone(),
                None => config.limits.clone(),
            },
        };
        perf.check(identity)?;
        let args = ToolArgs {
            words,
            entry: EntryFunctions::default(),
            count_threads: false,
            errors_fail: false,
            given: Vec::new(),
        };
        Ok((args, perf, warnings))
    }

    fn check(&self, identity: &Identity) -> Result<()> {
        let wrong = |reason: String| {
            Err(Error::Configuration {
                place: format!("configuration of `{identity}` for perf"),
                reason,
            })
        };
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return wrong(format!(
                "`alpha` is {}, which is not between 0 and 1",
                self.alpha
            ));
        }
        let least = self.samples.least_running;
        if !(0.0..=100.0).contains(&least) {
            return wrong(format!(
                "`min_pcnt_running` is {least}, which is no percentage"
            ));
        }
        match self
            .event_sets
            .iter()
            .any(|events| events.trim().is_empty())
        {
            true => wrong("an event set is empty".to_owned()),
            false => Ok(()),
        }
    }

    /// Which limits there are on what was collected.
    pub(crate) fn limits_on(&self, total: &Comparison) -> Found {
        let mut found = Found::default();
        let new = |pattern: &str| -> Vec<(Kind, Value)> {
            let rows = total
                .rows
                .iter()
                .filter_map(|row| Some((row.kind, row.new?)));
            rows.filter(|(kind, _)| pattern::matches(pattern, kind.name()))
                .collect()
        };
        let soft = self.limits.soft.iter().map(|(metric, _)| metric);
        for metric in soft.chain(self.limits.hard.iter().map(|(metric, _)| metric)) {
            if new(&metric.0).is_empty() && !found.uncollected.contains(&metric.0) {
                found.uncollected.push(metric.0.clone());
            }
        }
        for (metric, percent) in &self.limits.soft {
            let kinds = new(&metric.0).into_iter();
            found.soft.extend(kinds.map(|(kind, _)| (kind, *percent)));
        }
        for (metric, (unit, limit)) in &self.limits.hard {
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
}

/// A limit in the unit in which perf writes the metric. `None`: they have nothing in common.
fn in_unit_of(value: Value, unit: Option<&Unit>, limit: Limit) -> Option<Limit> {
    let (Value::Perf(figure), Some(unit)) = (value, unit) else {
        return Some(limit);
    };
    let (family, size) = unit.base();
    let number = match limit {
        Limit::Int(limit) => limit as f64,
        Limit::Float(limit) => limit,
    };
    (figure.family() == family).then(|| Limit::Float(figure.of_base(number * size)))
}

fn samples(config: &protocol::Perf) -> SampleFilter {
    let default = SampleFilter::default();
    SampleFilter {
        least_running: config.min_pcnt_running.unwrap_or(default.least_running),
        non_zero: config.non_zero_metrics.clone().unwrap_or(default.non_zero),
    }
}

/// Does the program read something that its next run would not find?
fn reads(target: &Target) -> bool {
    match &target.subject {
        Subject::Case(_) => false,
        Subject::Command(command) => match command.stdin {
            Stdin::Setup(_) | Stdin::Inherit | Stdin::File(_) => true,
            Stdin::Null | Stdin::Pipe => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare;
    use crate::metrics::perf::Figure;
    use crate::metrics::Metrics;

    fn perf(limits: PerfLimits) -> Perf {
        Perf {
            event_sets: vec!["x".into()],
            begin: Begin::AtEntry,
            calibration: None,
            sampling: None,
            record: None,
            samples: SampleFilter::default(),
            alpha: 0.05,
            limits,
        }
    }

    #[test]
    fn limits_are_found_by_patterns_in_every_part() {
        let mut metrics = Metrics::default();
        metrics.insert(1, "task-clock", Figure::exact(2.0, "msec".into()));
        metrics.insert(2, "task-clock:u", Figure::exact(3.0, "msec".into()));
        metrics.insert(2, "faults", Figure::exact(7.0, "".into()));
        let total = compare::compare(&metrics, None);
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
        let found = perf(limits).limits_on(&total);
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

    #[test]
    fn levels_and_shares_are_checked() {
        let identity = Identity {
            file: "f".into(),
            group: "g".into(),
            function: "b".into(),
            id: None,
            args: None,
        };
        let good = perf(PerfLimits::default());
        good.check(&identity).unwrap();
        for bad in [
            Perf {
                alpha: 0.0,
                ..good.clone()
            },
            Perf {
                alpha: f64::NAN,
                ..good.clone()
            },
            Perf {
                event_sets: vec![" ".into()],
                ..good.clone()
            },
            Perf {
                samples: SampleFilter {
                    least_running: 101.0,
                    ..SampleFilter::default()
                },
                ..good.clone()
            },
        ] {
            let error = bad.check(&identity).unwrap_err().to_string();
            assert!(
                error.starts_with("configuration of `f::g::b` for perf: "),
                "{error}"
            );
        }
    }
}
