//! Notes that concern two results as a whole.

use std::collections::{BTreeMap, BTreeSet};

use super::digest::{DebugExtent, Digest};
use super::libraries::builds;
use super::sides::{DigestValues, NEW};

/// Smallest percentage of instructions without debug information for a note.
const WITHOUT_DEBUG: u64 = 10;

/// Packages whose versions are listed one by one.
const PACKAGES: usize = 6;

/// Notes about compiler, libraries and packages, and about what is missing. `no_code_changed`: both
/// sides have executed the same code.
pub(super) fn notes(
    digests: [&Digest; 2],
    values: &[DigestValues; 2],
    no_code_changed: bool,
) -> Vec<String> {
    let [old, new] = digests;
    let mut notes = Vec::new();
    notes.extend(compilers(old, new));
    notes.extend(libraries(old, new));
    notes.extend(packages(old, new));
    if is_same_executable(old, new) {
        notes.push("same executable: the data is different".to_owned());
    } else if no_code_changed {
        notes.push("no code that ran has changed: the data is different".to_owned());
    }
    let has_instructions = |digest: &Digest| digest.head.by_instruction && digest.head.true_calls;
    let without = match (has_instructions(old), has_instructions(new)) {
        (true, true) => None,
        (false, true) => Some("the old result has no instructions"),
        (true, false) => Some("the new result has no instructions"),
        (false, false) => Some("the profiles have no instructions (`--dump-instr=no`)"),
    };
    notes.extend(without.map(|without| format!("functions only: {without}")));
    notes.extend(without_debug(new, &values[NEW]));
    notes
}

fn compilers(old: &Digest, new: &Digest) -> Option<String> {
    let version = |digest: &Digest| {
        let producer = digest.text(digest.head.producer?).to_owned();
        let rustc = producer.split_once("rustc version ").map(|(_, rest)| {
            let version = rest.split([' ', ')']).next().unwrap_or_default();
            version.to_owned()
        });
        Some(rustc.map_or(producer, |version| format!("rustc {version}")))
    };
    let (old, new) = (version(old)?, version(new)?);
    let new_version = match old.starts_with("rustc ") {
        true => new.strip_prefix("rustc ").unwrap_or(&new),
        false => &new,
    };
    (old != new).then(|| format!("compiled by {old} -> {new_version}"))
}

/// System libraries that changed.
fn libraries(old: &Digest, new: &Digest) -> Vec<String> {
    let old = builds(old);
    let changed = builds(new).into_iter().filter(|(name, id)| {
        let before = old.get(name);
        before.is_some_and(|before| before != id)
    });
    changed
        .map(|(name, _)| format!("{name} has changed"))
        .collect()
}

/// Packages of another version.
fn packages(old: &Digest, new: &Digest) -> Vec<String> {
    let old = versions(old);
    let new = versions(new);
    let mut changed = Vec::new();
    for (name, versions) in &new {
        if let Some(before) = old.get(name).filter(|before| *before != versions) {
            let [before, now] = [before, versions].map(|versions| {
                let versions: Vec<&str> = versions.iter().copied().collect();
                versions.join(", ")
            });
            changed.push(format!("{name} {before} -> {now}"));
        }
    }
    if changed.len() > PACKAGES {
        let more = changed.len() - (PACKAGES - 1);
        changed.truncate(PACKAGES - 1);
        changed.push(format!("{more} more packages have other versions"));
    }
    changed
}

/// Versions of each package that has a version.
fn versions(digest: &Digest) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in &digest.files {
        let package = file.package.map(|package| digest.text(package));
        // The standard library has no version: the note on the compiler tells it.
        if let Some((name, version)) = package.and_then(|package| package.split_once(' ')) {
            versions.entry(name).or_default().insert(version);
        }
    }
    versions
}

fn is_same_executable(old: &Digest, new: &Digest) -> bool {
    let ids = |digest: &Digest| -> BTreeMap<String, Box<[u8]>> {
        let own = digest.objects.iter().filter(|object| object.is_own);
        let named = own.map(|object| {
            let name = digest.text(object.name).to_owned();
            (name, object.build_id.clone())
        });
        named.collect()
    };
    let (old, new) = (ids(old), ids(new));
    // Without build ids, nothing shows that the executable is the same.
    !new.is_empty() && old == new && new.values().all(|id| !id.is_empty())
}

/// Share of the executable's costs in code without debug information.
fn without_debug(digest: &Digest, values: &DigestValues) -> Option<String> {
    let bodies = digest.bodies_of_nodes();
    let mut bare = 0_u64;
    let mut all = 0_u64;
    for (row, value) in digest.rows.iter().zip(&values.rows) {
        let body = &digest.bodies[bodies[row.node.index()].index()];
        let object = &digest.objects[body.object.index()];
        // These sums fit: `ComparedDigests` has checked that all values together do.
        all += value;
        // Libraries of the system are not built by the user, who could do nothing about them.
        if object.is_own && object.debug < DebugExtent::Lines {
            bare += value;
        }
    }
    let percent = (u128::from(bare) * 100).checked_div(u128::from(all))? as u64;
    (digest.head.by_instruction && percent >= WITHOUT_DEBUG)
        .then(|| format!("{percent} % of the instructions have no debug information, see `doctor`"))
}
