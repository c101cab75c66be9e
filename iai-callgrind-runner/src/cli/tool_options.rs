//! The options about tools and their arguments.

use clap::Args;
use iai_callgrind::protocol::Tool;

use super::per_tool::ArgumentsByTool;
use super::perf::PerfOptions;

/// Which tools run, and with which arguments.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Tools")]
pub struct ToolOptions {
    /// The tool that comes first
    ///
    /// The tool that runs in any case, and whose metrics come first: callgrind, cachegrind, dhat,
    /// massif, exp-bbv, memcheck, helgrind, drd or perf [default: as configured, else callgrind]
    #[arg(long, value_name = "TOOL")]
    pub default_tool: Option<Tool>,

    /// Further tools that run
    ///
    /// Run these tools as well, instead of those that are configured; several are separated by
    /// commas. What is configured for a tool holds [default: as configured, else none]
    #[arg(long, value_name = "TOOLS", value_delimiter = ',', action = clap::ArgAction::Set)]
    pub tools: Vec<Tool>,

    /// Arguments for every tool of Valgrind
    ///
    /// Arguments for every tool of Valgrind, separated by blanks as in a shell, after those of the
    /// configuration. Can be repeated, as all such options [default: none]
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    pub valgrind_args: Vec<String>,

    /// Count instructions, and simulate no caches
    ///
    /// Callgrind simulates neither caches nor branches, also where the configuration says so:
    /// instructions are the same, and those of large functions counted three to four times faster.
    /// Other metrics of it are left out [default: as configured, else no]
    #[arg(long)]
    pub instructions_only: Option<bool>,

    /// Run setups faster, with empty simulated caches
    ///
    /// Callgrind looks at the process while the benchmark function runs and no longer, so setups
    /// and teardowns run about ten times faster. Instructions are the same; simulated caches are
    /// empty when the function begins [default: as configured; where nothing is simulated, what is
    /// faster]
    #[arg(long)]
    pub fast_setup: Option<bool>,

    /// `--callgrind-args`, …
    #[command(flatten)]
    args: ArgumentsByTool,

    /// Options of perf.
    #[command(flatten)]
    pub perf: PerfOptions,
}

impl ToolOptions {
    /// The arguments for a tool, as they were typed.
    pub fn args(&self, tool: Tool) -> &[String] {
        &self.args.0[tool].0
    }
}
