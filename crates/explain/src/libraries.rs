//! System libraries that are compared as one function: those of a different build, those that have
//! symbols on one side only, and functions without a name.
//!
//! A different C library has other functions inside, and one without symbols shows only those that
//! it exports. A comparison of them function by function says nothing about the user's code, so
//! such a library is one row.

use std::collections::{BTreeMap, BTreeSet};

use super::digest::{BodyId, Digest};

/// For each function of two builds, the library as which it is shown.
pub(super) struct SystemLibraries<'a> {
    pub(super) old: Vec<Option<&'a str>>,
    pub(super) new: Vec<Option<&'a str>>,
}

impl<'a> SystemLibraries<'a> {
    pub(super) fn find(old: &'a Digest, new: &'a Digest) -> Self {
        let builds = [old, new].map(builds);
        let has_changed = |name: &str| {
            let ids = [0, 1].map(|side| builds[side].get(stem(name)));
            // A library without a build id may be the same one, and is compared by function.
            matches!(ids, [Some(old), Some(new)] if old != new)
        };
        let names = [old, new].map(names);
        let has_other_symbols = |library: &str| {
            let [old, new] = [0, 1].map(|side| names[side].get(stem(library)));
            old.zip(new)
                .is_some_and(|(old, new)| lost_names(old, new) || lost_names(new, old))
        };
        let of_digest = |digest: &'a Digest| {
            let calls_back = calling_own_code(digest);
            let mut libraries = vec![None; digest.functions.len()];
            for (index, body) in digest.bodies.iter().enumerate() {
                let object = &digest.objects[body.object.index()];
                let library = digest.text(object.name);
                let is_one = is_nameless(digest.name(body.function), library)
                    || has_changed(library)
                    || has_other_symbols(library);
                // A function that calls the user back stays apart: as a part of the library, it
                // would join this and all code of the user to one circle.
                if !object.is_own && is_one && !calls_back[index] {
                    libraries[body.function.index()] = Some(library);
                }
            }
            libraries
        };
        Self {
            old: of_digest(old),
            new: of_digest(new),
        }
    }
}

/// The functions of a library that ran.
#[derive(Default)]
struct LibraryNames<'a> {
    names: BTreeSet<&'a str>,
    /// Number of functions without a symbol.
    nameless: usize,
}

/// The functions of each library of the system, by its name without version.
fn names(digest: &Digest) -> BTreeMap<&str, LibraryNames<'_>> {
    let mut found: BTreeMap<&str, LibraryNames<'_>> = BTreeMap::new();
    for body in &digest.bodies {
        let object = &digest.objects[body.object.index()];
        if !object.is_own {
            let library = digest.text(object.name);
            let functions = found.entry(stem(library)).or_default();
            let name = digest.name(body.function);
            match is_nameless(name, library) {
                true => functions.nameless += 1,
                false => {
                    functions.names.insert(name);
                }
            }
        }
    }
    found
}

/// Are there functions without a symbol in place of named ones? The same library has its symbols in
/// a package of their own, which need not be on both machines. A few functions, such as those of a
/// procedure linkage table, have no symbol with it either.
fn lost_names(from: &LibraryNames<'_>, to: &LibraryNames<'_>) -> bool {
    2 * from.nameless < to.nameless && !from.names.is_subset(&to.names)
}

/// Is it a function without a symbol? Digests have the name of the library in place of its address,
/// which earlier ones had.
fn is_nameless(name: &str, library: &str) -> bool {
    name == library || is_address(name)
}

/// Callgrind's name of a function without a symbol: its address.
pub(crate) fn is_address(name: &str) -> bool {
    let digits = name.strip_prefix("0x").unwrap_or_default();
    !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_hexdigit())
}

/// The build ids of the libraries of the system, by the names without versions.
pub(super) fn builds(digest: &Digest) -> BTreeMap<&str, &[u8]> {
    let objects = digest.objects.iter();
    let libraries = objects.filter(|object| !object.is_own && !object.build_id.is_empty());
    libraries
        .map(|object| (stem(digest.text(object.name)), &*object.build_id))
        .collect()
}

/// `libc` of `libc.so.6`.
fn stem(name: &str) -> &str {
    name.split_once(".so").map_or(name, |(name, _)| name)
}

/// For each body, whether it calls code of the user, over however many others.
fn calling_own_code(digest: &Digest) -> Vec<bool> {
    let of_nodes = digest.bodies_of_nodes();
    let mut callers: Vec<Vec<BodyId>> = vec![Vec::new(); digest.bodies.len()];
    for call in &digest.calls {
        callers[call.callee.index()].push(of_nodes[call.node.index()]);
    }
    let own = |body: &usize| digest.objects[digest.bodies[*body].object.index()].is_own;
    let mut waiting: Vec<usize> = (0..digest.bodies.len()).filter(own).collect();
    let mut calls = vec![false; digest.bodies.len()];
    while let Some(callee) = waiting.pop() {
        for caller in &callers[callee] {
            if !std::mem::replace(&mut calls[caller.index()], true) {
                waiting.push(caller.index());
            }
        }
    }
    calls
}
