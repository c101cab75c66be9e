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
                let short = shown.short(function);
                *shown.alike.entry(short).or_default() += 1;
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
            Some(2..) if canonical.contains("::") => names::shown(names::without_std(canonical)),
            _ => names::shown(&short),
        }
    }

    fn short(&self, function: PairNumber) -> Cow<'a, str> {
        match self.with_stem(function) {
            Some(named) => named.into(),
            None => names::short(self.canonical(function)),
        }
    }

    /// The name with that of its file, where only lines were compiled in and so the path of an inlined function is not known.
    fn with_stem(&self, function: PairNumber) -> Option<String> {
        let name = self.canonical(function);
        if name.contains("::") {
            return None;
        }
        let file = self.file(function)?;
        let path = file.strip_suffix(".rs")?;
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

    /// The name by which functions are paired.
    pub(super) fn canonical(&self, function: PairNumber) -> &'a str {
        self.one(function)
            .map_or("[unknown]", |(digest, function)| digest.name(function))
    }

    fn one(&self, function: PairNumber) -> Option<(&'a Digest, FunctionId)> {
        let pair = self.pairs.pairs.get(function as usize)?;
        let new = pair.new.map(|function| (self.new, function));
        let old = pair.old.map(|function| (self.old, function));
        let has_path =
            |(digest, function): &(&Digest, FunctionId)| digest.name(*function).contains("::");
        new.filter(has_path)
            .or(old.filter(has_path))
            .or(new)
            .or(old)
    }
}
