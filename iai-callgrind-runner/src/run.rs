//! The whole run, from the command line to the exit code: the one place that knows the order of
//! the stages.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Instant;

use clap::Parser;

use crate::cli::env::Environment;
use crate::cli::{self, Args, Program};
use crate::compare;
use crate::error::{Error, Result};
use crate::execute::{Ended, Failure, Hook, How, Launch, Processes, Valgrind};
use crate::exit::Exit;
use crate::host::Host;
use crate::identity::Identity;
use crate::measure::{self, Failed, Measured};
use crate::metrics::Metrics;
use crate::plan::{self, Hooks, Job, Plan};
use crate::queue::{self, Handler};
use crate::report::{Counts, Style, Terminal};
use crate::settings::Settings;
use crate::store::Store;
use crate::suite;

/// Runs what a command line asks for.
pub fn main(words: impl IntoIterator<Item = OsString>) -> Exit {
    let environment = Environment::of_this_process();
    start_log(&environment);
    let bench = match Program::try_parse_from(words) {
        Ok(Program {
            command: cli::Command::Bench(bench),
        }) => bench,
        Err(error) => return usage(&error),
    };
    let words = environment
        .options()
        .into_iter()
        .chain(bench.arguments.iter().cloned());
    let args = match Args::try_parse_from(words) {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    let mut report = Terminal::on_streams(Style::detect(args.color, &environment));
    let outcome = Settings::resolve(bench.exe, args, environment)
        .and_then(|settings| bench_executable(&settings, &bench.arguments, &mut report));
    finish(outcome, &mut report)
}

/// Describes, plans, and measures with Valgrind.
fn bench_executable(
    settings: &Settings,
    words: &[OsString],
    report: &mut Terminal,
) -> Result<Exit> {
    if settings.list {
        return Err(list(settings, words));
    }
    let suite = suite::describe(&settings.executable)?;
    let plan = plan::build(&suite, settings)?;
    for warning in &plan.warnings {
        report.warning(warning)?;
    }
    if plan.is_empty() {
        nothing_selected(&plan::paths(&suite), settings, report)?;
        report.done(&Counts::of(&plan), Default::default())?;
        return Ok(Exit::Ok);
    }
    let host = Host::detect(settings)?;
    let home = settings.home(&suite.package);
    let store = Store::open(&home, &suite.package.name, &suite.package.module, |owner| {
        let text = format!(
            "waiting for another run of `{}` ({owner})",
            suite.package.module
        );
        // The wait is what matters; whoever closed stderr does not want to know of it.
        let _ = report.warning(&text);
    })?;
    let processes = Processes::listening().map_err(Error::Report)?;
    let launch = Valgrind::new(host, processes.clone(), settings, &store);
    let outcome = run(&plan, &store, &launch, report);
    processes.check()?;
    outcome
}

/// Runs a plan: every job, between the setups and teardowns around it.
///
/// # Errors
///
/// The runner was asked to stop, or the report cannot be written. Everything that goes wrong with
/// one benchmark is reported, and the run goes on.
pub fn run(plan: &Plan, store: &Store, launch: &dyn Launch, report: &mut Terminal) -> Result<Exit> {
    let start = Instant::now();
    let mut session = Session {
        store,
        launch,
        parallel: plan.parallel,
        report,
        counts: Counts::of(plan),
        exit: Exit::Ok,
        told: Vec::new(),
    };
    let jobs = plan.groups.iter().map(|group| group.jobs.len()).sum();
    session.level(&plan.hooks, jobs, |session| {
        for group in &plan.groups {
            session.level(&group.hooks, group.jobs.len(), |session| {
                session.group(group)
            })?;
        }
        Ok(())
    })?;
    session.report.done(&session.counts, start.elapsed())?;
    Ok(session.exit)
}

struct Session<'a> {
    store: &'a Store,
    launch: &'a dyn Launch,
    parallel: usize,
    report: &'a mut Terminal,
    counts: Counts,
    exit: Exit,
    /// What was said once and holds for the rest as well.
    told: Vec<String>,
}

impl Session<'_> {
    /// Runs what is in a level between its setup and its teardown. Without a good setup the level's
    /// benchmarks fail; the teardown of what was set up runs in any case.
    fn level(
        &mut self,
        hooks: &Hooks,
        jobs: usize,
        inner: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if hooks.exist.setup && !self.hook(hooks, Hook::Setup)? {
            self.counts.failed += jobs;
            return Ok(());
        }
        let outcome = inner(self);
        if hooks.exist.teardown {
            self.hook(hooks, Hook::Teardown)?;
        }
        outcome
    }

    /// Returns whether the hook ended well.
    fn hook(&mut self, hooks: &Hooks, hook: Hook) -> Result<bool> {
        let Ended { how, output, .. } = self.launch.assist(hooks, hook)?;
        if how == How::Returned {
            return Ok(true);
        }
        let name = format!("{} of `{}`", hook.name(), hooks.level);
        let failure = Failure::Ended {
            how,
            valgrind: Vec::new(),
        };
        self.report.failed(&name, &failure, &output)?;
        self.exit = Exit::Error;
        Ok(false)
    }

    /// Reports a benchmark without a result. What is wrong with many of them, such as an executable
    /// without symbols, is explained once.
    fn failed(&mut self, job: &Job, failure: &Failure, output: &[u8]) -> Result<()> {
        let name = format!("benchmark `{}`", job.identity);
        let text = failure.to_string();
        if self.told.contains(&text) {
            let first = text.lines().next().unwrap_or_default();
            return Ok(self.report.failed_too(&name, first, output)?);
        }
        self.told.push(text);
        Ok(self.report.failed(&name, failure, output)?)
    }

    /// Runs the benchmarks of a group, side by side if wanted, and reports them in their order.
    fn group(&mut self, group: &plan::Group) -> Result<()> {
        let (store, launch) = (self.store, self.launch);
        let mut reports = GroupReports {
            session: self,
            compare_by_id: group.compare_by_id,
            earlier: Vec::new(),
        };
        let workers = reports.session.parallel;
        let work = |job: &Job| measure::measure(job, store, launch);
        queue::in_order(&group.jobs, workers, work, &mut reports)
    }
}

