//! The whole run, from the command line to the exit code: the one place that knows the order of
//! the stages.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::panic::{self, AssertUnwindSafe};
use std::process::Command;
use std::time::Instant;

use clap::{CommandFactory, Parser};
use iai_callgrind::protocol::options::before_bench;
use tempfile::TempDir;

use crate::cli::env::Environment;
use crate::cli::{self, Args, Color, Completions, OutputFormat, Program, ShownStreams};
use crate::doctor::{self, Level};
use crate::error::{Error, FileContext, Result};
use crate::execute::{self, Launch, Processes, Stored, Valgrind};
use crate::exit::Exit;
use crate::host::Host;
use crate::plan::{self, Plan};
use crate::report::{About, Counts, Style, Styles, Terminal};
use crate::session::Session;
use crate::settings::Settings;
use crate::store::Store;
use crate::suite;
use crate::summary::Context;
use crate::system;
use crate::verify;

/// Runs what a command line asks for. A panic is a mistake in the runner; the exit code does not say
/// that the benchmarks panicked.
pub fn main(words: impl IntoIterator<Item = OsString>) -> Exit {
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| command(words)));
    // Guards have removed what was left behind, and the hook has printed where it was.
    outcome.unwrap_or_else(|_| {
        let mut report = Terminal::on_streams(Styles::default());
        finish(Err(Error::Panicked), &mut report)
    })
}

fn command(words: impl IntoIterator<Item = OsString>) -> Exit {
    let environment = Environment::of_this_process();
    match Program::try_parse_from(words).map(|program| program.command) {
        Ok(cli::Command::Bench(options)) => bench(options, environment),
        Ok(cli::Command::Verify(options)) => bench(options.as_bench(), environment),
        Ok(cli::Command::Completions(Completions { shell })) => {
            let mut report = Terminal::on_streams(Styles::default());
            let outcome = report.completions(shell, &mut Program::command(), &Args::command());
            finish(ended(outcome, Exit::Ok), &mut report)
        }
        Ok(cli::Command::Doctor(_)) if environment.get(doctor::PROBE).is_some() => {
            doctor::probe();
            Exit::Ok
        }
        Ok(cli::Command::Doctor(options)) => {
            let color = Color::from_environment(&environment);
            let styles = Styles::detect(color.clone().unwrap_or_default(), &environment);
            let log = start_log(&environment, styles.err);
            let mut report = Terminal::on_streams(styles);
            let outcome = color
                .map_err(|reason| Error::Setting {
                    place: Color::VARIABLE.to_owned(),
                    reason,
                })
                .and(log)
                .and_then(|_| examine(&options, &environment, &mut report));
            finish(outcome, &mut report)
        }
        Err(error) => usage(&error),
    }
}

/// Looks for what keeps benchmarks from running.
fn examine(
    options: &cli::Doctor,
    environment: &Environment,
    report: &mut Terminal,
) -> Result<Exit> {
    let findings = doctor::examine(options, environment);
    let problem = findings.iter().any(|found| found.level == Level::Problem);
    let exit = if problem { Exit::Error } else { Exit::Ok };
    ended(report.findings(&findings), exit)
}

