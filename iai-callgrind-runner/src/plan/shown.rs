//! The metrics of a job that are shown, and their limits: as configured, or as typed.

use std::sync::Arc;

use iai_callgrind::protocol::{Limit, PerfLimits, ToolMetric};

use super::backend::ConfiguredJob;
use super::perf;
use crate::error::{Error, Result};
use crate::settings::TypedForTool;
use metrics::MetricKind;

/// The metrics of a job that are shown, and their limits.
pub(super) struct ShownMetrics {
    pub(super) format: Option<Arc<[MetricKind]>>,
    /// The shown metrics are the default ones.
    pub(super) is_usual: bool,
    pub(super) soft_limits: Vec<(MetricKind, f64)>,
    pub(super) hard_limits: Vec<(MetricKind, Limit)>,
    pub(super) event_limits: PerfLimits,
}

impl ShownMetrics {
    /// Merges configuration and command line.
    pub(super) fn resolve(of: ConfiguredJob<'_>) -> Result<Self> {
        let typed = &of.settings.of_tools[of.tool];
        let shown = Self::configured(of).or_as_typed(typed);
        shown.check(of)?;
        Ok(shown)
    }

    fn configured(of: ConfiguredJob<'_>) -> Self {
        let settings = of.tools.of_valgrind(of.tool);
        let format = settings.and_then(|settings| settings.format.as_ref());
        let limits = settings.map(|settings| settings.limits.clone());
        let limits = limits.unwrap_or_default();
        Self {
            format: match format {
                Some(format) => Some(format.iter().copied().map(MetricKind::from).collect()),
                None => MetricKind::shown_by_default(of.tool),
            },
            soft_limits: metrics(limits.soft),
            hard_limits: metrics(limits.hard),
            is_usual: format.is_none(),
            event_limits: perf::limits(of),
        }
    }

    /// Replaces the configured values by those of the command line.
    fn or_as_typed(mut self, typed: &TypedForTool) -> Self {
        if let Some(metrics) = &typed.metrics {
            self.format = Some(metrics.as_slice().into());
            self.is_usual = false;
        }
        if let Some(limits) = &typed.limits {
            self.soft_limits.clone_from(&limits.soft);
            self.hard_limits.clone_from(&limits.hard);
        }
        self
    }

    /// A count cannot be compared with a fraction: `5.0` most likely was to be a soft limit.
    fn check(&self, of: ConfiguredJob<'_>) -> Result<()> {
        for (kind, limit) in &self.hard_limits {
            if let (Limit::Float(limit), false) = (limit, kind.is_rate()) {
                return Err(Error::Setting {
                    place: format!("configuration of `{}` for {}", of.benchmark_path, of.tool),
                    reason: format!(
                        "`{limit:?}` is not a hard limit for `{kind}`: that is a whole number, such as \
                         `10`; for a change in percent there is `soft_limits`"
                    ),
                });
            }
        }
        Ok(())
    }
}

fn metrics<L>(limits: Vec<(ToolMetric, L)>) -> Vec<(MetricKind, L)> {
    let kind = |(metric, limit): (ToolMetric, L)| (metric.into(), limit);
    limits.into_iter().map(kind).collect()
}
