//! Which metrics are shown, and which values of them are regressions.

use clap::Args;
use iai_callgrind::protocol::{
    BbvMetric, CachegrindMetric, DhatMetric, ErrorMetric, EventKind, MassifMetric, Metric,
    PerfLimits, Tool,
};

use super::metrics::{limits, Limits};
use super::perf::perf_limits;
use crate::metrics::Kind;

/// Which metrics are shown, and which values of them are regressions.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Metrics and limits")]
pub struct FigureOptions {
    /// Metrics of Callgrind to show
    ///
    /// Show these metrics of Callgrind, in this order: names and `@groups`, separated by commas, such
    /// as `ir,@hits`. It does not make the tool collect them [default: as configured, else the group `default`]
    #[arg(long, value_name = "METRICS", value_parser = metrics::<EventKind>)]
    callgrind_metrics: Option<Metrics>,

    /// Metrics of Cachegrind to show
    ///
    /// Show these metrics of Cachegrind, in this order [default: as configured, else the group `default`]
    #[arg(long, value_name = "METRICS", value_parser = metrics::<CachegrindMetric>)]
    cachegrind_metrics: Option<Metrics>,

    /// Metrics of DHAT to show
    ///
    /// Show these metrics of DHAT, in this order [default: as configured, else the group `default`]
    #[arg(long, value_name = "METRICS", value_parser = metrics::<DhatMetric>)]
    dhat_metrics: Option<Metrics>,

    /// Metrics of Massif to show
    ///
    /// Show these metrics of Massif, in this order [default: as configured, else the group `default`]
    #[arg(long, value_name = "METRICS", value_parser = metrics::<MassifMetric>)]
    massif_metrics: Option<Metrics>,

    /// Metrics of exp-bbv to show
    ///
    /// Show these metrics of exp-bbv, in this order [default: as configured, else the group `default`]
    #[arg(long, value_name = "METRICS", value_parser = metrics::<BbvMetric>)]
    bbv_metrics: Option<Metrics>,

    /// Metrics of Memcheck to show
    ///
    /// Show these metrics of Memcheck, in this order [default: as configured, else the group `all`]
    #[arg(long, value_name = "METRICS", value_parser = metrics::<ErrorMetric>)]
    memcheck_metrics: Option<Metrics>,

    /// Metrics of Helgrind to show
    ///
    /// Show these metrics of Helgrind, in this order [default: as configured, else the group `all`]
    #[arg(long, value_name = "METRICS", value_parser = metrics::<ErrorMetric>)]
    helgrind_metrics: Option<Metrics>,

    /// Metrics of DRD to show
    ///
    /// Show these metrics of DRD, in this order [default: as configured, else errors,contexts]
    #[arg(long, value_name = "METRICS", value_parser = metrics::<ErrorMetric>)]
    drd_metrics: Option<Metrics>,

    /// What is a regression with Callgrind
    ///
    /// Limits of Callgrind instead of the configured ones: `ir=5%` is the largest change in percent,
    /// `ir=10000` the largest value, `ir=5%|10000,@hits=10%` several [default: as configured, else
    /// none]
    #[arg(long, value_name = "LIMITS", value_parser = limits::<EventKind>)]
    callgrind_limits: Option<Limits>,

    /// What is a regression with Cachegrind
    ///
    /// Limits of Cachegrind instead of the configured ones [default: as configured, else none]
    #[arg(long, value_name = "LIMITS", value_parser = limits::<CachegrindMetric>)]
    cachegrind_limits: Option<Limits>,

    /// What is a regression with DHAT
    ///
    /// Limits of DHAT instead of the configured ones [default: as configured, else none]
    #[arg(long, value_name = "LIMITS", value_parser = limits::<DhatMetric>)]
    dhat_limits: Option<Limits>,

    /// What is a regression with Massif
    ///
    /// Limits of Massif instead of the configured ones [default: as configured, else none]
    #[arg(long, value_name = "LIMITS", value_parser = limits::<MassifMetric>)]
    massif_limits: Option<Limits>,

