//! Wall time beside the counts: the command line over the configuration of a benchmark.

use iai_callgrind::protocol::{self, Input, Package, Suite};

use super::{CaseIndex, Plan, PlannedCase, Subject, Target};
use crate::error::{with_causes, Error, Result};
use crate::settings::Settings;
use base::benchmark_path::BenchmarkPath;
use cli::{TimeOptions, WantedTime};
use records::other_input;
use records::summary::RecordedTime;
use store::TimeBase;
use time::TimeSettings;

/// The wall time of a benchmark that is to be measured.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedTime {
    /// Duration and batches.
    pub settings: TimeSettings,
    /// Only if its counts or code changed.
    pub only_changed: bool,
    /// Limit of the change in percent.
    pub limit: Option<f64>,
}

impl PlannedTime {
    /// The wall time that is asked for, if any is.
    pub(super) fn new(said: Option<protocol::Time>, typed: &TimeOptions) -> Option<Self> {
        let is_on = said.is_some_and(|said| said.enable != Some(false));
        let said = said.unwrap_or_default();
        let (duration, only_changed) = match typed.time {
            None if is_on => (None, said.only_changed.unwrap_or(false)),
            None | Some(WantedTime::No) => return None,
            Some(WantedTime::All(duration)) => (duration, false),
            Some(WantedTime::Changed) => (None, true),
        };
        Some(Self {
            settings: TimeSettings {
                budget: duration
                    .or(said.duration)
                    .unwrap_or(protocol::Time::DURATION),
                warm_up: said.warm_up,
                calls: said.calls,
                noise: said.noise.unwrap_or(0.0) / 100.0,
            },
            only_changed,
            limit: typed.time_limits.or(said.limit),
        })
    }
}

/// The place of `--time-base`, if times are to be compared with those of its executables.
pub(super) fn base(
    plan: &Plan,
    package: &Package,
    settings: &Settings,
) -> Result<Option<TimeBase>> {
    let base = settings.time.time_base.as_ref();
    let Some(base) = base.filter(|_| plan.is_timed()) else {
        return Ok(None);
    };
    let place = settings.workspace(package).join(base);
    let Package { name, module, .. } = package;
    let base = TimeBase::at(&place, [name, module], &settings.executable);
    base.map(Some)
        .map_err(|error| Error::option("--time-base", with_causes(&error)))
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
        .filter(|(_, is_given)| *is_given && !plan.is_timed());
    let warning =
        |(option, _)| format!("`{option}` has no effect: no benchmark is timed without `--time`");
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

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use base::repository::of_repository;

    fn planned(said: Option<protocol::Time>, time: Option<WantedTime>) -> Option<PlannedTime> {
        let typed = TimeOptions {
            time,
            ..TimeOptions::default()
        };
        PlannedTime::new(said, &typed)
    }

    #[test]
    fn a_benchmark_is_timed_if_it_or_the_command_line_asks() {
        let said = |enable| {
            Some(protocol::Time {
                enable,
                ..protocol::Time::default()
            })
        };
        let (all, off) = (Some(WantedTime::All(None)), Some(WantedTime::No));
        for (said, typed, expected) in [
            (None, None, false),
            (None, all, true),
            (said(None), None, true),
            (said(Some(true)), None, true),
            (said(Some(false)), None, false),
            (said(Some(false)), all, true),
            (said(Some(true)), off, false),
        ] {
            assert_eq!(
                planned(said, typed).is_some(),
                expected,
                "{said:?} {typed:?}"
            );
        }
    }

    /// A file to which groups were added has its benchmarks at other places.
    #[test]
    fn a_benchmark_is_found_by_its_names_whatever_the_order_of_groups() {
        let seed = "tools/fuzz/seeds/suite/limits.json";
        let Some(seed) = of_repository(env!("CARGO_MANIFEST_DIR"), seed) else {
            return;
        };
        let json = std::fs::read(seed).unwrap();
        let mut suite = crate::plan::suite::parse(Path::new("bench"), &json).unwrap();
        suite.groups.reverse();
        let args = <cli::Args as clap::Parser>::try_parse_from(["bench"]).unwrap();
        let environment = cli::env::RunnerEnvironment::default();
        let settings = Settings::resolve("/bench".into(), args, environment).unwrap();
        let last = suite.groups.len() - 1;
        for (number, group) in suite.groups.iter().enumerate() {
            let function = &group.functions[0];
            let mut path = BenchmarkPath {
                file: "limits".to_owned(),
                group: group.name.clone(),
                function: function.name.clone(),
                id: function.cases[0].id.clone(),
                args: None,
            };
            let input = function.cases[0].input.as_ref();
            let found = case_in(&suite, &path, input, &settings).unwrap();
            assert_eq!(found.index.group as usize, number);
            path.group += "_of_before";
            let none = case_in(&suite, &path, input, &settings).unwrap_err();
            assert_eq!(none, "it does not have this benchmark");
        }
        assert!(last > 0, "one group has no order");
    }

    #[test]
    fn the_command_line_wins_value_by_value() {
        let seconds = Duration::from_secs;
        let said = Some(protocol::Time {
            duration: Some(seconds(2)),
            only_changed: Some(true),
            limit: Some(5.0),
            noise: Some(2.0),
            ..protocol::Time::default()
        });
        let of = |typed| planned(said, typed).unwrap();
        let as_said = of(None);
        assert_eq!(as_said.settings.budget, seconds(2));
        assert_eq!(as_said.settings.noise, 0.02);
        assert_eq!((as_said.only_changed, as_said.limit), (true, Some(5.0)));
        let all = of(Some(WantedTime::All(None)));
        assert_eq!((all.settings.budget, all.only_changed), (seconds(2), false));
        let longer = of(Some(WantedTime::All(Some(seconds(3)))));
        assert_eq!(longer.settings.budget, seconds(3));
        let typed = TimeOptions {
            time_limits: Some(7.0),
            ..TimeOptions::default()
        };
        assert_eq!(PlannedTime::new(said, &typed).unwrap().limit, Some(7.0));
        let alone = planned(None, Some(WantedTime::Changed)).unwrap();
        assert_eq!(
            (alone.settings.budget, alone.only_changed),
            (Duration::from_millis(500), true)
        );
    }
}
