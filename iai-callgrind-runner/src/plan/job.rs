//! One benchmark under one tool, with everything decided.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use iai_callgrind::protocol::{CallgrindMetrics, Config, EventKind, Limit, Truncate};

use super::{environment, mode, tool_args, Mode, ToolArgs};
use crate::error::Result;
use crate::identity::Identity;
use crate::settings::Settings;
use crate::tool::Tool;

/// Where a long description is cut if nothing is said.
const DESCRIPTION_WIDTH: usize = 50;

/// One benchmark under one tool.
#[derive(Debug)]
pub struct Job {
    /// The benchmark's name.
    pub identity: Identity,
    /// What it runs under.
    pub tool: Tool,
    /// What runs.
    pub target: Target,
    /// How it is executed.
    pub mode: Mode,
    /// Does it run on one processor?
    pub single_cpu: bool,
    /// Does it draw the same random numbers in every run?
    pub deterministic_random: bool,
    /// When it is stopped.
    pub timeout: Option<Duration>,
    /// The tool's arguments.
    pub args: ToolArgs,
    /// The environment of the benchmark.
    pub environment: Vec<(OsString, OsString)>,
    /// Show the benchmark's output instead of keeping it for an error.
    pub nocapture: bool,
    /// The metrics to show, in this order.
    pub format: Vec<EventKind>,
    /// Largest changes, in percent.
    pub soft_limits: Vec<(EventKind, f64)>,
    /// Largest values.
    pub hard_limits: Vec<(EventKind, Limit)>,
    /// Where the description in the headline is cut.
    pub truncate: Truncate,
    /// Differences within this percentage are shown as no change.
    pub tolerance: Option<f64>,
}

/// What a job runs: one case of a benchmark executable.
#[derive(Debug, Clone)]
pub struct Target {
    /// The executable.
    pub program: PathBuf,
    /// The working directory.
    pub directory: PathBuf,
    /// Which case.
    pub index: Index,
    /// Does the executable bring its own source of random numbers?
    pub deterministic_random: bool,
    /// How many benchmarks the executable has, to be compared with what it says itself.
    pub benchmarks: u32,
}

/// The place of a case in the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Index {
    /// Of the group in the suite.
    pub group: u32,
    /// Of the function in the executable's table.
    pub function: u32,
    /// Of the case in the executable's table.
    pub case: u32,
    /// Of the element of the case's iterator.
    pub element: u32,
    /// How many elements there were.
    pub elements: u32,
}

/// Decides everything about a benchmark. Also returns warnings.
pub(super) fn build(
    identity: Identity,
    target: Target,
    config: &Config,
    settings: &Settings,
) -> Result<(Job, Vec<String>)> {
    let callgrind = config.all_tools().callgrind.unwrap_or_default();
    let user = [
        &config.valgrind_args,
        &callgrind.settings.args,
        &settings.valgrind_args,
        &settings.callgrind_args,
    ];
    let entry_point = callgrind.entry_point.unwrap_or_default();
    let count_threads = callgrind.count_threads.unwrap_or(false);
    let user = user.into_iter().flatten();
    let (args, mut warnings) = tool_args::callgrind(user, &entry_point, count_threads)?;
    let mode = mode::choose(mode::Facts {
        tool: Tool::Callgrind,
        args: &args.words,
        has_entry_point: !args.entry.is_empty(),
        allowed: settings.fork.or(config.fork).unwrap_or(true),
        tested_platform: cfg!(target_os = "linux"),
    });
    let deterministic_random =
        target.deterministic_random && config.deterministic_random.unwrap_or(true);
    if config.deterministic_random == Some(true) && !deterministic_random {
        warnings.push(
            "`deterministic_random` has no effect; it needs `main!(deterministic_random = true, ..)`"
                .to_owned(),
        );
    }
    let output = config.output_format.unwrap_or_default();
    let job = Job {
        identity,
        tool: Tool::Callgrind,
        target,
        mode,
        single_cpu: config.single_cpu.unwrap_or(false),
        deterministic_random,
        timeout: settings.timeout,
        args,
        environment: environment::resolve(config, &settings.environment),
        nocapture: settings.nocapture,
        format: callgrind
            .settings
            .format
            .unwrap_or_else(|| CallgrindMetrics::Default.members()),
        soft_limits: callgrind.settings.limits.soft,
        hard_limits: callgrind.settings.limits.hard,
        truncate: output
            .truncate_description
            .unwrap_or(Truncate::At(DESCRIPTION_WIDTH)),
        tolerance: output.tolerance.map(f64::abs),
    };
    Ok((job, warnings))
}
