//! The options about tools and their arguments.

use clap::Args;
use iai_callgrind::protocol::{Tool, UnknownTool};

use super::per_tool::ArgumentsByTool;
use super::perf::PerfOptions;

/// Which tools run, and with which arguments.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Tools")]
pub struct ToolOptions {
    /// Show the metrics of this tool first
    ///
    /// Run this tool in any case, and show its metrics first: callgrind, cachegrind, dhat, massif,
    /// exp-bbv, memcheck, helgrind, drd or perf [default: as configured, else callgrind]
    #[arg(long, value_name = "TOOL", value_parser = counting_tool)]
    pub default_tool: Option<Tool>,

    /// Run further tools
    ///
    /// Run these tools as well, separated by commas, instead of the configured ones. The
    /// configuration of each still applies. `time` stands for `--time` [default: as configured,
    /// else none]
    #[arg(
        long,
        value_name = "TOOLS",
        value_parser = further_tool,
        value_delimiter = ',',
        action = clap::ArgAction::Set
    )]
    pub(super) tools: Vec<FurtherTool>,

    /// Pass arguments to every tool of Valgrind
    ///
    /// Pass these arguments to every tool of Valgrind, split as in a shell, after the configured
    /// ones. All such options can be repeated [default: none]
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    pub valgrind_args: Vec<String>,

    /// Count instructions, and simulate no caches
    ///
    /// Count instructions only: Callgrind simulates neither caches nor branches, whatever is
    /// configured, and shows no other metrics. Instructions are the same, and large functions are
    /// counted three to four times faster [default: as configured, else no]
    #[arg(long)]
    pub instructions_only: Option<bool>,

    /// Run setups faster, with empty simulated caches
    ///
    /// Run setups and teardowns about ten times faster: Callgrind instruments the benchmark
    /// function only. Instructions are the same; simulated caches are empty when the function
    /// begins [default: as configured; where nothing is simulated, what is faster]
    #[arg(long)]
    pub fast_setup: Option<bool>,

    /// `--callgrind-args`, …
    #[command(flatten)]
    args: ArgumentsByTool,

    /// Options of perf.
    #[command(flatten)]
    pub perf: PerfOptions,
}

/// What `--tools` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FurtherTool {
    /// A tool that counts.
    Counts(Tool),
    /// Wall time.
    WallTime,
}

fn further_tool(name: &str) -> Result<FurtherTool, UnknownTool> {
    match is_time(name) {
        true => Ok(FurtherTool::WallTime),
        false => name.parse().map(FurtherTool::Counts),
    }
}

/// The tool whose metrics are shown first. Wall time needs a count beside it: without one nobody
/// could tell a slower function from another place of the same machine code.
fn counting_tool(name: &str) -> Result<Tool, String> {
    match is_time(name) {
        true => Err("wall time is measured beside the counts of the tools: `--time`".to_owned()),
        false => name.parse().map_err(|error: UnknownTool| error.to_string()),
    }
}

fn is_time(name: &str) -> bool {
    name.eq_ignore_ascii_case("time")
}

impl ToolOptions {
    /// The tools of `--tools` that count.
    pub fn further(&self) -> impl Iterator<Item = Tool> + '_ {
        self.tools.iter().filter_map(|further| match further {
            FurtherTool::Counts(tool) => Some(*tool),
            FurtherTool::WallTime => None,
        })
    }

    /// Does `--tools` name wall time?
    pub(super) fn names_time(&self) -> bool {
        self.tools.contains(&FurtherTool::WallTime)
    }

    /// Forgets `--tools`.
    pub fn without_further(&mut self) {
        self.tools.clear();
    }

    /// The arguments for a tool, as they were typed.
    pub fn args(&self, tool: Tool) -> &[String] {
        &self.args.0[tool].0
    }
}
