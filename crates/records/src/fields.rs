//! Extracts from the text of a record the fields that comparisons, histories and accepted counts
//! need.

use std::sync::Arc;

use serde::de::Error as _;
use serde_json::Error;

use super::benchmark::{
    BenchmarkIdentity, MeasuredFunction, RecordedBenchmark, RecordedFailure, RecordedTool,
    UnmetInRecord,
};
use super::interned::SharedValues;
use super::text::{FunctionText, MetricText, RecordText, ToolText, UnmetText};
use crate::summary::{Environment, Failure, Number, RecordedLimit};
use crate::Circumstances;
use base::tool::{is_of_hardware, Tool};
use metrics::perf::{PerfFigure, PerfMetricKind};
use metrics::{MetricKind, MetricValue};

impl UnmetText {
    fn unmet(self, tool: Tool, shared: &mut SharedValues) -> Option<UnmetInRecord> {
        let (kind, words) = match self {
            Self::Unequal { kind, other, with } => {
                let other = match other {
                    Number::Count(count) => MetricValue::Int(count),
                    Number::Rate(rate) => MetricValue::Float(rate),
                };
                (kind, format!("differs from {other} of {with}"))
            }
            Self::Ratio {
                kind,
                limited,
                limited_count,
                ratio,
                of,
                of_count,
            } => {
                let words = format!(
                    "{limited_count} of {limited} is more than {ratio} * {of_count} of {of}"
                );
                (kind, words)
            }
            Self::Growth {
                kind,
                bench,
                stated,
                found,
            } => {
                let words = match found {
                    Some(found) => format!("{bench} grows like {found}, and not {stated}"),
                    None => format!("{bench} grows faster than {stated}"),
                };
                (kind, words)
            }
            Self::Other => return None,
        };
        let kind = shared.metric(tool, &kind)?;
        Some(UnmetInRecord { kind, words })
    }
}

/// Why a limit cannot be judged: its kind, or its metric, is of a later version. Left out, it would
/// be judged as if there was none. Events of perf are in no table.
fn unknown_limit(tool: Tool, limits: &[RecordedLimit]) -> Option<String> {
    limits.iter().find_map(|limit| match limit {
        RecordedLimit::Other => Some(
            "a limit is of a kind that this version does not know; a newer runner reads it"
                .to_owned(),
        ),
        RecordedLimit::Soft { kind, .. } | RecordedLimit::Hard { kind, .. } => {
            let is_known = is_of_hardware(tool) || MetricKind::named(tool, kind).is_some();
            // The name may be a stranger's, of any length, and becomes a part of a message.
            let kind: String = kind.escape_debug().take(80).collect();
            (!is_known).then(|| {
                format!(
                    "a limit is on `{kind}`, a metric of {tool} that this version does not know; a newer runner reads it"
                )
            })
        }
    })
}

impl RecordText<'_> {
    /// The benchmark. Tools that later versions may add are passed over.
    pub(super) fn benchmark(
        &self,
        read_from: u32,
        shared: &mut SharedValues,
    ) -> Result<RecordedBenchmark, Error> {
        let name = self.name()?;
        let failures = self
            .failures
            .read::<Vec<Failure>>()?
            .into_iter()
            .map(failure);
        let failures: Vec<RecordedFailure> = failures.collect();
        let system = shared.system(self.system)?;
        let files = shared.files(self.files)?;
        let profiles = self.profiles()?;
        let mut tools = Vec::with_capacity(profiles.len());
        for profile in profiles {
            let Ok(tool) = profile.tool.parse() else {
                continue;
            };
            if let Some(reason) = unknown_limit(tool, &profile.limits) {
                return Err(Error::custom(reason));
            }
            let environment = shared.environment(profile.environment)?;
            let circumstances = Circumstances::of(&system, &files, &environment, profile.mode);
            let circumstances = shared.circumstances(circumstances);
            let failed = failures.iter().any(|failure| failure.tool == Some(tool));
            tools.push(profile.result(tool, failed, circumstances, &environment, shared));
        }
        let baseline = self.baseline()?;
        let label: Option<String> = self.label.read()?;
        let directory: String = self.directory.or_default()?;
        let mut optional = |text: Option<&str>| text.map(|text| shared.text(text));
        let label = optional(label.as_deref());
        let target = optional(system.target.as_deref());
        let source_file = optional(name.source_file.as_deref());
        let id = optional(name.id.as_deref());
        let baseline = optional(baseline.as_deref());
        Ok(RecordedBenchmark {
            identity: BenchmarkIdentity {
                label,
                target,
                package: shared.text(&name.package),
                path: name.path.into(),
            },
            file: shared.text(&name.file),
            group: shared.text(&name.group),
            function: shared.text(&name.function),
            id,
            description: name.description.map(|text| text.into()),
            input: name.input.map(|input| Box::new(input.into())),
            source_file,
            line: name.line,
            started_at: self.started_at.read()?,
            duration_ns: self.duration_ns.read()?,
            source: shared.source(self.source)?,
            system,
            tools,
            failures,
            time: self.time()?.map(Box::new),
            directory: directory.into(),
            baseline,
            read_from,
            text: None,
        })
    }
}

