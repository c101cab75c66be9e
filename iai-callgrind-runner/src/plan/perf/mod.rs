//! Settings of perf for one benchmark.

mod args;

use std::time::Duration;

use iai_callgrind::protocol::{self, PerfLimits, PerfRunMode, Stdin};

use self::args::PerfCommand;
use super::backend::ConfiguredJob;
use super::{Instrumentation, Plan, Subject, Target, ToolArgs};
use crate::error::{Error, Result};
use crate::settings::{Settings, TypedForPerf};
use base::benchmark_path::BenchmarkPath;
use base::entry_functions::EntryFunctions;
use base::tool::Tool;
use metrics::readers::SampleFilter;

/// Settings of perf for one benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct PerfSettings {
    /// The events of each run; at least one.
    pub event_sets: Vec<String>,
    /// Begin of the count.
    pub begin: CountBegin,
    /// Duration of the calibration: an empty benchmark, which is measured before and subtracted.
    pub calibration: Option<Duration>,
    /// Time for which the benchmark is repeated; `None`: no repetition.
    pub sampling: Option<Duration>,
    /// Arguments for `perf record`, if that runs as well.
    pub record: Option<Vec<String>>,
    /// Filter of the samples that count.
    pub samples: SampleFilter,
    /// Level of significance of a change.
    pub alpha: f64,
}

/// Begin of perf's count, which decides about the part of the process that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountBegin {
    /// The whole process.
    AtStart,
    /// The benchmark function.
    AtEntry,
    /// Parts that the benchmark marks itself.
    AtMark,
}

impl CountBegin {
    fn of(config: &protocol::Perf, subject: &Subject) -> Self {
        match (config.disable_entry_point.unwrap_or(false), subject) {
            (true, _) => Self::AtMark,
            (false, Subject::Case(_)) => Self::AtEntry,
            (false, Subject::Command(_)) => Self::AtStart,
        }
    }
}

impl PerfSettings {
    /// Merges the settings of perf from configuration and command line. Also returns warnings.
    pub(super) fn build(of: ConfiguredJob<'_>) -> Result<(Self, ToolArgs, Vec<String>)> {
        // The calibration needs the begin of the count: only a benchmark function has an empty
        // counterpart. Values are checked last, when configuration and command line are merged.
        let nothing = protocol::Perf::default();
        let config = of.tools.perf.as_ref().unwrap_or(&nothing);
        let typed = &of.settings.of_perf;
        let user = config.args.iter().chain(&typed.args);
        let (words, mut warnings) = args::filter(PerfCommand::Stat, user);
        let user = config.record_args.iter().chain(&typed.record_args);
        let (record_args, about_record) = args::filter(PerfCommand::Record, user);
        warnings.extend(about_record);
        let begin = CountBegin::of(config, &of.target.subject);
        let mode = typed.run_mode.or(config.run_mode).unwrap_or_default();
        let perf = Self {
            event_sets: event_sets(config, typed),
            begin,
            calibration: calibration(mode, begin, &mut warnings),
            sampling: sampling(of, config, &mut warnings),
            record: typed
                .record
                .or(config.record)
                .unwrap_or(false)
                .then_some(record_args),
            samples: samples(config),
            alpha: config.alpha.unwrap_or(protocol::Perf::ALPHA),
        };
        perf.check(of.benchmark_path)?;
        let args = ToolArgs {
            words,
            entry: EntryFunctions::default(),
            count_threads: false,
            instrumentation: Instrumentation::default(),
            untraced: false,
            errors_fail: false,
            given: Vec::new(),
        };
        Ok((perf, args, warnings))
    }

