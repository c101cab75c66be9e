//! Registration: the names that benchmarks get, and whether one of them is to be run.
//!
//! A path here has three parts and a title there any number, so the title is cut at its slashes:
//! `group/function/parameter` is `file::group::function::parameter`.

use std::mem;
use std::panic::Location;
use std::sync::{Mutex, MutexGuard, PoisonError};

use iai_callgrind::__internal::registration::{self, Offered};
use iai_callgrind::__internal::{Config, Throughputs};

use crate::benchmark_id::BenchmarkId;
use crate::filter::Selection;
use crate::ignored;
use crate::timing::Timing;

/// Group of benchmarks without one that no `criterion_group!` registers.
const NO_GROUP: &str = "criterion";

/// Number of bytes that few titles have.
const LONG_TITLE: usize = 250;

/// Where the registration is.
struct Current {
    /// Name of the `criterion_group!`.
    criterion_group: &'static str,
    /// The configuration that was passed to `config`.
    config: Option<Config>,
}

static CURRENT: Mutex<Current> = Mutex::new(Current {
    criterion_group: NO_GROUP,
    config: None,
});

/// Calls a target of a `criterion_group!`, if any of its benchmarks is asked for.
pub fn target(criterion_group: &'static str, name: &str, target: &mut dyn FnMut()) {
    let begin = Current {
        criterion_group,
        config: None,
    };
    let before = mem::replace(&mut *current(), begin);
    registration::calls(name);
    registration::scope(target);
    *current() = before;
}

/// All groups have registered.
pub fn registered() {
    ignored::tell();
}

/// Configures what is registered from here on.
pub(crate) fn configure(config: Config) {
    current().config = Some(config);
}

/// Is this benchmark to be run now?
pub(crate) fn offer(
    group: Option<&str>,
    id: BenchmarkId,
    (throughput, timing): (Option<Throughputs>, Timing),
    selection: &Selection,
    place: &'static Location<'static>,
) -> bool {
    let current = current();
    let Name {
        group,
        function,
        parameter,
        title,
    } = Name::new(current.criterion_group, group, &id);
    let is_selected = selection.selects(&title);
    let config = current.config.clone();
    // The list is all that needs it. What a measured process allocates before its routine could
    // change the count.
    let config = match registration::lists() {
        true => registration::timed(config, timing.time()),
        false => config,
    };
    let offered = Offered {
        group,
        function,
        parameter,
        title,
        place: Some(place),
        throughput,
        config,
    };
    let is_asked = is_selected && registration::offer(&offered);
    // Blocks that were given back would be what a routine gets first, so that its count would
    // depend on how many benchmarks there are before it.
    mem::forget((id, offered));
    is_asked
}

fn current() -> MutexGuard<'static, Current> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Name of a benchmark in three parts, and as Criterion writes it.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    group: String,
    function: String,
    parameter: Option<String>,
    title: String,
}

impl Name {
    fn new(criterion_group: &str, group: Option<&str>, id: &BenchmarkId) -> Self {
        // Reserved at once: blocks that are freed while it grows would be the first that a routine
        // gets.
        let mut title = String::with_capacity(LONG_TITLE);
        for text in [group, id.function.as_deref(), id.parameter.as_deref()] {
            let Some(text) = text else { continue };
            if !title.is_empty() {
                title.push('/');
            }
            title.push_str(text);
        }
        let (group, function, parameter) = match (group, &id.function, &id.parameter) {
            // A parameter alone is one part, whatever it is.
            (group, None, parameter) => {
                let parameter = parameter.as_deref().unwrap_or_default();
                (group, parameter, None)
            }
            (group, Some(function), parameter) => {
                let (group, function) = match (group, cut(function)) {
                    (None, Some((first, rest))) => (Some(first), rest),
                    (group, _) => (group, function.as_str()),
                };
                match (parameter.as_deref(), cut(function)) {
                    (None, Some((first, rest))) => (group, first, Some(rest)),
                    (parameter, _) => (group, function, parameter),
                }
            }
        };
        Self {
            group: group.unwrap_or(criterion_group).to_owned(),
            function: function.to_owned(),
            parameter: parameter.map(str::to_owned),
            title,
        }
    }
}

/// Cuts a name at its first slash, if there is something on both sides.
fn cut(name: &str) -> Option<(&str, &str)> {
    let (first, rest) = name.split_once('/')?;
    (!first.is_empty() && !rest.is_empty()).then_some((first, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(group: Option<&str>, id: BenchmarkId, path: &str, title: &str) {
        let name = Name::new("benches", group, &id);
        let mut parts = vec![name.group, name.function];
        parts.extend(name.parameter);
        assert_eq!((parts.join("::").as_str(), &*name.title), (path, title));
    }

    fn function(name: &str) -> BenchmarkId {
        BenchmarkId {
            function: Some(name.to_owned()),
            parameter: None,
        }
    }

    #[test]
    fn paths_have_the_parts_of_titles() {
        let group = Some("g");
        check(group, function("f"), "g::f", "g/f");
        check(group, BenchmarkId::new("f", 1.5), "g::f::1.5", "g/f/1.5");
        check(group, BenchmarkId::from_parameter(3), "g::3", "g/3");
        check(group, BenchmarkId::from_parameter("a/b"), "g::a/b", "g/a/b");
        check(group, function("f/3"), "g::f::3", "g/f/3");
        check(group, BenchmarkId::new("a/b", 3), "g::a/b::3", "g/a/b/3");
        check(None, function("fib 20"), "benches::fib 20", "fib 20");
        check(None, function("a/b"), "a::b", "a/b");
        check(None, function("a/b/c/d"), "a::b::c/d", "a/b/c/d");
        check(None, function("/a"), "benches::/a", "/a");
        check(None, BenchmarkId::new("f", 3), "benches::f::3", "f/3");
        check(None, BenchmarkId::new("a/b", 3), "a::b::3", "a/b/3");
    }
}
