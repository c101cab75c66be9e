//! Binary benchmarks whose ids and commands are computed at run time.

use std::fmt;
use std::panic::Location;
use std::path::Path;
use std::rc::Rc;

use super::{file, BenchmarkId, Command};
use crate::config::BinaryConfig;
use crate::protocol::{self, Config, Input};
use crate::Throughput;

/// Collects binary benchmarks: what the function of a low-level
/// [`binary_benchmark_group!`](crate::binary_benchmark_group) gets.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{binary_benchmark_group, Bench, BinaryBenchmark, Command};
///
/// binary_benchmark_group!(
///     name = numbers,
///     benchmarks = |group: &mut BinaryBenchmarkGroup| {
///         let mut sequences = BinaryBenchmark::new("sequences");
///         for n in [1, 10, 100] {
///             let command = Command::new("seq").arg(n.to_string()).build();
///             sequences.bench(Bench::new(format!("up_to_{n}")).command(command));
///         }
///         group.binary_benchmark(sequences)
///     }
/// );
/// # fn main() {}
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BinaryBenchmarkGroup {
    benchmarks: Vec<BinaryBenchmark>,
}

impl BinaryBenchmarkGroup {
    /// Adds a benchmark. Two of one id are an error before anything runs.
    pub fn binary_benchmark<T>(&mut self, benchmark: T) -> &mut Self
    where
        T: Into<BinaryBenchmark>,
    {
        self.benchmarks.push(benchmark.into());
        self
    }

    /// Adds benchmarks.
    ///
    /// ```
    /// use iai_callgrind::{Bench, BinaryBenchmark, BinaryBenchmarkGroup, Command};
    ///
    /// fn add(group: &mut BinaryBenchmarkGroup) {
    ///     let listed = ["up", "down"].map(|name| {
    ///         let command = Command::new("seq").arg("10").build();
    ///         BinaryBenchmark::new(name).bench(Bench::new("ten").command(command)).build()
    ///     });
    ///     group.binary_benchmarks(listed);
    /// }
    /// ```
    pub fn binary_benchmarks<I, T>(&mut self, benchmarks: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: Into<BinaryBenchmark>,
    {
        self.benchmarks
            .extend(benchmarks.into_iter().map(Into::into));
        self
    }

    pub(crate) fn into_benchmarks(self) -> Vec<BinaryBenchmark> {
        self.benchmarks
    }
}

/// Benchmarks of programs that belong together: what a function with
/// [`#[binary_benchmark]`](crate::binary_benchmark) is, written at run time.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Bench, BinaryBenchmark, Command};
///
/// BinaryBenchmark::new("copies")
///     .setup(|| std::fs::write("input.txt", "text").unwrap())
///     .bench(Bench::new("one").command(Command::new("cp").args(["input.txt", "output.txt"])));
/// ```
#[derive(Clone)]
pub struct BinaryBenchmark {
    pub(crate) id: BenchmarkId,
    pub(crate) config: Option<Config>,
    pub(crate) benches: Vec<Bench>,
    pub(crate) setup: Option<Hook>,
    pub(crate) teardown: Option<Hook>,
    /// Place in the source at which the benchmark was made.
    pub(crate) place: &'static Location<'static>,
    /// Annotated function that the benchmark was made of.
    pub(crate) function: Option<&'static crate::__internal::Function>,
}

impl BinaryBenchmark {
    /// A benchmark without a [`Bench`]; it needs one.
    #[must_use]
    #[track_caller]
    pub fn new<T>(id: T) -> Self
    where
        T: Into<BenchmarkId>,
    {
        Self {
            id: id.into(),
            config: None,
            benches: Vec::new(),
            setup: None,
            teardown: None,
            place: Location::caller(),
            function: None,
        }
    }

    /// Sets the configuration, which goes over that of the group. By default nothing is said.
    ///
    /// ```
    /// use iai_callgrind::{BinaryBenchmark, BinaryBenchmarkConfig};
    ///
    /// BinaryBenchmark::new("date").config(BinaryBenchmarkConfig::default().env("TZ", "UTC"));
    /// ```
    pub fn config<T>(&mut self, config: T) -> &mut Self
    where
        T: Into<BinaryConfig>,
    {
        self.config = Some(config.into().0);
        self
    }

    /// Adds a bench.
    pub fn bench<T>(&mut self, bench: T) -> &mut Self
    where
        T: Into<Bench>,
    {
        self.benches.push(bench.into());
        self
    }

    /// Runs a function before each command of the benches that have no other one, in a process of
    /// its own. By default nothing runs.
    pub fn setup<F>(&mut self, setup: F) -> &mut Self
    where
        F: Fn() + 'static,
    {
        self.setup = Some(Hook::new(setup));
        self
    }

