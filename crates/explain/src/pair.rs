//! Pairs: functions of two builds that are the same one.
//!
//! A function is its whole path. Names are canonical, so most functions have their equal. What is
//! left is a function with another mangling, or one that was moved or renamed and has the code of
//! before (`alike.rs`). Each rule takes only what is unique on both sides: a wrong pair would hide
//! two changes in one, and name the wrong place.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::alike::{self, CodeShapes, LoneFunctions};
use super::digest::{Digest, FunctionId, SourceOrigin};
use super::libraries::SystemLibraries;
use super::names;

/// Number of a function of both builds, from 0.
pub(super) type PairNumber = u32;

/// A function that is in at least one of two builds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FunctionPair {
    /// One of its instances in the old build.
    pub(super) old: Option<FunctionId>,
    /// One of its instances in the new build.
    pub(super) new: Option<FunctionId>,
    /// The name differs, and the code shows that it is the same function.
    pub(super) is_renamed: bool,
}

/// All functions of two builds.
#[derive(Debug)]
pub struct FunctionPairs {
    pub(super) pairs: Vec<FunctionPair>,
    /// Pair of each function of the old build.
    pub(super) old: Vec<PairNumber>,
    /// Pair of each function of the new build.
    pub(super) new: Vec<PairNumber>,
    /// Pairs that are a library of the system.
    pub(super) libraries: BTreeMap<PairNumber, Box<str>>,
}

/// One build during the search for pairs.
struct PairedBuild<'a> {
    digest: &'a Digest,
    /// Bodies of each function: whether one is there, and whether one is own.
    bodies: Vec<Bodies>,
    /// The system library as which each function is shown.
    libraries: Vec<Option<&'a str>>,
}

#[derive(Clone, Copy, Default)]
struct Bodies {
    are_there: bool,
    are_own: bool,
}

impl<'a> PairedBuild<'a> {
    fn new(digest: &'a Digest, libraries: Vec<Option<&'a str>>) -> Self {
        let mut bodies = vec![Bodies::default(); digest.functions.len()];
        for body in &digest.bodies {
            let known = &mut bodies[body.function.index()];
            known.are_own |= digest.objects[body.object.index()].is_own;
            known.are_there = true;
        }
        Self {
            digest,
            bodies,
            libraries,
        }
    }

    /// Is it a function of the executable? A function of a library with the same name is a
    /// different one.
    fn is_own(&self, function: FunctionId) -> bool {
        let bodies = self.bodies[function.index()];
        bodies.are_own || !bodies.are_there
    }

    fn is_root(&self, function: FunctionId) -> bool {
        let mut roots = self.digest.head.roots.iter();
        roots.any(|root| self.digest.bodies[root.index()].function == function)
    }

    /// `Tr::f` of a method that a trait provides: some manglings have the type in its name, and
    /// others have not.
    fn provided_method(&self, function: FunctionId) -> Option<String> {
        let name = self.digest.name(function);
        let segments = names::segments(name);
        let first = segments.first()?;
        match names::implemented_trait(first) {
            Some((of_crate, implemented)) => {
                Some(format!("{of_crate} {implemented}{}", &name[first.len()..]))
            }
            None if segments.len() > 2 => Some(format!("{first} {}", names::last(name, 2))),
            None => None,
        }
    }

    /// Does the name have a type before the method of a trait?
    fn has_type(&self, function: FunctionId) -> bool {
        let name = self.digest.name(function);
        name.starts_with('<') && !name.starts_with("<_ as ")
    }

    /// Place of the declaration outside of the user's files, where lines move with the version
    /// only.
    fn declaration(&self, function: FunctionId) -> Option<(&'a str, Option<&'a str>, u32)> {
        let function = self.digest.functions[function.index()];
        let file = self.digest.files[function.file?.index()];
        let is_fixed = matches!(file.origin, SourceOrigin::Std | SourceOrigin::Package);
        let package = file.package.map(|package| self.digest.text(package));
        let path = self.digest.text(file.path);
        (is_fixed && function.line > 0).then_some((path, package, function.line))
    }

