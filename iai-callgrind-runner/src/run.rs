//! The order of the stages, from settings to the exit code, and nothing else: start here to see
//! where something is decided. Words become settings in `commands/`.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use iai_callgrind::protocol::Suite;

use crate::error::{with_causes, Error, FileContext, FileOperationError, Result};
use crate::execute::{self, LoadedBaseline, Processes, ValgrindLauncher};
use crate::machine::host::Host;
use crate::machine::{source, system};
use crate::plan::{self, nothing_selected, suite, Plan};
use crate::results::choose_fast_setups;
use crate::run_report::{Event, OutcomeCounts, Reports};
use crate::session::gone_benchmarks::report_gone;
use crate::session::{self, unknown_baseline};
use crate::settings::Settings;
use crate::verify;
use base::exit::{Ended, Exit};
use records::summary::{LazySource, RecordedPartition, RunContext, RunSelection, SuiteFacts};
use records::timings::TimedParts;

use project::{beside_build_directory, built};
use records::{self, label_words, KeptRecords, MeasuredBenchmarks};
use store::Store;

/// Describes, plans, measures, compares and reports the benchmarks of an executable. `words` are
/// the words of the command line as the user typed them.
pub(crate) fn bench(settings: &Settings, words: &[OsString], report: &Reports) -> Result<Ended> {
    // `--list` and `--test` need no runner.
    if settings.no_runner {
        return Err(back(settings, words));
    }
    let began = Instant::now();
    let suite = suite::describe(&settings.executable, &settings.filter)?;
    // Cargo starts benchmarks in the directory of their package.
    let other = built::of_other_checkout(&suite.package, Path::new("."));
    if let Some(reason) = other.filter(|_| source::was_just_built(&settings.environment)) {
        let executable = settings.executable.clone();
        return Err(Error::Describe { executable, reason });
    }
    // Git answers meanwhile.
    let source = source(&suite, settings);
    let listed_in = began.elapsed();
    let mut owned_plan = Plan {
        listed_in,
        ..plan(&suite, settings, report)?
    };
    let plan = &owned_plan;
    let home = settings.home(&suite, |settings, package| {
        let target_directory = settings.target_directory(package);
        beside_build_directory(
            package,
            &settings.environment,
            &settings.executable,
            target_directory.as_deref(),
        )
    })?;
    let context = &context(&suite, settings, &home, source);
    report.event(Event::Planned { plan, context })?;
    // Programs that are missing on this machine are reported before anything waits or is made.
    let host = host(plan, settings, report)?;
    let store = open_store(&home, &suite, settings, report)?;
    // Chosen by the results that this run replaces, which nobody else changes from here on.
    if plan.baseline.run {
        choose_fast_setups(&mut owned_plan, &store);
    }
    let plan = &owned_plan;
    let mut gone = Exit::Ok;
    if !plan.is_empty() {
        unknown_baseline::check(&store, &settings.baseline)?;
        gone = report_gone(&suite, settings, &store, report)?;
    }
    keep_records(&store, &suite, plan, settings, report)?;
    if plan.is_empty() {
        let outcome = nothing_runs(&suite, plan, settings, words, report);
        return ended(outcome, settings, None, report);
    }
    // Frees the description of maybe thousands of benchmarks; the rest of the run needs only the
    // plan.
    drop(suite);
    // Until here a signal ends the runner at once; from here on processes and directories end with
    // it.
    let processes = Processes::listening();
    let processes = processes.context("start", Path::new("the thread that hears signals"))?;
    let records = &store.records();
    report.event(Event::RunBegins {
        plan,
        settings,
        records,
    })?;
    let outcome = match host {
        Some(host) => {
            let launch = ValgrindLauncher::new(host, processes.clone(), settings, &store, plan);
            match settings.verify {
                Some(most) => verify::run(plan, context, &store, &launch, most, report),
                None => session::run(plan, context, &store, &launch, report),
            }
        }
        None => {
            let mode = |entry: &_, slot: &_, tool| {
                let kept = KeptRecords::default().of_tool(entry, slot, tool);
                Some(kept.ok()??.mode)
            };
            let launch = LoadedBaseline::new(&store, &plan.baseline.write, &mode);
            session::run(plan, context, &store, &launch, report)
        }
    };
    // A signal ends the run, whatever outcome the killed benchmark has.
    let outcome = processes.check().and(outcome);
    let outcome = outcome.map(|exit| exit.and(gone));
    // The history is read in its place.
    drop(owned_plan);
    // Records that this run replaced may have named executables.
    ended(outcome, settings, Some(&store), report)
}

