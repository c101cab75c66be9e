//! [`Args`] to [`Settings`]: everything resolved once; no later stage looks at a flag.
//!
//! In: the command line and the environment as clap read them. Out: plain values; most of them are
//! a level of configuration ([`Settings::config`]) that takes precedence over all levels of the
//! benchmarks.

mod baseline;
mod perf;
mod typed;

use std::path::{Path, PathBuf};
use std::time::Duration;

use iai_callgrind::protocol::options::ShownStreams;
use iai_callgrind::protocol::{
    Config, Filter, FlamegraphKind, OutputFormat, Package, Partition, Suite,
};
use iai_callgrind::shared::target_directory::target_directory;

use crate::error::{Error, Result};
use base::per_tool::PerTool;
use cli::env::RunnerEnvironment;
use cli::{Args, FileOptions, JsonFormat, OutputOptions, TimeOptions};

pub use self::baseline::Baseline;
pub use self::perf::TypedForPerf;
pub use self::typed::{ChosenTools, TypedForTool};

/// The options of a run, resolved.
#[derive(Debug)]
pub struct Settings {
    /// The benchmark executable.
    pub executable: PathBuf,
    /// Filter of the benchmarks.
    pub filter: Filter,
    /// Part of the selected benchmarks that runs.
    pub partition: Option<Partition>,
    /// Results whose times divide the benchmarks; a relative path begins at the workspace.
    pub timings: Option<PathBuf>,
    /// Slots that are written and compared.
    pub baseline: Baseline,
    /// Run only ignored benchmarks, of which there are none.
    pub ignored: bool,
    /// The executable works without the runner: it prints the names of the benchmarks, or runs each
    /// once.
    pub no_runner: bool,
    /// `--home`, as it was given.
    pub home: Option<PathBuf>,
    /// Results of each target have a directory of their own.
    pub separate_targets: bool,
    /// `--workspace-root`, absolute.
    workspace: Option<PathBuf>,
    /// Configuration that goes before that of every benchmark.
    pub config: Config,
    /// Keep addresses random.
    pub allow_aslr: bool,
    /// Number of benchmarks that run at the same time.
    pub parallel: usize,
    /// Count in single steps as well, at most this number of instructions.
    pub verify: Option<u64>,
    /// Time limit of a benchmark.
    pub timeout: Option<Duration>,
    /// Streams of the benchmarks that are shown.
    pub shown: ShownStreams,
    /// Arguments for Valgrind from the command line, split into words.
    pub valgrind_args: Vec<String>,
    /// `--fast-setup`.
    pub fast_setup: Option<bool>,
    /// `--instructions-only`.
    pub instructions_only: Option<bool>,
    /// `--flamegraph`.
    pub flamegraph: Option<FlamegraphKind>,
    /// Tools that the command line and the environment name.
    pub tools: ChosenTools,
    /// Arguments, metrics and limits of each tool.
    pub of_tools: PerTool<TypedForTool>,
    /// Options of perf alone.
    pub of_perf: TypedForPerf,
    /// Options of wall time.
    pub time: TimeOptions,
    /// Stop the run at the first exceeded limit.
    pub regression_fail_fast: Option<bool>,
    /// Exit with 0 whatever the results say.
    pub exit_zero: bool,
    /// Text that tells configurations of the same benchmarks apart.
    pub label: Option<String>,
    /// Print the final lines.
    pub summary: bool,
    /// Indent `summary.json`.
    pub pretty: bool,
    /// `--valgrind-bin`.
    pub valgrind: Option<PathBuf>,
    /// The program that starts Valgrind.
    pub tool_runner: Option<ToolRunner>,
    /// `--perf-bin`.
    pub perf: Option<PathBuf>,
    /// The environment of the runner.
    pub environment: RunnerEnvironment,
    /// Warnings about environment variables.
    pub warnings: Vec<String>,
}

/// A program that starts Valgrind, such as a container.
#[derive(Debug, Clone)]
pub struct ToolRunner {
    /// `--tool-runner`, as it was given.
    pub program: PathBuf,
    /// Arguments of the tool runner; each `${NAME}` in them is not replaced yet.
    pub args: Vec<String>,
    /// Path that Valgrind sees in place of the directory where it writes.
    pub dest: Option<PathBuf>,
    /// Path that Valgrind sees in place of the workspace.
    pub root: Option<PathBuf>,
}

