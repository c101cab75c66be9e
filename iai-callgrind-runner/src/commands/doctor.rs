//! `doctor`: looks for what keeps benchmarks from running, and reports it.

use iai_callgrind::protocol::options::variable;

use super::{finish, log_lines};
use crate::cli::env::RunnerEnvironment;
use crate::cli::{Color, DoctorArgs};
use crate::doctor::{self, Severity};
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::report::{Event, Form, Reports, Styles};

pub(super) fn run(options: &DoctorArgs, environment: &RunnerEnvironment) -> Exit {
    // `doctor` starts itself as a child, to see the environment of a process.
    if environment.get(doctor::PROBE).is_some() {
        doctor::probe();
        return Exit::Ok;
    }
    let color = Color::from_environment(environment);
    let styles = Styles::detect(color.clone().unwrap_or_default(), environment);
    let log = log_lines::start(environment, styles.err);
    let report = Reports::text(styles, Form::TEXT);
    let color = color.map_err(|reason| Error::Setting {
        place: variable("--color"),
        reason,
    });
    let outcome = color
        .and(log)
        .and_then(|()| examine(options, environment, &report));
    finish(outcome, &report)
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
