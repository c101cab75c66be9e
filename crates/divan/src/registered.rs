//! The entries of all attributes, collected by the linker as `iai-callgrind` collects its own, and
//! in the order of the source.

use std::panic::Location;

use iai_callgrind::__internal::Package;

use crate::benchmarks::Benchmarks;
use crate::options::Options;

/// Entry of the registry that an attribute generates.
#[derive(Debug)]
pub enum Entry {
    Function(Function),
    Group(Group),
}

/// `#[divan::bench]`.
#[derive(Debug)]
pub struct Function {
    pub package: Package,
    /// Path of the module, from the crate on.
    pub module: &'static str,
    pub place: &'static Location<'static>,
    pub name: fn() -> &'static str,
    pub options: fn() -> Options,
    pub offer: fn(&mut Benchmarks<'_>),
}

/// `#[divan::bench_group]`.
#[derive(Debug)]
pub struct Group {
    /// Path of the module, from the crate on.
    pub module: &'static str,
    pub name: fn() -> &'static str,
    pub options: fn() -> Options,
}

/// One entry of the section.
pub type Registered = Option<&'static Entry>;

/// Puts an entry into the section.
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ($entry:expr) => {
        $crate::__private::iai_callgrind::__register_entry!(
            $crate::__private::Registered,
            ::core::option::Option::Some(&$entry),
            "iai_dv_0_17_0",
            "__DATA,iai_dv_0_17_0",
            $crate::__private::register_entry
        );
    };
}

iai_callgrind::__section!(
    Registered,
    "iai_dv_0_17_0",
    "__start_iai_dv_0_17_0",
    "__stop_iai_dv_0_17_0",
    "__DATA,iai_dv_0_17_0",
    "\x01section$start$__DATA$iai_dv_0_17_0",
    "\x01section$end$__DATA$iai_dv_0_17_0"
);

#[cfg(windows)]
pub use section::register;

/// All functions. The linker's order means nothing; the source's does: first the file with this
/// path, and then the others.
pub(crate) fn functions(main: &str) -> Vec<&'static Function> {
    let mut functions: Vec<_> = entries()
        .filter_map(|entry| match entry {
            Entry::Function(function) => Some(function),
            Entry::Group(_) => None,
        })
        .collect();
    functions.sort_by_key(|function| {
        let place = function.place;
        (
            place.file() != main,
            place.file(),
            place.line(),
            place.column(),
        )
    });
    functions
}

/// The groups that a module lies in, from the outermost one on, each with the end of its path in
/// that of the module.
pub(crate) fn groups_around(module: &str) -> Vec<(usize, &'static Group)> {
    let mut groups: Vec<_> = entries()
        .filter_map(|entry| match entry {
            Entry::Group(group) => Some(group),
            Entry::Function(_) => None,
        })
        .filter(|group| is_in(module, group.module))
        .map(|group| (group.module.len(), group))
        .collect();
    groups.sort_by_key(|(end, _)| *end);
    groups
}

/// The crate that a module is in.
pub(crate) fn root(module: &str) -> &str {
    module.split("::").next().unwrap_or_default()
}

fn entries() -> impl Iterator<Item = &'static Entry> {
    section::entries().iter().flatten().copied()
}

fn is_in(module: &str, outer: &str) -> bool {
    let rest = module.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attributes take literals only, so a release has to change them.
    #[test]
    fn the_section_has_the_version_in_its_name() {
        let version = env!("CARGO_PKG_VERSION").replace('.', "_");
        let source = include_str!("registered.rs");
        let mut names = 0;
        for rest in source.split("iai_dv_").skip(1) {
            if rest.starts_with(|first: char| first.is_ascii_digit()) {
                assert_eq!(rest.split('"').next(), Some(version.as_str()));
                names += 1;
            }
        }
        assert_eq!(names, 8);
        assert!("iai_dv_".len() + version.len() <= 16);
    }

    #[test]
    fn modules_lie_in_whole_names() {
        assert!(is_in("a::b", "a") && is_in("a::b", "a::b"));
        assert!(!is_in("a::bc", "a::b") && !is_in("a", "a::b"));
    }
}