    /// The file, with its package of any version, and the function's own name.
    fn file_and_end(&self, function: FunctionId) -> Option<(&'a str, &'a str, &'a str)> {
        let name = names::last(self.digest.name(function), 1);
        let file = self.digest.functions[function.index()].file?;
        let file = self.digest.files[file.index()];
        let package = file.package.map_or("", |package| self.digest.text(package));
        let package = package.split(' ').next().unwrap_or_default();
        Some((package, self.digest.text(file.path), name))
    }
}

impl FunctionPairs {
    /// Finds the pairs of two builds.
    #[must_use]
    pub fn find(old: &Digest, new: &Digest) -> Self {
        let libraries = SystemLibraries::find(old, new);
        let old = PairedBuild::new(old, libraries.old);
        let new = PairedBuild::new(new, libraries.new);
        let mut pairs = Self {
            pairs: Vec::with_capacity(new.digest.functions.len()),
            old: Vec::with_capacity(old.digest.functions.len()),
            new: Vec::with_capacity(new.digest.functions.len()),
            libraries: BTreeMap::new(),
        };
        // From the surest rule to the weakest: each sees only functions that are still alone.
        pairs.by_name(&old, &new);
        pairs.without_path(&old, &new);
        // The measured function is the same benchmark, whatever its name is now.
        pairs.unique(&old, &new, |build, function| {
            build.is_root(function).then_some(())
        });
        // Legacy names of a provided method are without the type, and v0 names have it.
        for old_has_type in [true, false] {
            pairs.unique(&old, &new, |build, function| {
                let is_old = std::ptr::eq(build.digest, old.digest);
                let has_type = build.has_type(function);
                (has_type == (is_old == old_has_type))
                    .then(|| build.provided_method(function))
                    .flatten()
            });
        }
        pairs.unique(&old, &new, PairedBuild::declaration);
        // Last, since it compares callees by the pairs of all other rules.
        pairs.moved(&old, &new);
        for (numbers, build) in [(&pairs.old, &old), (&pairs.new, &new)] {
            let named = numbers.iter().zip(&build.libraries);
            let named = named.filter_map(|(pair, library)| Some((*pair, (*library)?.into())));
            pairs.libraries.extend(named);
        }
        pairs
    }

