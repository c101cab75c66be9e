//! Places: the parts of causes, gathered by the function that a person would look at.
//!
//! A part that has a function of the user on its stack belongs to that function. All others are
//! netted for their unit first: a dependency that moves calls from one of its inlined functions to
//! another one would otherwise be two large rows that mean nothing.

use rustc_hash::FxHashMap;

use super::allocator_functions::AllocatorRole;
use super::digest::SourceOrigin;
use super::flow::{merged, CauseFlow, CausePart, PartKind};
use super::inline_paths::InlinePaths;
use super::pair::PairNumber;
use super::parts::folded;
use super::sides::{SideGraph, SourceLine, NEW, NONE, OLD};
use super::units::{code_of_function, CodeState, Units};

/// The parts of one place.
#[derive(Debug, Clone)]
pub(super) struct PlacedCause {
    /// The function.
    pub(super) function: PairNumber,
    /// The line of the largest part, if the function is the user's.
    pub(super) line: SourceLine,
    /// Share of the difference.
    pub(super) amount: f64,
    /// Parts, the largest first.
    pub(super) parts: Vec<CausePart>,
    pub(super) code: CodeState,
    /// The function is a whole library of the system.
    pub(super) is_library: bool,
}

/// Graphs and names from which places are described.
pub(super) struct CauseNames<'a> {
    pub(super) graphs: &'a [SideGraph; 2],
    pub(super) units: &'a Units,
    pub(super) paths: &'a InlinePaths,
    /// Owner of a function.
    pub(super) origin: &'a dyn Fn(PairNumber) -> SourceOrigin,
    /// Is the function a whole library of the system?
    pub(super) is_library: &'a dyn Fn(PairNumber) -> bool,
    /// Role of a function in an allocator.
    pub(super) role: &'a dyn Fn(PairNumber) -> Option<AllocatorRole>,
}

/// Functions of the user, or units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Owner {
    User(PairNumber),
    Unit(u32),
}

/// Gathers the parts that stay in units into causes, in no order.
pub(super) fn place(flow: &CauseFlow, names: &CauseNames<'_>) -> Vec<PlacedCause> {
    let units = names.units;
    let mut owners: Vec<(Owner, u32, CausePart)> = Vec::new();
    for (unit, parts) in flow.parts.iter().enumerate() {
        if flow.has_passed[unit] {
            continue;
        }
        for part in parts {
            let (owner, unit, part) = match part.kind {
                // The outside has no code: a function that it calls more often is a cause itself.
                PartKind::Call(callee) if unit == units.outside() => {
                    let part = CausePart {
                        kind: PartKind::Entries,
                        ..*part
                    };
                    let owner = match (names.origin)(callee) == SourceOrigin::User {
                        true => Owner::User(callee),
                        false => Owner::Unit(units.unit[callee as usize]),
                    };
                    (owner, units.unit[callee as usize], part)
                }
                _ if part.user != NONE => (Owner::User(part.user), unit as u32, *part),
                _ => (Owner::Unit(unit as u32), unit as u32, *part),
            };
            owners.push((owner, unit, CausePart { unit, ..part }));
        }
    }
    owners.sort_by_key(|(owner, _, _)| *owner);
    let rows = owners.chunk_by(|a, b| a.0 == b.0);
    let rows = rows.map(|row| row_of(row, names));
    joined(rows.filter(|row| !row.parts.is_empty()))
}

