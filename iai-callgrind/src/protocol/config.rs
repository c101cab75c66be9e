//! Configuration as plain values: what a user said at one level, nothing merged.
//!
//! `Option` means "not said at this level". The runner lays the levels over each other in
//! `plan`, by [`Over`](super::Over).

use std::ffi::OsString;

use super::json::described;
use super::over::prepend;
use super::{ExitWith, Over, Sandbox, Tool, ToolConfig, Tools};

described! {
    /// The configuration of one level (`main!`, group, attribute, bench or command).
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Config {
        /// The tool whose metrics are shown first.
        pub default_tool: Option<Tool>,
        /// Arguments for every Valgrind tool.
        pub valgrind_args: Vec<String>,
        /// Start the benchmark with an almost empty environment.
        pub env_clear: Option<bool>,
        /// Environment variables in the order in which they were given.
        pub envs: Vec<EnvVar>,
        /// The working directory. Not `PathBuf`, for the reason that [`Sandbox::fixtures`] has.
        pub current_dir: Option<OsString>,
        /// The temporary directory in which the benchmark runs.
        pub sandbox: Option<Sandbox>,
        /// Expected end of the benchmark.
        pub exit_with: Option<ExitWith>,
        /// Start the program of a binary benchmark without waiting for the end of its setup.
        pub setup_parallel: Option<bool>,
        /// Settings of tools in the order in which they were given, to be laid over those of the
        /// outer levels.
        pub tools: Vec<ToolConfig>,
        /// Settings of the tools that replace those of the outer levels; `tools` goes over them.
        /// Read both through [`Config::all_tools`].
        pub tools_override: Option<Vec<ToolConfig>>,
        /// Measure in forks of one process instead of in a process of its own.
        pub fork: Option<bool>,
        /// Run exit handlers after a benchmark of which nothing is counted any more.
        pub exit_handlers: Option<bool>,
        /// Run on one processor.
        pub single_cpu: Option<bool>,
        /// Let the standard library draw the same random numbers in every run.
        pub deterministic_random: Option<bool>,
        /// Number of runs of the benchmark, to see whether its counts are the same.
        pub check_determinism: Option<u32>,
        /// Settings for the results on the terminal.
        pub output_format: Option<OutputFormat>,
    }
}

impl Config {
    /// The settings of the tools, of merged levels.
    #[must_use]
    #[inline]
    pub fn all_tools(&self) -> Tools {
        // An override comes first: what the level says besides goes over it.
        let said = self.tools_override.iter().flatten().chain(&self.tools);
        said.cloned().collect()
    }
}

impl Config {
    /// Lays what surrounds the process over the level below: variables, directory, sandbox and the
    /// expected end. A program without a tool needs nothing else, so that benchmark files compile
    /// no more of it.
    #[inline]
    pub fn surround(&mut self, below: &mut Self) {
        self.env_clear = self.env_clear.or(below.env_clear);
        prepend(&mut self.envs, &mut below.envs);
        self.current_dir = self.current_dir.take().or(below.current_dir.take());
        self.sandbox = self.sandbox.take().over(below.sandbox.take());
        self.exit_with = self.exit_with.or(below.exit_with);
        self.setup_parallel = self.setup_parallel.or(below.setup_parallel);
    }
}

impl Over for Config {
    #[inline]
    fn over(mut self, mut below: Self) -> Self {
        self.surround(&mut below);
        // An override of the outer tools also replaces those of the levels below.
        let (tools, tools_override) = match self.tools_override.take() {
            Some(replaced) => (self.tools, Some(replaced)),
            None => ([below.tools, self.tools].concat(), below.tools_override),
        };
        Self {
            default_tool: self.default_tool.or(below.default_tool),
            valgrind_args: [below.valgrind_args, self.valgrind_args].concat(),
            env_clear: self.env_clear,
            envs: self.envs,
            current_dir: self.current_dir,
            sandbox: self.sandbox,
            exit_with: self.exit_with,
            setup_parallel: self.setup_parallel,
            tools,
            tools_override,
            fork: self.fork.or(below.fork),
            exit_handlers: self.exit_handlers.or(below.exit_handlers),
            single_cpu: self.single_cpu.or(below.single_cpu),
            deterministic_random: self.deterministic_random.or(below.deterministic_random),
            check_determinism: self.check_determinism.or(below.check_determinism),
            output_format: self.output_format.over(below.output_format),
        }
    }
}

described! {
    /// One environment variable.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct EnvVar {
        /// The variable's name.
        pub name: OsString,
        /// `None`: the value that the variable has where the runner runs; left out if it has none.
        pub value: Option<OsString>,
    }
}

described! {
    /// Settings for the results of a benchmark on the terminal.
    #[derive(Debug, Clone, Copy, Default, PartialEq)]
    pub struct OutputFormat {
        /// Longest description in the headline.
        pub truncate_description: Option<Truncate>,
        /// Show each process, thread and part, not only their total.
        pub show_intermediate: Option<bool>,
        /// Draw lines that connect the metrics of the tools.
        pub show_grid: Option<bool>,
        /// Show only the headline and comparisons with other benchmarks.
        pub show_only_comparison: Option<bool>,
        /// Differences within this percentage count as no change.
        pub tolerance: Option<f64>,
    }
}

