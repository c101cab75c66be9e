//! What the runner knows, as the types of the format.

use iai_callgrind::protocol;

use super::perf;
use super::{
    Clock, Comparison, Environment, Flamegraph, Input, Lost, Metric, Mode, Number, OtherInput,
    Part, PartName, Profile, Regression, ToolErrors,
};
use crate::compare::{self, ById, PartResult, ToolResult};
use crate::execute::Found;
use crate::metrics::{self, Kind};
use crate::plan;

/// What is known about a benchmark under one tool.
#[derive(Debug)]
pub struct Measurement<'a> {
    /// What the terminal shows.
    pub result: &'a ToolResult,
    /// Each process, thread and part, whether the terminal shows them or not.
    pub parts: &'a [PartResult],
    /// What an error tool found.
    pub found: &'a [Found],
    /// What is to be said beside the notes of the result.
    pub circumstances: &'a [String],
    /// How it was executed.
    pub mode: Mode,
    /// When and how long it ran; absent if it did not.
    pub ran: Option<(Clock, u64)>,
    /// The names of the files in the end.
    pub files: Vec<String>,
    /// What was drawn of them.
    pub flamegraphs: Vec<Flamegraph>,
    /// The circumstances of the figures.
    pub environment: Environment,
}

impl Measurement<'_> {
    /// For the summary.
    #[must_use]
    pub fn profile(self) -> Profile {
        let Self {
            result,
            parts,
            found,
            circumstances,
            mode,
            ran,
            files,
            flamegraphs,
            environment,
        } = self;
        let is_log = |name: &String| {
            let name = name
                .split_once(".base@")
                .map_or(name.as_str(), |(name, _)| name);
            name.ends_with(".log")
        };
        let (log_files, out_files) = files.into_iter().partition(is_log);
        Profile {
            tool: result.tool.id().to_owned(),
            mode,
            started_at: ran.map(|(clock, _)| clock.started_at()),
            duration_ns: ran.map(|(_, duration)| duration),
            metrics: rows(&result.total, &result.format),
            parts: parts
                .iter()
                .map(|part| of_part(part, &result.format))
                .collect(),
            regressions: result.regressions.iter().map(Regression::from).collect(),
            errors: found.iter().map(ToolErrors::from).collect(),
            by_chance: result.total.by_chance,
            other_input: None,
            notes: [&result.notes, circumstances].concat(),
            flamegraphs,
            out_files,
            log_files,
            environment,
        }
    }
}

impl Comparison {
    /// For each tool that both benchmarks ran under.
    pub(crate) fn of(by_id: &ById) -> impl Iterator<Item = Self> + use<'_> {
        let tools = by_id.tools.iter();
        tools.map(|(tool, format, comparison)| Self {
            with: by_id.other.to_string(),
            tool: tool.id().to_owned(),
            metrics: rows(comparison, format),
        })
    }
}

/// First what the terminal shows, in its order: also what no table of ours knows.
fn rows(comparison: &compare::Comparison, format: &[Kind]) -> Vec<Metric> {
    let metric = |row: &compare::Row, shown| {
        let time = comparison.time_unit.clone().filter(|_| row.kind.is_time());
        let old = row.old.map(|old| perf::in_unit_of(row.new, old));
        let metric = Metric {
            unit: time.or(row.new.or(row.old).and_then(perf::unit)),
            shown,
            ..Metric::new(row.kind.name(), row.kind.label(), row.difference())
        };
        perf::completed(
            metric.with(row.new.map(Number::from), old.map(Number::from)),
            row,
        )
    };
    let shown = format.iter().filter_map(|kind| comparison.row(*kind));
    let rest = comparison.rows.iter();
    let rest = rest.filter(|row| !format.contains(&row.kind));
    shown
        .map(|row| metric(row, true))
        .chain(comparison.unknown.iter().map(Metric::from))
        .chain(rest.map(|row| metric(row, false)))
        .collect()
}

impl Metric {
    fn new(kind: &str, label: &str, difference: Option<compare::Difference>) -> Self {
        Self {
            kind: kind.to_owned(),
            label: label.to_owned(),
            unit: None,
            shown: true,
            new: None,
            old: None,
            diff_pct: difference.and_then(|difference| finite(difference.percent)),
            factor: difference.and_then(|difference| finite(difference.factor)),
            part: None,
            new_samples: None,
            old_samples: None,
            significance: None,
        }
    }

    fn with(self, new: Option<Number>, old: Option<Number>) -> Self {
        Self { new, old, ..self }
    }
}

impl From<&compare::UnknownRow> for Metric {
    fn from(row: &compare::UnknownRow) -> Self {
        Self::new(&row.name, &row.name, row.difference())
            .with(row.new.map(Number::Count), row.old.map(Number::Count))
    }
}

fn of_part(part: &PartResult, format: &[Kind]) -> Part {
    Part {
        new: part.new.as_ref().map(PartName::from),
        old: part.old.as_ref().map(PartName::from),
        metrics: rows(&part.comparison, format),
    }
}

impl From<&compare::PartName> for PartName {
    fn from(name: &compare::PartName) -> Self {
        let compare::PartName {
            pid,
            parent_pid,
            thread,
            part,
            command,
            trigger,
        } = name.clone();
        Self {
            pid,
            parent_pid,
            thread,
            part,
            command,
            trigger,
        }
    }
}

impl From<&protocol::Input> for Input {
    fn from(input: &protocol::Input) -> Self {
        let protocol::Input { text, positional } = input.clone();
        Self { text, positional }
    }
}

impl From<compare::OtherInput> for OtherInput {
    fn from(other: compare::OtherInput) -> Self {
        let compare::OtherInput { was, is, compared } = other;
        Self { was, is, compared }
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

impl From<&Found> for ToolErrors {
    fn from(found: &Found) -> Self {
        let lost = found.lost.iter();
        Self {
            errors: found.errors,
            contexts: found.contexts,
            lost: lost
                .map(|(kind, amount)| Lost {
                    kind: kind.clone(),
                    bytes: amount.bytes,
                    blocks: amount.blocks,
                })
                .collect(),
            lines: found.records.lines.clone(),
            cut: found.records.cut,
            log: found.log.display().to_string(),
        }
    }
}

impl From<metrics::Value> for Number {
    fn from(value: metrics::Value) -> Self {
        match value {
            metrics::Value::Int(count) => Self::Count(count),
            metrics::Value::Float(rate) => Self::Rate(rate),
            metrics::Value::Perf(figure) if figure.is_count() => {
                Self::Count(crate::metrics::perf::count(figure.value) as u64)
            }
            metrics::Value::Perf(figure) => Self::Rate(figure.value),
        }
    }
}

/// JSON has no infinite numbers.
pub(super) fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}
