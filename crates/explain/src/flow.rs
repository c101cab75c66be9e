//! Causes: the difference of two profiles, divided among units, and passed up to those whose code
//! changed.
//!
//! For a unit on both sides, `r` is how much more often it is entered. Its own costs and its calls
//! would then be `r` times those of before; the rest is its cause, where a call is worth its
//! expected cost. All causes together are the difference of the totals: additional entries of a
//! unit are a cause of its callers, and are counted nowhere else. `units.rs` has the expected
//! costs.

use super::effects::Effects;
use super::pair::PairNumber;
use super::sides::{CallSite, SideGraph, Site, SourceLine, NEW, NONE, OLD};
use super::units::Units;

/// Kind of a part of a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PartKind {
    /// Own code.
    Own,
    /// Calls of a function.
    Call(PairNumber),
    /// A called unit passes its difference up.
    Through(u32),
    /// The function is entered more often from the outside.
    Entries,
    /// Calls of the allocator.
    Allocator,
}

/// A part of a cause.
#[derive(Debug, Clone, Copy)]
pub(super) struct CausePart {
    /// The function of the user that it belongs to, or [`NONE`].
    pub(super) user: PairNumber,
    pub(super) kind: PartKind,
    /// Share of the difference.
    pub(super) amount: f64,
    /// Calls or own costs of the old side.
    pub(super) old: f64,
    /// Calls or own costs of the new side.
    pub(super) new: f64,
    /// Unit that has the part.
    pub(super) unit: u32,
    /// The unit that passed it up divided its difference among several callers.
    pub(super) is_share: bool,
    /// The line that has the most of it.
    pub(super) line: SourceLine,
}

/// Parts of the causes of each unit, including those that its callees passed up.
pub(super) struct CauseFlow {
    pub(super) parts: Vec<Vec<CausePart>>,
    /// The unit has passed its difference on.
    pub(super) has_passed: Vec<bool>,
}

/// Own costs or calls of one side at one place.
struct Quantity {
    /// The function of the user, and the called function or own code: one part of a cause.
    group: u64,
    /// The line in the function of the user; 0: there is none.
    place: u64,
    side: usize,
    quantity: f64,
}

impl Quantity {
    fn new(site: Site, callee: Option<PairNumber>, side: usize, quantity: f64) -> Self {
        // 0 is left for own code. The sum fits into 32 bits, since no callee is `NONE`.
        let callee = callee.map_or(0, |callee| u64::from(callee) + 1);
        Self {
            // Two packed numbers, since all places of both sides are sorted by them.
            group: u64::from(site.user) << 32 | callee,
            place: match site.user {
                NONE => 0,
                _ => u64::from(site.line.file) << 32 | u64::from(site.line.line),
            },
            side,
            quantity,
        }
    }

    /// A part without numbers.
    fn part(&self) -> CausePart {
        let user = (self.group >> 32) as u32;
        let (high, low) = ((self.place >> 32) as u32, self.place as u32);
        CausePart {
            user,
            kind: match (self.group as u32).checked_sub(1) {
                None => PartKind::Own,
                Some(callee) => PartKind::Call(callee),
            },
            line: match user {
                NONE => SourceLine::UNKNOWN,
                _ => SourceLine {
                    file: high,
                    line: low,
                },
            },
            ..NOTHING
        }
    }
}

