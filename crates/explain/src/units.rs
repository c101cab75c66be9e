//! Units: functions, or circles of functions that call each other, with the expected cost of a
//! call.

use super::sides::{InstanceCode, SideGraph, NEW, NONE, OLD};
use base::csr::Grouped;
use base::scc::Circles;

/// Machine code of a function, compared with that of before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CodeState {
    /// Other code.
    Changed,
    /// The same code, which refers to other constants: a format string, a table, a vtable.
    OtherConstants,
    /// The same code: what changed is how often it runs, or its data.
    Same,
    /// A function that was not executed before.
    New,
    /// Nobody knows; counts as changed.
    Unknown,
}

impl CodeState {
    /// Other code, or other constants: a reason of a difference.
    pub(super) fn is_other(self) -> bool {
        matches!(self, Self::Changed | Self::OtherConstants)
    }
}

/// Sums of a unit on one side.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct UnitSide {
    /// Own costs of its functions.
    pub(super) own: f64,
    /// Calls from other units; 0: the unit is not on this side.
    pub(super) calls: f64,
}

/// Functions of both sides, callees first. The last unit is the outside alone.
pub(super) struct Units {
    /// Unit of each function.
    pub(super) unit: Vec<u32>,
    /// Functions of each unit.
    pub(super) members: Grouped,
    /// Sums of each unit, old and new.
    pub(super) sides: Vec<[UnitSide; 2]>,
    /// Cost of a call of each unit: of the old side if it has the unit.
    pub(super) expected: Vec<f64>,
    /// Code of each unit.
    pub(super) code: Vec<CodeState>,
    /// Unit is called from the outside on the new side.
    pub(super) is_root: Vec<bool>,
}

impl Units {
    /// Finds the units of both sides, and adds calls from the outside to units without a caller.
    pub(super) fn new(graphs: &mut [SideGraph; 2]) -> Self {
        // One graph of both sides: units can be compared only if they have the same functions.
        let calls = graphs[OLD].call_pairs().chain(graphs[NEW].call_pairs());
        let circles = Circles::find(&Grouped::new(graphs[OLD].calls.len(), calls));
        let count = circles.members.len();
        let mut units = Self {
            unit: circles.component,
            members: circles.members,
            sides: vec![Default::default(); count],
            expected: vec![0.0; count],
            code: vec![CodeState::Unknown; count],
            is_root: vec![false; count],
        };
        for side in [OLD, NEW] {
            units.add_up(&mut graphs[side], side);
        }
        let outside = graphs[NEW].outside();
        for call in &graphs[NEW].calls[outside as usize] {
            units.is_root[units.unit[call.callee as usize] as usize] = true;
        }
        // Callees first: the expected cost of a call contains those of the calls below it.
        for unit in 0..count {
            units.code[unit] = units.code_of(unit, graphs);
            units.expected[unit] = units.expected_cost(unit, graphs);
        }
        units
    }

    /// Number of units.
    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// Unit of the outside.
    pub(super) fn outside(&self) -> usize {
        self.len() - 1
    }

    /// Does this call stay inside of a circle?
    pub(super) fn is_inner(&self, caller: usize, callee: u32) -> bool {
        self.unit[caller] == self.unit[callee as usize]
    }

    /// The unit is on both sides.
    pub(super) fn is_on_both(&self, unit: usize) -> bool {
        self.sides[unit].iter().all(|side| side.calls > 0.0)
    }

    /// The unit leaves its difference to its callers.
    pub(super) fn passes(&self, unit: usize) -> bool {
        let is_old_code = matches!(self.code[unit], CodeState::Same | CodeState::New);
        is_old_code && !self.is_root[unit] && unit != self.outside()
    }

    fn add_up(&mut self, graph: &mut SideGraph, side: usize) {
        for (function, own) in graph.own.iter().enumerate() {
            let sum: f64 = own.iter().map(|part| part.cost).sum();
            self.sides[self.unit[function] as usize][side].own += sum;
        }
        for (caller, calls) in graph.calls.iter().enumerate() {
            for call in calls {
                if !self.is_inner(caller, call.callee) {
                    let callee = self.unit[call.callee as usize] as usize;
                    self.sides[callee][side].calls += call.count;
                }
            }
        }
        let outside = self.outside();
        // Entered once, so that its expected cost is the total.
        self.sides[outside][side].calls = 1.0;
        for unit in 0..outside {
            if self.sides[unit][side].calls > 0.0 {
                continue;
            }
            let is_there = |function: &&u32| {
                let function = **function as usize;
                !graph.own[function].is_empty() || !graph.calls[function].is_empty()
            };
            let members = self.members.of(unit).iter().filter(is_there);
            let entries = |function: &u32| graph.entries[*function as usize];
            // The function with the most entries stands for the way into a unit without callers.
            let entry = members.max_by(|a, b| entries(a).total_cmp(&entries(b)));
            if let Some(entry) = entry.copied() {
                // At least 1, since costs are divided by it.
                let calls = entries(&entry).max(1.0);
                graph.call_from_outside(entry, calls);
                self.sides[unit][side].calls = calls;
            }
        }
    }

