//! The fields of a benchmark's record that are read here; all others are passed over.

use std::borrow::Cow;
use std::sync::Arc;

use iai_callgrind::protocol;
use serde::Deserialize;

use super::benchmark::{
    BenchmarkIdentity, MeasuredFunction, RecordedBenchmark, RecordedFailure, RecordedTool,
    UnmetInRecord,
};
use super::interned::SharedValues;
use crate::explain::SourceOrigin;
use crate::metrics::perf::{PerfFigure, PerfMetricKind};
use crate::metrics::{MetricKind, MetricValue};
use crate::model::tool::{is_of_hardware, Tool};
use crate::records::summary::{
    Environment, Files, Input, Mode, Number, ObjectCosts, Reason, RecordedLimit, Repeated, Samples,
    Source, System,
};
use crate::records::Circumstances;

/// The fields of a record by which its type and version are known.
#[derive(Debug, Deserialize)]
pub(super) struct TypeFields<'a> {
    #[serde(borrow, rename = "type", default)]
    pub(super) kind: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(super) version: Option<serde_json::Value>,
}

/// The fields of a benchmark's record.
#[derive(Debug, Deserialize)]
pub(super) struct BenchmarkFields<'a> {
    #[serde(default)]
    pub(super) version: Option<u64>,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    source: Source,
    #[serde(borrow)]
    benchmark: NameFields<'a>,
    #[serde(borrow, default)]
    baselines: BaselineFields<'a>,
    started_at: String,
    duration_ns: u64,
    #[serde(borrow)]
    profiles: Vec<ProfileFields<'a>>,
    #[serde(borrow)]
    failures: Vec<FailureFields<'a>>,
    #[serde(borrow, default)]
    directory: Cow<'a, str>,
    files: Files,
    system: System,
}

#[derive(Debug, Deserialize)]
struct NameFields<'a> {
    #[serde(borrow)]
    path: Cow<'a, str>,
    #[serde(borrow)]
    package: Cow<'a, str>,
    #[serde(borrow)]
    file: Cow<'a, str>,
    #[serde(borrow)]
    group: Cow<'a, str>,
    #[serde(borrow)]
    function: Cow<'a, str>,
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    description: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    source_file: Option<Cow<'a, str>>,
    #[serde(default)]
    input: Option<Input>,
    #[serde(default)]
    line: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
struct BaselineFields<'a> {
    #[serde(borrow, default)]
    new: Option<Cow<'a, str>>,
}

#[derive(Debug, Deserialize)]
struct ProfileFields<'a> {
    #[serde(borrow)]
    tool: Cow<'a, str>,
    mode: Mode,
    #[serde(default)]
    duration_ns: Option<u64>,
    #[serde(borrow)]
    metrics: Vec<MetricFields<'a>>,
    #[serde(default)]
    limits: Vec<RecordedLimit>,
    #[serde(default)]
    regressions: Vec<UnmetFields>,
    #[serde(default)]
    objects: Vec<ObjectCosts>,
    #[serde(borrow, default)]
    events: Vec<Cow<'a, str>>,
    #[serde(borrow, default)]
    functions: Vec<FunctionFields<'a>>,
    #[serde(borrow, default)]
    digest: Option<Cow<'a, str>>,
    #[serde(default)]
    repeated: Option<Repeated>,
    environment: Environment,
}

/// Regression that no limit tells. Exceeded limits are judged anew.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum UnmetFields {
    Unequal {
        kind: String,
        other: Number,
        with: String,
    },
    Ratio {
        kind: String,
        limited: String,
        limited_count: u64,
        ratio: String,
        of: String,
        of_count: u64,
    },
    Growth {
        kind: String,
        bench: String,
        stated: String,
        found: Option<String>,
    },
    #[serde(other)]
    Other,
}

impl UnmetFields {
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

#[derive(Debug, Deserialize)]
struct MetricFields<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    unit: Option<Cow<'a, str>>,
    #[serde(default)]
    new: Option<Number>,
    #[serde(default)]
    part: Option<u32>,
    #[serde(default)]
    new_samples: Option<Samples>,
}

#[derive(Debug, Deserialize)]
struct FunctionFields<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    origin: SourceOrigin,
    own: Vec<u64>,
}

#[derive(Debug, Deserialize)]
struct FailureFields<'a> {
    #[serde(borrow, default)]
    tool: Option<Cow<'a, str>>,
    reason: Reason,
    message: String,
}

impl BenchmarkFields<'_> {
    /// The benchmark. Tools that later versions may add are passed over.
    pub(super) fn benchmark(self, read_from: u32, shared: &mut SharedValues) -> RecordedBenchmark {
        let name = self.benchmark;
        let failures: Vec<RecordedFailure> = self.failures.into_iter().map(failure).collect();
        let mut tools = Vec::with_capacity(self.profiles.len());
        for profile in self.profiles {
            let Ok(tool) = profile.tool.parse() else {
                continue;
            };
            let circumstances = Circumstances::of(
                &self.system,
                &self.files,
                &profile.environment,
                profile.mode,
            );
            let circumstances = shared.circumstances(circumstances);
            let failed = failures.iter().any(|failure| failure.tool == Some(tool));
            tools.push(profile.result(tool, failed, circumstances, shared));
        }
        let mut optional = |text: Option<Cow<'_, str>>| text.map(|text| shared.text(&text));
        let label = optional(self.label.map(Cow::Owned));
        let target = optional(self.system.target.as_deref().map(Cow::Borrowed));
        let source_file = optional(name.source_file);
        let id = optional(name.id);
        let baseline = optional(self.baselines.new);
        RecordedBenchmark {
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
            input: name
                .input
                .map(|Input { text, positional }| Box::new(protocol::Input { text, positional })),
            source_file,
            line: name.line,
            started_at: self.started_at,
            duration_ns: self.duration_ns,
            source: shared.source(self.source),
            system: shared.system(self.system),
            tools,
            failures,
            directory: self.directory.into(),
            baseline,
            read_from,
            text: None,
        }
    }
}

fn failure(fields: FailureFields<'_>) -> RecordedFailure {
    RecordedFailure {
        tool: fields.tool.and_then(|tool| tool.parse().ok()),
        reason: fields.reason,
        message: fields.message,
    }
}

impl ProfileFields<'_> {
    fn result(
        self,
        tool: Tool,
        failed: bool,
        circumstances: Arc<Circumstances>,
        shared: &mut SharedValues,
    ) -> RecordedTool {
        let mut metrics = Vec::with_capacity(self.metrics.len());
        let mut unknown = Vec::new();
        let mut time_unit = None;
        for metric in &self.metrics {
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
                (None, Number::Rate(_)) => {}
            }
        }
        let regressions = self.regressions.into_iter();
        let unmet = regressions.filter_map(|unmet| unmet.unmet(tool, shared));
        let unmet = unmet.collect();
        let instructions = self.events.iter().position(|event| event == "Ir");
        let function = |function: FunctionFields<'_>| {
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
            code: self.environment.code.map(|code| shared.text(&code)),
            fingerprint: self
                .environment
                .fingerprint
                .map(|fingerprint| shared.text(&fingerprint)),
            circumstances,
            duration_ns: self.duration_ns,
            digest: self.digest.map(Box::from),
            failed,
        }
    }
}

impl MetricFields<'_> {
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