    /// Runs a function after each command of the benches that have no other one, in a process of
    /// its own. By default nothing runs.
    ///
    /// ```
    /// use iai_callgrind::BinaryBenchmark;
    ///
    /// BinaryBenchmark::new("copies").teardown(|| println!("done"));
    /// ```
    pub fn teardown<F>(&mut self, teardown: F) -> &mut Self
    where
        F: Fn() + 'static,
    {
        self.teardown = Some(Hook::new(teardown));
        self
    }

    /// A copy by value, to end a chain of calls with.
    ///
    /// ```
    /// use iai_callgrind::{Bench, BinaryBenchmark, Command};
    ///
    /// let bench = Bench::new("utc").command(Command::new("date").arg("-u")).build();
    /// let date: BinaryBenchmark = BinaryBenchmark::new("date").bench(bench).build();
    /// ```
    #[must_use]
    #[inline]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

/// One [`Command`], or several under one id: what `#[bench]` and `#[benches]` are, written at run
/// time.
///
/// With several commands the ids have numbers: `id_0`, `id_1` and so on. Setup and teardown run
/// around each.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Bench, Command};
///
/// Bench::new("numbers").commands([
///     Command::new("seq").arg("10").build(),
///     Command::new("seq").arg("100").build(),
/// ]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Bench {
    pub(crate) id: BenchmarkId,
    pub(crate) config: Option<Config>,
    pub(crate) commands: Vec<Described>,
    /// Has the id a number even if there is one command only?
    pub(crate) numbered: bool,
    pub(crate) setup: Option<Hook>,
    pub(crate) teardown: Option<Hook>,
    pub(crate) throughput: protocol::Throughput,
}

/// A command with the text for its arguments.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Described {
    pub(crate) args: Option<String>,
    /// Arguments, to be compared with those of other results; absent if they are those of the
    /// command.
    pub(crate) input: Option<Input>,
    pub(crate) command: protocol::Command,
}

impl Bench {
    /// A bench without a command; it needs one.
    #[must_use]
    pub fn new<T>(id: T) -> Self
    where
        T: Into<BenchmarkId>,
    {
        Self {
            id: id.into(),
            config: None,
            commands: Vec::new(),
            numbered: false,
            setup: None,
            teardown: None,
            throughput: protocol::Throughput::default(),
        }
    }

    /// Sets the configuration, which goes over that of the benchmark. By default nothing is said.
    ///
    /// ```
    /// use iai_callgrind::{Bench, BinaryBenchmarkConfig};
    ///
    /// Bench::new("utc").config(BinaryBenchmarkConfig::default().env("TZ", "UTC"));
    /// ```
    pub fn config<T>(&mut self, config: T) -> &mut Self
    where
        T: Into<BinaryConfig>,
    {
        self.config = Some(config.into().0);
        self
    }

    /// Adds a command.
    ///
    /// ```
    /// use iai_callgrind::{Bench, Command};
    ///
    /// Bench::new("ten").command(Command::new("seq").arg("10"));
    /// ```
    pub fn command<T>(&mut self, command: T) -> &mut Self
    where
        T: Into<Command>,
    {
        self.commands.push(Described {
            args: None,
            input: None,
            command: command.into().into(),
        });
        self
    }

