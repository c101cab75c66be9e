//! [`Suite`] and [`Settings`] to a [`Plan`]: everything is decided here, nothing is done.
//!
//! A plan is plain data. It names every benchmark that will run, under which tool, with which
//! arguments, environment and limits; the later stages only look things up in it.

mod argument_origin;
mod backend;
mod copies;
mod ending;
mod environment;
mod expectations;
mod explain;
mod hooks;
mod job;
mod layout;
mod mode;
mod no_effect;
pub(crate) mod nothing_selected;
mod partition;
mod perf;
mod shown;
mod source_place;
pub mod suite;
mod target;
mod throughput;
mod tool_args;
mod tools;
pub(crate) mod wall_time;

use std::time::Duration;

use iai_callgrind::protocol::{self, Address, Config, Kind, Over, Ratio, Suite, MAIN_LEVEL};

pub use self::argument_origin::ArgumentOrigin;
pub use self::backend::Backend;
pub(crate) use self::copies::tunables;
pub(crate) use self::environment::loader_variables;
pub use self::explain::ExplainSettings;
pub use self::hooks::LevelHooks;
pub use self::job::{Job, Moment, PlannedBenchmark, WorkingDirectory};
pub use self::layout::Layout;
pub use self::perf::{CountBegin, PerfSettings};
pub use self::source_place::SourcePlace;
pub use self::target::{CaseIndex, PlannedCase, PlannedCommand, PlannedDelay, Subject, Target};
pub(crate) use self::tool_args::{combines_dumps, is_own_pattern, stack_depth};
pub use self::tool_args::{Instrumentation, ToolArgs};
pub use self::wall_time::PlannedTime;
use crate::error::Result;
use crate::settings::{Baseline, Settings};
use base::benchmark_path::BenchmarkPath;
use base::tool::{self, Execution};
use records::timings::TimedParts;
use store::TimeBase;

/// Everything that a run does: benchmarks with their tools, hooks and limits.
#[derive(Debug)]
pub struct Plan {
    /// `setup` and `teardown` of the file.
    pub hooks: LevelHooks,
    /// Groups with at least one selected benchmark.
    pub groups: Vec<PlannedGroup>,
    /// Slots of the results that are written and compared.
    pub baseline: Baseline,
    /// The executables that times are compared with, if the option names them.
    pub time_base: Option<TimeBase>,
    /// Number of benchmarks that filters and partition left out.
    pub filtered: usize,
    /// Time that the executable took to list its benchmarks, which is part of that of the run.
    pub listed_in: Duration,
    /// Print the totals at the end.
    pub summary: bool,
    /// Warnings for the user before anything runs, each once.
    pub warnings: Vec<String>,
    /// Expectations about several benchmarks that the selection leaves unchecked.
    pub unchecked: Vec<String>,
}

/// The selected benchmarks of a group.
#[derive(Debug)]
pub struct PlannedGroup {
    /// `setup` and `teardown` of the group.
    pub hooks: LevelHooks,
    /// Compare the benchmarks of different functions that have the same id.
    pub compare_by_id: bool,
    /// Largest number of benchmarks of the group that run at the same time.
    pub parallel: usize,
    /// Ratios of the counts of two benchmarks, at least one of which was selected.
    pub ratios: Vec<Ratio>,
    /// Benchmarks in the order of the source.
    pub benchmarks: Vec<PlannedBenchmark>,
}

impl Plan {
    /// Is there nothing to run?
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// All benchmarks, in their order.
    pub(crate) fn benchmarks(&self) -> impl Iterator<Item = &PlannedBenchmark> {
        self.groups.iter().flat_map(|group| &group.benchmarks)
    }

    /// All benchmarks, for what is decided after the plan is made.
    pub(crate) fn benchmarks_mut(&mut self) -> impl Iterator<Item = &mut PlannedBenchmark> {
        let groups = self.groups.iter_mut();
        groups.flat_map(|group| &mut group.benchmarks)
    }