    fn expected_cost(&self, unit: usize, graphs: &[SideGraph; 2]) -> f64 {
        // Old costs wherever there are some: the outside's are then the old total, and all causes
        // add up to the difference.
        let side = match self.sides[unit][OLD].calls > 0.0 {
            true => OLD,
            false => NEW,
        };
        let sums = self.sides[unit][side];
        if sums.calls == 0.0 {
            return 0.0;
        }
        let mut cost = sums.own;
        for caller in self.members.of(unit).iter().map(|member| *member as usize) {
            for call in &graphs[side].calls[caller] {
                if !self.is_inner(caller, call.callee) {
                    cost += call.count * self.expected[self.unit[call.callee as usize] as usize];
                }
            }
        }
        cost / sums.calls
    }

    fn code_of(&self, unit: usize, graphs: &[SideGraph; 2]) -> CodeState {
        if self.sides[unit][OLD].calls == 0.0 {
            return CodeState::New;
        }
        let members = self.members.of(unit).iter();
        let states = members.map(|function| code_of_function(*function, graphs));
        // A new function in a circle is there because another one asks for it.
        let states = states.filter(|state| *state != CodeState::New);
        let found = states.max_by_key(|state| rank(*state));
        let mut members = self.members.of(unit).iter();
        let is_other_instance = |function: &u32| {
            let function = *function as usize;
            graphs.iter().all(|graph| graph.has_body[function])
        };
        found.unwrap_or_else(|| match members.all(is_other_instance) {
            true => CodeState::New,
            // Nothing is on both sides: other functions call each other now.
            false => CodeState::Changed,
        })
    }
}

/// Compares the code of the bodies of one function. An instance that is there on one side only is
/// no change: its callers ask for it.
pub(super) fn code_of_function(function: u32, graphs: &[SideGraph; 2]) -> CodeState {
    let code = graphs
        .each_ref()
        .map(|graph| match graph.has_body[function as usize] {
            true => &graph.code[function as usize][..],
            false => &[],
        });
    if code.iter().any(|code| code.is_empty()) {
        return CodeState::New;
    }
    // Counts as changed: passed on, the difference would end at the benchmark instead of here.
    if code.iter().any(|code| code.iter().any(|one| one.hash == 0)) {
        return CodeState::Unknown;
    }
    let state = state_of(code[OLD], code[NEW]);
    if state != CodeState::Changed {
        return state;
    }
    // Instances were added or removed: only those with the same generic arguments are compared.
    let both = code[OLD].chunk_by(|a, b| a.instance == b.instance);
    let both = both.filter_map(|old| {
        let mut new = code[NEW].chunk_by(|a, b| a.instance == b.instance);
        let new = new.find(|new| new[0].instance == old[0].instance);
        new.map(|new| state_of(old, new))
    });
    let is_named = |one: &InstanceCode| one.instance != NONE;
    match both.max_by_key(|state| rank(*state)) {
        Some(state) => state,
        None if code.iter().all(|code| code.iter().all(is_named)) => CodeState::New,
        None => CodeState::Changed,
    }
}

/// Compares the code of bodies of one function. All code of the side that has fewer bodies has to
/// be on the other one as well.
fn state_of(old: &[InstanceCode], new: &[InstanceCode]) -> CodeState {
    let (less, more) = match old.len() <= new.len() {
        true => (old, new),
        false => (new, old),
    };
    let states = less.iter().map(|one| {
        let states = more.iter().map(|other| state_of_instance(one, other));
        // Of merged or repeated instances any equal one will do.
        states.min_by_key(|state| rank(*state))
    });
    let worst = states.flatten().max_by_key(|state| rank(*state));
    worst.unwrap_or(CodeState::Changed)
}

fn state_of_instance(one: &InstanceCode, other: &InstanceCode) -> CodeState {
    // 0 means unknown, which shows no difference.
    let calls_others = one.callees != other.callees && one.callees != 0 && other.callees != 0;
    if one.hash != other.hash || calls_others {
        return CodeState::Changed;
    }
    // Constants are known where instructions were executed, and other data execute other
    // instructions: only places that both builds executed are compared.
    let is_other = |(offset, hash): &(u32, u64)| {
        let place = |constant: &(u32, u64)| constant.0;
        let found = other.constants.binary_search_by_key(offset, place);
        found.is_ok_and(|index| other.constants[index].1 != *hash)
    };
    match one.constants.iter().any(is_other) {
        true => CodeState::OtherConstants,
        false => CodeState::Same,
    }
}

/// Order of the states by how much of the code differs.
fn rank(state: CodeState) -> u8 {
    match state {
        CodeState::New => 0,
        CodeState::Same => 1,
        CodeState::Unknown => 2,
        CodeState::OtherConstants => 3,
        CodeState::Changed => 4,
    }
}
