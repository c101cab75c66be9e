//! The options about the places of results and programs.

use std::path::PathBuf;

use clap::Args;

/// Where results and programs are.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Files and programs")]
pub struct FileOptions {
    /// Keep results below this directory
    ///
    /// Keep results below this directory; a relative path begins at the workspace, or, on a machine
    /// without it, at the current directory [default: `iai` in the target directory]
    #[arg(long, value_name = "DIRECTORY")]
    pub home: Option<PathBuf>,

    /// Keep results of each target apart
    ///
    /// Keep results in a directory of the target's name, such as `x86_64-unknown-linux-gnu`, below
    /// the one of `--home`, so that those of two targets are not compared [default: no]
    #[arg(long)]
    pub separate_targets: Option<bool>,

    /// The root of the workspace
    ///
    /// The root of the workspace, where relative paths of `--home` and of fixtures begin
    /// [default: the workspace that the benchmark was compiled in]
    #[arg(long, value_name = "DIRECTORY")]
    pub workspace_root: Option<PathBuf>,

    /// The Valgrind to use
    ///
    /// The Valgrind to use: a path, or a name that is looked for in PATH. With `--tool-runner` it
    /// is passed on as it is [default: `valgrind`]
    #[arg(long, value_name = "FILE")]
    pub valgrind_bin: Option<PathBuf>,

    /// The perf to use
    ///
    /// The Linux perf to use: a path, or a name that is looked for in PATH [default: the one in
    /// PATH]
    #[arg(long, value_name = "FILE")]
    pub perf_bin: Option<PathBuf>,

    /// Start Valgrind by this program
    ///
    /// Start Valgrind by this program, such as `docker` or a script: `PROGRAM ARGS VALGRIND
    /// VALGRIND_ARGS EXECUTABLE`. It sees the variables IAI_CALLGRIND_TR_DEST_DIR,
    /// IAI_CALLGRIND_TR_HOME, IAI_CALLGRIND_TR_WORKSPACE_ROOT and IAI_CALLGRIND_ALLOW_ASLR
    /// [default: none]
    #[arg(long, value_name = "PROGRAM")]
    pub tool_runner: Option<PathBuf>,

    /// Arguments of that program
    ///
    /// Arguments of the program, separated by blanks as in a shell; `${NAME}` stands for a
    /// variable, also for those that the program sees. Can be repeated [default: none]
    #[arg(
        long,
        value_name = "ARGS",
        allow_hyphen_values = true,
        action = clap::ArgAction::Append,
        requires = "tool_runner"
    )]
    pub tool_runner_args: Vec<String>,

    /// Where Valgrind writes, as it sees it
    ///
    /// The directory that Valgrind sees in place of IAI_CALLGRIND_TR_DEST_DIR, where it has to
    /// write [default: the same]
    #[arg(long, value_name = "DIRECTORY", requires = "tool_runner")]
    pub tool_runner_dest: Option<PathBuf>,

    /// The workspace, as Valgrind sees it
    ///
    /// The directory that Valgrind sees in place of IAI_CALLGRIND_TR_WORKSPACE_ROOT, where the
    /// executables are [default: the same]
    #[arg(long, value_name = "DIRECTORY", requires = "tool_runner")]
    pub tool_runner_root: Option<PathBuf>,
}
