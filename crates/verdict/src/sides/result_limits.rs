//! The limits of a result: those of the command line and, for all other metrics, those of its
//! record.

use iai_callgrind::protocol::Limit;

use super::{ComparisonOptions, JudgedLimit};
use crate::{event_limits, ExceededLimit, MetricsComparison};
use base::tool::{is_of_hardware, Tool};
use metrics::{MetricKind, MetricValue};
use records::summary::{Number, RecordedLimit};
use records::RecordedTool;

/// The limits of a result under one tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ResultLimits {
    pub(super) soft: Vec<(MetricKind, f64)>,
    pub(super) hard: Vec<(MetricKind, Limit)>,
    /// Metrics whose limits are those of the command line.
    asked: Vec<MetricKind>,
}

impl ResultLimits {
    /// The limits of the new result or, if there is none, of the old one.
    pub(super) fn of(
        result: &RecordedTool,
        options: &ComparisonOptions,
        comparison: &MetricsComparison,
    ) -> Self {
        let mut limits = Self::default();
        if let Some(typed) = &options.limits[result.tool] {
            limits.soft.clone_from(&typed.soft);
            limits.hard.clone_from(&typed.hard);
        }
        let typed = options.perf_limits.as_ref();
        if let Some(typed) = typed.filter(|_| is_of_hardware(result.tool)) {
            let found = event_limits(typed, comparison);
            (limits.soft, limits.hard) = (found.soft, found.hard);
        }
        // Before the recorded limits are added: a typed limit is no change of the source's.
        limits.asked = limits.kinds();
        let recorded = recorded(result);
        let is_asked = |kind: &MetricKind| limits.asked.contains(kind);
        limits.soft.extend(
            recorded
                .soft
                .into_iter()
                .filter(|(kind, _)| !is_asked(kind)),
        );
        limits.hard.extend(
            recorded
                .hard
                .into_iter()
                .filter(|(kind, _)| !is_asked(kind)),
        );
        limits
    }

    /// Metrics with a limit, each once, in their order.
    pub(super) fn kinds(&self) -> Vec<MetricKind> {
        let soft = self.soft.iter().map(|(kind, _)| *kind);
        let mut kinds: Vec<MetricKind> = Vec::new();
        for kind in soft.chain(self.hard.iter().map(|(kind, _)| *kind)) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// The limits of one metric.
    pub(super) fn of_metric(&self, kind: MetricKind) -> Self {
        Self {
            soft: self
                .soft
                .iter()
                .filter(|(other, _)| *other == kind)
                .copied()
                .collect(),
            hard: self
                .hard
                .iter()
                .filter(|(other, _)| *other == kind)
                .copied()
                .collect(),
            asked: Vec::new(),
        }
    }

    /// All limits as they are reported.
    pub(super) fn judged(&self, tool: Tool) -> Vec<JudgedLimit> {
        let soft = self
            .soft
            .iter()
            .map(|(kind, limit)| soft_limit(tool, *kind, *limit));
        let hard = self
            .hard
            .iter()
            .map(|(kind, limit)| hard_limit(tool, *kind, (*limit).into()));
        soft.chain(hard).collect()
    }

    /// The limit that decided on a metric, or the first one.
    pub(super) fn of_judgement(
        &self,
        kind: MetricKind,
        tool: Tool,
        exceeded: Option<&ExceededLimit>,
    ) -> Option<JudgedLimit> {
        let exceeded = exceeded.map(|exceeded| exceeded_limit(tool, exceeded));
        exceeded.or_else(|| self.of_metric(kind).judged(tool).into_iter().next())
    }

    /// Change of the limits of a metric since the record of the old side: `limit +5% -> +10%`,
    /// `new limit +5%`, `no limit, was +5%`.
    pub(super) fn change(&self, kind: MetricKind, old: &RecordedTool) -> Option<String> {
        if self.asked.contains(&kind) {
            return None;
        }
        let (was, is) = (recorded(old).of_metric(kind), self.of_metric(kind));
        if (&was.soft, &was.hard) == (&is.soft, &is.hard) {
            return None;
        }
        Some(match (was.text(), is.text()) {
            (None, is) => format!("new limit {}", is.unwrap_or_default()),
            (Some(was), None) => format!("no limit, was {was}"),
            (Some(was), Some(is)) => format!("limit {was} -> {is}"),
        })
    }

    /// Metrics that only the old side's record has a limit for.
    pub(super) fn dropped(&self, old: &RecordedTool) -> Vec<MetricKind> {
        let known = self.kinds();
        let kinds = recorded(old).kinds().into_iter();
        kinds.filter(|kind| !known.contains(kind)).collect()
    }

    /// `+5%|10,000`; `None` without a limit.
    fn text(&self) -> Option<String> {
        let soft = self.soft.iter().map(|(_, limit)| format!("{limit:+}%"));
        let hard = self
            .hard
            .iter()
            .map(|(_, limit)| MetricValue::from(Number::from(*limit)).grouped());
        let all: Vec<String> = soft.chain(hard).collect();
        (!all.is_empty()).then(|| all.join("|"))
    }
}

fn recorded(result: &RecordedTool) -> ResultLimits {
    let mut limits = ResultLimits::default();
    for limit in &result.limits {
        match limit {
            RecordedLimit::Soft { kind, limit } => {
                limits
                    .soft
                    .extend(result.kind(kind).map(|kind| (kind, *limit)));
            }
            RecordedLimit::Hard { kind, limit } => {
                limits
                    .hard
                    .extend(result.kind(kind).map(|kind| (kind, (*limit).into())));
            }
            RecordedLimit::Other => {}
        }
    }
    limits
}

/// A limit that was exceeded, as it is reported.
fn exceeded_limit(tool: Tool, exceeded: &ExceededLimit) -> JudgedLimit {
    match *exceeded {
        ExceededLimit::Soft { kind, limit, .. } => soft_limit(tool, kind, limit),
        ExceededLimit::Hard { kind, limit, .. } => hard_limit(tool, kind, limit.into()),
    }
}

fn soft_limit(tool: Tool, kind: MetricKind, limit: f64) -> JudgedLimit {
    JudgedLimit::Soft {
        tool: tool.id().to_owned(),
        kind: kind.name().to_owned(),
        label: kind.label().to_owned(),
        limit,
    }
}

fn hard_limit(tool: Tool, kind: MetricKind, limit: Number) -> JudgedLimit {
    JudgedLimit::Hard {
        tool: tool.id().to_owned(),
        kind: kind.name().to_owned(),
        label: kind.label().to_owned(),
        limit,
    }
}
