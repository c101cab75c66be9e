//! `--verify`: counts a benchmark under Callgrind and, without Valgrind, in single steps of the
//! processor, and compares the counts.
//!
//! Callgrind's run is an ordinary one, by the usual session and with the usual files, in a home of
//! its own. `Verifier` stands between the session and Valgrind: after each run of a benchmark it
//! runs the benchmark once more in single steps, between the same setups and teardowns.

mod compare;
mod entries;
mod profile;

use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use iai_callgrind::protocol::EventKind;

use crate::error::{Error, FileContext, Result};
use crate::execute::{
    file_of_process, EndedProcess, Entries, Hook, Launch, OutputChannel, ProcessEnd,
    ValgrindLauncher,
};
use crate::plan::{Job, LevelHooks, Plan, Subject, ToolArgs};
use crate::run_report::{Event, Reports};
use crate::session;
use base::benchmark_path::BenchmarkPath;
use base::exit::Exit;
use base::tool::{Tool, ToolFile};
use cli::{Args, OutputFormat};
use records::layout::Slot;
use records::summary::RunContext;
use records::KeptRecords;
use report::text::verification::{SteppedCount, Verification};
use steps::Trace;
use store::Store;
use symbols::code_tables::CodeTables;

/// Default limit of instructions in single steps for a benchmark, which take about a minute.
pub const MOST: u64 = 10_000_000;

/// Changes the options of a run to those of a verification.
///
/// # Errors
///
/// An option that excludes `--verify`.
pub fn prepare(args: &mut Args, home: &Path) -> Result<()> {
    let excluded = [
        (
            args.output
                .output_format
                .and_then(OutputFormat::json)
                .is_some(),
            "--output-format",
            "it prints text for people only",
        ),
        (
            args.files.tool_runner.is_some(),
            "--tool-runner",
            "the processor has to run the benchmark where Valgrind does",
        ),
        (
            args.baselines.load_baseline.is_some(),
            "--load-baseline",
            "it has to run the benchmarks",
        ),
    ];
    if let Some((_, option, reason)) = excluded.iter().find(|(given, ..)| *given) {
        return Err(Error::Setting {
            place: "--verify".to_owned(),
            reason: format!("excludes `{option}`: {reason}"),
        });
    }
    // Baselines of the user's home do not exist in one that starts empty.
    args.baselines = Default::default();
    args.files.home = Some(home.to_owned());
    args.tools.without_further();
    args.tools.default_tool = Some(Tool::Callgrind);
    args.running.parallel = Some(1);
    args.output.quiet = true;
    args.output.nosummary = Some(true);
    Ok(())
}

/// Reduces a plan to its Callgrind jobs, with costs by instruction and without limits.
pub fn adjust(plan: &mut Plan) {
    for group in &mut plan.groups {
        for benchmark in &mut group.benchmarks {
            // One job is left: `prepare` has made Callgrind the default tool, whatever is
            // configured.
            benchmark.jobs.retain(|job| job.tool == Tool::Callgrind);
        }
        for job in group
            .benchmarks
            .iter_mut()
            .flat_map(|benchmark| &mut benchmark.jobs)
        {
            // Costs by instruction, and costs of the linkage tables in these tables.
            let words = ["--dump-instr=yes", "--skip-plt=no"];
            // Each job has arguments of its own, so nothing is copied here.
            let args = Arc::make_mut(&mut job.args);
            args.words.extend(words.map(str::to_owned));
            job.flamegraph = None;
            job.soft_limits.clear();
            job.hard_limits.clear();
            job.fail_fast = false;
        }
    }
}

/// Runs an adjusted plan under Callgrind and in at most `most` single steps for each benchmark, and
/// reports the verdicts.
///
/// # Errors
///
/// The runner was asked to stop, or the report cannot be written.
pub fn run(
    plan: &Plan,
    context: &RunContext,
    store: &Store,
    launch: &ValgrindLauncher<'_>,
    most: u64,
    report: &Reports,
) -> Result<Exit> {
    let verifier = Verifier {
        launch,
        most,
        entries: OnceLock::new(),
        verdicts: Mutex::default(),
    };
    // Callgrind's figures are in the results only after the session has stored them.
    let ended = session::run(plan, context, store, &verifier, report);
    let mut verdicts = verifier
        .verdicts
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    for verdict in &mut verdicts {
        verdict.callgrind = reported(store, &plan.baseline.write, &verdict.benchmark_path)?;
    }
    if ended.is_err() {
        // What took minutes is shown, but for the benchmark that was interrupted.
        verdicts.retain(|verdict| verdict.callgrind.is_some());
    }
    if ended.is_ok() || !verdicts.is_empty() {
        report.event(Event::Verified(&verdicts))?;
    }
    let exit = ended?;
    Ok(match verdicts.iter().all(Verification::is_equal) {
        true => exit,
        false => Exit::Error,
    })
}