    /// Adds commands.
    pub fn commands<I, T>(&mut self, commands: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: Into<Command>,
    {
        for command in commands {
            self.command(command);
        }
        self
    }

    /// Adds a command for each line of a file. A relative path starts at the root of the workspace
    /// or, if there is no such file, at the directory of the package. Empty lines are lines.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is empty or not UTF-8, or if `to_command` fails, with the number
    /// of the line, which begins with 1.
    ///
    /// ```no_run
    /// use iai_callgrind::{Bench, Command};
    ///
    /// let mut bench = Bench::new("words");
    /// bench
    ///     .file("benches/words.txt", |line| Ok(Command::new("echo").arg(line).build()))
    ///     .unwrap();
    /// ```
    pub fn file<T, F>(&mut self, path: T, mut to_command: F) -> Result<&mut Self, String>
    where
        T: AsRef<Path>,
        F: FnMut(String) -> Result<Command, String>,
    {
        let path = path.as_ref();
        let content = file::read(path)?;
        let mut commands = Vec::new();
        for (line, number) in content.lines().zip(1..) {
            let command = to_command(line.to_owned())
                .map_err(|error| format!("`{}`, line {number}: {error}", path.display()))?;
            commands.push(Described {
                args: Some(format!("{line:?} (line {number})")),
                input: Some(Input::new(format!("{line:?}"), true)),
                command: command.into(),
            });
        }
        self.commands.extend(commands);
        self.numbered = true;
        Ok(self)
    }

    /// Runs a function before each command, in a process of its own, instead of the function of the
    /// [`BinaryBenchmark`]. By default that one runs, if there is one.
    ///
    /// ```
    /// use iai_callgrind::Bench;
    ///
    /// let lines = 10;
    /// Bench::new("small").setup(move || std::fs::write("in.txt", "x\n".repeat(lines)).unwrap());
    /// ```
    pub fn setup<F>(&mut self, setup: F) -> &mut Self
    where
        F: Fn() + 'static,
    {
        self.setup = Some(Hook::new(setup));
        self
    }

    /// Runs a function after each command, in a process of its own, instead of the function of the
    /// [`BinaryBenchmark`]. By default that one runs, if there is one.
    ///
    /// ```
    /// use iai_callgrind::Bench;
    ///
    /// Bench::new("small").teardown(|| println!("done"));
    /// ```
    pub fn teardown<F>(&mut self, teardown: F) -> &mut Self
    where
        F: Fn() + 'static,
    {
        self.teardown = Some(Hook::new(teardown));
        self
    }

    /// Adds an amount that each command handles; see [`Throughput`]. By default nothing is said.
    /// Amounts of one unit add up.
    ///
    /// ```
    /// use iai_callgrind::{Bench, Command, Throughput};
    ///
    /// Bench::new("numbers")
    ///     .command(Command::new("seq").arg("1000"))
    ///     .throughput(Throughput::Elements(1000));
    /// ```
    pub fn throughput(&mut self, throughput: Throughput) -> &mut Self {
        throughput.add_to(&mut self.throughput);
        self
    }

    /// A copy by value, to end a chain of calls with.
    ///
    /// ```
    /// use iai_callgrind::{Bench, Command};
    ///
    /// let bench: Bench = Bench::new("ten").command(Command::new("seq").arg("10")).build();
    /// ```
    #[must_use]
    #[inline]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

/// A `setup` or `teardown`. The process that runs it calls the function of the group again, so it
/// may hold values.
#[derive(Clone)]
pub(crate) struct Hook(Rc<dyn Fn()>);

impl Hook {
    pub(crate) fn new(hook: impl Fn() + 'static) -> Self {
        Self(Rc::new(hook))
    }

    pub(crate) fn call(&self) {
        (self.0)();
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fn()")
    }
}

/// Functions cannot be compared, only whether there is one.
impl PartialEq for Hook {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl fmt::Debug for BinaryBenchmark {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BinaryBenchmark")
            .field("id", &self.id)
            .field("config", &self.config)
            .field("benches", &self.benches)
            .field("setup", &self.setup)
            .field("teardown", &self.teardown)
            .finish_non_exhaustive()
    }
}

/// The place at which a benchmark was made makes no difference.
impl PartialEq for BinaryBenchmark {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let Self {
            id,
            config,
            benches,
            setup,
            teardown,
            place: _,
            function: _,
        } = self;
        *id == other.id
            && *config == other.config
            && *benches == other.benches
            && *setup == other.setup
            && *teardown == other.teardown
    }
}

/// A builder is passed by value or by reference.
macro_rules! from_references {
    ($($builder:ident),*) => {$(
        impl From<&$builder> for $builder {
            #[inline]
            fn from(builder: &$builder) -> Self {
                builder.clone()
            }
        }

        impl From<&mut $builder> for $builder {
            #[inline]
            fn from(builder: &mut $builder) -> Self {
                builder.clone()
            }
        }
    )*};
}

from_references!(Bench, BinaryBenchmark);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn benchmarks_are_equal_wherever_they_were_made() {
        let bench = |setup: bool| {
            let mut bench = Bench::new("id");
            bench.command(Command::new("true"));
            if setup {
                bench.setup(|| {});
            }
            bench
        };
        let mut one = BinaryBenchmark::new("b");
        let mut other = BinaryBenchmark::new("b");
        one.bench(bench(true));
        assert_ne!(one, other);
        other.bench(bench(true));
        assert_eq!(one, other);
        assert_ne!(bench(true), bench(false));
        assert!(format!("{one:?}").contains("setup: Some(Fn())"));
    }

    #[test]
    fn lines_are_counted_from_one() {
        let to_command = |line: String| match line.as_str() {
            "MIT License" => Ok(Command::new(line)),
            _ => Err("no".to_owned()),
        };
        let error = Bench::new("id")
            .file("LICENSE-MIT", to_command)
            .unwrap_err();
        assert_eq!(error, "`LICENSE-MIT`, line 2: no");
        let mut bench = Bench::new("id");
        bench
            .file("LICENSE-MIT", |line| Ok(Command::new(line)))
            .unwrap();
        let first = &bench.commands[0];
        assert_eq!(first.args.as_deref(), Some("\"MIT License\" (line 1)"));
        assert_eq!(first.command.program, "MIT License");
    }
}
