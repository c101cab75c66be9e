//! Benchmarks that functions of the user register at run time, for the crates that count sources of
//! other frameworks.
//!
//! There is no table. Roles of the executable other than measuring call the function that
//! registers, which offers each benchmark, and nothing is run. The measured process calls it again
//! and runs the requested benchmark. That is identified by its scope, which is the number of the
//! function of the user that registers it, and by a hash of its name. The other scopes are not
//! entered, so nothing in them can change a count; benchmarks before it in its own scope are
//! offered and not run.

use std::ffi::OsString;
use std::panic::Location;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::aside::StdoutAside;
pub use super::at_run_time::address;
use super::benchmarks::NO_HOOKS;
use super::exit;
use super::table::{Element, Groups, Package, Suite};
use super::throughput::Throughputs;
use crate::protocol::wire::REFUSED;
use crate::protocol::{Config, Filter, Time, ToolConfig};
use crate::shared::hash::hash_all;

/// One benchmark, as it is registered.
#[derive(Debug, Clone, Default)]
pub struct Offered {
    /// Name of its group, which may be a path with `::` as those of modules are.
    pub group: String,
    /// Name of the function in the group.
    pub function: String,
    /// Part of the name that distinguishes it from other benchmarks of the function.
    pub parameter: Option<String>,
    /// Its name in the words of the other framework, which filters match as well.
    pub title: String,
    /// Place of the registration.
    pub place: Option<&'static Location<'static>>,
    /// Bytes and elements that one call of the routine handles.
    pub throughput: Option<Throughputs>,
    pub config: Option<Config>,
}

/// A benchmark and the element by which the measured process finds it.
pub(super) struct Listed {
    pub(super) offered: Offered,
    pub(super) element: Element,
}

/// Purpose of the calls of [`scope`] and [`offer`].
enum Asked {
    /// [`main`] was not called.
    Nothing,
    All(Vec<Listed>),
    /// The benchmark that this element stands for.
    One(Element, Progress),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// The benchmark was not offered yet.
    Unseen,
    /// The benchmark was offered, and has not entered its routine.
    Offered,
    /// Its routine was called.
    Entered,
}

struct State {
    asked: Asked,
    /// Number of the scopes that began.
    scopes: u32,
    /// Hashes of the benchmarks that this scope offered.
    offered: Vec<u32>,
}

static STATE: Mutex<State> = Mutex::new(State::new(Asked::Nothing));

impl State {
    const fn new(asked: Asked) -> Self {
        Self {
            asked,
            scopes: 0,
            offered: Vec::new(),
        }
    }

    /// The hash by which the benchmark is known in its scope, where another one may have the same
    /// name.
    fn hash(&mut self, offered: &Offered) -> u32 {
        let mut hash = hash(offered);
        while self.offered.contains(&hash) {
            hash = hash.wrapping_add(1);
        }
        self.offered.push(hash);
        hash
    }
}

/// The framework that was passed to [`main`].
static FRAMEWORK: Mutex<Option<Framework>> = Mutex::new(None);

/// The file of the benchmarks as their paths have it, and the benchmarks that the description is
/// asked for.
static WANTED: Mutex<(&str, Option<Filter>)> = Mutex::new(("", None));

/// The function that is called to list benchmarks.
static CALLED: Mutex<String> = Mutex::new(String::new());

/// The longest measurement of time by a setting of another framework, whose users say how long one
/// side takes alone. `--time=10s` asks for more.
const LONGEST: Duration = Duration::from_secs(2);

/// A list that takes longer says what it calls.
const LONG: Duration = Duration::from_secs(2);

/// More benchmarks than nearly all scopes have.
const OFTEN_ENOUGH: usize = 4096;

const NOBODY_ASKS: &str = "benchmarks are registered by a `main` that does not begin with that of the framework, so nobody can \
                           choose one of them\n  hint: write `criterion_main!(..)` or `divan::main()`";

/// The framework that a source was written for.
#[derive(Debug, Clone, Copy)]
pub struct Framework {
    /// Calls everything that registers, each function in a [`scope`].
    pub register: fn(),
    /// Turns the words of its command line into those of ours.
    pub words: fn(Vec<OsString>) -> Vec<OsString>,
    /// Does the executable have the items of `__random!`?
    pub deterministic_random: bool,
}