impl CauseFlow {
    /// Divides the difference among the units. `None`: numbers of calls are too large for finite
    /// sums.
    pub(super) fn new(graphs: &[SideGraph; 2], units: &Units) -> Option<Self> {
        let mut flow = Self {
            parts: vec![Vec::new(); units.len()],
            has_passed: vec![false; units.len()],
        };
        let mut effects = Effects::new(&graphs[NEW], units);
        // Only units that run now have a difference to pass up, so the new callers are enough.
        let callers = Callers::new(&graphs[NEW], units);
        let mut quantities = Vec::new();
        // Units are ordered callees first, so a unit has received all that its callees pass up.
        for unit in 0..units.len() {
            let received = std::mem::take(&mut flow.parts[unit]);
            let mut parts = merged(received);
            if units.is_on_both(unit) {
                collect(unit, graphs, units, &mut quantities);
                add_causes(unit, units, &mut quantities, &mut parts);
            }
            let total: f64 = parts.iter().map(|part| part.amount).sum();
            // Expected costs multiply from level to level, so counts that contradict each other may
            // reach infinity.
            if !total.is_finite() {
                return None;
            }
            effects.add(unit, total.abs(), units);
            // Down first: if no code above has changed, passing up would end at the benchmark.
            if let Some(reason) = effects.reason(unit, units) {
                flow.pass_down(unit, &mut parts, reason, units);
            } else if total != 0.0 && units.passes(unit) {
                let is_share = parts.iter().any(|part| part.is_share);
                flow.pass_up(unit, total, is_share, &callers, units);
            }
            // Also with a total of 0: its parts cancel each other out and are no rows.
            flow.has_passed[unit] |= units.passes(unit);
            flow.parts[unit] = parts;
        }
        Some(flow)
    }

    /// Passes the difference of a unit down to the callee that is the reason. Callees with changed
    /// code that are called more often are reasons themselves, and get their part.
    fn pass_down(&mut self, unit: usize, parts: &mut Vec<CausePart>, reason: usize, units: &Units) {
        parts.retain(|part| {
            let PartKind::Call(callee) = part.kind else {
                return true;
            };
            let callee = units.unit[callee as usize] as usize;
            let is_reason = units.code[callee].is_other();
            if is_reason {
                self.parts[callee].push(CausePart {
                    user: NONE,
                    kind: PartKind::Entries,
                    line: SourceLine::UNKNOWN,
                    ..*part
                });
            }
            !is_reason
        });
        let amount: f64 = parts.iter().map(|part| part.amount).sum();
        if amount != 0.0 {
            self.parts[reason].push(CausePart {
                kind: PartKind::Through(unit as u32),
                amount,
                ..NOTHING
            });
        }
        self.has_passed[unit] = true;
    }

    /// Passes the difference of a unit up to its callers, in proportion to the costs of their calls
    /// beyond the expected ones. `is_share`: the difference contains shares of others already.
    fn pass_up(
        &mut self,
        unit: usize,
        total: f64,
        is_share: bool,
        callers: &Callers,
        units: &Units,
    ) {
        let sites = callers.of(unit);
        let beyond = |site: &CallSite| (site.inclusive - site.count * units.expected[unit]).abs();
        let count = |site: &CallSite| site.count;
        let sum: f64 = sites.iter().map(|(_, site)| beyond(site)).sum();
        // If no call cost more than expected, the numbers of calls are the only measure. Their sum
        // is never 0, since each recorded call counts at least once.
        let (weight, sum): (&dyn Fn(&CallSite) -> f64, f64) = match sum > 0.0 {
            true => (&beyond, sum),
            false => (&count, sites.iter().map(|(_, site)| count(site)).sum()),
        };
        let place = |(caller, site): &(u32, CallSite)| (*caller, site.site.user);
        let is_divided = sites.windows(2).any(|two| place(&two[0]) != place(&two[1]));
        let is_share = is_share || is_divided;
        for (caller, site) in sites {
            self.parts[*caller as usize].push(CausePart {
                user: site.site.user,
                kind: PartKind::Through(unit as u32),
                amount: total * (weight(site) / sum),
                old: 0.0,
                new: site.count,
                line: site.site.line,
                unit: *caller,
                is_share,
            });
        }
    }
}

/// Calls of each unit from others on the new side, with the unit of the caller.
struct Callers {
    /// Index of the first call of each unit.
    starts: Vec<usize>,
    sites: Vec<(u32, CallSite)>,
}

impl Callers {
    fn new(graph: &SideGraph, units: &Units) -> Self {
        let mut sites = Vec::new();
        for (caller, calls) in graph.calls.iter().enumerate() {
            let outer = calls
                .iter()
                .filter(|call| !units.is_inner(caller, call.callee));
            sites.extend(outer.map(|call| (units.unit[caller], *call)));
        }
        let callee = |site: &(u32, CallSite)| units.unit[site.1.callee as usize] as usize;
        sites.sort_by_key(callee);
        let mut starts = vec![0; units.len() + 1];
        for site in &sites {
            starts[callee(site) + 1] += 1;
        }
        for unit in 1..starts.len() {
            starts[unit] += starts[unit - 1];
        }
        Self { starts, sites }
    }