impl Over for OutputFormat {
    #[inline]
    fn over(self, below: Self) -> Self {
        Self {
            truncate_description: self.truncate_description.or(below.truncate_description),
            show_intermediate: self.show_intermediate.or(below.show_intermediate),
            show_grid: self.show_grid.or(below.show_grid),
            show_only_comparison: self.show_only_comparison.or(below.show_only_comparison),
            tolerance: self.tolerance.or(below.tolerance),
        }
    }
}

described! {
    /// Length to which a long description is cut.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Truncate {
        /// At this number of characters.
        At(usize),
        /// Nowhere.
        Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Callgrind, EntryPoint, EventKind, ToolSettings};

    /// Settings of Callgrind.
    fn callgrind(
        args: &str,
        entry_point: Option<EntryPoint>,
        limit: Option<f64>,
    ) -> Vec<ToolConfig> {
        let mut callgrind = Callgrind {
            entry_point,
            ..Callgrind::default()
        };
        callgrind.settings.args.push(args.to_owned());
        let limit = limit.map(|limit| (EventKind::Ir.into(), limit));
        callgrind.settings.limits.soft.extend(limit);
        vec![ToolConfig::Callgrind(callgrind)]
    }

    fn config(tools: Vec<ToolConfig>) -> Config {
        Config {
            tools,
            ..Config::default()
        }
    }

    fn overriding(tools: Vec<ToolConfig>) -> Config {
        Config {
            tools_override: Some(tools),
            ..Config::default()
        }
    }

    #[test]
    fn lists_are_appended_outer_first_and_inner_values_win() {
        let outer = config(callgrind("--outer", Some(EntryPoint::None), Some(1.0)));
        let inner = config(callgrind("--inner", Some("inner*".into()), Some(2.0)));
        let merged = inner.over(outer).all_tools().callgrind.unwrap();
        assert_eq!(merged.settings.args, ["--outer", "--inner"]);
        assert_eq!(merged.entry_point, Some("inner*".into()));
        assert_eq!(merged.settings.limits.soft, [(EventKind::Ir.into(), 2.0)]);
    }

    #[test]
    fn what_is_not_said_is_taken_from_below() {
        let outer = config(callgrind("--outer", Some(EntryPoint::None), Some(1.0)));
        assert_eq!(Config::default().over(outer.clone()), outer);
        let inner = config(callgrind("--inner", None, None));
        let merged = inner.over(outer).all_tools().callgrind.unwrap();
        assert_eq!(merged.entry_point, Some(EntryPoint::None));
        assert_eq!(merged.settings.limits.soft, [(EventKind::Ir.into(), 1.0)]);
    }

    #[test]
    fn overriding_tools_replace_those_of_all_outer_levels() {
        let mut main = config(callgrind("--main", None, None));
        main.tools
            .push(ToolConfig::Memcheck(ToolSettings::default()));
        let group = overriding(callgrind("--group", None, None));
        let bench = config(callgrind("--bench", None, None));
        let expected = ["--group", "--bench"];

        let inner_first = bench.clone().over(group.clone()).over(main.clone());
        let outer_first = bench.over(group.over(main));
        assert_eq!(inner_first, outer_first);
        let tools = inner_first.all_tools();
        assert_eq!(tools.callgrind.unwrap().settings.args, expected);
        assert_eq!(tools.memcheck, None);
    }

    #[test]
    fn the_innermost_overriding_tools_win() {
        let main = overriding(callgrind("--main", None, None));
        let bench = Config {
            tools: callgrind("--said", None, None),
            ..overriding(callgrind("--instead", None, None))
        };
        let tools = bench.over(main).all_tools();
        let args = tools.callgrind.unwrap().settings.args;
        assert_eq!(args, ["--instead", "--said"]);
    }

    #[test]
    fn sandboxes_and_formats_merge_field_by_field() {
        let outer = Config {
            sandbox: Some(Sandbox {
                enable: Some(true),
                fixtures: vec!["outer".into()],
                follow_symlinks: None,
            }),
            output_format: Some(OutputFormat {
                truncate_description: Some(Truncate::Never),
                tolerance: Some(1.0),
                ..OutputFormat::default()
            }),
            ..Config::default()
        };
        let inner = Config {
            sandbox: Some(Sandbox {
                enable: None,
                fixtures: vec!["inner".into()],
                follow_symlinks: Some(true),
            }),
            output_format: Some(OutputFormat {
                truncate_description: Some(Truncate::At(3)),
                show_grid: Some(true),
                ..OutputFormat::default()
            }),
            ..Config::default()
        };
        let merged = inner.over(outer);
        let sandbox = merged.sandbox.unwrap();
        assert_eq!(sandbox.enable, Some(true));
        assert_eq!(sandbox.fixtures, ["outer", "inner"]);
        assert_eq!(sandbox.follow_symlinks, Some(true));
        let format = merged.output_format.unwrap();
        assert_eq!(format.truncate_description, Some(Truncate::At(3)));
        assert_eq!(format.tolerance, Some(1.0));
        assert_eq!(format.show_grid, Some(true));
    }
}