/// Entry point of an executable of this package whose benchmarks are registered at run time.
pub fn main(package: Package, framework: Framework) -> ExitCode {
    let deterministic_random = framework.deterministic_random;
    *locked(&FRAMEWORK) = Some(framework);
    locked(&WANTED).0 = package.module;
    super::main(Box::leak(Box::new(Suite {
        package,
        config: None,
        deterministic_random,
        hooks: NO_HOOKS,
        groups: Groups::AtRunTime,
    })))
}

/// A configuration with settings of time below its own. They hold where time is asked for by the
/// configuration or the command line, and ask for none themselves.
#[must_use]
pub fn timed(config: Option<Config>, time: Time) -> Option<Config> {
    if time == Time::default() {
        return config;
    }
    let time = Time {
        enable: Some(false),
        duration: time.duration.map(|duration| duration.min(LONGEST)),
        ..time
    };
    let mut config = config.unwrap_or_default();
    // In front, since later settings go over earlier ones.
    config.tools.insert(0, ToolConfig::Time(time));
    Some(config)
}

/// Calls a function of the user that registers benchmarks, if any of them is asked for.
pub fn scope(register: &mut dyn FnMut()) {
    let is_asked = {
        let mut state = locked(&STATE);
        state.scopes += 1;
        state.offered.clear();
        // Reserved at once: blocks that are freed while it grows would be the first that a routine
        // gets.
        state.offered.reserve(OFTEN_ENOUGH);
        match &state.asked {
            Asked::Nothing => stop(NOBODY_ASKS),
            Asked::All(_) => true,
            Asked::One(element, _) => element.index == state.scopes,
        }
    };
    if is_asked {
        register();
    }
}

/// Are benchmarks only listed, and none of them run? Then a framework leaves out those that its
/// users want to be ignored.
#[must_use]
pub fn lists() -> bool {
    matches!(locked(&STATE).asked, Asked::All(_))
}

/// Is the description asked for this benchmark? A function that is called for nothing but the
/// description of others is not called.
#[must_use]
pub fn describes(offered: &Offered) -> bool {
    let wanted = locked(&WANTED);
    let (module, Some(filter)) = &*wanted else {
        return true;
    };
    let path = format!("{module}::{}", address(offered));
    filter.selects_named(&path, Some(&offered.title))
}

/// Takes the words after the file of a description: `--exact`, `--select=TEXT` and `--skip=TEXT`.
pub(super) fn describe_only(words: &[OsString]) {
    let mut filter = Filter::default();
    for word in words {
        let word = word.to_string_lossy();
        if let Some(text) = word.strip_prefix("--select=") {
            filter.select.push(text.to_owned());
        } else if let Some(text) = word.strip_prefix("--skip=") {
            filter.skip.push(text.to_owned());
        } else {
            filter.exact |= word == "--exact";
        }
    }
    locked(&WANTED).1 = Some(filter);
}

/// Says that the function of the user with this name is about to be called to list benchmarks.
pub fn calls(name: &str) {
    if lists() {
        name.clone_into(&mut locked(&CALLED));
    }
}

/// Is this benchmark to be run now?
#[must_use]
pub fn offer(offered: &Offered) -> bool {
    let mut state = locked(&STATE);
    let hash = state.hash(offered);
    let index = state.scopes;
    match &mut state.asked {
        Asked::Nothing => stop(NOBODY_ASKS),
        Asked::All(listed) => {
            listed.push(Listed {
                offered: offered.clone(),
                element: Element { index, count: hash },
            });
            false
        }
        Asked::One(element, progress) => {
            let is_asked = element.count == hash && *progress == Progress::Unseen;
            if is_asked {
                *progress = Progress::Offered;
            }
            is_asked
        }
    }
}

/// Says that the routine of the benchmark is about to be called. Ends the process if it was called
/// before: two calls would be one figure.
pub fn enter() {
    if let Asked::One(_, progress) = &mut locked(&STATE).asked {
        if *progress == Progress::Entered {
            refuse("it calls a routine twice, and one call is what is counted: make two benchmarks of it");
        }
        *progress = Progress::Entered;
    }
}

