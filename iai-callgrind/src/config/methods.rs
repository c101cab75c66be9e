//! Methods that the configurations of library and of binary benchmarks share, written once.

/// Writes the methods that every configuration has.
macro_rules! config_methods {
    ($builder:ident) => {
        impl $builder {
            /// Sets the tool whose metrics come first. The default is
            /// [`Tool::Callgrind`](crate::Tool::Callgrind); the option `--default-tool` wins.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::{", stringify!($builder), ", Tool};")]
            ///
            #[doc = concat!(stringify!($builder), "::default().default_tool(Tool::Dhat);")]
            /// ```
            pub fn default_tool(&mut self, tool: $crate::protocol::Tool) -> &mut Self {
                self.0.default_tool = Some(tool);
                self
            }

            /// Adds arguments for every Valgrind tool. A leading `--` may be left out.
            ///
            /// Arguments that are the runner's own, such as the names of output files, are dropped
            /// with a warning.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().valgrind_args([\"--num-callers=20\"]);")]
            /// ```
            pub fn valgrind_args<I, T>(&mut self, args: I) -> &mut Self
            where
                I: IntoIterator<Item = T>,
                T: AsRef<str>,
            {
                let args = args.into_iter().map(|arg| arg.as_ref().to_owned());
                self.0.valgrind_args.extend(args);
                self
            }

            /// Runs the benchmark with only the variables that are set or passed through here, and
            /// with those directories of `LD_LIBRARY_PATH` that have a library which the
            /// executable was linked with. The default is `true`, since the environment can change
            /// what is counted.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().env_clear(false);")]
            /// ```
            pub fn env_clear(&mut self, clear: bool) -> &mut Self {
                self.0.env_clear = Some(clear);
                self
            }

            /// Adds an environment variable. The last one of a name wins.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().env(\"MODE\", \"fast\");")]
            /// ```
            pub fn env<K, V>(&mut self, name: K, value: V) -> &mut Self
            where
                K: Into<std::ffi::OsString>,
                V: Into<std::ffi::OsString>,
            {
                self.0.envs.push($crate::protocol::EnvVar {
                    name: name.into(),
                    value: Some(value.into()),
                });
                self
            }

            /// Adds environment variables. The last one of a name wins.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().envs([(\"MODE\", \"fast\"), (\"THREADS\", \"2\")]);")]
            /// ```
            pub fn envs<I, K, V>(&mut self, variables: I) -> &mut Self
            where
                I: IntoIterator<Item = (K, V)>,
                K: Into<std::ffi::OsString>,
                V: Into<std::ffi::OsString>,
            {
                for (name, value) in variables {
                    self.env(name, value);
                }
                self
            }

            /// Takes an environment variable over from the environment of `cargo bench`. One that
            /// does not exist is left out.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().pass_through_env(\"HOME\");")]
            /// ```
            pub fn pass_through_env<K>(&mut self, name: K) -> &mut Self
            where
                K: Into<std::ffi::OsString>,
            {
                self.0.envs.push($crate::protocol::EnvVar {
                    name: name.into(),
                    value: None,
                });
                self
            }

            /// Takes environment variables over from the environment of `cargo bench`. Those that
            /// do not exist are left out.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().pass_through_envs([\"HOME\", \"USER\"]);")]
            /// ```
            pub fn pass_through_envs<I, K>(&mut self, names: I) -> &mut Self
            where
                I: IntoIterator<Item = K>,
                K: Into<std::ffi::OsString>,
            {
                for name in names {
                    self.pass_through_env(name);
                }
                self
            }

            /// Runs the benchmark in this directory. By default it is the root of the sandbox or,
            /// without one, the directory in which cargo starts benchmarks: that of the package. In
            /// a sandbox a relative path lies below its root. A directory that does not exist is an
            /// error of the benchmark.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().current_dir(\"/tmp\");")]
            /// ```
            pub fn current_dir<T>(&mut self, directory: T) -> &mut Self
            where
                T: Into<std::path::PathBuf>,
            {
                self.0.current_dir = Some(directory.into().into_os_string());
                self
            }

            /// Runs the benchmark in a temporary directory of its own. By default there is none. A
            /// second call adds fixtures and replaces what else it sets.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::{", stringify!($builder), ", Sandbox};")]
            ///
            #[doc = concat!(stringify!($builder), "::default()")]
            ///     .sandbox(Sandbox::new(true).fixtures(["benches/input.txt"]));
            /// ```
            pub fn sandbox<T>(&mut self, sandbox: T) -> &mut Self
            where
                T: Into<$crate::protocol::Sandbox>,
            {
                let below = self.0.sandbox.take();
                self.0.sandbox = $crate::protocol::Over::over(Some(sandbox.into()), below);
                self
            }

            /// Says how the benchmark has to end; otherwise it failed. The default is
            /// [`ExitWith::Success`](crate::ExitWith::Success). What was counted up to the end is
            /// the result.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::{ExitWith, ", stringify!($builder), "};")]
            ///
            /// // A panic:
            #[doc = concat!(stringify!($builder), "::default().exit_with(ExitWith::Code(101));")]
            /// ```
            pub fn exit_with<T>(&mut self, exit_with: T) -> &mut Self
            where
                T: Into<$crate::protocol::ExitWith>,
            {
                self.0.exit_with = Some(exit_with.into());
                self
            }

            /// Runs the benchmark under a tool, with these settings. They go over those that were
            /// given for this tool before and by outer configurations: arguments are added, limits
            /// are set one by one, what else they say is replaced.
            ///
            /// By default only the default tool runs.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::{Callgrind, Dhat, ", stringify!($builder), "};")]
            ///
            #[doc = concat!(stringify!($builder), "::default()")]
            ///     .tool(Callgrind::with_args(["--branch-sim=yes"]))
            ///     .tool(Dhat::default());
            /// ```
            pub fn tool<T>(&mut self, tool: T) -> &mut Self
            where
                T: Into<$crate::protocol::ToolConfig>,
            {
                self.0.tools.push(tool.into());
                self
            }

            /// Like [`tool`](Self::tool), but drops what the outer configurations say about all
            /// tools, this one and others. A second call keeps the tool of the first. What
            /// [`tool`](Self::tool) says in the same configuration goes over it.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::{", stringify!($builder), ", Memcheck};")]
            ///
            #[doc = concat!(stringify!($builder), "::default().tool_override(Memcheck::default());")]
            /// ```
            pub fn tool_override<T>(&mut self, tool: T) -> &mut Self
            where
                T: Into<$crate::protocol::ToolConfig>,
            {
                let tools = self.0.tools_override.get_or_insert_default();
                tools.push(tool.into());
                self
            }

            /// Runs the benchmark so many times under each tool that counts, and compares all
            /// counts: where they differ, the benchmark fails, with what differs and likely
            /// reasons. The result is that of the first run. The default is one run, which 0 and 1
            /// stand for; the option `--check-determinism` wins.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!(stringify!($builder), "::default().check_determinism(2);")]
            /// ```
            pub fn check_determinism(&mut self, runs: u32) -> &mut Self {
                self.0.check_determinism = Some(runs);
                self
            }

            /// Sets how results are shown. A second call replaces what the new format sets.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::{", stringify!($builder), ", OutputFormat};")]
            ///
            #[doc = concat!(stringify!($builder), "::default().output_format(OutputFormat::default().tolerance(0.5));")]
            /// ```
            pub fn output_format<T>(&mut self, format: T) -> &mut Self
            where
                T: Into<$crate::protocol::OutputFormat>,
            {
                let below = self.0.output_format;
                self.0.output_format = $crate::protocol::Over::over(Some(format.into()), below);
                self
            }

            /// A copy by value, to end a chain of calls with.
            ///
            /// ```
            #[doc = concat!("use iai_callgrind::", stringify!($builder), ";")]
            ///
            #[doc = concat!("let config: ", stringify!($builder), " = ", stringify!($builder), "::default().env(\"MODE\", \"fast\").build();")]
            /// ```
            #[must_use]
            #[inline]
            pub fn build(&mut self) -> Self {
                self.clone()
            }
        }
    };
}

pub(super) use config_methods;
