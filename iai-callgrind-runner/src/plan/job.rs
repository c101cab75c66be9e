//! One benchmark and its jobs, one for each tool, with everything decided.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use iai_callgrind::protocol::{
    Config, ExitWith, Flamegraph, Input, Limit, Over, PerfLimits, RatioSide, SanitizeOutput,
    Scaling, Throughput, Tools, Truncate,
};

use super::backend::ConfiguredJob;
use super::shown::ShownMetrics;
use super::tools::{self, BenchmarkTools};
use super::{
    ending, environment, mode, Backend, ExplainSettings, Instrumentation, Layout, PlannedTime,
    SourcePlace, Subject, Target, ToolArgs,
};
use crate::error::{Error, Result};
use crate::settings::Settings;
use base::benchmark_path::BenchmarkPath;
use base::measured_function::ROUTINE;
use base::own_places::OwnPlaces;
use base::tool::{self, Execution, Tool};
use cli::ShownStreams;
use flamegraph::FlamegraphSettings;
use metrics::MetricKind;
use records::summary::Mode;

/// One benchmark, with everything decided that does not depend on the tool.
#[derive(Debug)]
pub struct PlannedBenchmark {
    /// Benchmark path, with the arguments that headlines show.
    pub path: Arc<BenchmarkPath>,
    /// The arguments as they are written in the source.
    pub args: Option<String>,
    /// Place of the attribute in the source.
    pub place: SourcePlace,
    /// Layout on the terminal.
    pub layout: Layout,
    /// All cases of the function have to count the same.
    pub equal_counts: bool,
    /// Part of the benchmark in the growth of counts with the size of the input.
    pub scaling: Option<Scaling>,
    /// The wall time that is to be measured.
    pub time: Option<PlannedTime>,
    /// Jobs, one for each tool, in the order in which they run; at least one.
    pub jobs: Vec<Job>,
}

impl PlannedBenchmark {
    /// Streams of the benchmark that are shown.
    pub fn shown(&self) -> ShownStreams {
        let mut shown = self.jobs.iter().map(|job| job.shown);
        shown.next().unwrap_or_default()
    }

    /// Is this the benchmark of the group that a ratio means?
    pub(crate) fn is(&self, side: &RatioSide) -> bool {
        self.path.function == side.function && self.path.id == side.id
    }

    /// The metrics among these of a tool that people see on a terminal.
    pub fn rows_for_people(&self, tool: Tool, format: &[MetricKind]) -> Vec<MetricKind> {
        let job = self.jobs.iter().find(|job| job.tool == tool);
        job.map_or_else(|| format.to_vec(), |job| job.rows_for_people(format))
    }

    /// Benchmark path with the arguments that headlines on a terminal show: of programs of the
    /// workspace the name alone.
    pub fn short_path(&self) -> BenchmarkPath {
        let job = self.jobs.first();
        let command = job.and_then(|job| job.target.short_command_line());
        let args = command.map(|command| described_args(self.args.as_deref(), &command));
        BenchmarkPath {
            args: args.or_else(|| self.path.args.clone()),
            ..BenchmarkPath::clone(&self.path)
        }
    }

    /// Does the output name the tool? It does unless there is only Callgrind.
    pub fn names_tools(&self) -> bool {
        self.jobs.len() > 1 || self.jobs.iter().any(|job| job.tool != Tool::Callgrind)
    }
}