/// Ends the process because of a mistake, with the reason.
pub fn stop(reason: &str) -> ! {
    end(exit::ERROR.into(), reason)
}

/// Ends the process of a benchmark that cannot be counted, with the reason.
pub fn refuse(reason: &str) -> ! {
    end(REFUSED, reason)
}

fn end(code: i32, reason: &str) -> ! {
    let _ = exit::with_error(exit::ERROR, format_args!("{reason}"));
    std::process::exit(code)
}

/// All benchmarks, in the order in which they are registered.
pub(super) fn list() -> Vec<Listed> {
    let aside = StdoutAside::begin();
    watched(|| call(Asked::All(Vec::new())));
    drop(aside);
    match std::mem::replace(&mut locked(&STATE).asked, Asked::Nothing) {
        Asked::All(listed) => listed,
        Asked::Nothing | Asked::One(..) => Vec::new(),
    }
}

/// Says what is called while the list takes long, each time after twice the time.
fn watched(list: impl FnOnce()) {
    let (ended, end) = mpsc::channel::<()>();
    let watch = move || {
        let start = Instant::now();
        while end.recv_timeout(start.elapsed().max(LONG)) == Err(RecvTimeoutError::Timeout) {
            eprintln!(
                "note: to list the benchmarks, `{}` is called, without Valgrind: {} s so far",
                locked(&CALLED),
                start.elapsed().as_secs()
            );
        }
    };
    // Without a thread nothing is said.
    let watch = thread::Builder::new().spawn(watch);
    list();
    drop(ended);
    if let Ok(watch) = watch {
        let _ = watch.join();
    }
}

/// Runs the benchmark that this element stands for.
pub(super) fn run(element: Element) {
    call(Asked::One(element, Progress::Unseen));
    match locked(&STATE).asked {
        Asked::One(_, Progress::Unseen) => stop(
            "this benchmark is not registered any more: what is registered must not depend on random numbers, on the \
             time, or on files that change\n  hint: variables reach benchmarks by `--envs=NAME` only",
        ),
        Asked::One(_, Progress::Offered) => {
            refuse("its function returned without calling a routine, such as `b.iter(..)` or `bencher.bench(..)`")
        }
        _ => {}
    }
}

fn call(asked: Asked) {
    *locked(&STATE) = State::new(asked);
    let framework = *locked(&FRAMEWORK);
    if let Some(framework) = framework {
        (framework.register)();
    }
}

/// The words of a command line as ours has them.
pub(super) fn words(words: Vec<OsString>) -> Vec<OsString> {
    let framework = *locked(&FRAMEWORK);
    match framework {
        Some(framework) => (framework.words)(words),
        None => words,
    }
}

fn hash(offered: &Offered) -> u32 {
    let Offered {
        group,
        function,
        parameter,
        ..
    } = offered;
    let parameter = parameter.as_deref().unwrap_or_default();
    // No name has the character between them, so that no two of them join to the same text.
    let texts = [group.as_str(), "\0", function, "\0", parameter];
    let hash = hash_all(&texts.map(str::as_bytes));
    // The hash is passed on as the count of an element, which has 32 bits.
    (hash ^ hash >> 32) as u32
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    fn time(config: Option<Config>) -> Time {
        config.unwrap().all_tools().time.unwrap()
    }

    #[test]
    fn settings_of_time_ask_for_none_and_are_not_too_long() {
        assert_eq!(timed(None, Time::default()), None);
        let asked = Time {
            duration: Some(Duration::from_secs(5)),
            calls: Some(7),
            ..Time::default()
        };
        let alone = time(timed(None, asked));
        assert_eq!(alone.duration, Some(LONGEST));
        assert_eq!((alone.enable, alone.calls), (Some(false), Some(7)));
        let own = Time {
            enable: Some(true),
            duration: Some(Duration::from_secs(9)),
            ..Time::default()
        };
        let config = Config {
            tools: vec![ToolConfig::Time(own)],
            ..Config::default()
        };
        let both = time(timed(Some(config), asked));
        assert_eq!((both.enable, both.duration), (own.enable, own.duration));
        assert_eq!(both.calls, Some(7));
    }
}
