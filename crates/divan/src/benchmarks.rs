//! The benchmarks of one function: named, described and offered, and one of them entered.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::panic::Location;

use iai_callgrind::__internal::registration::{self, Offered};
use iai_callgrind::__internal::{discard, measured, Config};

use crate::arguments::{ByReference, ByValue};
use crate::bencher::{described, Bencher};
use crate::counter::Counters;

/// Properties that all benchmarks of a function share.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    /// The modules and groups around it, from the crate on.
    pub(crate) path: Vec<String>,
    /// Name of the group, as `iai-callgrind` has it.
    pub(crate) group: String,
    pub(crate) function: String,
    pub(crate) place: &'static Location<'static>,
    pub(crate) counters: Counters,
    pub(crate) config: Option<Config>,
}

/// Purpose of a walk over the registered benchmarks.
pub(crate) enum Purpose<'a> {
    /// They are named, and that is all.
    Collect(&'a mut dyn FnMut(Offered)),
    Offer {
        /// Are selected functions with a `Bencher` called, for the counters that they set?
        describe: bool,
        /// Is a benchmark with this title left out of lists?
        skips: &'a dyn Fn(&str) -> bool,
        /// Counters that go over all others.
        counters: Counters,
    },
}

/// Goes through the benchmarks of a function.
pub struct Benchmarks<'a> {
    named: &'a Named,
    purpose: Purpose<'a>,
    /// Names of types and values that generics have.
    labels: Vec<String>,
    /// Names so far.
    seen: BTreeSet<String>,
}

impl<'a> Benchmarks<'a> {
    pub(crate) fn new(named: &'a Named, purpose: Purpose<'a>) -> Self {
        Self {
            named,
            purpose,
            labels: Vec::new(),
            seen: BTreeSet::new(),
        }
    }

    /// Goes on with a generic parameter filled in.
    pub fn with(&mut self, label: String, instance: impl FnOnce(&mut Self)) {
        self.labels.push(label);
        instance(self);
        self.labels.pop();
    }

    /// A function without parameters.
    pub fn plain<O>(&mut self, function: impl Fn() -> O) {
        if self.is_asked(None, |_| {}) {
            discard(measured(move |()| function(), ()));
        }
    }

    /// A function with a `Bencher`.
    pub fn contextual(&mut self, function: impl Fn(Bencher<'_, '_>)) {
        if self.is_asked(None, &function) {
            function(Bencher::measuring());
        }
    }

    /// A function whose parameter is an element of the list.
    pub fn values<Q: ByValue<P>, P, O>(
        &mut self,
        elements: impl IntoIterator<Item = Q>,
        text: impl Fn(&Q) -> String,
        function: impl Fn(P) -> O,
    ) {
        for element in elements {
            if self.is_asked(Some(text(&element)), |_| {}) {
                discard(measured(&function, element.value()));
            }
        }
    }

