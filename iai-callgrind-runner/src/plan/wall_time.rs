//! Wall time beside the counts, as the command line asks for it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use iai_callgrind::protocol::{Kind, Package, Suite};

use super::{CaseIndex, Plan, PlannedCase, Subject, Target};
use crate::cli::WantedTime;
use crate::error::{Error, Result};
use crate::settings::Settings;
use base::benchmark_path::BenchmarkPath;
use base::cargo_hash;

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
                .map(|base| executable_at(&base, package, &settings.executable))
                .transpose()?,
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

/// The executable of a path, or in a home or another directory the one of the same bench target.
fn executable_at(path: &Path, package: &Package, ours: &Path) -> Result<Option<PathBuf>> {
    let failed = |reason: String| Error::option("--time-base", reason);
    let data = fs::metadata(path)
        .map_err(|error| failed(format!("`{}` cannot be read: {error}", path.display())))?;
    if !data.is_dir() {
        return Ok(Some(path.to_owned()));
    }
    if let Some(kept) = store::last_executable(path, &package.name, &package.module) {
        return Ok(Some(kept));
    }
    let entries = fs::read_dir(path)
        .map_err(|error| failed(format!("`{}` cannot be listed: {error}", path.display())))?;
    let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
    let ours = name(ours).unwrap_or_default();
    // One that was copied may have no hash.
    let target = |name: &str| cargo_hash::without(name).unwrap_or(name).to_owned();
    let ours = target(&ours);
    let mut newest: Option<(SystemTime, PathBuf)> = None;
    for entry in entries.flatten() {
        let path = entry.path();
        let is_it = name(&path).is_some_and(|name| target(&name) == ours);
        let data = fs::metadata(&path).ok().filter(|it| is_it && it.is_file());
        let written = data.and_then(|data| data.modified().ok());
        if let Some(written) = written {
            if newest.as_ref().is_none_or(|(newest, _)| written > *newest) {
                newest = Some((written, path));
            }
        }
    }
    Ok(newest.map(|(_, path)| path))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_the_executable_of_the_same_target() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, "").unwrap();
            path
        };
        let ours = Path::new("/target/release/deps/app-00112233445566aa");
        let text = String::new;
        let package = Package {
            name: text(),
            manifest_dir: text(),
            workspace: text(),
            target_tmpdir: None,
            file: text(),
            module: text(),
        };
        let found = || executable_at(folder.path(), &package, ours).unwrap();
        write("apple-0123456789abcdef");
        write("app-0123456789abcdef.d");
        assert_eq!(found(), None);
        let other = write("app-0123456789abcdef");
        assert_eq!(found(), Some(other.clone()));
        assert_eq!(
            executable_at(&other, &package, ours).unwrap(),
            Some(other.clone())
        );
        // A copy without a hash is no copy of every other file without one.
        let copy = Path::new("/elsewhere/app");
        assert_eq!(
            executable_at(folder.path(), &package, copy).unwrap(),
            Some(other)
        );
        let unknown = executable_at(folder.path(), &package, Path::new("/elsewhere/unknown"));
        assert_eq!(unknown.unwrap(), None);
        let error = executable_at(Path::new("/does/not/exist"), &package, ours).unwrap_err();
        assert!(error.to_string().contains("--time-base"), "{error}");
    }
}
