//! Names as they are shown: short, unless two functions would look alike.

use std::borrow::Cow;
use std::collections::HashMap;

use super::digest::{Digest, FunctionId, SourceOrigin};
use super::names;
use super::pair::{FunctionPairs, PairNumber};

/// Names, files and owners of the functions of two builds. The new build says them if it has the function.
pub(super) struct ShownFunctions<'a> {
    old: &'a Digest,
    new: &'a Digest,
    pairs: &'a FunctionPairs,
    /// Number of functions with each short name.
    alike: HashMap<Cow<'a, str>, u32>,
}

impl<'a> ShownFunctions<'a> {
    pub(super) fn new(old: &'a Digest, new: &'a Digest, pairs: &'a FunctionPairs) -> Self {
        let mut shown = Self {
            old,
            new,
            pairs,
            alike: HashMap::new(),
        };
        for function in 0..pairs.len() as u32 {
            if shown.origin(function) != SourceOrigin::User {
                let short = names::short(shown.canonical(function));
                *shown.alike.entry(short).or_default() += 1;
            }
        }
        shown
    }

    /// The name. The user's functions have their whole path.
    pub(super) fn name(&self, function: PairNumber) -> String {
        let canonical = self.canonical(function);
        if self.origin(function) == SourceOrigin::User {
            return names::shown(canonical);
        }
        let short = names::short(canonical);
        match self.alike.get(&short) {
            Some(2..) => names::shown(names::without_std(canonical)),
            _ => names::shown(&short),
        }
    }

    /// The name of before, if the function was renamed.
    pub(super) fn renamed_from(&self, function: PairNumber) -> Option<String> {
        let pair = self.pairs.pairs.get(function as usize)?;
        let old = pair.old.filter(|_| pair.is_renamed)?;
        Some(names::shown(self.old.name(old)))
    }

    /// Owner of the function.
    pub(super) fn origin(&self, function: PairNumber) -> SourceOrigin {
        self.one(function)
            .map_or(SourceOrigin::Unknown, |(digest, function)| {
                digest.origin(function)
            })
    }

    /// File of the declaration.
    pub(super) fn file(&self, function: PairNumber) -> Option<String> {
        let (digest, function) = self.one(function)?;
        let file = digest.functions[function.index()].file?;
        Some(digest.text(digest.files[file.index()].path).to_owned())
    }

    fn canonical(&self, function: PairNumber) -> &'a str {
        self.one(function)
            .map_or("[unknown]", |(digest, function)| digest.name(function))
    }

    fn one(&self, function: PairNumber) -> Option<(&'a Digest, FunctionId)> {
        let pair = self.pairs.pairs.get(function as usize)?;
        let new = pair.new.map(|function| (self.new, function));
        new.or(pair.old.map(|function| (self.old, function)))
    }
}