/// The row of one owner.
fn row_of(parts: &[(Owner, u32, CausePart)], names: &CauseNames<'_>) -> PlacedCause {
    let CauseNames { graphs, units, .. } = *names;
    let largest = parts
        .iter()
        .max_by(|a, b| a.2.amount.abs().total_cmp(&b.2.amount.abs()));
    let (owner, unit) = largest.map_or((Owner::Unit(0), 0), |(owner, unit, _)| (*owner, *unit));
    let parts = merged(parts.iter().map(|(_, _, part)| *part).collect());
    let parts = folded(parts, units, names.role);
    let mut row = PlacedCause {
        function: NONE,
        line: SourceLine::UNKNOWN,
        amount: parts.iter().map(|part| part.amount).sum(),
        parts,
        // An inlined function has no code of its own: the unit with its largest part stands for it.
        code: units.code[unit as usize],
        is_library: false,
    };
    sort(&mut row.parts);
    match owner {
        Owner::User(user) => {
            row.function = user;
            row.line = row
                .parts
                .first()
                .map_or(SourceLine::UNKNOWN, |part| part.line);
            if graphs.iter().any(|graph| graph.has_body[user as usize]) {
                row.code = code_of_function(user, graphs);
            }
        }
        Owner::Unit(unit) => row.function = names.of_row(unit as usize),
    }
    row.is_library = (names.is_library)(row.function);
    row
}

impl CauseNames<'_> {
    /// The function of a unit whose source seems to have changed, else the function of the unit.
    fn of_row(&self, unit: usize) -> PairNumber {
        let Self { graphs, units, .. } = *self;
        let [old, new] = units.sides[unit];
        let more_often = new.calls / old.calls;
        let mut differences = Vec::new();
        for (side, sign) in [(OLD, -more_often), (NEW, 1.0)] {
            let graph = &graphs[side];
            for member in units.members.of(unit).iter().map(|member| *member as usize) {
                // Parts in functions of the user have rows of their own.
                let own = graph.own[member].iter().filter(|own| own.site.user == NONE);
                differences.extend(own.map(|own| (own.site.path, sign * own.cost)));
                let calls = graph.calls[member].iter();
                let calls = calls
                    .filter(|call| call.site.user == NONE && !units.is_inner(member, call.callee));
                differences.extend(calls.map(|call| {
                    let worth = units.expected[units.unit[call.callee as usize] as usize];
                    (call.site.path, sign * call.count * worth)
                }));
            }
        }
        let is_named = |function| {
            let origin = (self.origin)(function);
            matches!(origin, SourceOrigin::Package | SourceOrigin::User)
        };
        // On one side alone `more_often` is not finite, and no function has changed.
        let found = match units.is_on_both(unit) {
            true => self
                .paths
                .changed_function(differences.into_iter(), is_named),
            false => None,
        };
        found.unwrap_or_else(|| name_of_unit(unit, graphs, units))
    }
}

/// The function of a circle that is entered most.
pub(super) fn name_of_unit(unit: usize, graphs: &[SideGraph; 2], units: &Units) -> PairNumber {
    let entries = |function: &PairNumber| {
        let function = *function as usize;
        graphs[NEW].entries[function] + graphs[OLD].entries[function]
    };
    let members = units.members.of(unit).iter().copied();
    let first = members.max_by(|a, b| entries(a).total_cmp(&entries(b)).then(b.cmp(a)));
    first.unwrap_or(NONE)
}

/// Rows of the same function as one.
fn joined(rows: impl Iterator<Item = PlacedCause>) -> Vec<PlacedCause> {
    let mut places: FxHashMap<PairNumber, usize> = FxHashMap::default();
    let mut joined: Vec<PlacedCause> = Vec::new();
    for row in rows {
        let place = *places.entry(row.function).or_insert(joined.len());
        match joined.get_mut(place) {
            None => joined.push(row),
            Some(known) => {
                if row.amount.abs() > known.amount.abs() {
                    known.line = row.line;
                    known.code = row.code;
                }
                known.amount += row.amount;
                known.parts.extend(row.parts);
                sort(&mut known.parts);
            }
        }
    }
    joined
}

fn sort(parts: &mut [CausePart]) {
    parts.sort_by(|a, b| {
        let size = b.amount.abs().total_cmp(&a.amount.abs());
        size.then(a.kind.cmp(&b.kind))
    });
}