    /// Jobs of all benchmarks, in their order.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.benchmarks().flat_map(|benchmark| &benchmark.jobs)
    }

    /// Is the wall time of any benchmark measured?
    pub(crate) fn is_timed(&self) -> bool {
        self.benchmarks().any(|benchmark| benchmark.time.is_some())
    }

    /// Does any job run under Valgrind?
    pub fn needs_valgrind(&self) -> bool {
        self.jobs()
            .any(|job| tool::row(job.tool).execution == Execution::Simulated)
    }

    /// Number of benchmarks that will run.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.benchmarks.len()).sum()
    }
}

/// Builds the plan of a run.
///
/// # Errors
///
/// A configuration that cannot be carried out.
pub fn build(suite: &Suite, settings: &Settings) -> Result<Plan> {
    build_part(suite, settings, None)
}

/// Builds the plan of a run whose parts may follow from the times of earlier results.
///
/// # Errors
///
/// A configuration that cannot be carried out.
pub(crate) fn build_part(
    suite: &Suite,
    settings: &Settings,
    timed: Option<&TimedParts>,
) -> Result<Plan> {
    // The partition is a part of all selected benchmarks, so it is taken when all groups are there.
    // The search for options without effect comes last, since it looks at what is left.
    let file = suite.config.clone().unwrap_or_default();
    // The command line goes before every level.
    let typed = |config: &Config| settings.config.clone().over(config.clone());
    let mut plan = Plan {
        hooks: LevelHooks::new(
            MAIN_LEVEL.to_owned(),
            suite.hooks,
            &typed(&file),
            suite,
            settings,
        ),
        groups: Vec::new(),
        baseline: settings.baseline.clone(),
        time_base: None,
        filtered: 0,
        listed_in: Duration::ZERO,
        summary: settings.summary,
        unchecked: Vec::new(),
        warnings: [
            settings.warnings.clone(),
            unlisted(suite),
            suite.empty.clone(),
        ]
        .concat(),
    };
    for (index, group) in suite.groups.iter().enumerate() {
        let config = over(group.config.as_ref(), &file);
        let benchmarks = self::benchmarks(suite, index, &config, settings, &mut plan)?;
        if !benchmarks.is_empty() {
            plan.groups.push(PlannedGroup {
                hooks: LevelHooks::new(
                    group.name.clone(),
                    group.hooks,
                    &typed(&config),
                    suite,
                    settings,
                ),
                compare_by_id: group.compare_by_id,
                parallel: match group.max_parallel {
                    0 => settings.parallel,
                    // A group may ask for fewer at a time than the command line, never for more.
                    most => settings.parallel.min(most),
                },
                ratios: expectations::ratios(group, &benchmarks),
                benchmarks,
            });
        }
    }
    if !plan.baseline.run {
        // Nothing runs, so nothing is set up.
        plan.hooks.exist = protocol::Hooks::default();
        for group in &mut plan.groups {
            group.hooks.exist = protocol::Hooks::default();
        }
    }
    if let Some(partition) = settings.partition {
        plan.keep_part(partition, timed, &suite.package);
    }
    // After the partition: the place need not exist where nothing that is left is timed.
    plan.time_base = wall_time::base(&plan, &suite.package, settings)?;
    let unseen = expectations::warnings(suite, &plan);
    plan.warnings.extend(unseen);
    plan.unchecked = expectations::unchecked(suite, &plan);
    plan.warnings.extend(no_effect::warnings(&plan, settings));
    Ok(plan)
}