/// Callgrind's figure of a benchmark in its stored result.
fn reported(store: &Store, slot: &Slot, benchmark_path: &BenchmarkPath) -> Result<Option<u64>> {
    let entry = store.entry(benchmark_path)?;
    let kept = KeptRecords::default().of_tool(&entry, slot, Tool::Callgrind);
    let kept = kept.ok().flatten();
    Ok(kept.and_then(|kept| kept.result.count(EventKind::Ir.into())))
}

/// Runs each job under Callgrind and then in single steps.
struct Verifier<'a> {
    launch: &'a ValgrindLauncher<'a>,
    most: u64,
    /// Entries of the executable, which all jobs have in common.
    entries: OnceLock<std::result::Result<Entries, String>>,
    verdicts: Mutex<Vec<Verification>>,
}

impl Launch for Verifier<'_> {
    fn launch(&self, job: &Job, directory: &Path, channel: &OutputChannel) -> Result<EndedProcess> {
        // Valgrind first: only a benchmark that ends well there is worth a minute of single steps.
        let ended = self.launch.launch(job, directory, channel)?;
        // The session reports a benchmark that did not return.
        if matches!(
            ended.how,
            ProcessEnd::Returned | ProcessEnd::ReturnedWithRegions
        ) {
            let verdict = Verification {
                benchmark_path: BenchmarkPath::clone(&job.benchmark_path),
                callgrind: None,
                stepped: self.verify(job, directory, &ended)?,
            };
            let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
            verdicts.push(verdict);
        }
        Ok(ended)
    }

    fn assist(
        &self,
        hooks: &LevelHooks,
        hook: Hook,
        channel: &OutputChannel,
    ) -> Result<EndedProcess> {
        self.launch.assist(hooks, hook, channel)
    }
}

impl Verifier<'_> {
    fn verify(
        &self,
        job: &Job,
        directory: &Path,
        ended: &EndedProcess,
    ) -> Result<std::result::Result<SteppedCount, String>> {
        // Everything that single steps cannot verify is refused before a process starts.
        let Subject::Case(case) = &job.target.subject else {
            let text = "it is a program; only functions can be executed in single steps";
            return Ok(Err(text.to_owned()));
        };
        if job.args.count_threads {
            let text =
                "`count_threads(true)` counts other threads as well, and single steps only one";
            return Ok(Err(text.to_owned()));
        }
        if !counts_the_function(&job.args) {
            let text =
                "it has an entry point of its own; only the benchmark function can be executed \
                        in single steps";
            return Ok(Err(text.to_owned()));
        }
        let entries = self
            .entries
            .get_or_init(|| entries::entries(&job.target.program));
        let entries = match entries {
            Ok(entries) => entries,
            Err(reason) => return Ok(Err(reason.clone())),
        };
        let trace = match self
            .launch
            .single_step(job, case, entries, self.most, directory)?
        {
            Ok(trace) => trace,
            Err(reason) => return Ok(Err(reason)),
        };
        stepped(&trace, directory, ended).map(Ok)
    }
}

/// Is the benchmark function the only entry function?
fn counts_the_function(args: &ToolArgs) -> bool {
    args.entry.measured && args.entry.patterns.is_empty()
}

fn stepped(trace: &Trace, directory: &Path, ended: &EndedProcess) -> Result<SteppedCount> {
    let mut code = CodeTables::default();
    let mut own = std::collections::HashMap::new();
    for entry in fs::read_dir(directory).context("list", directory)? {
        let path = entry.context("list", directory)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let pid = ended.pid.and_then(|pid| u32::try_from(pid).ok());
        // The directory also has profiles of processes that the benchmark started, and steps follow
        // none.
        let is_result = |(file, of)| file == ToolFile::Out && Some(of) == pid;
        if file_of_process(&name).is_some_and(is_result) {
            let file = File::open(&path).context("open", &path)?;
            // The session reports a profile that cannot be read.
            for (function, more) in profile::own(file, &mut code).unwrap_or_default() {
                let known: &mut profile::OwnCost = own.entry(function).or_default();
                known.count += more.count;
                known.name = more.name;
            }
        }
    }
    Ok(SteppedCount {
        count: match ended.how {
            ProcessEnd::ReturnedWithRegions => trace.in_regions,
            _ => trace.function,
        },
        of_repeats: trace.of_repeats,
        of_requests: trace.of_requests,
        handlers: trace.handlers,
        partings: compare::partings(trace, &own, &mut code),
    })
}