    fn check(&self, benchmark_path: &BenchmarkPath) -> Result<()> {
        let wrong = |reason: String| {
            Err(Error::Configuration {
                place: format!("configuration of `{benchmark_path}` for perf"),
                reason,
            })
        };
        // In this form NaN, which is neither above nor below anything, is refused too.
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
}

/// Limits on events, of the command line or else of the configuration. Other tools count none.
pub(super) fn limits(of: ConfiguredJob<'_>) -> PerfLimits {
    if of.tool != Tool::Perf {
        return PerfLimits::default();
    }
    let configured = of.tools.perf.as_ref().map(|perf| &perf.limits);
    let limits = of.settings.of_perf.limits.as_ref().or(configured);
    limits.cloned().unwrap_or_default()
}

/// Warnings about options of perf without effect, since no benchmark runs under it.
pub(super) fn without_effect(plan: &Plan, settings: &Settings) -> Vec<String> {
    if plan.jobs().any(|job| job.backend.perf().is_some()) {
        return Vec::new();
    }
    let warning = |option| {
        format!(
            "`{option}` has no effect, since no benchmark runs under perf; `--tools=perf` adds it"
        )
    };
    settings.of_perf.given().map(warning).collect()
}

fn event_sets(config: &protocol::Perf, typed: &TypedForPerf) -> Vec<String> {
    let configured = config.event_sets.clone().unwrap_or_default();
    match typed.events.as_slice() {
        [] if configured.is_empty() => vec![protocol::Perf::EVENTS.to_owned()],
        [] => configured,
        events => events.to_vec(),
    }
}

/// The duration of the calibration, where there is something to subtract it from.
fn calibration(
    mode: PerfRunMode,
    begin: CountBegin,
    warnings: &mut Vec<String>,
) -> Option<Duration> {
    let calibration = mode.calibration()?;
    if begin != CountBegin::AtEntry {
        warnings.push(
            "perf measures as with `direct`: an empty benchmark can be subtracted only where the \
             benchmark function counts, not programs and marks"
                .to_owned(),
        );
        return None;
    }
    Some(calibration)
}

/// The time for which the benchmark is repeated, if it can be.
fn sampling(
    of: ConfiguredJob<'_>,
    config: &protocol::Perf,
    warnings: &mut Vec<String>,
) -> Option<Duration> {
    let sampling = of.settings.of_perf.sampling.or(config.sample_duration);
    let sampling = sampling.filter(|duration| !duration.is_zero())?;
    if reads(of.target) {
        warnings.push(format!(
            "`{}` runs once under perf: what it reads from stdin is there only once",
            of.benchmark_path
        ));
        return None;
    }
    Some(sampling)
}

fn samples(config: &protocol::Perf) -> SampleFilter {
    let default = SampleFilter::default();
    SampleFilter {
        least_running: config.min_pcnt_running.unwrap_or(default.least_running),
        non_zero: config.non_zero_metrics.clone().unwrap_or(default.non_zero),
    }
}

/// Does the program read an input that its next run would not find?
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

    fn perf() -> PerfSettings {
        PerfSettings {
            event_sets: vec!["x".into()],
            begin: CountBegin::AtEntry,
            calibration: None,
            sampling: None,
            record: None,
            samples: SampleFilter::default(),
            alpha: 0.05,
        }
    }

    #[test]
    fn levels_and_shares_are_checked() {
        let benchmark_path = BenchmarkPath {
            file: "f".into(),
            group: "g".into(),
            function: "b".into(),
            id: None,
            args: None,
        };
        let good = perf();
        good.check(&benchmark_path).unwrap();
        for bad in [
            PerfSettings {
                alpha: 0.0,
                ..good.clone()
            },
            PerfSettings {
                alpha: f64::NAN,
                ..good.clone()
            },
            PerfSettings {
                event_sets: vec![" ".into()],
                ..good.clone()
            },
            PerfSettings {
                samples: SampleFilter {
                    least_running: 101.0,
                    ..SampleFilter::default()
                },
                ..good.clone()
            },
        ] {
            let error = bad.check(&benchmark_path).unwrap_err().to_string();
            assert!(
                error.starts_with("configuration of `f::g::b` for perf: "),
                "{error}"
            );
        }
    }
}
