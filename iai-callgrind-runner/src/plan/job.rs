//! One benchmark and its jobs, one for each tool, with everything decided.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use iai_callgrind::protocol::options::ToolOption;
use iai_callgrind::protocol::{
    Config, EntryPoint, ExitWith, Input, Limit, SanitizeOutput, ToolMetric, Tools, Truncate,
};

use super::given::{ArgumentOrigin, Given};
use super::perf::PerfSettings;
use super::tool_args::Scope;
use super::tools::{self, BenchmarkTools};
use super::{environment, mode, tool_args, FlamegraphSettings, Layout, Mode, Target, ToolArgs};
use crate::benchmark_path::BenchmarkPath;
use crate::cli::ShownStreams;
use crate::error::{Error, Result};
use crate::metrics::MetricKind;
use crate::settings::{Settings, TypedForTool};
use crate::tool::{self, Execution, Tool};

/// One benchmark, with everything decided that does not depend on the tool.
#[derive(Debug)]
pub struct PlannedBenchmark {
    /// Benchmark path, with the arguments that headlines show.
    pub path: BenchmarkPath,
    /// The arguments as they are written in the source.
    pub args: Option<String>,
    /// Layout on the terminal.
    pub layout: Layout,
    /// Jobs, one for each tool, in the order in which they run; at least one.
    pub jobs: Vec<Job>,
}

impl PlannedBenchmark {
    /// Streams of the benchmark that are shown.
    pub fn shown(&self) -> ShownStreams {
        let mut shown = self.jobs.iter().map(|job| job.shown);
        shown.next().unwrap_or_default()
    }

    /// Does the output name the tool? It does unless there is only Callgrind.
    pub fn names_tools(&self) -> bool {
        self.jobs.len() > 1 || self.jobs.iter().any(|job| job.tool != Tool::Callgrind)
    }
}

/// One benchmark under one tool.
#[derive(Debug, Clone)]
pub struct Job {
    /// Benchmark path, with the arguments that headlines show.
    pub benchmark_path: BenchmarkPath,
    /// Arguments of the case, to be compared with those of kept results.
    pub input: Option<Input>,
    /// Tool that measures.
    pub tool: Tool,
    /// Program under the tool.
    pub target: Target,
    /// Process of the measurement: a fork or one of its own.
    pub mode: Mode,
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
    /// Lines for the message about another end than the expected one.
    pub exit_notes: Vec<String>,
    /// Command of the benchmark executable, which says nothing about a process; `None` for programs.
    pub plain_command: Option<String>,
    /// Text for notes about threads that did not count: the setting that makes them count.
    pub counting_threads: &'static str,
    /// Arguments of the tool.
    pub args: ToolArgs,
    /// The environment of the benchmark.
    pub environment: Vec<(OsString, OsString)>,
    /// Working directory; `None`: the directory where cargo starts the executable.
    pub working_directory: Option<WorkingDirectory>,
    /// Streams that are shown instead of being kept for an error.
    pub shown: ShownStreams,
    /// The metrics to show, in this order.
    pub format: Vec<MetricKind>,
    /// Soft limits: largest changes, in percent.
    pub soft_limits: Vec<(MetricKind, f64)>,
    /// Hard limits: largest values.
    pub hard_limits: Vec<(MetricKind, Limit)>,
    /// Reduction of DHAT's file to the allocations that count.
    pub sanitize: SanitizeOutput,
    /// Settings of the flamegraphs of Callgrind's profile; `None`: nothing is drawn.
    pub flamegraph: Option<FlamegraphSettings>,
    /// Show each process, thread and part as well.
    pub show_intermediate: bool,
    /// Stop the run if a limit is exceeded.
    pub fail_fast: bool,
    /// Settings of perf, if that is the tool.
    pub perf: Option<PerfSettings>,
    /// Moment at which the process is made to end, instead of by itself (DHAT).
    pub ends: Option<Moment>,
}

/// A moment at which a process can be made to end, so that the tool's file shows the state at that time.
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

/// A count cannot be compared with a fraction: `5.0` most likely was to be a soft limit.
fn check_limits(
    benchmark_path: &BenchmarkPath,
    tool: Tool,
    hard: &[(MetricKind, Limit)],
) -> Result<()> {
    for (kind, limit) in hard {
        if let (Limit::Float(limit), false) = (limit, kind.is_rate()) {
            return Err(Error::Setting {
                place: format!("configuration of `{benchmark_path}` for {tool}"),
                reason: format!(
                    "`{limit:?}` is no hard limit for `{kind}`: that is a whole number, such as \
                     `10`; for a change in percent there is `soft_limits`"
                ),
            });
        }
    }
    Ok(())
}

