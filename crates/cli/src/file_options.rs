//! The options about the places of results and programs.

use std::path::PathBuf;

use clap::Args;

/// Where results and programs are.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Files and programs")]
pub struct FileOptions {
    /// Keep results below this directory
    ///
    /// Keep results below this directory. A relative path begins at the workspace or, on a machine
    /// without it, at the current directory [default: `iai` in the target directory]
    #[arg(long, value_name = "DIRECTORY")]
    pub home: Option<PathBuf>,

    /// Keep results of each target apart
    ///
    /// Keep results in a directory for each target, such as `x86_64-unknown-linux-gnu`, below the
    /// one of `--home`, so that two targets are not compared [default: no]
    #[arg(long)]
    pub separate_targets: Option<bool>,

    /// Use this root of the workspace
    ///
    /// Use this root of the workspace, where relative paths of `--home` and of fixtures begin
    /// [default: the workspace that the benchmark was compiled in]
    #[arg(long, value_name = "DIRECTORY")]
    pub workspace_root: Option<PathBuf>,

    /// Use this Valgrind
    ///
    /// Use this Valgrind: a path, or a name in PATH. With `--tool-runner` it is passed on as it is
    /// [default: `valgrind`]
    #[arg(long, value_name = "FILE")]
    pub valgrind_bin: Option<PathBuf>,

    /// Use this perf
    ///
    /// Use this Linux perf: a path, or a name in PATH [default: the one in PATH]
    #[arg(long, value_name = "FILE")]
    pub perf_bin: Option<PathBuf>,

    /// Start Valgrind with this program
    ///
    /// Start Valgrind with this program, such as `docker` or a script: `PROGRAM ARGS VALGRIND
    /// VALGRIND_ARGS EXECUTABLE`. It sees the variables IAI_CALLGRIND_TR_DEST_DIR,
    /// IAI_CALLGRIND_TR_HOME, IAI_CALLGRIND_TR_WORKSPACE_ROOT and IAI_CALLGRIND_ALLOW_ASLR
    /// [default: none]
    #[arg(long, value_name = "PROGRAM")]
    pub tool_runner: Option<PathBuf>,

    /// Pass arguments to that program
    ///
    /// Pass these arguments to the program, split as in a shell; `${NAME}` is the value of a
    /// variable. Can be repeated [default: none]
    #[arg(
        long,
        value_name = "ARGS",
        allow_hyphen_values = true,
        action = clap::ArgAction::Append,
        requires = "tool_runner"
    )]
    pub tool_runner_args: Vec<String>,

    /// Set where Valgrind writes
    ///
    /// Write here, where Valgrind sees IAI_CALLGRIND_TR_DEST_DIR [default: the same]
    #[arg(long, value_name = "DIRECTORY", requires = "tool_runner")]
    pub tool_runner_dest: Option<PathBuf>,

    /// Set the workspace that Valgrind sees
    ///
    /// Find executables below this directory, where Valgrind sees IAI_CALLGRIND_TR_WORKSPACE_ROOT
    /// [default: the same]
    #[arg(long, value_name = "DIRECTORY", requires = "tool_runner")]
    pub tool_runner_root: Option<PathBuf>,
}