impl Settings {
    /// Resolves the options.
    ///
    /// # Errors
    ///
    /// Quotes and filters that are not closed, and a workspace that does not exist.
    pub fn resolve(
        executable: PathBuf,
        args: Args,
        environment: RunnerEnvironment,
    ) -> Result<Self> {
        let config = Config {
            env_clear: args.running.env_clear,
            envs: args.running.envs(),
            fork: args.running.fork,
            exit_handlers: args.running.exit_handlers,
            check_determinism: args.running.check_determinism,
            output_format: Some(output_format(&args.output)),
            ..Config::default()
        };
        let workspace = args.files.workspace_root.as_deref();
        let filter = Filter {
            select: args.selection.filters,
            skip: args.selection.skip,
            exact: args.selection.exact,
        };
        if let Some(reason) = filter.mistake() {
            let place = "command line".to_owned();
            return Err(Error::Setting { place, reason });
        }
        let workspace = workspace.map(existing).transpose()?;
        let valgrind_args = split("--valgrind-args", &args.tools.valgrind_args)?;
        let mut of_tools = typed::for_each_tool(&args.tools, &args.metrics)?;
        let of_perf = TypedForPerf::take(&mut of_tools, &args.tools, &args.metrics)?;
        Ok(Self {
            executable,
            filter,
            partition: args.selection.partition,
            timings: args.selection.timings,
            baseline: Baseline::new(&args.baselines, args.metrics.strict.unwrap_or(false)),
            ignored: args.libtest.ignored,
            no_runner: args.selection.list == Some(true) || args.running.test == Some(true),
            home: args.files.home.clone(),
            separate_targets: args.files.separate_targets.unwrap_or(false),
            workspace,
            config,
            allow_aslr: args.running.allow_aslr.unwrap_or(false),
            parallel: args.running.parallel.unwrap_or(1),
            verify: args.running.verify,
            timeout: args.running.timeout,
            shown: args.output.nocapture.unwrap_or_default(),
            valgrind_args,
            fast_setup: args.tools.fast_setup,
            instructions_only: args.tools.instructions_only,
            flamegraph: args.output.flamegraph.map(FlamegraphKind::from),
            tools: ChosenTools::new(&args.tools),
            of_tools,
            of_perf,
            time: args.time,
            regression_fail_fast: args.metrics.regression_fail_fast,
            exit_zero: args.metrics.exit_zero.unwrap_or(false),
            label: args.output.label,
            summary: !args.output.nosummary.unwrap_or(false),
            pretty: args.output.save_summary.is_some_and(JsonFormat::is_pretty),
            perf: args.files.perf_bin.clone(),
            valgrind: args.files.valgrind_bin.clone(),
            tool_runner: tool_runner(args.files)?,
            warnings: environment.warnings(),
            environment,
        })
    }

    /// The root of the workspace: `--workspace-root`, else the one that cargo knew at compile time.
    pub fn workspace(&self, package: &Package) -> PathBuf {
        let given = self.workspace.clone();
        given.unwrap_or_else(|| PathBuf::from(&package.workspace))
    }

    /// The directory below which results are kept.
    ///
    /// `--home`, else `iai` in the target directory, which is `target` of the workspace where
    /// nothing tells of another one.
    ///
    /// With `--separate-targets` the subdirectory with the name of the target.
    ///
    /// `beside_build` finds the target directory of a project whose executables lie in a directory
    /// of their own.
    ///
    /// # Errors
    ///
    /// The executable was built elsewhere, and no directory on this machine is known.
    pub fn home(
        &self,
        suite: &Suite,
        beside_build: impl FnOnce(&Self, &Package) -> Option<PathBuf>,
    ) -> Result<PathBuf> {
        let home = self.home_of_all(&suite.package, beside_build)?;
        Ok(match self.separate_targets {
            true => home.join(&suite.platform.target),
            false => home,
        })
    }