    /// Number of pairs.
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    fn by_name<'a>(&mut self, old: &PairedBuild<'a>, new: &PairedBuild<'a>) {
        let mut known: HashMap<(&'a str, bool), PairNumber> = HashMap::new();
        let mut number =
            |build: &PairedBuild<'a>, function: FunctionId, pairs: &mut Vec<FunctionPair>| {
                let library = build.libraries[function.index()];
                // All functions of such a library get its name, and so become one.
                let name = library.unwrap_or(build.digest.name(function));
                let name = (name, build.is_own(function));
                let next = pairs.len() as u32;
                let number = *known.entry(name).or_insert(next);
                if number == next {
                    pairs.push(FunctionPair::default());
                }
                number
            };
        // The old side first, so that a function of the new side alone has a higher number than
        // each old one: `join` depends on it.
        for function in functions(old.digest) {
            let number = number(old, function, &mut self.pairs);
            self.pairs[number as usize].old.get_or_insert(function);
            self.old.push(number);
        }
        for function in functions(new.digest) {
            let number = number(new, function, &mut self.pairs);
            self.pairs[number as usize].new.get_or_insert(function);
            self.new.push(number);
        }
    }

    /// Joins inlined functions that have no path, because only line tables were compiled in, with
    /// the only function of their file that has this name and a path.
    fn without_path(&mut self, old: &PairedBuild<'_>, new: &PairedBuild<'_>) {
        let mut with_path: HashMap<_, Vec<PairNumber>> = HashMap::new();
        let mut without = Vec::new();
        for (number, pair) in self.pairs.iter().enumerate() {
            let new = pair.new.map(|function| (new, function));
            let Some((build, function)) = new.or(pair.old.map(|function| (old, function))) else {
                continue;
            };
            let sign = build.file_and_end(function);
            let Some(sign) = sign.filter(|_| build.is_own(function)) else {
                continue;
            };
            match build.digest.name(function).contains("::") {
                true => with_path.entry(sign).or_default().push(number as u32),
                false => without.push((sign, number as u32)),
            }
        }
        let mut joined: Vec<Option<PairNumber>> = vec![None; self.pairs.len()];
        for (sign, bare) in without {
            if let Some([full]) = with_path.get(&sign).map(|found| &found[..]) {
                // Always into the lower number, as `join` expects.
                let (into, from) = (bare.min(*full), bare.max(*full));
                if joined[into as usize].is_none() && joined[from as usize].is_none() {
                    let [bare, full] = [bare, *full].map(|pair| self.pairs[pair as usize]);
                    self.pairs[into as usize].old = full.old.or(bare.old);
                    self.pairs[into as usize].new = full.new.or(bare.new);
                    joined[from as usize] = Some(into);
                }
            }
        }
        self.join(&joined);
    }

    /// Pairs functions that are alone by a sign that is unique on both sides among these.
    fn unique<'a, K: Eq + Hash>(
        &mut self,
        old: &PairedBuild<'a>,
        new: &PairedBuild<'a>,
        sign: impl Fn(&PairedBuild<'a>, FunctionId) -> Option<K>,
    ) {
        let mut signs: HashMap<(K, bool), [Vec<PairNumber>; 2]> = HashMap::new();
        for (number, pair) in self.pairs.iter().enumerate() {
            let (side, build, function) = match *pair {
                FunctionPair {
                    old: Some(function),
                    new: None,
                    ..
                } => (0, old, function),
                FunctionPair {
                    old: None,
                    new: Some(function),
                    ..
                } => (1, new, function),
                _ => continue,
            };
            if let Some(sign) = sign(build, function) {
                let sign = (sign, build.is_own(function));
                signs.entry(sign).or_default()[side].push(number as u32);
            }
        }
        let mut joined: Vec<Option<PairNumber>> = vec![None; self.pairs.len()];
        for found in signs.into_values() {
            if let ([old], [new]) = (&found[0][..], &found[1][..]) {
                joined[*new as usize] = Some(*old);
                let new = self.pairs[*new as usize].new;
                self.pairs[*old as usize].new = new;
            }
        }
        self.join(&joined);
    }

    /// Pairs functions that have another name and the code of before.
    fn moved(&mut self, old: &PairedBuild<'_>, new: &PairedBuild<'_>) {
        let mut alone = [LoneFunctions::new(), LoneFunctions::new()];
        for (number, pair) in (0..).zip(&self.pairs) {
            match (pair.old, pair.new) {
                (Some(function), None) => drop(alone[0].insert(function, number)),
                (None, Some(function)) => drop(alone[1].insert(function, number)),
                _ => {}
            }
        }
        // Without a candidate on each side, the shapes of all code need not be collected.
        if alone.iter().any(LoneFunctions::is_empty) {
            return;
        }
        let builds = [old, new].map(|build| CodeShapes::new(build.digest));
        let moved = alike::moved(builds.each_ref(), alone.each_ref(), [&self.old, &self.new]);
        let mut joined: Vec<Option<PairNumber>> = vec![None; self.pairs.len()];
        for (before, now) in moved {
            if old.is_own(before) == new.is_own(now) {
                let [into, from] = [alone[0][&before], alone[1][&now]];
                joined[from as usize] = Some(into);
                self.pairs[into as usize].new = Some(now);
                self.pairs[into as usize].is_renamed = true;
            }
        }
        self.join(&joined);
    }

    /// Removes pairs that were merged into another one, and renumbers the others.
    fn join(&mut self, joined: &[Option<PairNumber>]) {
        let mut number = 0;
        let mut numbers = Vec::with_capacity(joined.len());
        for into in joined {
            // A pair is joined to one with a lower number.
            numbers.push(match into {
                Some(old) => numbers[*old as usize],
                None => number,
            });
            number += u32::from(into.is_none());
        }
        if number as usize == joined.len() {
            return;
        }
        let mut is_left = joined.iter().map(Option::is_none);
        self.pairs.retain(|_| is_left.next().unwrap_or(true));
        for pair in self.old.iter_mut().chain(&mut self.new) {
            *pair = numbers[*pair as usize];
        }
    }
}