/// Builds a benchmark with a job for each tool. Also returns warnings.
pub(super) fn build(
    benchmark_path: BenchmarkPath,
    target: Target,
    config: &Config,
    settings: &Settings,
) -> Result<(PlannedBenchmark, Vec<String>)> {
    // The tools come first, since a warning about flamegraphs depends on them. Within a job the arguments
    // precede the mode: some of them exclude a fork.
    let written = benchmark_path.args.clone();
    let benchmark_path = described(benchmark_path, &target);
    let tools = config.all_tools();
    let BenchmarkTools {
        tools: chosen,
        without,
    } = tools::choose(config, &tools, settings);
    let mut warnings = Vec::new();
    match (without, chosen.first()) {
        (Some(off), Some(first)) => warnings.push(format!(
            "the default tool {off} is switched off by `enable(false)`; {first} takes its place"
        )),
        (_, None) => {
            return Err(Error::Configuration {
                place: format!("configuration of `{benchmark_path}`"),
                reason: "all tools are switched off by `enable(false)`; leave one of them on, or \
                    name one with `--default-tool`"
                    .to_owned(),
            });
        }
        (None, Some(_)) => {}
    }
    let deterministic_random =
        target.has_deterministic_random() && config.deterministic_random.unwrap_or(true);
    if config.deterministic_random == Some(true) && !deterministic_random {
        warnings.push(
            "`deterministic_random` has no effect; it needs `main!(deterministic_random = true, ..)`"
                .to_owned(),
        );
    }
    let working_directory = working_directory(config, &target);
    let output = config.output_format.unwrap_or_default();
    let layout = Layout::new(output);
    let flamegraph = flamegraph(&benchmark_path, &tools, layout.truncate)?;
    if flamegraph.is_some() && !chosen.contains(&Tool::Callgrind) {
        warnings.push(
            "flamegraphs are made of Callgrind's profiles, and benchmarks that ask for some do not \
             run under Callgrind; `--tools=callgrind` adds it"
                .to_owned(),
        );
    }
    // Exact capacity: jobs are large, and most benchmarks have one.
    let mut jobs = Vec::with_capacity(chosen.len());
    for (index, tool) in chosen.into_iter().enumerate() {
        let (args, perf, about_args) = match tool {
            Tool::Perf => {
                let (args, perf, said) =
                    PerfSettings::build(&benchmark_path, tools.perf.as_ref(), &target, settings)?;
                (args, Some(perf), said)
            }
            tool => {
                let (args, said) = args(&benchmark_path, tool, config, &tools, &target, settings)?;
                (args, None, said)
            }
        };
        warnings.extend(about_args);
        let mode = mode::choose(mode::ModeFacts {
            tool,
            args: &args.words,
            has_entry_point: !args.entry.is_everything(),
            allowed: target.is_told()
                && settings.tool_runner.is_none()
                && config.fork.unwrap_or(true),
            tested_platform: cfg!(target_os = "linux"),
        });
        let Shown {
            format,
            soft_limits,
            hard_limits,
        } = Shown::of(tool, &tools).or_as_typed(&settings.of_tools[tool]);
        check_limits(&benchmark_path, tool, &hard_limits)?;
        jobs.push(Job {
            benchmark_path: benchmark_path.clone(),
            tool,
            target: target.clone(),
            mode,
            single_cpu: config.single_cpu.unwrap_or(false),
            deterministic_random,
            runs: match tool::row(tool).execution {
                Execution::Native => 1,
                Execution::Simulated => config.check_determinism.unwrap_or(1).max(1),
            },
            timeout: settings.timeout,
            exit_with: target.exit_with(config.exit_with),
            exit_notes: target.exit_notes(config),
            input: None,
            plain_command: target.plain_command(),
            counting_threads: target.counting_threads(),
            args,
            environment: environment::resolve(tool, config, &settings.environment, &target),
            working_directory: working_directory.clone(),
            // Once is enough: the other tools run the same again.
            shown: match index {
                0 if settings.baseline.run => settings.shown,
                _ => ShownStreams::None,
            },
            format,
            soft_limits,
            hard_limits,
            sanitize: tools
                .dhat
                .as_ref()
                .and_then(|dhat| dhat.sanitize_output)
                .unwrap_or_default(),
            flamegraph: flamegraph.clone().filter(|_| tool == Tool::Callgrind),
            show_intermediate: output.show_intermediate.unwrap_or(false),
            fail_fast: settings
                .regression_fail_fast
                .or(tools.general(tool).and_then(|general| general.fail_fast))
                .unwrap_or(false),
            perf,
            ends: None,
        });
    }
    let benchmark = PlannedBenchmark {
        path: benchmark_path,
        args: written,
        layout,
        jobs,
    };
    Ok((benchmark, warnings))
}

fn flamegraph(
    benchmark_path: &BenchmarkPath,
    tools: &Tools,
    truncate: Truncate,
) -> Result<Option<FlamegraphSettings>> {
    let callgrind = tools.callgrind.as_ref();
    let Some(said) = callgrind.and_then(|callgrind| callgrind.flamegraph.as_ref()) else {
        return Ok(None);
    };
    FlamegraphSettings::new(said, truncate).map_err(|reason| Error::Setting {
        place: format!(
            "configuration of `{benchmark_path}` for {}",
            Tool::Callgrind
        ),
        reason,
    })
}

