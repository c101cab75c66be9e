//! `iai-callgrind-runner doctor`: finds problems that keep the benchmarks of a project from
//! running, or from counting what they should.
//!
//! In: the project's manifests, the environment, the machine. Out: findings, each with the lines
//! that mend it. Nothing is built and nothing is changed. What manifests, flags and executables say
//! is looked at in the crate `findings`; here are Valgrind and its tools, which are started.

mod machine;
mod probe;
mod tools;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use probe::{run as probe, VARIABLE as PROBE};

use crate::settings::Settings;
use cli::env::RunnerEnvironment;
use cli::DoctorArgs;
use findings::{executable, flags, profile, surroundings, targets, versions, wall_time};
use findings::{Cure, Finding, Project};
use project::CargoConfig;
use time::TimingConditions;

/// Examines the machine and the project. Without a project only the machine is examined.
#[must_use]
pub fn examine(options: &DoctorArgs, environment: &RunnerEnvironment) -> Vec<Finding> {
    let settings = match settings(PathBuf::new(), options, environment) {
        Ok(settings) => settings,
        Err(finding) => return vec![finding],
    };
    // The machine is examined first: that works also where there is no project.
    let mut findings = surroundings::examine();
    findings.extend(machine::examine(&settings));
    let timing = TimingConditions::of_this_machine();
    findings.extend(wall_time::of_machine(&timing));
    let project = match Project::read(options.manifest_path.as_deref(), environment) {
        Ok(project) => project,
        Err(finding) => {
            let given = options.exe.as_deref();
            findings.push(match given.is_some() && options.manifest_path.is_none() {
                // A machine that only runs what another one has built needs neither cargo nor the
                // project.
                true => Finding::note(
                    format!("{}; the project is not examined", finding.text),
                    None,
                ),
                false => finding,
            });
            findings
                .extend(given.map(|path| executable::examine(path, Path::new("Cargo.toml"), None)));
            findings.extend(of_tools(given, options, environment));
            return findings;
        }
    };
    let config = CargoConfig::read(&project.directory, environment);
    let unreadable = config.unreadable.iter().cloned();
    findings.extend(unreadable.map(|text| Finding::problem(text, None)));
    findings.push(surroundings::home(&project, settings.home.as_deref()));
    findings.extend(versions::examine(&project));
    let profile = profile::examine(&project, &config);
    let as_said = profile.is_complete;
    findings.extend(profile.findings);
    let newest = match options.exe {
        Some(_) => None,
        None => executable::newest(&project),
    };
    findings.extend(match &options.exe {
        Some(path) => Some(executable::examine(
            path,
            &project.root_manifest_path(),
            None,
        )),
        None => executable::built_last(&project, newest.as_deref(), as_said),
    });
    let executable = options.exe.as_deref().or(newest.as_deref());
    findings.extend(of_tools(executable, options, environment));
    findings.extend(targets::examine(&project));
    findings.push(wall_time::of_flags(&config, &project.root));
    findings.extend(flags::examine(&config, flags::machine_has_avx512()));
    findings
}

/// Starts the tools on an executable, if it is one.
fn of_tools(
    executable: Option<&Path>,
    options: &DoctorArgs,
    environment: &RunnerEnvironment,
) -> Vec<Finding> {
    let executable = executable.filter(|path| path.is_file());
    let path = executable.and_then(|path| path.canonicalize().ok());
    let settings = path.map(|path| settings(path, options, environment));
    // Settings that cannot be used are reported already.
    let settings = settings.and_then(Result::ok);
    settings.as_ref().map(tools::examine).unwrap_or_default()
}

/// The settings that `cargo bench` would have for this executable in this environment.
fn settings(
    executable: PathBuf,
    options: &DoctorArgs,
    environment: &RunnerEnvironment,
) -> Result<Settings, Finding> {
    let mut words: Vec<OsString> = Vec::new();
    if let Some(valgrind) = &options.valgrind_bin {
        words.extend(["--valgrind-bin".into(), valgrind.into()]);
    }
    let wrong = |error: String| {
        let error = error.lines().next().unwrap_or_default();
        let error = error.trim_start_matches("error: ");
        let text = format!("a variable in the environment cannot be used: {error}");
        Finding::problem(text, Cure::run("env | grep IAI_CALLGRIND"))
    };
    let args = cli::parse(&words, environment).map_err(|error| wrong(error.to_string()))?;
    Settings::resolve(executable, args, environment.clone())
        .map_err(|error| wrong(error.to_string()))
}
