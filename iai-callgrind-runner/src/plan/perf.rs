//! Settings of perf for one benchmark.

use std::time::Duration;

use iai_callgrind::protocol::{self, PerfLimits, Stdin};

use super::perf_args::{self, PerfCommand};
use super::{Subject, Target, ToolArgs};
use crate::benchmark_path::BenchmarkPath;
use crate::entry_functions::EntryFunctions;
use crate::error::{Error, Result};
use crate::settings::Settings;
use crate::tool::Tool;

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
    /// Limits on events, by globs.
    pub limits: PerfLimits,
}

/// The samples of perf that count.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleFilter {
    /// The least share of the time that a counter has to run, in percent.
    pub least_running: f64,
    /// Globs of events that cannot be 0.
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

impl PerfSettings {
    /// Merges the settings of perf from configuration and command line. Also returns warnings.
    pub(super) fn build(
        benchmark_path: &BenchmarkPath,
        config: Option<&protocol::Perf>,
        target: &Target,
        settings: &Settings,
    ) -> Result<(ToolArgs, Self, Vec<String>)> {
        let nothing = protocol::Perf::default();
        let config = config.unwrap_or(&nothing);
        let typed = &settings.of_perf;
        let mut warnings = Vec::new();
        let user = config.args.iter();
        let user = user.chain(&settings.of_tools[Tool::Perf].args);
        let (words, said) = perf_args::filter(PerfCommand::Stat, user);
        warnings.extend(said);
        let user = config.record_args.iter().chain(&typed.record_args);
        let (record_args, said) = perf_args::filter(PerfCommand::Record, user);
        warnings.extend(said);

        // The calibration needs the begin of the count: only a benchmark function has an empty counterpart.
        // Values are checked last, when configuration and command line are merged.
        let begin = match (config.disable_entry_point.unwrap_or(false), &target.subject) {
            (true, _) => CountBegin::AtMark,
            (false, Subject::Case(_)) => CountBegin::AtEntry,
            (false, Subject::Command(_)) => CountBegin::AtStart,
        };
        let mode = typed.run_mode.or(config.run_mode).unwrap_or_default();
        let mut calibration = mode.calibration();
        if calibration.is_some() && begin != CountBegin::AtEntry {
            warnings.push(
                "perf measures as with `direct`: an empty benchmark can be subtracted only where the \
                 benchmark function counts, not programs and marks"
                    .to_owned(),
            );
            calibration = None;
        }
        let sampling = typed.sampling.or(config.sample_duration);
        let mut sampling = sampling.filter(|duration| !duration.is_zero());
        if sampling.is_some() && reads(target) {
            warnings.push(format!(
                "`{benchmark_path}` runs once under perf: what it reads from stdin is there only once"
            ));
            sampling = None;
        }
        let wants_record = typed.record.or(config.record).unwrap_or(false);
        let configured = config.event_sets.clone().unwrap_or_default();
        let event_sets = match typed.events.as_slice() {
            [] if configured.is_empty() => vec![protocol::Perf::EVENTS.to_owned()],
            [] => configured,
            events => events.to_vec(),
        };
        let perf = Self {
            event_sets,
            begin,
            calibration,
            sampling,
            record: wants_record.then_some(record_args),
            samples: samples(config),
            alpha: config.alpha.unwrap_or(protocol::Perf::ALPHA),
            limits: typed.limits.as_ref().unwrap_or(&config.limits).clone(),
        };
        perf.check(benchmark_path)?;
        let args = ToolArgs {
            words,
            entry: EntryFunctions::default(),
            count_threads: false,
            errors_fail: false,
            given: Vec::new(),
        };
        Ok((args, perf, warnings))
    }

    fn check(&self, benchmark_path: &BenchmarkPath) -> Result<()> {
        let wrong = |reason: String| {
            Err(Error::Configuration {
                place: format!("configuration of `{benchmark_path}` for perf"),
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

    fn perf(limits: PerfLimits) -> PerfSettings {
        PerfSettings {
            event_sets: vec!["x".into()],
            begin: CountBegin::AtEntry,
            calibration: None,
            sampling: None,
            record: None,
            samples: SampleFilter::default(),
            alpha: 0.05,
            limits,
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
        let good = perf(PerfLimits::default());
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