    fn of(&self, unit: usize) -> &[(u32, CallSite)] {
        &self.sites[self.starts[unit]..self.starts[unit + 1]]
    }
}

/// Own costs and calls of a unit on both sides.
fn collect(unit: usize, graphs: &[SideGraph; 2], units: &Units, found: &mut Vec<Quantity>) {
    found.clear();
    for side in [OLD, NEW] {
        let graph = &graphs[side];
        for member in units.members.of(unit).iter().map(|member| *member as usize) {
            let own = graph.own[member].iter();
            found.extend(own.map(|own| Quantity::new(own.site, None, side, own.cost)));
            let calls = graph.calls[member].iter();
            let calls = calls.filter(|call| !units.is_inner(member, call.callee));
            found.extend(
                calls.map(|call| Quantity::new(call.site, Some(call.callee), side, call.count)),
            );
        }
    }
}

/// Adds the causes of a unit: for each place and kind the net of both sides.
fn add_causes(unit: usize, units: &Units, quantities: &mut [Quantity], parts: &mut Vec<CausePart>) {
    let [old, new] = units.sides[unit];
    // Finite, since the caller asks only for units with calls on both sides.
    let more_often = new.calls / old.calls;
    quantities.sort_unstable_by_key(|found| (found.group, found.place));
    // A group is netted: a dependency that moved calls between its inlined functions gave rows of
    // +149230 and -148983 where the difference was -1064.
    for group in quantities.chunk_by(|a, b| a.group == b.group) {
        let mut sums = [0.0; 2];
        let mut best = (-1.0, &group[0]);
        for place in group.chunk_by(|a, b| a.place == b.place) {
            let here = sums_of(place);
            let change = (here[NEW] - more_often * here[OLD]).abs();
            // Lines move: of two that differ as much, the one that is still there is the place.
            let weight = if here[NEW] > 0.0 { 2.0 } else { 1.0 };
            if change * weight > best.0 {
                best = (change * weight, &place[0]);
            }
            sums[OLD] += here[OLD];
            sums[NEW] += here[NEW];
        }
        let part = best.1.part();
        let worth = match part.kind {
            PartKind::Call(callee) => units.expected[units.unit[callee as usize] as usize],
            _ => 1.0,
        };
        let amount = (sums[NEW] - more_often * sums[OLD]) * worth;
        if amount != 0.0 {
            parts.push(CausePart {
                amount,
                old: sums[OLD],
                new: sums[NEW],
                ..part
            });
        }
    }
}

fn sums_of(quantities: &[Quantity]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for found in quantities {
        sums[found.side] += found.quantity;
    }
    sums
}

/// Parts of the same place and kind as one, with the line of the largest.
pub(super) fn merged(mut parts: Vec<CausePart>) -> Vec<CausePart> {
    let place = |part: &CausePart| (part.user, part.kind);
    parts.sort_by_key(place);
    let groups = parts.chunk_by(|a, b| place(a) == place(b));
    groups.map(merge).collect()
}

fn merge(parts: &[CausePart]) -> CausePart {
    let mut parts = parts.iter();
    // A group has at least one part.
    let mut sum = *parts.next().unwrap_or(&NOTHING);
    let mut largest = sum.amount.abs();
    for part in parts {
        sum.amount += part.amount;
        sum.old += part.old;
        sum.new += part.new;
        sum.is_share |= part.is_share;
        if part.amount.abs() > largest {
            largest = part.amount.abs();
            sum.line = part.line;
        }
    }
    sum
}

const NOTHING: CausePart = CausePart {
    user: NONE,
    kind: PartKind::Own,
    amount: 0.0,
    old: 0.0,
    new: 0.0,
    unit: NONE,
    is_share: false,
    line: SourceLine::UNKNOWN,
};