fn functions(digest: &Digest) -> impl Iterator<Item = FunctionId> {
    (0..digest.functions.len() as u32).map(FunctionId)
}

#[cfg(test)]
mod tests {
    use super::super::digest::ObjectId;
    use super::super::sample;
    use super::*;

    /// Names of the pairs as `old = new`, without those that are alone.
    #[track_caller]
    fn check(old: &Digest, new: &Digest, expected: &[&str]) {
        let pairs = FunctionPairs::find(old, new);
        let texts = pairs.pairs.iter().filter_map(|pair| {
            let (old, new) = (old.name(pair.old?), new.name(pair.new?));
            let sign = if pair.is_renamed { "->" } else { "=" };
            Some(format!("{old} {sign} {new}"))
        });
        let mut texts: Vec<String> = texts.collect();
        texts.sort_unstable();
        assert_eq!(texts, expected);
        let back = FunctionPairs::find(new, old);
        assert_eq!(back.len(), pairs.len());
        for (number, function) in pairs.old.iter().zip(functions(old)) {
            assert!(pairs.pairs[*number as usize].old.is_some(), "{function:?}");
        }
        for (number, function) in pairs.new.iter().zip(functions(new)) {
            assert!(pairs.pairs[*number as usize].new.is_some(), "{function:?}");
        }
    }

    fn named(names: &[&str]) -> Digest {
        let rows = names
            .iter()
            .zip(1..)
            .map(|(name, hash)| format!("body {name} {hash}\nown {name}:1 = 1\n"));
        sample::digest(&rows.collect::<String>())
    }

    /// Makes hashes of the code and lines of declarations others than those of any function before.
    fn moved(mut digest: Digest, by: u32) -> Digest {
        for body in &mut digest.bodies {
            body.code_hash += u64::from(by);
        }
        for (function, line) in digest.functions.iter_mut().zip(by..) {
            function.line = line;
        }
        digest
    }

    #[test]
    fn equal_names_come_first() {
        let old = named(&["lab::f", "lab::g", "malloc"]);
        let new = named(&["malloc", "lab::g", "lab::h"]);
        check(
            &old,
            &moved(new, 100),
            &["lab::g = lab::g", "malloc = malloc"],
        );
    }

    #[test]
    fn inlined_functions_without_path_are_those_of_their_file() {
        // `named` gives all functions of a crate the same file.
        let bare = |names: &[&str]| {
            let mut digest = named(names);
            let file = digest.functions[0].file;
            for function in &mut digest.functions {
                function.file = file;
            }
            for body in &mut digest.bodies {
                body.object = digest
                    .objects
                    .iter()
                    .position(|object| object.is_own)
                    .map(|own| ObjectId(own as u32))
                    .unwrap();
            }
            digest
        };
        let old = bare(&["lab::f", "lab::a::g", "g"]);
        let new = moved(bare(&["lab::f", "g"]), 100);
        let pairs = FunctionPairs::find(&old, &new);
        assert_eq!(
            (&pairs.old[..], &pairs.new[..]),
            (&[0, 1, 1][..], &[0, 1][..])
        );
        // Two functions of that name may be meant.
        let old = bare(&["lab::a::g", "lab::b::g"]);
        let new = moved(bare(&["lab::f", "g"]), 100);
        assert_eq!(FunctionPairs::find(&old, &new).len(), 4);
    }

    #[test]
    fn functions_of_libraries_are_others() {
        let old = named(&["lab::f"]);
        let mut new = moved(named(&["lab::f"]), 100);
        new.objects[0].is_own = false;
        check(&old, &new, &[]);
    }

