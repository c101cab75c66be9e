//! Names as they are shown: short, unless two functions would look alike.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::digest::{Digest, FunctionId, SourceOrigin};
use super::names;
use super::pair::{FunctionPairs, PairNumber};

/// Names, files and owners of the functions of two builds, by the new one if it has the function.
pub(super) struct ShownFunctions<'a> {
    old: &'a Digest,
    new: &'a Digest,
    pairs: &'a FunctionPairs,
    /// Names of the functions with each short name.
    alike: HashMap<Cow<'a, str>, Vec<&'a str>>,
    /// Functions of the same code with each name, where the compiler merged some.
    merged: HashMap<&'a str, BTreeSet<&'a str>>,
}

/// The shortest end of a name, in whole segments, that no other function with this short name has.
fn told_apart<'a>(name: &'a str, alike: &[&str]) -> &'a str {
    let whole = names::without_std(name);
    // In `<X as Tr>::f` the type at the beginning is what tells two functions apart.
    if whole.contains('<') {
        return whole;
    }
    let segments = names::segments(whole).len();
    let parts = (2..segments).map(|count| (count, names::last(whole, count)));
    let mut unique = parts.filter(|(count, part)| {
        let is_other = |other: &&&str| **other != name;
        let mut others = alike.iter().filter(is_other);
        others.all(|other| names::last(names::without_std(other), *count) != *part)
    });
    unique.next().map_or(whole, |(_, part)| part)
}

/// For each name of merged code, all names of that code.
fn merged<'a>(old: &'a Digest, new: &'a Digest) -> HashMap<&'a str, BTreeSet<&'a str>> {
    let mut merged: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for digest in [old, new] {
        for names in digest.merged.chunk_by(|a, b| a.0 == b.0) {
            let first = digest.name(digest.bodies[names[0].0.index()].function);
            let others = names.iter().map(|(_, name)| digest.text(*name));
            let all: Vec<&str> = others.chain([first]).collect();
            for name in &all {
                merged.entry(name).or_default().extend(&all);
            }
        }
    }
    merged
}

impl<'a> ShownFunctions<'a> {
    pub(super) fn new(old: &'a Digest, new: &'a Digest, pairs: &'a FunctionPairs) -> Self {
        let mut shown = Self {
            old,
            new,
            pairs,
            alike: HashMap::new(),
            merged: merged(old, new),
        };
        for function in 0..pairs.len() as u32 {
            // Functions of the user are shown with their whole path, so only others can look alike.
            if shown.origin(function) != SourceOrigin::User {
                let short = shown.short(function);
                let canonical = shown.canonical(function);
                shown.alike.entry(short).or_default().push(canonical);
            }
        }
        shown
    }

    /// The name. The user's functions have their whole path.
    pub(super) fn name(&self, function: PairNumber) -> String {
        let canonical = self.canonical(function);
        if self.origin(function) == SourceOrigin::User {
            let named = self.with_stem(function);
            return names::shown(named.as_deref().unwrap_or(canonical));
        }
        let short = self.short(function);
        match self.alike.get(&short) {
            // A function of C has no path that could be added.
            Some(alike) if alike.len() > 1 && canonical.contains("::") => {
                names::shown(told_apart(canonical, alike))
            }
            _ => names::shown(&short),
        }
    }

    /// Names of other functions that were merged with this one.
    pub(super) fn merged_with(&self, function: PairNumber) -> Vec<String> {
        let name = self.canonical(function);
        let names = self.merged.get(name).into_iter().flatten();
        let others = names.filter(|other| **other != name);
        others.map(|other| names::shown(other)).collect()
    }

    fn short(&self, function: PairNumber) -> Cow<'a, str> {
        match self.with_stem(function) {
            Some(named) => named.into(),
            None => names::short(self.canonical(function)),
        }
    }

    /// The name with that of its file, where only lines were compiled in and so the path of an
    /// inlined function is not known.
    fn with_stem(&self, function: PairNumber) -> Option<String> {
        let name = self.canonical(function);
        if name.contains("::") {
            return None;
        }
        let file = self.file(function)?;
        let path = file.strip_suffix(".rs")?;
        // `user/mod.rs` is the module `user`.
        let path = path.strip_suffix("/mod").unwrap_or(path);
        let stem = path.rsplit('/').next()?;
        Some(format!("{stem}::{name}"))
    }

    /// The name of before, if the function was renamed.
    pub(super) fn renamed_from(&self, function: PairNumber) -> Option<String> {
        let pair = self.pairs.pairs.get(function as usize)?;
        let old = pair.old.filter(|_| pair.is_renamed)?;
        Some(names::shown(self.old.name(old)))
    }

    /// Is it a system library, which is shown as one function?
    pub(super) fn is_library(&self, function: PairNumber) -> bool {
        self.pairs.libraries.contains_key(&function)
    }

    /// Owner of the function.
    pub(super) fn origin(&self, function: PairNumber) -> SourceOrigin {
        if self.is_library(function) {
            return SourceOrigin::System;
        }
        self.one(function)
            .map_or(SourceOrigin::Unknown, |(digest, function)| {
                digest.origin(function)
            })
    }

    /// File of the declaration.
    pub(super) fn file(&self, function: PairNumber) -> Option<String> {
        if self.is_library(function) {
            return None;
        }
        let (digest, function) = self.one(function)?;
        let file = digest.functions[function.index()].file?;
        Some(digest.text(digest.files[file.index()].path).to_owned())
    }

    /// The name by which functions are paired.
    pub(super) fn canonical(&self, function: PairNumber) -> &'a str {
        if let Some(library) = self.pairs.libraries.get(&function) {
            return library;
        }
        self.one(function)
            .map_or("[unknown]", |(digest, function)| digest.name(function))
    }

    fn one(&self, function: PairNumber) -> Option<(&'a Digest, FunctionId)> {
        let pair = self.pairs.pairs.get(function as usize)?;
        let new = pair.new.map(|function| (self.new, function));
        let old = pair.old.map(|function| (self.old, function));
        // A build with line tables only has no path of an inlined function; the other one may have.
        let has_path =
            |(digest, function): &(&Digest, FunctionId)| digest.name(*function).contains("::");
        new.filter(has_path)
            .or(old.filter(has_path))
            .or(new)
            .or(old)
    }
}
