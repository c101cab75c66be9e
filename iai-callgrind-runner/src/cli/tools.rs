//! Which tools run, and with which arguments.

use clap::Args;
use iai_callgrind::protocol::Tool;

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

    /// Arguments for Callgrind
    ///
    /// Arguments for Callgrind, separated by blanks as in a shell, after those of the configuration
    /// [default: none]
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    callgrind_args: Vec<String>,

    /// Arguments for Cachegrind
    ///
    /// Arguments for Cachegrind, separated by blanks as in a shell, after those of the configuration
    /// [default: none]
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    cachegrind_args: Vec<String>,

    /// Arguments for DHAT
    ///
    /// Arguments for DHAT, separated by blanks as in a shell, after those of the configuration
    /// [default: none]
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    dhat_args: Vec<String>,

    /// Arguments for Massif
    ///
    /// Arguments for Massif, separated by blanks as in a shell, after those of the configuration
    /// [default: none]
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    massif_args: Vec<String>,

    /// Arguments for exp-bbv
    ///
    /// Arguments for exp-bbv, separated by blanks as in a shell, after those of the configuration
    /// [default: none]
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    bbv_args: Vec<String>,

    /// Arguments for Memcheck
    ///
    /// Arguments for Memcheck, separated by blanks as in a shell, after those of the configuration
    /// [default: none]
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    memcheck_args: Vec<String>,

    /// Arguments for Helgrind
    ///
    /// Arguments for Helgrind, separated by blanks as in a shell, after those of the configuration
    /// [default: none]
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    helgrind_args: Vec<String>,

    /// Arguments for DRD
    ///
    /// Arguments for DRD, separated by blanks as in a shell, after those of the configuration
    /// [default: none]
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true, action = clap::ArgAction::Append)]
    drd_args: Vec<String>,

    /// What concerns perf.
    #[command(flatten)]
    pub perf: PerfOptions,
}

impl ToolOptions {
    /// The arguments for a tool, as they were typed.
    pub fn args(&self, tool: Tool) -> &[String] {
        match tool {
            Tool::Callgrind => &self.callgrind_args,
            Tool::Cachegrind => &self.cachegrind_args,
            Tool::Dhat => &self.dhat_args,
            Tool::Massif => &self.massif_args,
            Tool::Bbv => &self.bbv_args,
            Tool::Memcheck => &self.memcheck_args,
            Tool::Helgrind => &self.helgrind_args,
            Tool::Drd => &self.drd_args,
            Tool::Perf => &self.perf.args,
        }
    }
}
