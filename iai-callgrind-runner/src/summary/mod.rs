//! `summary.json`: the result of one benchmark for other programs.
//!
//! The types are the format; `schemas/summary.v1.schema.json` is generated from them.

mod model;

pub use model::*;

use std::fs;

use crate::compare;
use crate::identity::Identity;
use crate::metrics;
use crate::metrics::perf::{self, Figure};
use crate::plan;
use crate::result::{self, ToolResult};
use crate::store::{Entry, Slot};
use crate::tool::Tool;

impl Summary {
    /// The summary of what the tools measured.
    #[must_use]
    pub fn new(identity: &Identity, (new, old): result::Baselines, profiles: Vec<Profile>) -> Self {
        Self {
            version: VERSION,
            benchmark: Benchmark::from(identity),
            baselines: Baselines { new, old },
            profiles,
        }
    }
}

impl Profile {
    /// What was said about a kept result of this tool.
    pub(crate) fn read(entry: &Entry, slot: &Slot, tool: Tool) -> Option<Self> {
        let json = fs::read(entry.summary(slot)).ok()?;
        let summary: Summary = serde_json::from_slice(&json).ok()?;
        // The last one may be about a baseline.
        let is_about = summary.baselines.new.as_deref() == slot.name();
        let mut profiles = summary.profiles.into_iter();
        profiles.find(|profile| is_about && profile.tool == tool.id())
    }

    /// The part of a summary about a result that was measured under these circumstances.
    #[must_use]
    pub fn new(result: &ToolResult, mode: Mode, environment: Environment) -> Self {
        Self {
            tool: result.tool.id().to_owned(),
            mode,
            metrics: Metric::all(&result.total),
            regressions: result.regressions.iter().map(Regression::from).collect(),
            notes: result.notes.clone(),
            flamegraphs: Vec::new(),
            environment,
        }
    }
}

impl From<plan::Mode> for Mode {
    fn from(mode: plan::Mode) -> Self {
        match mode {
            plan::Mode::Direct => Self::Direct,
            plan::Mode::Fork => Self::Fork,
        }
    }
}

impl From<&Identity> for Benchmark {
    fn from(identity: &Identity) -> Self {
        let Identity {
            file,
            group,
            function,
            id,
            args,
        } = identity.clone();
        Self {
            file,
            group,
            function,
            id,
            args,
        }
    }
}

impl Metric {
    /// Those that tables of ours know, and then the others, under the tool's names.
    fn all(comparison: &compare::Comparison) -> Vec<Self> {
        let time = |row: &compare::Row| comparison.time_unit.clone().filter(|_| row.kind.is_time());
        let known = comparison.rows.iter().map(|row| Self {
            unit: time(row).or(row.new.or(row.old).and_then(unit)),
            ..Self::from(row)
        });
        let unknown = comparison.unknown.iter().map(Self::from);
        known.chain(unknown).collect()
    }
}

impl From<&compare::UnknownRow> for Metric {
    fn from(row: &compare::UnknownRow) -> Self {
        let difference = row.difference();
        Self {
            kind: row.name.clone(),
            label: row.name.clone(),
            unit: None,
            new: row.new.map(Number::Count),
            old: row.old.map(Number::Count),
            diff_pct: difference.and_then(|difference| finite(difference.percent)),
            factor: difference.and_then(|difference| finite(difference.factor)),
            part: None,
            new_samples: None,
            old_samples: None,
            significance: None,
        }
    }
}

impl From<&compare::Row> for Metric {
    fn from(row: &compare::Row) -> Self {
        let difference = row.difference();
        Self {
            unit: None,
            kind: row.kind.name().to_owned(),
            label: row.kind.label().to_owned(),
            new: row.new.map(Number::from),
            old: row.old.map(|old| Number::from(in_unit_of(row.new, old))),
            diff_pct: difference.and_then(|difference| finite(difference.percent)),
            factor: difference.and_then(|difference| finite(difference.factor)),
            part: match row.kind {
                metrics::Kind::Perf(perf) => Some(perf.part),
                _ => None,
            },
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
        }
    }
}

impl From<&compare::Regression> for Regression {
    fn from(regression: &compare::Regression) -> Self {
        match *regression {
            compare::Regression::Soft {
                kind,
                new,
                old,
                percent,
                limit,
            } => Self::Soft {
                kind: kind.name().to_owned(),
                new: new.into(),
                old: old.into(),
                diff_pct: finite(percent),
                limit,
            },
            compare::Regression::Hard {
                kind,
                new,
                limit,
                excess,
            } => Self::Hard {
                kind: kind.name().to_owned(),
                new: new.into(),
                limit: limit.into(),
                excess: excess.into(),
            },
        }
    }
}

impl From<metrics::Value> for Number {
    fn from(value: metrics::Value) -> Self {
        match value {
            metrics::Value::Int(count) => Self::Count(count),
            metrics::Value::Float(rate) => Self::Rate(rate),
            metrics::Value::Perf(figure) if figure.is_count() => {
                Self::Count(perf::count(figure.value) as u64)
            }
            metrics::Value::Perf(figure) => Self::Rate(figure.value),
        }
    }
}

/// The unit of a metric of perf; counts have none.
fn unit(value: metrics::Value) -> Option<String> {
    match value {
        metrics::Value::Perf(figure) => figure.unit().map(|unit| unit.to_string()),
        _ => None,
    }
}

/// An old value in the unit of the new one, where that is another one of its family.
fn in_unit_of(new: Option<metrics::Value>, old: metrics::Value) -> metrics::Value {
    match (new, old) {
        (Some(metrics::Value::Perf(new)), metrics::Value::Perf(old))
            if new.family() == old.family() =>
        {
            metrics::Value::Perf(Figure {
                value: new.of_base(old.base()),
                unit: new.unit,
                ..old
            })
        }
        (_, old) => old,
    }
}

fn samples(value: metrics::Value) -> Option<Samples> {
    match value {
        metrics::Value::Perf(figure) => Some(Samples {
            n: figure.n,
            mean: figure.value,
            rse_pct: figure.rse.abs() * 100.0,
            event_runtime: figure.runtime,
            pcnt_running: figure.running,
        }),
        _ => None,
    }
}

/// JSON has no infinite numbers.
fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}