fn failure(text: Failure) -> RecordedFailure {
    RecordedFailure {
        tool: text.tool.and_then(|tool| tool.parse().ok()),
        reason: text.reason,
        message: text.message,
    }
}

impl ToolText<'_> {
    fn result(
        self,
        tool: Tool,
        failed: bool,
        circumstances: Arc<Circumstances>,
        environment: &Environment,
        shared: &mut SharedValues,
    ) -> RecordedTool {
        let mut metrics = Vec::with_capacity(self.metrics.len());
        let mut unknown = Vec::new();
        let mut time_unit = None;
        for metric in &self.metrics {
            // A metric without a new value is one of the old side.
            let Some(new) = metric.new else { continue };
            if is_of_hardware(tool) {
                metrics.push(metric.of_perf(new));
                continue;
            }
            match (shared.metric(tool, &metric.kind), new) {
                (Some(kind), new) => {
                    if let Some(unit) = metric.unit.as_deref().filter(|_| kind.is_time()) {
                        time_unit = Some(shared.text(unit));
                    }
                    metrics.push((kind, value(kind, new)));
                }
                (None, Number::Count(count)) => unknown.push((shared.text(&metric.kind), count)),
                // Unknown metrics are compared as counts, which a rate is not.
                (None, Number::Rate(_)) => {}
            }
        }
        let regressions = self.regressions.into_iter();
        let unmet = regressions.filter_map(|unmet| unmet.unmet(tool, shared));
        let unmet = unmet.collect();
        // `own` of a function has a number for each event, in this order.
        let instructions = self.events.iter().position(|event| event == "Ir");
        let function = |function: FunctionText<'_>| {
            Some(MeasuredFunction {
                name: shared.text(&function.name),
                origin: function.origin,
                own: *function.own.get(instructions?)?,
            })
        };
        RecordedTool {
            tool,
            metrics,
            unknown,
            time_unit,
            limits: self.limits,
            unmet,
            objects: self.objects,
            functions: self.functions.into_iter().filter_map(function).collect(),
            repeated: self.repeated,
            code: environment.code.as_deref().map(|it| shared.text(it)),
            fingerprint: environment.fingerprint.as_deref().map(|it| shared.text(it)),
            circumstances,
            duration_ns: self.duration_ns,
            digest: self.digest,
            failed,
        }
    }
}

impl MetricText<'_> {
    /// A figure of perf, with the samples that it is the mean of.
    fn of_perf(&self, new: Number) -> (MetricKind, MetricValue) {
        let kind = PerfMetricKind {
            part: self.part.unwrap_or(1),
            event: (&*self.kind).into(),
        };
        let unit = self.unit.as_deref().unwrap_or_default().into();
        let exact = PerfFigure::exact(new.as_f64(), unit);
        let figure = match self.new_samples {
            Some(samples) => PerfFigure {
                // The value is rounded as perf writes it, the mean is not.
                value: samples.mean,
                n: samples.n,
                rse: samples.rse_pct / 100.0,
                runtime: samples.event_runtime,
                running: samples.pcnt_running,
                ..exact
            },
            None => exact,
        };
        (kind.into(), MetricValue::Perf(figure))
    }
}

/// The value of a metric of a table. A rate that happens to be a whole number is a rate.
pub(super) fn value(kind: MetricKind, number: Number) -> MetricValue {
    match number {
        Number::Count(count) if !kind.is_rate() => MetricValue::Int(count),
        number => MetricValue::Float(number.as_f64()),
    }
}