    /// A function whose parameter is a reference to an element of the list.
    pub fn references<Q: ByReference<T> + 'static, T: ?Sized + 'static, O>(
        &mut self,
        elements: impl IntoIterator<Item = Q>,
        text: impl Fn(&Q) -> String,
        function: impl Fn(&'static T) -> O,
    ) {
        for element in elements {
            if self.is_asked(Some(text(&element)), |_| {}) {
                discard(measured(&function, kept(element).reference()));
            }
        }
    }

    /// A function with a `Bencher` and an element of the list.
    pub fn contextual_values<Q: ByValue<P>, P>(
        &mut self,
        elements: impl IntoIterator<Item = Q>,
        text: impl Fn(&Q) -> String,
        function: impl Fn(Bencher<'_, '_>, P),
    ) {
        for element in elements {
            let describe = |bencher: Bencher<'_, '_>| function(bencher, element.value());
            if self.is_asked(Some(text(&element)), describe) {
                function(Bencher::measuring(), element.value());
            }
        }
    }

    /// A function with a `Bencher` and a reference to an element of the list.
    pub fn contextual_references<Q: ByReference<T> + 'static, T: ?Sized + 'static>(
        &mut self,
        elements: impl IntoIterator<Item = Q>,
        text: impl Fn(&Q) -> String,
        function: impl Fn(Bencher<'_, '_>, &'static T),
    ) {
        for element in elements {
            let text = text(&element);
            let element = kept(element);
            let describe = |bencher: Bencher<'_, '_>| function(bencher, element.reference());
            if self.is_asked(Some(text), describe) {
                function(Bencher::measuring(), element.reference());
            }
        }
    }

    /// Offers the next benchmark. `describe` calls its function with a `Bencher` that calls
    /// nothing.
    fn is_asked(&mut self, argument: Option<String>, describe: impl Fn(Bencher<'_, '_>)) -> bool {
        let mut parameters = self.labels.clone();
        parameters.extend(argument);
        // In each process, whatever it was asked for: the numbers follow from the names before.
        self.make_unique(&mut parameters);
        let named = self.named;
        let mut offered = Offered {
            group: named.group.clone(),
            function: named.function.clone(),
            parameter: Some(parameters.join("/")).filter(|_| !parameters.is_empty()),
            title: title(named, &parameters),
            place: Some(named.place),
            throughput: None,
            config: named.config.clone(),
        };
        match &mut self.purpose {
            Purpose::Collect(collect) => {
                collect(offered);
                false
            }
            Purpose::Offer {
                describe: is_described,
                skips,
                counters,
            } => {
                // Processes that run a benchmark find it by its place, so these leave out nothing.
                if registration::lists() && skips(&offered.title) {
                    return false;
                }
                let own = match *is_described && registration::describes(&offered) {
                    true => {
                        registration::calls(&offered.title);
                        described(describe)
                    }
                    false => Counters::default(),
                };
                // Those of the command line and of `main` go over the benchmark's, and these over
                // its attribute's.
                let counters = counters.over(own.over(named.counters));
                offered.throughput = counters.throughput();
                registration::offer(&offered)
            }
        }
    }

    /// Numbers names that occur again, also where they differ in characters only that files and
    /// paths cannot have.
    fn make_unique(&mut self, parameters: &mut [String]) {
        let Some(last) = parameters.len().checked_sub(1) else {
            return;
        };
        let first = parameters[last].clone();
        let mut number = 1;
        while !self.seen.insert(plain(&parameters.join("/"))) {
            number += 1;
            parameters[last] = format!("{first}-{number}");
        }
    }
}

fn plain(text: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    text.chars().map(plain).collect()
}

/// The name of a benchmark as Divan has it.
fn title(named: &Named, parameters: &[String]) -> String {
    let path = named.path.iter().map(String::as_str);
    let parameters = parameters.iter().map(String::as_str);
    let parts: Vec<&str> = path
        .chain([named.function.as_str()])
        .chain(parameters)
        .collect();
    parts.join("::")
}

/// The element for as long as the process runs, which is one benchmark.
fn kept<Q>(element: Q) -> &'static Q {
    Box::leak(Box::new(element))
}

/// The value of a const generic.
pub fn text(value: &impl Display) -> String {
    value.to_string()
}

/// The name of a type, without the modules that it is in. Those of its own parameters stay.
#[must_use]
pub fn type_name<T: ?Sized>() -> String {
    short(std::any::type_name::<T>()).to_owned()
}

fn short(name: &str) -> &str {
    // The `::` of generic parameters are none of the type's own path.
    let end = name.find(['<', '(', '[', ' ']).unwrap_or(name.len());
    match name[..end].rfind("::") {
        Some(colons) => &name[colons + "::".len()..],
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(offer: impl Fn(&mut Benchmarks<'_>)) -> Vec<String> {
        let named = Named {
            path: vec!["bench".to_owned(), "group".to_owned()],
            group: "group".to_owned(),
            function: "function".to_owned(),
            place: Location::caller(),
            counters: Counters::default(),
            config: None,
        };
        let mut titles = Vec::new();
        let mut collect = |offered: Offered| {
            let title = offered.title.strip_prefix("bench::group::function");
            titles.push(title.unwrap().to_owned());
        };
        offer(&mut Benchmarks::new(&named, Purpose::Collect(&mut collect)));
        titles
    }

    #[test]
    fn titles_have_types_values_and_arguments() {
        assert_eq!(titles(|all| all.plain(|| 1)), [""]);
        let of_generics = titles(|all| {
            for label in ["u8", "u16"] {
                all.with(label.to_owned(), |all| {
                    all.values([1, 2], i32::to_string, |n: i32| n)
                });
            }
        });
        assert_eq!(of_generics, ["::u8::1", "::u8::2", "::u16::1", "::u16::2"]);
    }

    #[test]
    fn names_that_occur_again_are_numbered() {
        let texts = ["a b", "a_b", "a b", "c"];
        let text = |text: &&str| (*text).to_owned();
        let titles = titles(|all| all.references(texts, text, |text: &str| text.len()));
        assert_eq!(titles, ["::a b", "::a_b-2", "::a b-3", "::c"]);
    }

    #[test]
    fn names_of_types_are_short() {
        assert_eq!(type_name::<String>(), "String");
        assert_eq!(type_name::<Vec<String>>(), "Vec<alloc::string::String>");
        assert_eq!(type_name::<&str>(), "&str");
        assert_eq!(type_name::<(u8, String)>(), "(u8, alloc::string::String)");
        assert_eq!(type_name::<&[String]>(), "&[alloc::string::String]");
        assert_eq!(type_name::<&std::path::Path>(), "Path");
    }
}