/// Adds the command to the arguments, since readers of a headline want to see it.
fn described(benchmark_path: BenchmarkPath, target: &Target) -> BenchmarkPath {
    let Some(command) = target.command_line() else {
        return benchmark_path;
    };
    let args = benchmark_path.args.as_deref().unwrap_or_default();
    BenchmarkPath {
        args: Some(format!("({args}) -> {command}")),
        ..benchmark_path
    }
}

/// Arguments of one tool. Also returns warnings.
fn args(
    benchmark_path: &BenchmarkPath,
    tool: Tool,
    config: &Config,
    tools: &Tools,
    target: &Target,
    settings: &Settings,
) -> Result<(ToolArgs, Vec<String>)> {
    let own = tools.general(tool).map(|general| general.args);
    let configured = |words| Given {
        words,
        origin: ArgumentOrigin::Configuration,
    };
    let typed = |option: String, words| Given {
        words,
        origin: ArgumentOrigin::option(option, settings),
    };
    let user = [
        configured(config.valgrind_args.as_slice()),
        configured(own.unwrap_or_default()),
        typed("--valgrind-args".to_owned(), &settings.valgrind_args),
        typed(ToolOption::Args.of(tool), &settings.of_tools[tool].args),
    ];
    let (entry_point, frames) = match tool {
        Tool::Callgrind => (
            tools
                .callgrind
                .as_ref()
                .and_then(|c| c.entry_point.as_ref()),
            None,
        ),
        Tool::Dhat => (
            tools
                .dhat
                .as_ref()
                .and_then(|dhat| dhat.entry_point.as_ref()),
            tools
                .dhat
                .as_ref()
                .map(|dhat| dhat.frames.patterns.as_slice()),
        ),
        _ => (None, None),
    };
    let cannot = |reason: &str| Error::Configuration {
        place: format!("configuration of `{benchmark_path}` for {tool}"),
        reason: reason.to_owned(),
    };
    // The entry point is resolved before `count_threads` is judged: the default of a binary benchmark is
    // none, which allows it.
    let is_main = entry_point == Some(&EntryPoint::Main);
    let entry_point = target.entry_point(entry_point).map_err(cannot)?;
    let mut frames = frames.unwrap_or_default().to_vec();
    if is_main && tool == Tool::Dhat {
        frames.push(tool_args::CALLER_OF_MAIN.to_owned());
    }
    let count_threads = tools
        .callgrind
        .as_ref()
        .and_then(|callgrind| callgrind.count_threads)
        .unwrap_or(false);
    if count_threads
        && tool == Tool::Callgrind
        && !target.is_told()
        && entry_point != EntryPoint::None
    {
        return Err(cannot(
            "`count_threads(true)` and an entry point exclude each other in a binary benchmark; \
             without an entry point all threads of a program count",
        ));
    }
    let scope = Scope {
        entry_point: &entry_point,
        frames: &frames,
        count_threads,
        brackets: target.has_brackets(),
    };
    tool_args::build(tool, &user, scope).map_err(|error| error.of_benchmark(benchmark_path))
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
        workspace: target.workspace.clone(),
        follow_symlinks: sandbox.follow_symlinks.unwrap_or(false),
        directory: directory.unwrap_or_default(),
    })
}

/// Metrics of a tool that are shown, and limits.
struct Shown {
    format: Vec<MetricKind>,
    soft_limits: Vec<(MetricKind, f64)>,
    hard_limits: Vec<(MetricKind, Limit)>,
}

impl Shown {
    fn of(tool: Tool, tools: &Tools) -> Self {
        let settings = tools.of_valgrind(tool);
        let format = settings.and_then(|settings| settings.format.as_ref());
        let limits = settings.map(|settings| settings.limits.clone());
        let limits = limits.unwrap_or_default();
        Self {
            format: match format {
                Some(format) => format.iter().copied().map(MetricKind::from).collect(),
                None => MetricKind::shown_by_default(tool),
            },
            soft_limits: metrics(limits.soft),
            hard_limits: metrics(limits.hard),
        }
    }

    /// Replaces the configured values by those of the command line.
    fn or_as_typed(mut self, typed: &TypedForTool) -> Self {
        if let Some(metrics) = &typed.metrics {
            self.format.clone_from(metrics);
        }
        if let Some(limits) = &typed.limits {
            self.soft_limits.clone_from(&limits.soft);
            self.hard_limits.clone_from(&limits.hard);
        }
        self
    }
}

fn metrics<L>(limits: Vec<(ToolMetric, L)>) -> Vec<(MetricKind, L)> {
    let kind = |(metric, limit): (ToolMetric, L)| (metric.into(), limit);
    limits.into_iter().map(kind).collect()
}