/// Runs the benchmarks of an executable.
fn bench(bench: cli::Bench, environment: Environment) -> Exit {
    // What cargo adds would be taken for the value of an option that has none.
    let (typed, _) = before_bench(&bench.arguments);
    let mut args = match cli::parse(typed, &environment) {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    let styles = Styles::detect(args.output.color, &environment);
    let log = start_log(&environment, styles.err);
    let json = args.output.output_format.and_then(OutputFormat::json);
    let mut report = match json {
        None => Terminal::on_streams(styles),
        Some(format) => match Terminal::on_streams_as_json(styles, format, system::of_runner()) {
            Ok(report) => report,
            Err(error) => return finish(Err(error.into()), &mut Terminal::on_streams(styles)),
        },
    };
    let home = match args.running.verify.map(|_| verify_at_home(&mut args)) {
        Some(Err(error)) => return finish(Err(error), &mut report),
        Some(Ok(home)) => Some(home),
        None => None,
    };
    report = report.quiet(args.output.quiet);
    let outcome = log
        .and_then(|()| Settings::resolve(bench.exe, args, environment))
        .and_then(|settings| bench_executable(&settings, &bench.arguments, &mut report));
    drop(home);
    finish(outcome, &mut report)
}

/// A home for the results that `--verify` compares and nobody keeps.
fn verify_at_home(args: &mut Args) -> Result<TempDir> {
    let home = tempfile::tempdir().context("create a directory in", &std::env::temp_dir())?;
    verify::prepare(args, home.path())?;
    Ok(home)
}

/// Describes, plans, and measures with Valgrind.
fn bench_executable(
    settings: &Settings,
    words: &[OsString],
    report: &mut Terminal,
) -> Result<Exit> {
    if settings.no_runner {
        return Err(back(settings, words));
    }
    let suite = suite::describe(&settings.executable)?;
    let mut plan = plan::build(&suite, settings)?;
    if settings.verify.is_some() {
        verify::adjust(&mut plan);
    }
    for warning in &plan.warnings {
        report.warning(warning)?;
    }
    let home = settings.home(&suite);
    let context = Context::new(
        &suite.package,
        &settings.executable,
        &home,
        system::of_benchmarks(&suite, settings),
        settings.output.save_summary.unwrap_or_default(),
    );
    report.about(About::new(&plan, &context, None));
    if plan.is_empty() {
        let paths = plan::paths(&suite);
        nothing_selected(&paths, settings, words, report)?;
        if plan.summary {
            report.done(&Counts::of(&plan), Default::default())?;
        }
        // Parts may be empty where there are few benchmarks.
        let is_part = paths.iter().any(|path| settings.filter.selects(path));
        let is_mistake = settings.baseline.strict && !is_part;
        return Ok(if is_mistake { Exit::Error } else { Exit::Ok });
    }
    // Where nothing runs, no Valgrind is needed.
    let host = match (plan.baseline.run, plan.needs_valgrind()) {
        (true, true) => Some(Host::detect(settings)?),
        (true, false) => Some(Host::without_valgrind(settings)),
        (false, _) => None,
    };
    for job in plan.jobs() {
        execute::check_tool_runner(settings, job)?;
    }
    if let (true, Some(host)) = (report.is_for_programs(), &host) {
        report.about(About::new(&plan, &context, host.for_programs()));
    }
    let store = Store::open(&home, &suite.package.name, &suite.package.module, |owner| {
        let text = format!(
            "waiting for another run of `{}` ({owner})",
            suite.package.module
        );
        // The wait is what matters; whoever closed stderr does not want to know of it.
        let _ = report.warning(&text);
    })?;
    // The plan has all that is still needed of it, and there may be thousands of benchmarks.
    drop(suite);
    let processes = Processes::listening().map_err(Error::Report)?;
    // What benchmarks print themselves would come in between.
    if settings.shown == ShownStreams::None {
        report.show_progress(plan.len(), &settings.environment);
    }
    let outcome = match host {
        Some(host) => {
            let launch = Valgrind::new(host, processes.clone(), settings, &store, &plan);
            match settings.verify {
                Some(most) => verify::run(&plan, &context, &store, &launch, most, report),
                None => run(&plan, &context, &store, &launch, report),
            }
        }
        None => {
            let launch = Stored::new(&store, &plan.baseline.write);
            run(&plan, &context, &store, &launch, report)
        }
    };
    processes.check()?;
    outcome
}

/// Runs a plan: every job, between the setups and teardowns around it.
///
/// # Errors
///
/// The runner was asked to stop, or the report cannot be written. Everything that goes wrong with
/// one benchmark is reported, and the run goes on.
pub fn run(
    plan: &Plan,
    context: &Context,
    store: &Store,
    launch: &dyn Launch,
    report: &mut Terminal,
) -> Result<Exit> {
    let start = Instant::now();
    let mut session = Session::new(plan, context, store, launch, report);
    match session.plan(plan) {
        // The teardowns of what was set up have run.
        Err(error @ Error::FailFast) => session.stopped(&error)?,
        outcome => outcome?,
    }
    session.done(start.elapsed())
}

/// Says that the filters select nothing, and what they may have meant.
fn nothing_selected(
    paths: &[String],
    settings: &Settings,
    words: &[OsString],
    report: &mut Terminal,
) -> Result<()> {
    if settings.ignored {
        return Ok(report.warning("no benchmark is ignored, and `--ignored` wants only these")?);
    }
    if paths.iter().any(|path| settings.filter.selects(path)) {
        return Ok(report.warning("no benchmark is in this part, `--partition` left out all")?);
    }
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
    for option in cli::meant_for_option(words) {
        text.push_str(&format!("\n  hint: `{option}` gives the option this value"));
    }
    Ok(report.warning(&text)?)
}

/// The benchmark executable answers `--list` and `--test` itself. Returns only if it cannot be
/// started.
#[expect(clippy::disallowed_methods, reason = "replaces the runner")]
fn back(settings: &Settings, words: &[OsString]) -> Error {
    let source = Command::new(&settings.executable).args(words).exec();
    Error::File {
        action: "start",
        path: settings.executable.clone(),
        source,
    }
}

/// The exit code, if the report could be written.
fn ended(report: io::Result<()>, exit: Exit) -> Result<Exit> {
    report.map(|()| exit).map_err(Error::Report)
}

/// Reports how the run ended, and finds the exit code.
fn finish(outcome: Result<Exit>, report: &mut Terminal) -> Exit {
    let (exit, error) = match outcome {
        Ok(exit) => (exit, None),
        // Whoever reads the results has seen enough, such as `head`.
        Err(Error::Report(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Exit::Error;
        }
        Err(error @ Error::Setting { .. }) => (Exit::Usage, Some(error)),
        Err(error) => (Exit::Error, Some(error)),
    };
    if let Some(error) = &error {
        // If stderr is closed as well, the exit code has to say it all.
        let _ = report.error(error);
    }
    let ended = report.run_ended(exit, error.as_ref());
    if let Some(Error::Interrupted(signal)) = error {
        // Whoever started us sees the signal, as if we had not caught it.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    match ended {
        Ok(()) => exit,
        Err(_) => Exit::Error,
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
///
/// # Errors
///
/// The variable says something unknown.
fn start_log(environment: &Environment, style: Style) -> Result<()> {
    let filter = environment.log_filter();
    env_logger::Builder::new()
        .parse_filters(filter.as_deref().unwrap_or("warn"))
        .format(move |out, record| {
            let level = style.log_level(record.level());
            writeln!(out, "{level}: {}", record.args())
        })
        .init();
    filter.map(drop).map_err(|reason| Error::Setting {
        place: Environment::LOG.to_owned(),
        reason,
    })
}
