//! Wall time beside the counts, as the command line asks for it.

use std::time::Duration;

use iai_callgrind::protocol::{Input, Package, Suite};

use super::{CaseIndex, Plan, PlannedCase, Subject, Target};
use crate::error::{with_causes, Error, Result};
use crate::settings::Settings;
use base::benchmark_path::BenchmarkPath;
use cli::WantedTime;
use records::other_input;
use records::summary::RecordedTime;
use store::TimeBase;

/// The wall time that is to be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedTime {
    /// Time for a benchmark, both sides together.
    pub budget: Duration,
    /// Only benchmarks whose counts or code changed.
    pub only_changed: bool,
    /// Limit of the change in percent.
    pub limit: Option<f64>,
    /// The place of `--time-base`.
    pub base: Option<TimeBase>,
}

impl PlannedTime {
    /// The wall time that is asked for, if any is.
    pub(super) fn new(settings: &Settings, package: &Package) -> Result<Option<Self>> {
        let budget = match settings.time.time {
            None | Some(WantedTime::No) => return Ok(None),
            Some(WantedTime::All(budget)) => budget,
            Some(WantedTime::Changed) => WantedTime::DURATION,
        };
        let base = settings.time.time_base.as_ref();
        let base = base.map(|base| settings.workspace(package).join(base));
        Ok(Some(Self {
            budget,
            only_changed: settings.time.time == Some(WantedTime::Changed),
            limit: settings.time.time_limits,
            base: base
                .map(|base| {
                    let Package { name, module, .. } = package;
                    TimeBase::at(&base, [name, module], &settings.executable)
                })
                .transpose()
                .map_err(|error| Error::option("--time-base", with_causes(&error)))?,
        }))
    }
}

/// Warnings about options of wall time without effect.
pub(super) fn without_effect(plan: &Plan, settings: &Settings) -> Vec<String> {
    let options = &settings.time;
    let given = [
        ("--time-limits", options.time_limits.is_some()),
        ("--time-base", options.time_base.is_some()),
    ];
    let given = given
        .into_iter()
        .filter(|(_, is_given)| *is_given && plan.time.is_none());
    let warning = |(option, _)| format!("`{option}` has no effect without `--time`");
    given.map(warning).collect()
}

/// The case of this benchmark in another executable, or why it cannot be compared with the new one,
/// which has these arguments.
pub(crate) fn case_in(
    suite: &Suite,
    path: &BenchmarkPath,
    input: Option<&Input>,
    settings: &Settings,
) -> std::result::Result<PlannedCase, &'static str> {
    let mut groups = suite.groups.iter().enumerate();
    let group = groups.find(|(_, group)| group.name == path.group);
    let found = group.and_then(|(number, group)| {
        let mut functions = group.functions.iter();
        let function = functions.find(|function| function.name == path.function)?;
        let case = function.cases.iter().find(|case| case.id == path.id)?;
        Some((case, CaseIndex::new(number, function, case)))
    });
    let (case, index) = found.ok_or("it does not have this benchmark")?;
    if other_input(case.input.as_ref(), input).is_some_and(|other| !other.compared) {
        return Err(RecordedTime::DIFFERENT_INPUT);
    }
    match Target::of_case(suite, case, index, settings).subject {
        Subject::Case(planned) if case.command.is_none() => Ok(planned),
        _ => Err("it does not have this benchmark"),
    }
}
