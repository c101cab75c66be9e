//! The builder that Divan has for programs, and what stays of it while benchmarks are registered.

use std::panic::Location;
use std::process::{exit, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use iai_callgrind::__internal::registration::{self, Framework};
use iai_callgrind::__internal::{Config, IntoLibraryConfig, Package};
use regex_lite::Regex;

use crate::counter::{
    BytesCount, BytesFormat, CharsCount, Counters, CyclesCount, IntoCounter, ItemsCount,
};
use crate::listing::register;
use crate::registered::{functions, root};
use crate::timing::Timing;
use crate::words::{self, words};

/// Runs all benchmarks of the executable, with options from the source beside those of the command
/// line.
///
/// ```no_run
/// # use iai_callgrind_divan as divan;
/// fn main() {
///     divan::Divan::from_args().skip_exact("my_bench::slow").main();
/// }
/// ```
///
/// The action can be set in the source as well, and so can benchmarks that are left out and the
/// amount that all of them handle:
///
/// ```no_run
/// # use iai_callgrind_divan as divan;
/// # use divan::Divan;
/// let divan = Divan::default().skip_regex("slow|large").items_count(100_u32).bytes_count(400_u32);
/// match std::env::var("ACTION").as_deref() {
///     Ok("test") => divan.run_ignored().test_benches(),
///     Ok("list") => divan.run_only_ignored().list_benches(),
///     Ok("chars") => divan.chars_count(100_u32).main(),
///     _ => divan.config_with_args().run_benches(),
/// }
/// ```
///
/// A source may have these, and nothing comes of them:
///
/// ```no_run
/// # use iai_callgrind_divan as divan;
/// # use divan::{counter::{BytesFormat, CyclesCount}, Divan};
/// Divan::from_args()
///     .sample_count(100)
///     .threads([1, 4])
///     .skip_ext_time(true)
///     .color(true)
///     .bytes_format(BytesFormat::Binary)
///     .counter(CyclesCount::new(5_u32))
///     .cycles_count(5_u32)
///     .main();
/// ```
///
/// These have an effect where time is measured beside the counts, with `--time`:
///
/// ```no_run
/// # use iai_callgrind_divan as divan;
/// # use std::time::Duration;
/// divan::Divan::from_args()
///     .sample_size(10)
///     .min_time(Duration::from_secs(1))
///     .max_time(Duration::from_secs(5))
///     .main();
/// ```
#[derive(Debug, Clone, Default)]
pub struct Divan {
    action: Option<Action>,
    ignored: Option<Ignored>,
    skip_exact: Vec<String>,
    skip_regex: Vec<Regex>,
    counters: Counters,
    timing: Timing,
    without_effect: Vec<&'static str>,
}

/// Action that the source sets, which takes precedence over that of cargo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Count,
    Test,
    List,
}

/// Which benchmarks with `ignore` there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ignored {
    /// None of them.
    Left,
    Included,
    /// Nothing else.
    Only,
}

/// Settings that apply while benchmarks are registered.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) divan: Divan,
    pub(crate) config: Option<Config>,
    /// The file of `main`.
    pub(crate) file: String,
    /// The crate of the benchmarks.
    pub(crate) root: &'static str,
}

/// Settings of `main`. Functions without state read them.
static SETTINGS: Mutex<Option<Settings>> = Mutex::new(None);

static CONFIG: Mutex<Option<Config>> = Mutex::new(None);

/// Configures the count of all benchmarks: tools, their arguments, limits. Call it before
/// [`main`](crate::main). It has no counterpart in Divan; a source that is to be timed as well
/// calls it where the feature that counts is on.
///
/// The command line and the environment take precedence over it. By default nothing is configured.
///
/// ```no_run
/// # use iai_callgrind_divan as divan;
/// use divan::iai_callgrind::{Dhat, LibraryBenchmarkConfig};
///
/// fn main() {
///     divan::config(LibraryBenchmarkConfig::default().tool(Dhat::default()));
///     divan::main();
/// }
/// ```
pub fn config(config: impl IntoLibraryConfig) {
    *CONFIG.lock().unwrap_or_else(PoisonError::into_inner) = Some(config.config());
}