    #[test]
    fn traits_and_ends_of_names_are_next() {
        let old = named(&["<A as Tr>::f", "dep::a::X::g", "dep::one", "a::x::Y::f"]);
        let new = named(&["<_ as Tr>::f", "dep::b::X::g", "dep::two", "b::x::Y::f"]);
        check(
            &moved(old, 50),
            &moved(new, 100),
            &["<A as Tr>::f = <_ as Tr>::f"],
        );
        // Other types are other functions.
        let old = named(&["<lab::A as lab::Tr>::f"]);
        let new = named(&["<lab::B as lab::Tr>::f"]);
        check(&moved(old, 50), &moved(new, 100), &[]);
        let old = named(&["<lab::A as std::iter::Iterator>::map::{closure}"]);
        let new = named(&["std::iter::Iterator::map::{closure}"]);
        check(
            &moved(old, 50),
            &moved(new, 100),
            &["<lab::A as std::iter::Iterator>::map::{closure} = std::iter::Iterator::map::{closure}"],
        );
        // An ambiguous name is not paired.
        let old = named(&["<A as Tr>::f", "<B as Tr>::f"]);
        let new = named(&["<_ as Tr>::f"]);
        check(&moved(old, 50), &moved(new, 100), &[]);
    }

    #[test]
    fn lines_of_packages_that_did_not_change_are_the_same() {
        let old = moved(named(&["dep::one", "lab::a"]), 50);
        let mut new = moved(named(&["dep::two", "lab::b"]), 100);
        new.functions[0].line = old.functions[0].line;
        new.functions[1].line = old.functions[1].line;
        check(&old, &new, &["dep::one = dep::two"]);
        for text in &mut new.strings {
            if **text == *"dep 1.0.0" {
                *text = "dep 1.0.1".into();
            }
        }
        check(&old, &new, &[]);
    }

    #[test]
    fn moved_and_renamed_functions_are_found() {
        // Other code in another module is another function, whatever its last name.
        let old = moved(named(&["lab::a::f"]), 50);
        let new = moved(named(&["lab::b::c::f"]), 100);
        check(&old, &new, &[]);
        let old = named(&["lab::one", "lab::two"]);
        let mut new = moved(named(&["lab::uno", "lab::dos"]), 100);
        new.bodies[1].code_hash = 1;
        check(&old, &new, &["lab::one -> lab::dos"]);
        // Unknown code is not equal code.
        new.bodies[1].code_hash = 0;
        let mut old = old;
        old.bodies[0].code_hash = 0;
        check(&old, &new, &[]);
    }

    /// A module with two functions, one of which calls the other.
    fn module(name: &str, run: u64, step: u64) -> Digest {
        sample::digest(&format!(
            "root lab::bench
            call lab::bench:1 -> lab::{name}::run 1 = 30
            shape lab::{name}::run {run}
            body lab::{name}::run {run}{step}
            call lab::{name}::run:2 -> lab::{name}::step 10 = 20
            shape lab::{name}::step {step}
            body lab::{name}::step {step}
            own lab::{name}::step:3 = 20"
        ))
    }

    #[test]
    fn a_function_that_calls_moved_ones_moves_with_them() {
        let bench = "lab::bench = lab::bench";
        check(
            &module("a", 5, 6),
            &module("b", 5, 6),
            &[
                "lab::a::run -> lab::b::run",
                "lab::a::step -> lab::b::step",
                bench,
            ],
        );
        // The callers are alike, and call something else.
        check(&module("a", 5, 6), &module("b", 5, 7), &[bench]);
        check(
            &module("a", 5, 6),
            &module("b", 4, 6),
            &["lab::a::step -> lab::b::step", bench],
        );
    }

    #[test]
    fn roots_are_the_same_whatever_their_name() {
        let old = moved(sample::digest("root lab::one\nown lab::one:1 = 1"), 50);
        let new = moved(sample::digest("root lab::uno\nown lab::uno:1 = 1"), 100);
        check(&old, &new, &["lab::one = lab::uno"]);
    }
}
