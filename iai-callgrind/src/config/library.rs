//! The configuration of library benchmarks.

use std::ffi::OsString;

use super::into_protocol;
use crate::protocol::{self, EnvVar, Over};

/// Settings of library benchmarks, for `config` of [`main!`](crate::main), of a
/// [group](crate::library_benchmark_group), of
/// [`#[library_benchmark]`](crate::library_benchmark) and of `#[bench]`.
///
/// Inner settings win over outer ones, one by one; arguments and environment variables are
/// appended to the outer ones.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Callgrind, LibraryBenchmarkConfig};
///
/// fn config() -> LibraryBenchmarkConfig {
///     LibraryBenchmarkConfig::default()
///         .env("MODE", "fast")
///         .tool(Callgrind::with_args(["--branch-sim=yes"]))
///         .build()
/// }
/// ```
#[derive(Debug, Clone, Default)]
pub struct LibraryBenchmarkConfig(protocol::Config);

impl LibraryBenchmarkConfig {
    /// Adds arguments for every Valgrind tool. A leading `--` may be left out.
    ///
    /// Arguments that are the runner's own, such as the names of output files, are dropped with a
    /// warning.
    pub fn valgrind_args<I, T>(&mut self, args: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: AsRef<str>,
    {
        let args = args.into_iter().map(|arg| arg.as_ref().to_owned());
        self.0.valgrind_args.extend(args);
        self
    }

    /// Runs the benchmark with only the variables that are set or passed through here, and with
    /// `LD_PRELOAD` and `LD_LIBRARY_PATH`. The default is `true`, since the size of the
    /// environment can change what is counted.
    pub fn env_clear(&mut self, clear: bool) -> &mut Self {
        self.0.env_clear = Some(clear);
        self
    }

    /// Adds an environment variable. The last one of a name wins.
    pub fn env<K, V>(&mut self, name: K, value: V) -> &mut Self
    where
        K: Into<OsString>,
        V: Into<OsString>,
    {
        self.0.envs.push(EnvVar {
            name: name.into(),
            value: Some(value.into()),
        });
        self
    }

    /// Adds environment variables. The last one of a name wins.
    pub fn envs<I, K, V>(&mut self, variables: I) -> &mut Self
    where
        I: IntoIterator<Item = (K, V)>,
        K: Into<OsString>,
        V: Into<OsString>,
    {
        for (name, value) in variables {
            self.env(name, value);
        }
        self
    }

    /// Takes an environment variable over from the environment of `cargo bench`. One that does not
    /// exist is left out.
    pub fn pass_through_env<K>(&mut self, name: K) -> &mut Self
    where
        K: Into<OsString>,
    {
        self.0.envs.push(EnvVar {
            name: name.into(),
            value: None,
        });
        self
    }

    /// Takes environment variables over from the environment of `cargo bench`. Those that do not
    /// exist are left out.
    pub fn pass_through_envs<I, K>(&mut self, names: I) -> &mut Self
    where
        I: IntoIterator<Item = K>,
        K: Into<OsString>,
    {
        for name in names {
            self.pass_through_env(name);
        }
        self
    }

    /// Measures in a fork of one process, which is started once for all benchmarks of the file with
    /// the same arguments and environment. `false` starts a process for each benchmark, which takes
    /// longer and counts the same instructions. The default is `true`; the option `--fork` wins.
    ///
    /// ```
    /// use iai_callgrind::LibraryBenchmarkConfig;
    ///
    /// LibraryBenchmarkConfig::default().fork(false);
    /// ```
    pub fn fork(&mut self, fork: bool) -> &mut Self {
        self.0.fork = Some(fork);
        self
    }

    /// Runs the benchmark on one processor, so that the counts of threads vary less from run to run;
    /// `std::thread::available_parallelism` is 1 then. The default is `false`. Linux only.
    ///
    /// ```
    /// use iai_callgrind::LibraryBenchmarkConfig;
    ///
    /// LibraryBenchmarkConfig::default().single_cpu(true);
    /// ```
    pub fn single_cpu(&mut self, single: bool) -> &mut Self {
        self.0.single_cpu = Some(single);
        self
    }

    /// Lets the standard library draw the same random numbers in every run, so that a `HashMap` with
    /// its default hasher always has the same order and count. Only for executables whose `main!`
    /// says `deterministic_random = true`, and then the default; Linux only.
    ///
    /// The count is that of one particular order: compare it with itself, and keep in mind that
    /// other orders cost more or less.
    ///
    /// ```
    /// use iai_callgrind::LibraryBenchmarkConfig;
    ///
    /// LibraryBenchmarkConfig::default().deterministic_random(false);
    /// ```
    pub fn deterministic_random(&mut self, deterministic: bool) -> &mut Self {
        self.0.deterministic_random = Some(deterministic);
        self
    }

    /// Adds the settings of a tool. A second call adds arguments and limits and replaces what else
    /// it sets.
    pub fn tool<T>(&mut self, tool: T) -> &mut Self
    where
        T: Into<protocol::Callgrind>,
    {
        self.0.tools.callgrind = Some(tool.into()).over(self.0.tools.callgrind.take());
        self
    }

    /// Sets how results are shown. A second call replaces what the new format sets.
    pub fn output_format<T>(&mut self, format: T) -> &mut Self
    where
        T: Into<protocol::OutputFormat>,
    {
        self.0.output_format = Some(format.into()).over(self.0.output_format);
        self
    }

    /// A copy by value, to end a chain of calls with.
    #[must_use]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

into_protocol!(LibraryBenchmarkConfig => protocol::Config);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Callgrind, EventKind, OutputFormat};

    #[test]
    fn environment_keeps_its_order() {
        let config: protocol::Config = LibraryBenchmarkConfig::default()
            .env("A", "1")
            .pass_through_envs(["B"])
            .envs([("C", "3")])
            .env_clear(false)
            .into();
        let names: Vec<_> = config
            .envs
            .iter()
            .map(|e| (&*e.name, e.value.is_some()))
            .collect();
        assert_eq!(
            names,
            [
                ("A".as_ref(), true),
                ("B".as_ref(), false),
                ("C".as_ref(), true)
            ]
        );
        assert_eq!(config.env_clear, Some(false));
    }

    #[test]
    fn a_second_tool_goes_over_the_first() {
        let config: protocol::Config = LibraryBenchmarkConfig::default()
            .tool(Callgrind::with_args(["--a"]).soft_limits([(EventKind::Ir, 5.0)]))
            .tool(Callgrind::with_args(["--b"]).entry_point("f".into()))
            .into();
        let callgrind = config.tools.callgrind.unwrap();
        assert_eq!(callgrind.settings.args, ["--a", "--b"]);
        assert_eq!(callgrind.settings.limits.soft, [(EventKind::Ir, 5.0)]);
        assert_eq!(callgrind.entry_point, Some("f".into()));
    }

    #[test]
    fn a_second_format_goes_over_the_first() {
        let config: protocol::Config = LibraryBenchmarkConfig::default()
            .output_format(OutputFormat::default().tolerance(1.0))
            .output_format(OutputFormat::default().truncate_description(3))
            .into();
        let format = config.output_format.unwrap();
        assert_eq!(format.tolerance, Some(1.0));
        assert!(format.truncate_description.is_some());
    }
}