    /// What is a regression with exp-bbv
    ///
    /// Limits of exp-bbv instead of the configured ones [default: as configured, else none]
    #[arg(long, value_name = "LIMITS", value_parser = limits::<BbvMetric>)]
    bbv_limits: Option<Limits>,

    /// What is a regression with Memcheck
    ///
    /// Limits of Memcheck instead of the configured ones: `errors=3` accepts three errors if
    /// `--error-exitcode=0` takes errors as figures [default: as configured, else none]
    #[arg(long, value_name = "LIMITS", value_parser = limits::<ErrorMetric>)]
    memcheck_limits: Option<Limits>,

    /// What is a regression with Helgrind
    ///
    /// Limits of Helgrind instead of the configured ones [default: as configured, else none]
    #[arg(long, value_name = "LIMITS", value_parser = limits::<ErrorMetric>)]
    helgrind_limits: Option<Limits>,

    /// What is a regression with DRD
    ///
    /// Limits of DRD instead of the configured ones [default: as configured, else none]
    #[arg(long, value_name = "LIMITS", value_parser = limits::<ErrorMetric>)]
    drd_limits: Option<Limits>,

    /// What is a regression with perf
    ///
    /// Limits of perf instead of the configured ones, for all events whose name matches a pattern:
    /// `instructions*=5%|10000,task-clock=2.5ms` [default: as configured, else none]
    #[arg(long, value_name = "LIMITS", value_parser = perf_limits)]
    pub perf_limits: Option<PerfLimits>,

    /// Stop at the first regression
    ///
    /// Stop the run at the first exceeded limit; teardowns still run [default: as configured, else no]
    #[arg(long)]
    pub regression_fail_fast: Option<bool>,

    /// What is missing is an error
    ///
    /// What is missing is an error, not a warning: a benchmark that the filter selects, a result to
    /// compare with in a baseline, a metric that has a limit. So is a result to compare with that was
    /// made under other circumstances [default: no]
    #[arg(long)]
    pub strict: Option<bool>,
}

/// The metrics to show. Not a list for clap, which would take several values.
#[derive(Debug, Clone)]
struct Metrics(Vec<Kind>);

fn metrics<M: Metric + Into<Kind>>(text: &str) -> Result<Metrics, String> {
    super::metrics::metrics::<M>(text).map(Metrics)
}

impl FigureOptions {
    /// The metrics of a tool to show, if that was said.
    pub fn metrics(&self, tool: Tool) -> Option<&[Kind]> {
        let metrics = match tool {
            Tool::Callgrind => &self.callgrind_metrics,
            Tool::Cachegrind => &self.cachegrind_metrics,
            Tool::Dhat => &self.dhat_metrics,
            Tool::Massif => &self.massif_metrics,
            Tool::Bbv => &self.bbv_metrics,
            Tool::Memcheck => &self.memcheck_metrics,
            Tool::Helgrind => &self.helgrind_metrics,
            Tool::Drd => &self.drd_metrics,
            // It has no list of metrics: what is counted is shown.
            Tool::Perf => &None,
        };
        metrics.as_ref().map(|Metrics(kinds)| kinds.as_slice())
    }

    /// The limits of a tool, if some were given.
    pub fn limits(&self, tool: Tool) -> Option<&Limits> {
        let limits = match tool {
            Tool::Callgrind => &self.callgrind_limits,
            Tool::Cachegrind => &self.cachegrind_limits,
            Tool::Dhat => &self.dhat_limits,
            Tool::Massif => &self.massif_limits,
            Tool::Bbv => &self.bbv_limits,
            Tool::Memcheck => &self.memcheck_limits,
            Tool::Helgrind => &self.helgrind_limits,
            Tool::Drd => &self.drd_limits,
            // Its limits are patterns.
            Tool::Perf => &None,
        };
        limits.as_ref()
    }
}