/// One benchmark under one tool.
#[derive(Debug, Clone)]
pub struct Job {
    /// Path of the benchmark.
    pub benchmark_path: Arc<BenchmarkPath>,
    /// Arguments of the case, to be compared with those of kept results.
    pub input: Option<Input>,
    /// Amounts that the benchmark handles, if they are configured.
    pub throughput: Option<Throughput>,
    /// Tool that measures.
    pub tool: Tool,
    /// Program that runs the tool.
    pub backend: Backend,
    /// Program under the tool.
    pub target: Target,
    /// Process of the measurement: a fork or one of its own.
    pub mode: Mode,
    /// Does the process end without exit handlers when the benchmark has returned?
    pub quick_end: bool,
    /// Does the benchmark run on one processor?
    pub single_cpu: bool,
    /// Does the benchmark draw the same random numbers in every run?
    pub deterministic_random: bool,
    /// Number of runs that have to count the same (`check_determinism`); 1: no check.
    pub runs: u32,
    /// Time limit of the measured process.
    pub timeout: Option<Duration>,
    /// Expected end of the benchmark.
    pub exit_with: ExitWith,
    /// Lines for the message about an unexpected end.
    pub exit_notes: Vec<String>,
    /// Command of the benchmark executable, which is the same for all benchmarks; `None` for
    /// programs.
    pub plain_command: Option<String>,
    /// Text for notes about threads that did not count: the setting that makes them count.
    pub counting_threads: &'static str,
    /// Arguments of the tool.
    pub args: Arc<ToolArgs>,
    /// The environment of the benchmark.
    pub environment: Arc<[(OsString, OsString)]>,
    /// Working directory; `None`: the directory where cargo starts the executable.
    pub working_directory: Option<WorkingDirectory>,
    /// Streams that are shown instead of being kept for an error.
    pub shown: ShownStreams,
    /// The metrics to show, in this order; `None`: all, in the order of the tool's files.
    pub format: Option<Arc<[MetricKind]>>,
    /// The shown metrics are the default ones.
    pub has_usual_rows: bool,
    /// Soft limits: largest changes, in percent.
    pub soft_limits: Vec<(MetricKind, f64)>,
    /// Hard limits: largest values.
    pub hard_limits: Vec<(MetricKind, Limit)>,
    /// Limits on events, by globs, since the counted events are known only afterwards.
    pub event_limits: PerfLimits,
    /// Reduction of DHAT's file to the allocations that count.
    pub sanitize: SanitizeOutput,
    /// Settings of the flamegraphs of Callgrind's or DHAT's profile; `None`: nothing is drawn.
    pub flamegraph: Option<Box<FlamegraphSettings>>,
    /// Settings of the explanation of changes; `None`: nothing is kept for it.
    pub explain: Option<ExplainSettings>,
    /// Show each process, thread and part as well.
    pub show_intermediate: bool,
    /// Stop the run if a limit is exceeded.
    pub fail_fast: bool,
    /// Moment at which the process is made to end, instead of by itself (DHAT).
    pub ends: Option<Moment>,
}

impl Job {
    /// The places of its code; the target directory, if it is known.
    pub(crate) fn own_places<'a>(&'a self, target: Option<&'a Path>) -> OwnPlaces<'a> {
        OwnPlaces {
            executable: &self.target.program,
            workspace: &self.target.workspace,
            target,
        }
    }

    /// The metrics that have limits; one with a soft and a hard limit comes twice.
    pub(crate) fn limited(&self) -> impl Iterator<Item = MetricKind> + '_ {
        let soft = self.soft_limits.iter().map(|(kind, _)| *kind);
        soft.chain(self.hard_limits.iter().map(|(kind, _)| *kind))
    }

    /// The metrics among these that people see on a terminal: those that are requested or have a
    /// limit or, without any request, those that summarize the others.
    fn rows_for_people(&self, format: &[MetricKind]) -> Vec<MetricKind> {
        let limited: Vec<MetricKind> = self.limited().collect();
        let is_shown =
            |kind: &MetricKind| !self.has_usual_rows || !kind.is_detail() || limited.contains(kind);
        format.iter().copied().filter(is_shown).collect()
    }

    /// The name of the measured function that this job enters, as its symbol has it.
    pub fn measured_function(&self) -> &str {
        match &self.target.subject {
            Subject::Case(case) if case.at_run_time => ROUTINE,
            Subject::Case(_) | Subject::Command(_) => &self.benchmark_path.function,
        }
    }

    /// The job without a look at signal handlers.
    pub(crate) fn untraced(&self) -> Self {
        let args = ToolArgs {
            untraced: true,
            ..(*self.args).clone()
        };
        Self {
            args: Arc::new(args),
            ..self.clone()
        }
    }

    /// Does any limit judge the results?
    pub fn has_limits(&self) -> bool {
        let of_events = &self.event_limits;
        !(self.soft_limits.is_empty()
            && self.hard_limits.is_empty()
            && of_events.soft.is_empty()
            && of_events.hard.is_empty())
    }
}

/// A moment at which a process can be made to end, so that the tool's file shows the state at that
/// time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The arguments are made, the benchmark function is next.
    BeforeFunction,
    /// The benchmark function has returned.
    AfterFunction,
}

/// The working directory of a benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkingDirectory {
    /// A directory outside of any sandbox.
    Directory(PathBuf),
    /// A private directory that is removed afterwards.
    Sandbox {
        /// Fixtures that are copied into the sandbox; absolute.
        fixtures: Vec<PathBuf>,
        /// Root of the workspace, at which relative paths of fixtures begin.
        workspace: PathBuf,
        /// Copy the target of a symlink instead of the link.
        follow_symlinks: bool,
        /// Working directory inside of the sandbox; empty for its root.
        directory: PathBuf,
    },
}

