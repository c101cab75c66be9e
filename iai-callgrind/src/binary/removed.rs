//! Names of the API before 0.13, whose every use is an error that says what to write now.
//!
//! The functions where a benchmark or a directory comes in need a trait that nothing implements,
//! and rustc shows the text of that trait. Everything else is there only so that there is one
//! error, and no others about names that do not exist.

use super::BinaryBenchmarkGroup;
use crate::BinaryBenchmarkConfig;

/// Nothing is of this trait.
#[diagnostic::on_unimplemented(
    message = "`Run` is not available since 0.13",
    label = "a benchmark is a function that returns the command to run",
    note = "write\n\
            #[binary_benchmark]\n\
            #[bench::some_id(\"argument\")]\n\
            fn bench_program(argument: &str) -> iai_callgrind::Command {{\n    \
            iai_callgrind::Command::new(env!(\"CARGO_BIN_EXE_my-program\")).arg(argument).build()\n\
            }}\n\
            binary_benchmark_group!(name = my_group; benchmarks = bench_program);",
    note = "what `Run` said with other methods is said by `Command` and `BinaryBenchmarkConfig`"
)]
pub trait Benchmark {}

/// Nothing is of this trait.
#[diagnostic::on_unimplemented(
    message = "`Fixtures` is not available since 0.13",
    label = "the sandbox has the fixtures",
    note = "write `.sandbox(Sandbox::new(true).fixtures([\"my-package/my-directory\"]))`",
    note = "paths start at the root of the workspace, and each benchmark has a sandbox of its own"
)]
pub trait Directory {}

/// Run of a program, before 0.13.
#[doc(hidden)]
#[derive(Debug)]
pub struct Run(());

impl Run {
    pub fn with_arg<T: Benchmark>(_arg: T) -> Self {
        Self(())
    }

    pub fn with_args<T: Benchmark>(_args: T) -> Self {
        Self(())
    }

    pub fn with_cmd<T: Benchmark, U>(_program: T, _arg: U) -> Self {
        Self(())
    }

    pub fn with_cmd_args<T: Benchmark, U>(_program: T, _args: U) -> Self {
        Self(())
    }

    pub fn env<K, V>(&mut self, _name: K, _value: V) -> &mut Self {
        self
    }
}

/// The arguments of a [`Run`].
#[doc(hidden)]
#[derive(Debug)]
pub struct Arg(());

impl Arg {
    pub fn new<T, U>(_id: T, _args: U) -> Self {
        Self(())
    }

    pub fn empty<T>(_id: T) -> Self {
        Self(())
    }
}

/// Settings of a [`Run`], before 0.7.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Options(());

/// The directory that was copied into the sandbox.
#[doc(hidden)]
#[derive(Debug)]
pub struct Fixtures(());

impl Fixtures {
    pub fn new<T>(_directory: T) -> Self {
        Self(())
    }
}

/// Methods with one argument.
macro_rules! methods {
    ($type:ident: $($name:ident)*) => {
        impl $type {
            $(
                pub fn $name<T>(&mut self, _value: T) -> &mut Self {
                    self
                }
            )*
        }
    };
}

methods!(Run: arg args envs pass_through_env pass_through_envs env_clear current_dir entry_point);
methods!(Run: exit_with raw_callgrind_args flamegraph regression options);
methods!(Run: tool tools tool_override tools_override);
methods!(Options: env_clear current_dir entry_point exit_with);
methods!(Fixtures: follow_symlinks);

impl BinaryBenchmarkGroup {
    #[doc(hidden)]
    pub fn bench<T>(&mut self, _run: T) -> &mut Self {
        self
    }
}

impl BinaryBenchmarkConfig {
    #[doc(hidden)]
    pub fn fixtures<T: Directory>(&mut self, _fixtures: T) -> &mut Self {
        self
    }
}
