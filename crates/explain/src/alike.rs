//! Functions that were moved or renamed: another name, and the same code all the way down.
//!
//! In: functions that only one build has. Out: pairs of them. The code of a caller names its
//! callees, so equal code does not help here: instructions are compared without names, and then the
//! callees have to be the same functions, or moved ones as well. A function of the same name in
//! another module that does something else is a different function, and its new caller is the
//! cause.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::digest::{Digest, FunctionId};
use super::names;
use super::pair::PairNumber;

/// Smallest code in bytes that is specific enough for a function.
// Shorter functions, such as getters, may have equal code by chance.
const LEAST_CODE: u32 = 16;

/// Features by which moved functions of one build are recognized.
pub(super) struct CodeShapes<'a> {
    digest: &'a Digest,
    /// Shapes of all bodies of each function, ascending; empty: not known, or too small.
    shapes: Vec<Vec<u64>>,
    /// Functions that each function calls.
    callees: Vec<BTreeSet<FunctionId>>,
}

impl<'a> CodeShapes<'a> {
    pub(super) fn new(digest: &'a Digest) -> Self {
        let count = digest.functions.len();
        let mut shapes: Vec<Option<Vec<u64>>> = vec![Some(Vec::new()); count];
        for body in &digest.bodies {
            let known = &mut shapes[body.function.index()];
            // Code of libraries of the system has no shape.
            let shape = if body.shape == 0 {
                body.code_hash
            } else {
                body.shape
            };
            match known {
                Some(known) if shape != 0 && body.bytes >= LEAST_CODE => known.push(shape),
                // All bodies have to be known: with one left out, two different functions could
                // look equal.
                _ => *known = None,
            }
        }
        let bodies = digest.bodies_of_nodes();
        let mut callees = vec![BTreeSet::new(); count];
        for call in &digest.calls {
            let [from, to] = [bodies[call.node.index()], call.callee]
                .map(|body| digest.bodies[body.index()].function);
            if from != to {
                callees[from.index()].insert(to);
            }
        }
        let sorted = |shapes: Option<Vec<u64>>| {
            let mut shapes = shapes.unwrap_or_default();
            // Bodies are in the order in which the profile met them, which differs between builds.
            shapes.sort_unstable();
            shapes
        };
        Self {
            digest,
            shapes: shapes.into_iter().map(sorted).collect(),
            callees,
        }
    }

    /// The shapes of a function with its crate: equal code of two crates is a coincidence.
    fn sign(&self, function: FunctionId) -> Option<(&'a str, &[u64])> {
        let shapes = &self.shapes[function.index()][..];
        let owner = names::segments(self.digest.name(function)).first().copied();
        (!shapes.is_empty()).then_some((owner.unwrap_or_default(), shapes))
    }

    /// The shapes of a function with its own name.
    fn named_sign(&self, function: FunctionId) -> Option<(&'a str, &[u64])> {
        let shapes = &self.shapes[function.index()][..];
        let name = names::last(self.digest.name(function), 1);
        (!shapes.is_empty()).then_some((name, shapes))
    }
}

/// Functions of one build that have no pair yet, with the number that each has alone.
pub(super) type LoneFunctions = BTreeMap<FunctionId, PairNumber>;

/// Finds the pairs of moved functions. `pairs` has the number of each function of both builds.
pub(super) fn moved(
    builds: [&CodeShapes<'_>; 2],
    alone: [&LoneFunctions; 2],
    pairs: [&[PairNumber]; 2],
) -> BTreeMap<FunctionId, FunctionId> {
    let mut found: BTreeMap<FunctionId, FunctionId> = BTreeMap::new();
    // The own name is the stronger evidence, so it decides first.
    add_unique(&mut found, alone, |side, function| {
        builds[side].named_sign(function)
    });
    add_unique(&mut found, alone, |side, function| {
        builds[side].sign(function)
    });
    // Without a wrong pair, pairs of its callers may be wrong as well: repeats until all agree.
    loop {
        let has_same_callees = |old: &FunctionId, new: &FunctionId| {
            let number = |side: usize, function: &FunctionId| pairs[side][function.index()];
            let old = builds[0].callees[old.index()].iter();
            let old: BTreeSet<PairNumber> = old
                // A callee that moved as well has its new number, so that a whole module can move.
                .map(|callee| match found.get(callee) {
                    Some(new) => number(1, new),
                    None => number(0, callee),
                })
                .collect();
            let new = builds[1].callees[new.index()].iter();
            old == new.map(|callee| number(1, callee)).collect()
        };
        let wrong: Vec<FunctionId> = found
            .iter()
            .filter(|(old, new)| !has_same_callees(old, new))
            .map(|(old, _)| *old)
            .collect();
        if wrong.is_empty() {
            return found;
        }
        for old in wrong {
            found.remove(&old);
        }
    }
}

/// Adds the functions whose sign no other function without a pair has.
fn add_unique<'a>(
    found: &mut BTreeMap<FunctionId, FunctionId>,
    alone: [&LoneFunctions; 2],
    sign: impl Fn(usize, FunctionId) -> Option<(&'a str, &'a [u64])>,
) {
    let mut signs: HashMap<_, [Vec<FunctionId>; 2]> = HashMap::new();
    let taken: BTreeSet<FunctionId> = found.values().copied().collect();
    for (side, alone) in alone.into_iter().enumerate() {
        for function in alone.keys().copied() {
            let is_taken = match side {
                0 => found.contains_key(&function),
                _ => taken.contains(&function),
            };
            if let Some(sign) = sign(side, function).filter(|_| !is_taken) {
                signs.entry(sign).or_default()[side].push(function);
            }
        }
    }
    // The order of the table does not matter: a function has one sign, so it is in one list only.
    for functions in signs.into_values() {
        if let ([old], [new]) = (&functions[0][..], &functions[1][..]) {
            found.insert(*old, *new);
        }
    }
}