/// Builds a benchmark with a job for each tool. Also returns warnings.
pub(super) fn build(
    benchmark_path: BenchmarkPath,
    target: Target,
    config: &Config,
    settings: &Settings,
) -> Result<(PlannedBenchmark, Vec<String>)> {
    // The tools come first, since a warning about flamegraphs depends on them.
    let written = benchmark_path.args.clone();
    let benchmark_path = Arc::new(described(benchmark_path, &target));
    let tools = config.all_tools();
    let (chosen, mut warnings) = chosen(&benchmark_path, &tools, config, settings)?;
    let has_random = target.has_deterministic_random();
    if config.deterministic_random == Some(true) && !has_random {
        warnings.push(
            "`deterministic_random(true)` has no effect; `main!` says `deterministic_random = false`, or this is not Linux"
                .to_owned(),
        );
    }
    if target.is_instrumented {
        warnings.push(format!(
            "`{}` is instrumented by the compiler, for profiles (`-Cprofile-generate`) or coverage \
             (`-Cinstrument-coverage`): its counts include the instrumentation",
            target.shown_program()
        ));
    }
    let layout = Layout::new(config.output_format.unwrap_or_default());
    let flamegraph = |tool| flamegraph(&benchmark_path, tool, &tools, settings, layout.truncate);
    let of_callgrind = flamegraph(Tool::Callgrind)?;
    let explain = explain(&benchmark_path, &tools)?;
    // Who only types `--flamegraph` wants what there is.
    let has_others = settings.flamegraph.is_some() && chosen.contains(&Tool::Dhat);
    if of_callgrind.is_some() && !chosen.contains(&Tool::Callgrind) && !has_others {
        warnings.push(
            "flamegraphs are made of Callgrind's profiles, and benchmarks that ask for some do not \
             run under Callgrind; `--tools=callgrind` adds it"
                .to_owned(),
        );
    }
    // Exact capacity: jobs are large, and most benchmarks have one.
    let mut jobs = Vec::with_capacity(chosen.len());
    for tool in chosen {
        let (mut job, about_job) = under_tool(ConfiguredJob {
            benchmark_path: &benchmark_path,
            tool,
            config,
            tools: &tools,
            target: &target,
            settings,
        })?;
        warnings.extend(about_job);
        job.flamegraph = match tool {
            Tool::Callgrind => of_callgrind.clone(),
            tool => flamegraph(tool)?,
        }
        .map(Box::new);
        job.explain = explain.filter(|_| [Tool::Callgrind, Tool::Dhat].contains(&tool));
        // Once is enough: the other tools run the same again.
        if jobs.is_empty() && settings.baseline.run {
            job.shown = settings.shown;
        }
        jobs.push(job);
    }
    let benchmark = PlannedBenchmark {
        path: benchmark_path,
        args: written,
        place: SourcePlace::default(),
        layout,
        equal_counts: false,
        scaling: None,
        time: PlannedTime::new(tools.time, &settings.time),
        jobs,
    };
    Ok((benchmark, warnings))
}

/// The tools of a benchmark; at least one. Also returns warnings.
fn chosen(
    benchmark_path: &BenchmarkPath,
    tools: &Tools,
    config: &Config,
    settings: &Settings,
) -> Result<(Vec<Tool>, Vec<String>)> {
    let BenchmarkTools {
        tools: chosen,
        without,
    } = tools::choose(config, tools, settings);
    let Some(first) = chosen.first() else {
        return Err(Error::Configuration {
            place: format!("configuration of `{benchmark_path}`"),
            reason: "all tools are switched off by `enable(false)`; leave one of them on, or name \
                one with `--default-tool`"
                .to_owned(),
        });
    };
    let warning = without.map(|off| {
        format!(
            "the default tool {off} is switched off by `enable(false)`; {first} takes its place"
        )
    });
    Ok((chosen, warning.into_iter().collect()))
}