impl Divan {
    /// Does what the command line says.
    ///
    /// With `cargo bench` it counts, with `cargo test` it runs each benchmark once. Returns if that
    /// went well; otherwise it ends the process.
    #[track_caller]
    pub fn main(&self) {
        self.start(Location::caller());
    }

    /// Counts, also without `cargo bench`.
    #[track_caller]
    pub fn run_benches(&self) {
        self.doing(Action::Count).start(Location::caller());
    }

    /// Runs each benchmark once, without counting, as `--test` does.
    #[track_caller]
    pub fn test_benches(&self) {
        self.doing(Action::Test).start(Location::caller());
    }

    /// Prints the names of all benchmarks, as `--list` does.
    #[track_caller]
    pub fn list_benches(&self) {
        self.doing(Action::List).start(Location::caller());
    }

    /// Options of the command line. They are always read, since the command line is how the runner
    /// and the measured process are told what to do.
    #[must_use]
    pub fn from_args() -> Self {
        Self::default()
    }

    /// The same as nothing: the command line goes over all options, wherever this stands.
    #[must_use]
    pub fn config_with_args(self) -> Self {
        self
    }

    /// Means nothing: colours are those that `--color` says.
    #[must_use]
    pub fn color(self, yes: impl Into<Option<bool>>) -> Self {
        let _: Option<bool> = yes.into();
        self.nothing("color")
    }

    /// Runs benchmarks with `ignore` as well, as `--include-ignored` does.
    #[must_use]
    pub fn run_ignored(mut self) -> Self {
        self.ignored = Some(Ignored::Included);
        self
    }

    /// Runs nothing but benchmarks with `ignore`, as `--ignored` does.
    #[must_use]
    pub fn run_only_ignored(mut self) -> Self {
        self.ignored = Some(Ignored::Only);
        self
    }

    /// Leaves out benchmarks whose name this regular expression matches.
    ///
    /// # Panics
    ///
    /// If the text is no regular expression.
    #[must_use]
    pub fn skip_regex(mut self, filter: impl Into<String>) -> Self {
        let filter = filter.into();
        match Regex::new(&filter) {
            Ok(regex) => self.skip_regex.push(regex),
            Err(error) => {
                panic!("`skip_regex` got `{filter}`, which is no regular expression: {error}")
            }
        }
        self
    }

    /// Leaves out the benchmark with this name.
    #[must_use]
    pub fn skip_exact(mut self, filter: impl Into<String>) -> Self {
        self.skip_exact.push(filter.into());
        self
    }

    /// Means nothing: there is one sample.
    #[must_use]
    pub fn sample_count(self, _count: u32) -> Self {
        self.nothing("sample_count")
    }

    /// With `--time`: the calls of a sample. The default is as many as take 50 µs. For a count a
    /// benchmark is called once.
    #[must_use]
    pub fn sample_size(mut self, count: u32) -> Self {
        self.timing.calls = Some(count);
        self
    }

    /// Means nothing: the routine is called in one thread. Threads that it starts itself count.
    #[must_use]
    pub fn threads<T>(self, _threads: T) -> Self
    where
        T: IntoIterator<Item = usize>,
    {
        self.nothing("threads")
    }

    /// With `--time`: the least wall time for each benchmark, both executables together. It makes
    /// the half second of the default longer, up to two seconds unless `--time=DURATION` says more.
    #[must_use]
    pub fn min_time(mut self, time: Duration) -> Self {
        self.timing.min = Some(time);
        self
    }