/// The selected benchmarks of a group.
fn benchmarks(
    suite: &Suite,
    group_index: usize,
    group_config: &Config,
    settings: &Settings,
    plan: &mut Plan,
) -> Result<Vec<PlannedBenchmark>> {
    let group = &suite.groups[group_index];
    let package = &suite.package;
    let workspaces = [
        settings.workspace(package),
        package.workspace.as_str().into(),
    ];
    let mut benchmarks: Vec<PlannedBenchmark> = Vec::new();
    for function in &group.functions {
        let function_config = over(function.config.as_deref(), group_config);
        for case in &function.cases {
            let benchmark_path = benchmark_path(suite, group, function, case);
            // The filters come first: a benchmark that does not run gives neither warnings nor
            // errors.
            let path = benchmark_path.to_string();
            let is_selected = settings.filter.selects_named(&path, case.title.as_deref());
            if settings.ignored || !is_selected {
                plan.filtered += 1;
                continue;
            }
            let config = over(case.config.as_deref(), &function_config);
            let typed = |config: Config| settings.config.clone().over(config);
            let index = CaseIndex::new(group_index, function, case);
            let (config, target, warnings) = match &case.command {
                None => (
                    typed(config),
                    Target::of_case(suite, case, index, settings),
                    None,
                ),
                Some(command) => {
                    let config = typed(command.config.clone().over(config));
                    let hooks = LevelHooks::new(
                        address(group, function, case).to_string(),
                        case.hooks,
                        &config,
                        suite,
                        settings,
                    );
                    let (target, warning) =
                        Target::of_command(&suite.package, command, hooks, &config, settings)?;
                    (config, target, warning)
                }
            };
            let (mut benchmark, about_job) = job::build(benchmark_path, target, &config, settings)?;
            for job in &mut benchmark.jobs {
                job.input = case.input.clone();
                job.set_throughput(case.throughput.as_deref().copied())?;
            }
            benchmark.place = SourcePlace::new(function, &workspaces);
            benchmark.equal_counts = function.equal_counts;
            benchmark.scaling = case.scaling.clone();
            benchmarks.push(benchmark);
            for warning in warnings.into_iter().chain(about_job) {
                // Settings of a level would warn for each benchmark below it.
                if !plan.warnings.contains(&warning) {
                    plan.warnings.push(warning);
                }
            }
        }
    }
    Ok(benchmarks)
}

/// Warnings about functions in no group: one that never runs is a mistake most of the time.
fn unlisted(suite: &Suite) -> Vec<String> {
    let is_binary = suite.groups.iter().any(|group| group.kind == Kind::Binary);
    let list = match is_binary {
        true => "binary_benchmark_group!",
        false => "library_benchmark_group!",
    };
    let warning = |place: &String| {
        format!(
            "{place} is in no group and does not run; list it in `{list}`, or write \
             `#[allow(dead_code)]` above it"
        )
    };
    suite.unlisted.iter().map(warning).collect()
}

fn over(inner: Option<&Config>, outer: &Config) -> Config {
    match inner {
        Some(inner) => inner.clone().over(outer.clone()),
        None => outer.clone(),
    }
}

fn benchmark_path(
    suite: &Suite,
    group: &protocol::Group,
    function: &protocol::Function,
    case: &protocol::Case,
) -> BenchmarkPath {
    BenchmarkPath {
        file: suite.package.module.clone(),
        group: group.name.clone(),
        function: function.name.clone(),
        id: case.id.clone(),
        args: case.args.clone(),
    }
}

/// Benchmark path within the executable.
fn address<'a>(
    group: &'a protocol::Group,
    function: &'a protocol::Function,
    case: &'a protocol::Case,
) -> Address<'a> {
    Address {
        group: &group.name,
        function: &function.name,
        id: case.id.as_deref(),
    }
}

/// Benchmark paths, selected or not.
pub fn paths(suite: &Suite) -> Vec<String> {
    let mut paths = Vec::new();
    for group in &suite.groups {
        for function in &group.functions {
            for case in &function.cases {
                let address = address(group, function, case);
                paths.push(format!("{}::{address}", suite.package.module));
            }
        }
    }
    paths
}

/// Benchmark paths that are most like the filters, at most three.
pub fn nearest<'a>(paths: &'a [String], filters: &[String]) -> Vec<&'a str> {
    let likeness = |path: &str| {
        let parts = path.split("::").chain([path]);
        let pairs = parts.flat_map(|part| filters.iter().map(move |filter| (part, filter)));
        pairs
            .map(|(part, filter)| strsim::jaro_winkler(part, filter))
            .fold(0.0, f64::max)
    };
    let mut rated: Vec<(f64, &str)> = paths
        .iter()
        .map(|path| (likeness(path), path.as_str()))
        .collect();
    rated.retain(|(likeness, _)| *likeness > 0.8);
    rated.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    rated.into_iter().map(|(_, path)| path).take(3).collect()
}