/// The job of a benchmark under one tool, which shows no output and draws nothing yet. Also returns
/// warnings.
fn under_tool(of: ConfiguredJob<'_>) -> Result<(Job, Vec<String>)> {
    let ConfiguredJob {
        benchmark_path,
        tool,
        config,
        tools,
        target,
        settings,
    } = of;
    // The arguments precede the mode: some of them exclude a fork.
    let (backend, mut args, warnings) = Backend::choose(of)?;
    let mode = mode::choose(mode::ModeFacts {
        tool,
        args: &args.words,
        has_entry_point: !args.entry.is_everything(),
        allowed: target.is_told() && settings.tool_runner.is_none() && config.fork.unwrap_or(true),
        tested_platform: cfg!(target_os = "linux"),
    });
    if args.instrumentation == Instrumentation::Faster && mode == Mode::Direct {
        // The start of a process is a setup as well.
        args.instrumentation = Instrumentation::Function;
    }
    let ShownMetrics {
        format,
        is_usual,
        soft_limits,
        hard_limits,
        event_limits,
    } = ShownMetrics::resolve(of)?;
    let fail_fast = tools.general(tool).and_then(|general| general.fail_fast);
    let dhat = tools.dhat.as_ref();
    let output = config.output_format.unwrap_or_default();
    let job = Job {
        benchmark_path: Arc::clone(benchmark_path),
        tool,
        backend,
        target: target.clone(),
        mode,
        quick_end: ending::is_quick(tool, &args, config, target.is_instrumented),
        single_cpu: config.single_cpu.unwrap_or(false),
        deterministic_random: target.has_deterministic_random()
            && config.deterministic_random.unwrap_or(true),
        runs: match tool::row(tool).execution {
            // Native counts differ in each run, which would say nothing about the benchmark.
            Execution::Native => 1,
            Execution::Simulated => config.check_determinism.unwrap_or(1).max(1),
        },
        timeout: settings.timeout,
        exit_with: target.exit_with(config.exit_with),
        exit_notes: target.exit_notes(config),
        input: None,
        throughput: None,
        plain_command: target.plain_command(),
        counting_threads: target.counting_threads(),
        args: Arc::new(args),
        environment: environment::resolve(tool, config, &settings.environment, target).into(),
        working_directory: working_directory(config, target),
        shown: ShownStreams::None,
        format,
        has_usual_rows: is_usual,
        soft_limits,
        hard_limits,
        event_limits,
        sanitize: dhat
            .and_then(|dhat| dhat.sanitize_output)
            .unwrap_or_default(),
        flamegraph: None,
        explain: None,
        show_intermediate: output.show_intermediate.unwrap_or(false),
        fail_fast: settings.regression_fail_fast.or(fail_fast).unwrap_or(false),
        ends: None,
    };
    Ok((job, warnings))
}

/// Settings of the flamegraphs of a tool. `None`: nothing is drawn.
fn flamegraph(
    benchmark_path: &BenchmarkPath,
    tool: Tool,
    tools: &Tools,
    settings: &Settings,
    truncate: Truncate,
) -> Result<Option<FlamegraphSettings>> {
    let configured = match tool {
        Tool::Callgrind => tools.callgrind.as_ref().map(|of| of.flamegraph.clone()),
        Tool::Dhat => tools.dhat.as_ref().map(|of| of.flamegraph.clone()),
        _ => return Ok(None),
    };
    let typed = settings.flamegraph.map(|kind| Flamegraph {
        kind: Some(kind),
        ..Flamegraph::default()
    });
    let Some(said) = typed.over(configured.flatten()) else {
        return Ok(None);
    };
    let checked = match tool {
        Tool::Dhat => FlamegraphSettings::of_dhat(&said, truncate),
        _ => FlamegraphSettings::new(&said, truncate),
    };
    checked.map_err(|reason| of_tool(benchmark_path, tool, reason))
}

fn explain(benchmark_path: &BenchmarkPath, tools: &Tools) -> Result<Option<ExplainSettings>> {
    let callgrind = tools.callgrind.as_ref();
    match callgrind.and_then(|callgrind| callgrind.explain.as_ref()) {
        None => Ok(Some(ExplainSettings::default())),
        Some(said) => {
            let checked = ExplainSettings::new(said);
            checked.map_err(|reason| of_tool(benchmark_path, Tool::Callgrind, reason))
        }
    }
}

fn of_tool(benchmark_path: &BenchmarkPath, tool: Tool, reason: String) -> Error {
    Error::Setting {
        place: format!("configuration of `{benchmark_path}` for {tool}"),
        reason,
    }
}

/// Adds the command to the arguments, since readers of a headline want to see it.
fn described(benchmark_path: BenchmarkPath, target: &Target) -> BenchmarkPath {
    let Some(command) = target.command_line() else {
        return benchmark_path;
    };
    let args = described_args(benchmark_path.args.as_deref(), &command);
    BenchmarkPath {
        args: Some(args),
        ..benchmark_path
    }
}

/// `(arguments) -> command`
fn described_args(args: Option<&str>, command: &str) -> String {
    format!("({}) -> {command}", args.unwrap_or_default())
}

/// Working directory of a benchmark. Relative paths of fixtures begin at the workspace, those of
/// directories in the sandbox or where cargo starts the executable.
fn working_directory(config: &Config, target: &Target) -> Option<WorkingDirectory> {
    let directory = config.current_dir.as_ref().map(PathBuf::from);
    let sandbox = config.sandbox.clone().unwrap_or_default();
    if !sandbox.enable.unwrap_or(false) {
        return directory
            .map(|directory| WorkingDirectory::Directory(target.directory.join(directory)));
    }
    let fixture = |path: &OsString| target.workspace.join(path);
    Some(WorkingDirectory::Sandbox {
        fixtures: sandbox.fixtures.iter().map(fixture).collect(),
        workspace: target.workspace.to_path_buf(),
        follow_symlinks: sandbox.follow_symlinks.unwrap_or(false),
        directory: directory.unwrap_or_default(),
    })
}