/// Reports the benchmarks of a group.
struct GroupReports<'a, 'b> {
    session: &'a mut Session<'b>,
    compare_by_id: bool,
    /// Benchmarks with an id that later ones can be compared with.
    earlier: Vec<(Identity, Metrics)>,
}

impl Handler<Job, Result<Measured, Failed>, Error> for GroupReports<'_, '_> {
    fn begin(&mut self, job: &Job) -> Result<()> {
        Ok(self.session.report.started(&job.identity, job.truncate)?)
    }

    fn done(&mut self, job: &Job, outcome: Result<Measured, Failed>) -> Result<()> {
        match outcome {
            Ok(measured) => self.measured(job, measured),
            Err(Failed {
                failure: Failure::Run(error @ Error::Interrupted(_)),
                ..
            }) => Err(error),
            Err(Failed { failure, output }) => {
                let session = &mut *self.session;
                session.failed(job, &failure, &output)?;
                session.counts.failed += 1;
                session.exit = Exit::Error;
                Ok(())
            }
        }
    }
}

impl GroupReports<'_, '_> {
    fn measured(&mut self, job: &Job, measured: Measured) -> Result<()> {
        let Measured {
            mut result,
            metrics,
            circumstances,
        } = measured;
        if self.compare_by_id && job.identity.id.is_some() {
            let same = self
                .earlier
                .iter()
                .filter(|(other, _)| other.id == job.identity.id);
            result.by_id = same
                .map(|(other, theirs)| (other.clone(), compare::compare(theirs, Some(&metrics))))
                .collect();
            self.earlier.push((job.identity.clone(), metrics));
        }
        let session = &mut *self.session;
        if result.regressions.is_empty() {
            session.counts.ok += 1;
        } else {
            session.counts.regressed += 1;
            session.exit = session.exit.max(Exit::Regression);
        }
        session
            .report
            .finished(&result, &job.format, job.tolerance)?;
        for circumstance in circumstances {
            if !session.told.contains(&circumstance) {
                session.report.warning(&circumstance)?;
                session.told.push(circumstance);
            }
        }
        Ok(())
    }
}

/// Says that the filters select nothing, and what they may have meant.
fn nothing_selected(paths: &[String], settings: &Settings, report: &mut Terminal) -> Result<()> {
    let filters = settings.filter.select.join("`, `");
    let mut text = match paths {
        [] => "there are no benchmarks in this file".to_owned(),
        _ if filters.is_empty() => "all benchmarks are skipped".to_owned(),
        _ => format!("no benchmark matches `{filters}`"),
    };
    for path in plan::nearest(paths, &settings.filter.select) {
        text.push_str("\n  there is: ");
        text.push_str(path);
    }
    Ok(report.warning(&text)?)
}

/// The benchmark executable answers `--list` itself. Returns only if it cannot be started.
#[expect(clippy::disallowed_methods, reason = "replaces the runner by the list")]
fn list(settings: &Settings, words: &[OsString]) -> Error {
    let source = Command::new(&settings.executable).args(words).exec();
    Error::File {
        action: "start",
        path: settings.executable.clone(),
        source,
    }
}

/// Reports what ended the run, and finds the exit code.
fn finish(outcome: Result<Exit>, report: &mut Terminal) -> Exit {
    match outcome {
        Ok(exit) => exit,
        // Whoever reads the results has seen enough, such as `head`.
        Err(Error::Report(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Error,
        Err(error) => {
            // If stderr is closed as well, the exit code has to say it all.
            let _ = report.error(&error);
            match error {
                Error::Setting { .. } => Exit::Usage,
                Error::Interrupted(signal) => {
                    // Whoever started us sees the signal, as if we had not caught it.
                    let _ = signal_hook::low_level::emulate_default_handler(signal);
                    Exit::Error
                }
                _ => Exit::Error,
            }
        }
    }
}

fn usage(error: &clap::Error) -> Exit {
    // Nothing to be done if the text cannot be printed.
    let _ = error.print();
    if error.use_stderr() {
        Exit::Usage
    } else {
        Exit::Ok
    }
}

/// Log lines look like other messages: `warning: …`. They say what happened on the way; what went
/// wrong is reported independently of them.
fn start_log(environment: &Environment) {
    let filter = environment
        .get("IAI_CALLGRIND_LOG")
        .and_then(|value| value.to_str());
    env_logger::Builder::new()
        .parse_filters(filter.unwrap_or("warn"))
        .format(|out, record| {
            let level = match record.level() {
                log::Level::Warn => "warning".to_owned(),
                level => level.to_string().to_lowercase(),
            };
            writeln!(out, "{level}: {}", record.args())
        })
        .init();
}
