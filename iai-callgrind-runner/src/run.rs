//! The order of the stages, from settings to the exit code, and nothing else: start here to see where
//! something is decided. Words become settings in `commands/`.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use iai_callgrind::protocol::Suite;

use crate::error::{Error, FileContext, Result};
use crate::execute::{self, LoadedBaseline, Processes, ValgrindLauncher};
use crate::exit::Exit;
use crate::host::Host;
use crate::nothing_selected;
use crate::plan::{self, Plan};
use crate::report::{Event, OutcomeCounts, Reports};
use crate::session;
use crate::settings::Settings;
use crate::store::Store;
use crate::suite;
use crate::summary::{kept_mode, RunContext};
use crate::system;
use crate::verify;

/// Describes, plans, measures, compares and reports the benchmarks of an executable. `words` are the
/// words of the command line as the user typed them.
pub(crate) fn bench(settings: &Settings, words: &[OsString], report: &Reports) -> Result<Exit> {
    // `--list` and `--test` need no runner.
    if settings.no_runner {
        return Err(back(settings, words));
    }
    let suite = suite::describe(&settings.executable)?;
    let plan = &plan(&suite, settings, report)?;
    let home = settings.home(&suite);
    let context = &context(&suite, settings, &home);
    report.event(Event::Planned { plan, context })?;
    if plan.is_empty() {
        return nothing_runs(&suite, plan, settings, words, report);
    }
    // Programs that are missing on this machine are reported before anything waits or is made.
    let host = host(plan, settings, report)?;
    let store = open_store(&home, &suite, settings, report)?;
    // Frees the description of maybe thousands of benchmarks; the rest of the run needs only the plan.
    drop(suite);
    // Until here a signal ends the runner at once; from here on processes and directories end with it.
    let processes = Processes::listening();
    let processes = processes.context("start", Path::new("the thread that hears signals"))?;
    report.event(Event::RunBegins { plan, settings })?;
    let outcome = match host {
        Some(host) => {
            let launch = ValgrindLauncher::new(host, processes.clone(), settings, &store, plan);
            match settings.verify {
                Some(most) => verify::run(plan, context, &store, &launch, most, report),
                None => session::run(plan, context, &store, &launch, report),
            }
        }
        None => {
            let launch = LoadedBaseline::new(&store, &plan.baseline.write, kept_mode);
            session::run(plan, context, &store, &launch, report)
        }
    };
    // A signal ends the run, whatever outcome the killed benchmark has.
    processes.check()?;
    outcome
}

/// Makes the plan, and reports its warnings.
fn plan(suite: &Suite, settings: &Settings, report: &Reports) -> Result<Plan> {
    let mut plan = plan::build(suite, settings)?;
    if settings.verify.is_some() {
        verify::adjust(&mut plan);
    }
    for warning in &plan.warnings {
        report.event(Event::Warning(warning))?;
    }
    Ok(plan)
}

fn context(suite: &Suite, settings: &Settings, home: &Path) -> RunContext {
    RunContext::new(
        &suite.package,
        &settings.executable,
        &settings.workspace(&suite.package),
        home,
        system::of_benchmarks(suite, settings),
        settings.pretty,
    )
}

/// The end of a run without benchmarks, which is a failure with `--strict`.
fn nothing_runs(
    suite: &Suite,
    plan: &Plan,
    settings: &Settings,
    words: &[OsString],
    report: &Reports,
) -> Result<Exit> {
    let paths = plan::paths(suite);
    let reason = nothing_selected::reason(&paths, settings, words);
    report.event(Event::Warning(&reason))?;
    report.event(Event::Totals {
        counts: OutcomeCounts::of(plan),
        elapsed: Duration::ZERO,
        wanted: plan.summary,
    })?;
    // A part of a `--partition` may be empty where there are few benchmarks.
    let is_part = paths.iter().any(|path| settings.filter.selects(path));
    let is_mistake = settings.baseline.strict && !is_part;
    Ok(if is_mistake { Exit::Error } else { Exit::Ok })
}

/// Finds Valgrind and perf. `None`: kept results are shown, for which neither is needed.
fn host(plan: &Plan, settings: &Settings, report: &Reports) -> Result<Option<Host>> {
    let host = match (plan.baseline.run, plan.needs_valgrind()) {
        (true, true) => Some(Host::detect(settings)?),
        (true, false) => Some(Host::without_valgrind(settings)),
        (false, _) => None,
    };
    for job in plan.jobs() {
        execute::check_tool_runner(settings, job)?;
    }
    if let Some(host) = &host {
        report.event(Event::Hosted(host))?;
    }
    Ok(host)
}

/// Opens the store. There is one run at a time for each bench file; a run that has to wait says so.
fn open_store(home: &Path, suite: &Suite, settings: &Settings, report: &Reports) -> Result<Store> {
    let package = &suite.package;
    let store = Store::open(home, &package.name, &package.module, |owner| {
        let text = format!("waiting for another run of `{}` ({owner})", package.module);
        // The run goes on after the wait even if nobody can read this.
        let _ = report.event(Event::Warning(&text));
    })?;
    Ok(match settings.tool_runner {
        Some(_) => store.open_to_others(),
        None => store,
    })
}

/// Replaces the runner by the benchmark executable. Returns only if it cannot be started.
#[expect(clippy::disallowed_methods, reason = "replaces the runner")]
fn back(settings: &Settings, words: &[OsString]) -> Error {
    let source = Command::new(&settings.executable).args(words).exec();
    Error::File {
        action: "start",
        path: settings.executable.clone(),
        source,
    }
}
