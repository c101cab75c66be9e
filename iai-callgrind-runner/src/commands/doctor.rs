//! `doctor`: looks for problems that keep benchmarks from running, and reports them.

use super::with_report;
use crate::doctor;
use crate::error::Result;
use crate::run_report::{Event, Reports};
use base::exit::Exit;
use cli::env::RunnerEnvironment;
use cli::DoctorArgs;
use findings::Severity;

pub(super) fn run(options: &DoctorArgs, environment: &RunnerEnvironment) -> Exit {
    // `doctor` starts itself as a child, to see the environment of a process.
    if environment.get(doctor::PROBE).is_some() {
        doctor::probe();
        return Exit::Ok;
    }
    with_report(environment, |report| examine(options, environment, report))
}

fn examine(
    options: &DoctorArgs,
    environment: &RunnerEnvironment,
    report: &Reports,
) -> Result<Exit> {
    let findings = doctor::examine(options, environment);
    report.event(Event::Examined(&findings))?;
    let problem = findings
        .iter()
        .any(|found| found.level == Severity::Problem);
    Ok(if problem { Exit::Error } else { Exit::Ok })
}
