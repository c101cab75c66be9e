//! `summary.json`: the result of one benchmark for other programs.
//!
//! The types are the format; `schemas/summary.v1.schema.json` is generated from them.

mod model;

pub use model::*;

use crate::compare;
use crate::identity::Identity;
use crate::metrics;
use crate::plan;
use crate::result::{self, ToolResult};

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
    /// The part of a summary about a result that was measured under these circumstances.
    #[must_use]
    pub fn new(result: &ToolResult, mode: Mode, environment: Environment) -> Self {
        Self {
            tool: result.tool.id().to_owned(),
            mode,
            metrics: result.total.rows.iter().map(Metric::from).collect(),
            regressions: result.regressions.iter().map(Regression::from).collect(),
            notes: result.notes.clone(),
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

impl From<&compare::Row> for Metric {
    fn from(row: &compare::Row) -> Self {
        let difference = row.difference();
        Self {
            kind: row.kind.name().to_owned(),
            label: row.kind.label().to_owned(),
            new: row.new.map(Number::from),
            old: row.old.map(Number::from),
            diff_pct: difference.and_then(|difference| finite(difference.percent)),
            factor: difference.and_then(|difference| finite(difference.factor)),
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
        }
    }
}

/// JSON has no infinite numbers.
fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}
