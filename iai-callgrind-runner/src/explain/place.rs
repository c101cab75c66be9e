//! Places: the parts of causes, gathered by the function that a person would look at.
//!
//! A part that has a function of the user on its stack belongs to that function. All others are netted for
//! their unit first: a dependency that moves calls from one of its inlined functions to another one would
//! otherwise be two large rows that mean nothing.

use std::collections::HashMap;

use super::flow::{merged, CauseFlow, CausePart, PartKind};
use super::pair::PairNumber;
use super::sides::{SideGraph, SourceLine, NEW, NONE, OLD};
use super::units::{code_of_function, CodeState, Units};

/// Share of a row that one function of a package needs to give it its name.
const NAMING_SHARE: f64 = 0.8;

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
}

/// Functions of the user, or units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Owner {
    User(PairNumber),
    Unit(u32),
}

/// Gathers what stays in units. Causes are unordered.
pub(super) fn place(
    flow: &CauseFlow,
    graphs: &[SideGraph; 2],
    units: &Units,
    is_user: impl Fn(PairNumber) -> bool,
) -> Vec<PlacedCause> {
    let mut owners: Vec<(Owner, u32, CausePart)> = Vec::new();
    for (unit, parts) in flow.parts.iter().enumerate() {
        if units.passes(unit) {
            continue;
        }
        for part in parts {
            let (owner, unit, part) = match part.kind {
                // Nobody knows the outside; what it calls more often is called more often.
                PartKind::Call(callee) if unit == units.outside() => {
                    let part = CausePart {
                        kind: PartKind::Entries,
                        ..*part
                    };
                    let owner = match is_user(callee) {
                        true => Owner::User(callee),
                        false => Owner::Unit(units.unit[callee as usize]),
                    };
                    (owner, units.unit[callee as usize], part)
                }
                _ if part.user != NONE => (Owner::User(part.user), unit as u32, *part),
                _ => (Owner::Unit(unit as u32), unit as u32, *part),
            };
            owners.push((owner, unit, part));
        }
    }
    owners.sort_by_key(|(owner, _, _)| *owner);
    let rows = owners.chunk_by(|a, b| a.0 == b.0);
    let rows = rows.map(|row| row_of(row, graphs, units));
    joined(rows.filter(|row| !row.parts.is_empty()))
}

/// The row of one owner.
fn row_of(
    parts: &[(Owner, u32, CausePart)],
    graphs: &[SideGraph; 2],
    units: &Units,
) -> PlacedCause {
    let largest = parts
        .iter()
        .max_by(|a, b| a.2.amount.abs().total_cmp(&b.2.amount.abs()));
    let (owner, unit) = largest.map_or((Owner::Unit(0), 0), |(owner, unit, _)| (*owner, *unit));
    let parts = merged(parts.iter().map(|(_, _, part)| *part).collect());
    let mut row = PlacedCause {
        function: NONE,
        line: SourceLine::UNKNOWN,
        amount: parts.iter().map(|part| part.amount).sum(),
        parts,
        code: units.code[unit as usize],
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
        Owner::Unit(unit) => row.function = name_of_row(&row.parts, unit as usize, graphs, units),
    }
    row
}

/// The function of a package that has nearly everything of a row, else the function of the unit.
fn name_of_row(
    parts: &[CausePart],
    unit: usize,
    graphs: &[SideGraph; 2],
    units: &Units,
) -> PairNumber {
    let all: f64 = parts.iter().map(|part| part.amount.abs()).sum();
    match parts.first() {
        Some(part) if part.package != NONE && part.amount.abs() >= NAMING_SHARE * all => {
            part.package
        }
        _ => name_of_unit(unit, graphs, units),
    }
}

/// The function of a circle that is entered most.
pub(super) fn name_of_unit(unit: usize, graphs: &[SideGraph; 2], units: &Units) -> PairNumber {
    let entries = |function: &PairNumber| {
        let function = *function as usize;
        graphs[NEW].entries[function] + graphs[OLD].entries[function]
    };
    let members = units.members[unit].iter().copied();
    let first = members.max_by(|a, b| entries(a).total_cmp(&entries(b)).then(b.cmp(a)));
    first.unwrap_or(NONE)
}

/// Rows of the same function as one.
fn joined(rows: impl Iterator<Item = PlacedCause>) -> Vec<PlacedCause> {
    let mut places: HashMap<PairNumber, usize> = HashMap::new();
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
