//! Wall time beside the counts, as the command line asks for it.

use std::path::PathBuf;
use std::time::Duration;

use iai_callgrind::protocol::{Kind, Package, Suite};

use super::{CaseIndex, Plan, PlannedCase, Subject, Target};
use crate::error::{with_causes, Error, Result};
use crate::settings::Settings;
use base::benchmark_path::BenchmarkPath;
use cli::WantedTime;

/// The wall time that is to be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedTime {
    /// Time for a benchmark, both sides together.
    pub budget: Duration,
    /// Only benchmarks whose counts or code changed.
    pub only_changed: bool,
    /// Limit of the change in percent.
    pub limit: Option<f64>,
    /// The executable of `--time-base`. `Some(None)`: its directory has none of this bench target.
    pub base: Option<Option<PathBuf>>,
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
                    store::executable_at(&base, [name, module], &settings.executable)
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
    let given = given.into_iter().filter(|(_, is_given)| *is_given);
    if plan.time.is_none() {
        let warning = |(option, _)| format!("`{option}` has no effect without `--time`");
        return given.map(warning).collect();
    }
    let mut jobs = plan.jobs();
    match jobs.any(|job| job.target.kind() == Kind::Binary) {
        true => vec![
            "`--time` measures library benchmarks only; of programs there is no wall time"
                .to_owned(),
        ],
        false => Vec::new(),
    }
}

/// The case of this benchmark in another executable. `None`: the executable has no such benchmark.
pub(crate) fn case_in(
    suite: &Suite,
    path: &BenchmarkPath,
    settings: &Settings,
) -> Option<PlannedCase> {
    let (number, group) = suite
        .groups
        .iter()
        .enumerate()
        .find(|(_, group)| group.name == path.group)?;
    let mut functions = group.functions.iter();
    let function = functions.find(|function| function.name == path.function)?;
    let case = function.cases.iter().find(|case| case.id == path.id)?;
    if case.command.is_some() {
        return None;
    }
    let index = CaseIndex::new(number, function, case);
    match Target::of_case(suite, case, index, settings).subject {
        Subject::Case(case) => Some(case),
        Subject::Command(_) => None,
    }
}