    fn home_of_all(
        &self,
        package: &Package,
        beside_build: impl FnOnce(&Self, &Package) -> Option<PathBuf>,
    ) -> Result<PathBuf> {
        let workspace = self.workspace(package);
        // Whoever copies an executable to another machine does not want the directories of the one
        // that built it.
        let is_here = workspace.is_dir();
        // Cargo first: with `build.build-dir`, what it told the program at compile time is the
        // directory of the build, and not the target directory.
        let target = || beside_build(self, package).or_else(|| self.target_directory(package));
        match (&self.home, self.home.is_none().then(target).flatten()) {
            (Some(home), _) if is_here => Ok(workspace.join(home)),
            (Some(home), _) => Ok(std::path::absolute(home).unwrap_or_else(|_| home.clone())),
            (None, Some(target)) => Ok(target.join("iai")),
            (None, None) if is_here => Ok(workspace.join("target").join("iai")),
            (None, None) => Err(Error::NoHome {
                executable: self.executable.clone(),
                workspace,
            }),
        }
    }

    /// The target directory, if it is known.
    pub fn target_directory(&self, package: &Package) -> Option<PathBuf> {
        target_directory(
            self.environment.get("CARGO_TARGET_DIR"),
            package.target_tmpdir.as_deref(),
            &self.executable,
        )
    }
}

/// Layout of the results, as far as options set it.
fn output_format(options: &OutputOptions) -> OutputFormat {
    OutputFormat {
        truncate_description: options.truncate_description,
        show_intermediate: options.show_intermediate,
        show_grid: options.show_grid,
        show_only_comparison: options.show_only_comparison,
        tolerance: options.tolerance,
    }
}

/// The absolute path of an existing directory.
fn existing(workspace: &Path) -> Result<PathBuf> {
    let absolute = std::path::absolute(workspace)
        .ok()
        .filter(|path| path.is_dir());
    let reason = || format!("`{}` is no directory", workspace.display());
    absolute.ok_or_else(|| Error::option("--workspace-root", reason()))
}

fn tool_runner(files: FileOptions) -> Result<Option<ToolRunner>> {
    let Some(program) = files.tool_runner else {
        return Ok(None);
    };
    Ok(Some(ToolRunner {
        program,
        args: split("--tool-runner-args", &files.tool_runner_args)?,
        dest: files.tool_runner_dest,
        root: files.tool_runner_root,
    }))
}

/// Splits every string as a shell does.
fn split(option: &str, strings: &[String]) -> Result<Vec<String>> {
    let mut words = Vec::new();
    for string in strings.iter().map(|string| without_quotes(string)) {
        let reason = || format!("a quote in `{string}` is not closed");
        words.extend(shlex::split(string).ok_or_else(|| Error::option(option, reason()))?);
    }
    Ok(words)
}

/// A string without the quotes around all of it, which files of variables and some CI systems leave
/// there: `"--a=1 --b=2"` with its quotes. One argument in quotes, `'--a=1 2'`, keeps them.
fn without_quotes(string: &str) -> &str {
    let inside = ['\'', '"'].iter().find_map(|quote| {
        let inside = string.trim().strip_prefix(*quote)?.strip_suffix(*quote)?;
        (!inside.contains(*quote)).then_some(inside)
    });
    let Some(inside) = inside else {
        return string;
    };
    let mut words = inside.split_whitespace();
    let begins_with_option = words.next().is_none_or(|word| word.starts_with('-'));
    match begins_with_option && !words.any(|word| word.starts_with('-')) {
        true => string,
        false => inside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_around_all_words_are_taken_off() {
        #[track_caller]
        fn check(string: &str, expected: &[&str]) {
            let words = split("--callgrind-args", &[string.to_owned()]).unwrap();
            assert_eq!(words, expected, "{string}");
        }
        check("--a=1 --b=2", &["--a=1", "--b=2"]);
        check("'--a=1 --b=2'", &["--a=1", "--b=2"]);
        check(" \"--a=1 --b='2 3'\" ", &["--a=1", "--b=2 3"]);
        check("'--just=test --'", &["--just=test", "--"]);
        check("\"run image\"", &["run", "image"]);
        check("'--a'", &["--a"]);
        // One argument with a blank, two in quotes of their own, and nothing.
        check(
            "'--toggle-collect=f(int, char)'",
            &["--toggle-collect=f(int, char)"],
        );
        check("'--a=1 2' '--b'", &["--a=1 2", "--b"]);
        check("''", &[""]);
        let error = split("--callgrind-args", &["'--a".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("is not closed"), "{error}");
    }
}
