//! All benchmarks of the executable with their names: what `iai-callgrind` calls to have them
//! registered.

use iai_callgrind::__internal::registration::{self, Offered};
use iai_callgrind::protocol::ROLE_ARGUMENT;

use crate::benchmarks::{Benchmarks, Named, Purpose};
use crate::options::Options;
use crate::registered::{functions, groups_around, root, Function};
use crate::runner::{settings, Ignored, Settings};

/// The group of functions that stand in no module, as with `main!`.
const ROOT: &str = "main";

/// Registers everything. The processes that run a benchmark go the same way as those that list
/// them, since both count the functions, but leave out nothing, and look at no option: what they
/// are asked for is in the list.
pub(crate) fn register() {
    let settings = settings();
    let describes = is_description();
    for function in functions(&settings.file) {
        registration::scope(&mut || offer(function, &settings, describes));
    }
}

/// The names of all benchmarks: in the words of Divan, and as paths of `iai-callgrind`.
pub(crate) fn names() -> Vec<(String, String)> {
    let settings = settings();
    let mut names = Vec::new();
    for function in functions(&settings.file) {
        if is_wanted(&options(function), settings.ignored()) {
            let mut collect = |offered: Offered| {
                let path = format!("{}::{}", settings.root, registration::address(&offered));
                names.push((offered.title, path));
            };
            let named = named(function, &settings);
            (function.offer)(&mut Benchmarks::new(&named, Purpose::Collect(&mut collect)));
        }
    }
    names
}

/// Names of the options in attributes that mean nothing here.
pub(crate) fn without_effect() -> Vec<&'static str> {
    let mut names = Vec::new();
    // The order means nothing here, so no file comes first.
    for function in functions("") {
        names.extend(options(function).without_effect);
    }
    names
}

fn offer(function: &Function, settings: &Settings, describes: bool) {
    let mut named = named(function, settings);
    if registration::lists() {
        let options = options(function);
        if !is_wanted(&options, settings.ignored()) {
            return;
        }
        named.counters = options.counters;
        // Settings of `main` go over those of attributes.
        let timing = settings.divan.timing().over(options.timing);
        named.config = registration::timed(settings.config.clone(), timing.time());
        registration::calls(&named.function);
    }
    let purpose = Purpose::Offer {
        describe: describes && registration::lists(),
        skips: &|title| settings.divan.skips(title),
        counters: settings.counters(),
    };
    (function.offer)(&mut Benchmarks::new(&named, purpose));
}

fn is_wanted(options: &Options, ignored: Ignored) -> bool {
    match ignored {
        Ignored::Left => options.ignore != Some(true),
        Ignored::Included => true,
        Ignored::Only => options.ignore == Some(true),
    }
}

fn options(function: &Function) -> Options {
    let groups = groups_around(function.module).into_iter();
    let of_groups = groups.fold(Options::default(), |outer, (_, group)| {
        (group.options)().over(outer)
    });
    (function.options)().over(of_groups)
}

fn named(function: &Function, settings: &Settings) -> Named {
    let groups = groups_around(function.module);
    let mut path = Vec::new();
    let mut end = 0;
    for module in function.module.split("::") {
        end += module.len();
        let group = groups.iter().find(|(of_group, _)| *of_group == end);
        path.push(group.map_or(module, |(_, group)| (group.name)()).to_owned());
        end += "::".len();
    }
    // The crate of the bench file would be in every path.
    let is_own = root(function.module) == settings.root;
    let group = match path[usize::from(is_own)..].join("::") {
        none if none.is_empty() => ROOT.to_owned(),
        group => group,
    };
    Named {
        path,
        group,
        function: (function.name)().to_owned(),
        place: function.place,
        counters: Default::default(),
        config: None,
    }
}

/// Is this the process that writes down what the benchmarks are?
fn is_description() -> bool {
    let mut words = std::env::args_os().skip(1);
    words.next().is_some_and(|word| word == ROLE_ARGUMENT)
        && words.next().is_some_and(|word| word == "describe")
}
