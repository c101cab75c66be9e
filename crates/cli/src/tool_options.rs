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
    #[arg(long, value_name = "TOOL", value_parser = tool)]
    pub default_tool: Option<Tool>,

    /// Run further tools
    ///
    /// Run these tools as well, separated by commas, instead of the configured ones. The
    /// configuration of each still applies [default: as configured, else none]
    #[arg(
        long,
        value_name = "TOOLS",
        value_parser = tool,
        value_delimiter = ',',
        action = clap::ArgAction::Set
    )]
    pub tools: Vec<Tool>,

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

/// A tool by its name. Wall time is none: without a count beside it nobody could tell a slower
/// function from another place of the same machine code.
fn tool(name: &str) -> Result<Tool, String> {
    match name.eq_ignore_ascii_case("time") {
        true => Err("wall time is measured beside the counts of the tools: `--time`".to_owned()),
        false => name.parse().map_err(|error: UnknownTool| error.to_string()),
    }
}

impl ToolOptions {
    /// The arguments for a tool, as they were typed.
    pub fn args(&self, tool: Tool) -> &[String] {
        &self.args.0[tool].0
    }
}