/// Begins the records of the run. A loaded result has records already, and `--verify` keeps
/// nothing.
fn keep_records(
    store: &Store,
    suite: &Suite,
    plan: &Plan,
    settings: &Settings,
    report: &Reports,
) -> Result<()> {
    if plan.baseline.run && settings.verify.is_none() {
        if let Some(text) = other_label(&store.records(), settings.label.as_deref()) {
            report.event(Event::Warning(&text))?;
        }
        let measured = MeasuredBenchmarks::new(settings.label.clone(), plan::paths(suite));
        report.keep_records(store.new_records(&plan.baseline.write)?, measured);
    }
    Ok(())
}

/// Warning about records of another label, which this run replaces.
fn other_label(records: &Path, label: Option<&str>) -> Option<String> {
    let kept = records::kept_label(records).filter(|kept| kept.as_deref() != label)?;
    Some(format!(
        "the results in `{}` have {}, and these have {} and replace them\n  \
         hint: `--home=<directory>` keeps the results of each label apart",
        records.display(),
        label_words(kept.as_deref()),
        label_words(label)
    ))
}

/// Keeps the records of a run with this outcome.
fn ended(
    outcome: Result<Exit>,
    settings: &Settings,
    store: Option<&Store>,
    report: &Reports,
) -> Result<Ended> {
    let (exit, error) = match &outcome {
        Ok(exit) => (*exit, None),
        Err(error) => (error.exit(), Some(error)),
    };
    // After an error as well: the results before it have replaced the old ones, so their records
    // have to.
    let kept = report.end_records(exit, error);
    if let Err(error) = store.map_or(Ok(()), Store::remove_executables) {
        let text = format!("kept executables stay: {}", with_causes(&error));
        report.event(Event::Warning(&text))?;
    }
    // The error that stopped the run matters more than one of writing its record.
    let exit = outcome?;
    kept?;
    Ok(Ended {
        exit,
        exits_zero: settings.exit_zero,
    })
}

/// Makes the plan, and reports its warnings.
fn plan(suite: &Suite, settings: &Settings, report: &Reports) -> Result<Plan> {
    let mut plan = plan::build_part(suite, settings, timed_parts(suite, settings)?.as_ref())?;
    if settings.verify.is_some() {
        verify::adjust(&mut plan);
    }
    for warning in &plan.warnings {
        report.event(Event::Warning(warning))?;
    }
    for unchecked in &plan.unchecked {
        report.event(Event::Unchecked(unchecked))?;
    }
    Ok(plan)
}

/// The parts of `--partition=time:M/N`.
fn timed_parts(suite: &Suite, settings: &Settings) -> Result<Option<TimedParts>> {
    let Some(partition) = settings.partition.filter(|it| it.needs_times()) else {
        return Ok(None);
    };
    let results = settings.timings.as_ref().ok_or_else(|| {
        let reason =
            format!("`{partition}` needs `--timings=RESULTS`, whose times divide the benchmarks");
        Error::option("--partition", reason)
    })?;
    let results = settings.workspace(&suite.package).join(results);
    let times = records::times(&results).map_err(|error| Error::Records(Box::new(error)))?;
    if times.is_empty() {
        let reason = format!("no results in `{}`", results.display());
        return Err(Error::option("--timings", reason));
    }
    Ok(Some(TimedParts::new(&times, partition.parts())))
}

fn context(suite: &Suite, settings: &Settings, home: &Path, source: LazySource) -> RunContext {
    let context = RunContext::new(
        &suite.package,
        &settings.executable,
        &settings.workspace(&suite.package),
        home,
        system::of_benchmarks(suite, settings),
        settings.pretty,
    );
    RunContext {
        label: settings.label.clone(),
        source,
        selection: RunSelection {
            partition: settings.partition.map(RecordedPartition::from),
            filter: settings.filter.clone(),
            suite: Some(SuiteFacts::new(plan::paths(suite))),
        },
        ..context
    }
    .with_target_directory(settings.target_directory(&suite.package))
}

/// State of the source, unless the results are older ones, or none are kept.
fn source(suite: &Suite, settings: &Settings) -> LazySource {
    match settings.baseline.run && settings.verify.is_none() {
        true => source::begin(settings, &suite.package),
        false => LazySource::default(),
    }
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
        elapsed: plan.listed_in,
        wanted: plan.summary,
        told: None,
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

/// Opens the store. Each bench file has one run at a time; a run that has to wait reports it.
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
    Error::File(FileOperationError {
        action: "start",
        path: settings.executable.clone(),
        source,
    })
}