    /// With `--time`: the most wall time for each benchmark, both executables together. It makes
    /// the half second of the default shorter.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        self.timing.max = Some(time);
        self
    }

    /// Means nothing: setups and drops are never on the clock.
    #[must_use]
    pub fn skip_ext_time(self, _skip: bool) -> Self {
        self.nothing("skip_ext_time")
    }

    /// The amount that one call of each benchmark handles. It takes precedence over the counters of
    /// benchmarks.
    #[must_use]
    pub fn counter<C: IntoCounter>(mut self, counter: C) -> Self {
        self.counters.set(counter);
        self
    }

    /// Number of items that one call of each benchmark handles.
    #[must_use]
    pub fn items_count<C: Into<ItemsCount>>(self, count: C) -> Self {
        self.counter(count.into())
    }

    /// Number of bytes that one call of each benchmark handles.
    #[must_use]
    pub fn bytes_count<C: Into<BytesCount>>(self, count: C) -> Self {
        self.counter(count.into())
    }

    /// Means nothing: instructions per byte are a plain number.
    #[must_use]
    pub fn bytes_format(self, _format: BytesFormat) -> Self {
        self.nothing("bytes_format")
    }

    /// Number of characters that one call of each benchmark handles.
    #[must_use]
    pub fn chars_count<C: Into<CharsCount>>(self, count: C) -> Self {
        self.counter(count.into())
    }

    /// Number of cycles, which is shown nowhere.
    #[must_use]
    pub fn cycles_count<C: Into<CyclesCount>>(self, count: C) -> Self {
        self.counter(count.into())
    }

    /// Does the source say that this benchmark is left out?
    pub(crate) fn skips(&self, title: &str) -> bool {
        self.skip_exact.iter().any(|skip| skip == title)
            || self.skip_regex.iter().any(|skip| skip.is_match(title))
    }

    pub(crate) fn action(&self) -> Option<Action> {
        self.action
    }

    pub(crate) fn timing(&self) -> Timing {
        self.timing
    }

    pub(crate) fn without_effect(&self) -> &[&'static str] {
        &self.without_effect
    }

    fn doing(&self, action: Action) -> Self {
        Self {
            action: Some(action),
            ..self.clone()
        }
    }

    fn nothing(mut self, name: &'static str) -> Self {
        self.without_effect.push(name);
        self
    }

    fn start(&self, main: &Location<'_>) {
        let file = main.file();
        let Some(first) = functions(file).into_iter().next() else {
            eprintln!(
                "warning: there is no benchmark in this executable\n  hint: write `#[divan::bench]` above functions of \
                 {file} or of its modules"
            );
            return;
        };
        let root = root(first.module);
        *SETTINGS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Settings {
            divan: self.clone(),
            config: CONFIG
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone(),
            file: file.to_owned(),
            root,
        });
        // The facts of the package come with an entry: `main` is no macro here, which would know
        // them.
        let Package {
            name,
            manifest_dir,
            workspace,
            target_tmpdir,
            runner,
            ..
        } = first.package;
        let package = Package {
            name,
            manifest_dir,
            workspace,
            target_tmpdir,
            file: first.place.file(),
            module: root,
            runner,
        };
        let framework = Framework {
            register,
            words,
            deterministic_random: cfg!(target_os = "linux"),
        };
        let code = registration::main(package, framework);
        if code != ExitCode::SUCCESS {
            // An `ExitCode` does not tell its number.
            let is_it = |number: &u8| ExitCode::from(*number) == code;
            exit((1..=u8::MAX).find(is_it).unwrap_or(1).into());
        }
    }
}

impl Settings {
    pub(crate) fn ignored(&self) -> Ignored {
        let typed = words::ignored();
        typed.or(self.divan.ignored).unwrap_or(Ignored::Left)
    }

    /// Counters that go over those of benchmarks.
    pub(crate) fn counters(&self) -> Counters {
        words::counters().over(self.divan.counters)
    }
}

pub(crate) fn settings() -> Settings {
    let settings = SETTINGS.lock().unwrap_or_else(PoisonError::into_inner);
    settings.clone().expect("`start` has made them")
}
