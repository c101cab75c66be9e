//! Parts of a cause in their final form: one part for each called function, and one for the
//! allocator.
//!
//! A unit passes up its costs beyond the expected ones, and its caller has a part for the
//! additional calls at the expected cost. Both are estimates that contradict each other (`malloc`
//! was cheaper on average before); together they are the additional costs of the called function.
//! So they are one part here.

use rustc_hash::FxHashMap;

use super::allocator_functions::AllocatorRole;
use super::flow::{CausePart, PartKind};
use super::pair::PairNumber;
use super::sides::{SideGraph, NEW, NONE, OLD};
use super::units::Units;

/// Merges the parts that a unit passed up into the calls of it, and all calls of the allocator.
pub(super) fn folded(
    parts: Vec<CausePart>,
    units: &Units,
    role: &dyn Fn(PairNumber) -> Option<AllocatorRole>,
) -> Vec<CausePart> {
    let (passed, mut folded): (Vec<CausePart>, Vec<CausePart>) = parts
        .into_iter()
        .partition(|part| matches!(part.kind, PartKind::Through(_)));
    for part in passed {
        let is_call = |call: &&mut CausePart| match (call.kind, part.kind) {
            (PartKind::Call(callee), PartKind::Through(unit)) => {
                call.user == part.user && units.unit[callee as usize] == unit
            }
            _ => false,
        };
        match folded.iter_mut().find(is_call) {
            // Apart they would be +51000 for the calls and -3000 passed up, where 48000 were
            // executed.
            Some(call) => call.amount += part.amount,
            None => folded.push(part),
        }
    }
    // One part for all of them: the dearer `free` alone gave its name to the row of a temporary.
    let is_allocator = |part: &CausePart| match part.kind {
        PartKind::Call(callee) => role(callee).is_some(),
        PartKind::Through(unit) => {
            let mut members = units.members.of(unit as usize).iter();
            members.any(|member| role(*member).is_some())
        }
        PartKind::Own | PartKind::Entries | PartKind::Allocator => false,
    };
    let (allocator, mut folded): (Vec<CausePart>, Vec<CausePart>) =
        folded.into_iter().partition(is_allocator);
    let allocator = allocator.into_iter().map(|part| CausePart {
        kind: PartKind::Allocator,
        ..part
    });
    folded.extend(super::flow::merged(allocator.collect()));
    folded
}

/// Place of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum PlaceOfCalls {
    /// A function of the user, wherever it is inlined.
    User(PairNumber),
    /// The code of a unit that is in no function of the user.
    Bare(u32),
    /// All code of a unit.
    Unit(u32),
}

impl PlaceOfCalls {
    /// The place of a part that stays where it is.
    pub(super) fn of(part: &CausePart) -> Self {
        match part.user {
            NONE => Self::Bare(part.unit),
            user => Self::User(user),
        }
    }
}

/// Calls of a function from a place on one side.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CallSum {
    pub(super) count: f64,
    pub(super) inclusive: f64,
}

/// Calls by their places, with the costs of the called functions, as in the profiles.
pub(super) struct CallSums(FxHashMap<PlaceOfCalls, FxHashMap<PairNumber, [CallSum; 2]>>);

impl CallSums {
    pub(super) fn new(graphs: &[SideGraph; 2], units: &Units) -> Self {
        let mut sums: FxHashMap<PlaceOfCalls, FxHashMap<PairNumber, [CallSum; 2]>> =
            FxHashMap::default();
        for side in [OLD, NEW] {
            for (caller, calls) in graphs[side].calls.iter().enumerate() {
                let unit = units.unit[caller];
                let outer = calls
                    .iter()
                    .filter(|call| !units.is_inner(caller, call.callee));
                for call in outer {
                    let place = match call.site.user {
                        NONE => PlaceOfCalls::Bare(unit),
                        user => PlaceOfCalls::User(user),
                    };
                    // By unit as well: a part that came through a unit asks for all calls of that.
                    for place in [place, PlaceOfCalls::Unit(unit)] {
                        let sum = sums.entry(place).or_default();
                        let sum = &mut sum.entry(call.callee).or_default()[side];
                        sum.count += call.count;
                        sum.inclusive += call.inclusive;
                    }
                }
            }
        }
        Self(sums)
    }

    /// Calls of one function.
    pub(super) fn of(&self, place: PlaceOfCalls, callee: PairNumber) -> [CallSum; 2] {
        let sums = self.0.get(&place).and_then(|sums| sums.get(&callee));
        sums.copied().unwrap_or_default()
    }

    /// Calls of all functions that `is_one` has.
    pub(super) fn of_all(
        &self,
        place: PlaceOfCalls,
        is_one: impl Fn(PairNumber) -> bool,
    ) -> [CallSum; 2] {
        let mut all = [CallSum::default(); 2];
        let sums = self.0.get(&place).into_iter().flatten();
        for (_, sums) in sums.filter(|(callee, _)| is_one(**callee)) {
            for side in [OLD, NEW] {
                all[side].count += sums[side].count;
                all[side].inclusive += sums[side].inclusive;
            }
        }
        all
    }
}
