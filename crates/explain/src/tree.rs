//! The tree of calls from the roots down, with inclusive costs of two builds.
//!
//! A profile has the costs of a call, but not the path on which the caller was reached. So costs
//! below a function are divided among its callers in proportion to the costs of their calls.
//! Functions that only one build has inlined are part of their callers, and functions that call
//! each other in circles are not followed into the circle.

use std::collections::BTreeMap;

use iai_callgrind::protocol::EventKind;

use super::contract::contract;
use super::digest::Digest;
use super::display::ShownFunctions;
use super::pair::{FunctionPairs, PairNumber};
use super::sides::{side_graphs, SharedNames, SideGraph, NEW, OLD};
use super::units::Units;
use super::{values, ExplainError};

/// Rows below a function, at most, beside the one for all others.
const MOST_BELOW: usize = 5;

/// Rows of a tree, at most.
const MOST: usize = 200;

/// Smallest share of the differences below a function, and of those of the whole tree, for a row.
const LEAST_SHARE: f64 = 0.02;

/// Inclusive costs of two builds, from the roots down.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallTree {
    /// Rows, each before those below it. The rows directly below a function add up to it.
    pub rows: Vec<CallTreeRow>,
}

/// A row of a tree of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallTreeRow {
    /// Number of functions above it.
    pub depth: usize,
    /// Meaning of the row.
    pub kind: CallTreeKind,
    /// Old costs.
    pub old: u64,
    /// New costs.
    pub new: u64,
}

/// Meaning of a row of a tree of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallTreeKind {
    /// A function with all that it calls.
    Function {
        /// Its name.
        name: String,
        /// The function calls itself, directly or through others.
        is_recursive: bool,
    },
    /// Code of the function above with all that was inlined into it, without its calls.
    Own,
    /// All without a row of their own: a number of functions, or the function's own code.
    Rest(usize),
}

/// The tree of calls, as deep as this. Without a difference it is empty.
///
/// # Errors
///
/// The same errors as [`super::explain`].
pub fn call_tree(
    old: &Digest,
    new: &Digest,
    metric: EventKind,
    depth: usize,
) -> Result<CallTree, ExplainError> {
    let digests = [old, new];
    let values = [values(old, metric)?, values(new, metric)?];
    let pairs = FunctionPairs::find(old, new);
    let shown = ShownFunctions::new(old, new, &pairs);
    let mut names = SharedNames::default();
    let mut graphs = side_graphs(digests, &values, &pairs, &mut names);
    contract(&mut graphs, &mut names.inlined);
    let units = Units::new(&mut graphs);
    let mut builder = TreeBuilder {
        costs: unit_costs(&graphs, &units),
        graphs: &graphs,
        units: &units,
        shown: &shown,
        depth,
        least: 0.0,
        rows: Vec::new(),
    };
    builder.roots();
    Ok(CallTree { rows: builder.rows })
}

/// Costs of a unit on both sides.
#[derive(Clone, Copy, Default)]
struct UnitCosts {
    /// Own costs and those of all functions that it calls.
    inclusive: [f64; 2],
    /// Costs of the calls from other units.
    called: [f64; 2],
}

fn unit_costs(graphs: &[SideGraph; 2], units: &Units) -> Vec<UnitCosts> {
    let own = units.sides.iter().map(|sides| UnitCosts {
        inclusive: [sides[OLD].own, sides[NEW].own],
        called: [0.0; 2],
    });
    let mut costs: Vec<UnitCosts> = own.collect();
    for (side, graph) in graphs.iter().enumerate() {
        for (caller, calls) in graph.calls.iter().enumerate() {
            for call in calls {
                if !units.is_inner(caller, call.callee) {
                    costs[units.unit[caller] as usize].inclusive[side] += call.inclusive;
                    let callee = units.unit[call.callee as usize];
                    costs[callee as usize].called[side] += call.inclusive;
                }
            }
        }
    }
    costs
}

/// A tree that is being made.
struct TreeBuilder<'a> {
    graphs: &'a [SideGraph; 2],
    units: &'a Units,
    shown: &'a ShownFunctions<'a>,
    costs: Vec<UnitCosts>,
    depth: usize,
    /// Smallest difference of a row.
    least: f64,
    rows: Vec<CallTreeRow>,
}

/// A function, or own code, with its costs on both sides.
type Branch = (Option<PairNumber>, [f64; 2]);

impl TreeBuilder<'_> {
    fn roots(&mut self) {
        let mut roots: BTreeMap<Option<PairNumber>, [f64; 2]> = BTreeMap::new();
        for (side, graph) in self.graphs.iter().enumerate() {
            for call in &graph.calls[graph.outside() as usize] {
                let unit = self.costs[self.units.unit[call.callee as usize] as usize];
                // Calls from the outside have no recorded costs: the root's are all that no other
                // call explains.
                let costs = unit.inclusive[side] - unit.called[side];
                // Calls of a recursion overlap, so they may explain more than there is.
                roots.entry(Some(call.callee)).or_default()[side] = costs.max(0.0);
            }
        }
        let roots: Vec<Branch> = roots.into_iter().collect();
        let all: f64 = roots.iter().map(size).sum();
        self.least = all * LEAST_SHARE;
        let first = roots.first().copied();
        let mut largest = self.largest(roots).0;
        if largest.is_empty() {
            // Costs may have moved below a root that costs as much as before.
            largest.extend(first);
        }
        for (root, costs) in largest {
            self.branch(root, costs, 0);
        }
        if self.rows.iter().all(|row| row.old == row.new) {
            self.rows.clear();
        }
    }

    /// Adds the row of a function and those below it.
    fn branch(&mut self, function: Option<PairNumber>, costs: [f64; 2], depth: usize) {
        let [old, new] = costs.map(whole);
        let Some(function) = function else {
            return self.row(depth, CallTreeKind::Own, [old, new]);
        };
        let unit = self.units.unit[function as usize] as usize;
        let is_recursive = self.is_recursive(unit);
        let name = self.shown.name(function);
        self.row(
            depth,
            CallTreeKind::Function { name, is_recursive },
            [old, new],
        );
        // Each level adds a row, so `MOST` also bounds the recursion, however large `--depth` is.
        if depth >= self.depth || self.rows.len() >= MOST {
            return;
        }
        let below = self.below(unit, costs);
        // A function without calls: a row for its own code would repeat the row above.
        if let [(None, _)] = below[..] {
            return;
        }
        let (largest, rest) = self.largest(below);
        // Rounded rows are subtracted, so that the shown numbers add up.
        let mut left = [old, new];
        for (below, costs) in largest {
            for (left, costs) in left.iter_mut().zip(costs.map(whole)) {
                *left = left.saturating_sub(costs);
            }
            self.branch(below, costs, depth + 1);
        }
        if rest > 0 {
            self.row(depth + 1, CallTreeKind::Rest(rest), left);
        }
    }

    fn row(&mut self, depth: usize, kind: CallTreeKind, [old, new]: [u64; 2]) {
        self.rows.push(CallTreeRow {
            depth,
            kind,
            old,
            new,
        });
    }

    /// The functions that a unit calls, and its own code, as far as they belong to calls of these
    /// costs.
    fn below(&self, unit: usize, costs: [f64; 2]) -> Vec<Branch> {
        let mut below: BTreeMap<Option<PairNumber>, [f64; 2]> = BTreeMap::new();
        for side in [OLD, NEW] {
            let total = self.costs[unit].inclusive[side];
            if total <= 0.0 {
                // A profile that was cut has calls of functions without costs.
                below.entry(None).or_default()[side] += costs[side];
                continue;
            }
            // The profile has one cost for all callers, so everything below is divided alike.
            let share = costs[side] / total;
            below.entry(None).or_default()[side] += self.units.sides[unit][side].own * share;
            for member in self
                .units
                .members
                .of(unit)
                .iter()
                .map(|member| *member as usize)
            {
                for call in &self.graphs[side].calls[member] {
                    if !self.units.is_inner(member, call.callee) {
                        below.entry(Some(call.callee)).or_default()[side] += call.inclusive * share;
                    }
                }
            }
        }
        below.into_iter().collect()
    }

    /// The branches that differ most, and the number of the others.
    fn largest(&self, mut branches: Vec<Branch>) -> (Vec<Branch>, usize) {
        let all: f64 = branches.iter().map(size).sum();
        let least = (all * LEAST_SHARE).max(self.least);
        branches.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let is_large = |branch: &&Branch| size(branch) >= least && size(branch) >= 1.0;
        let count = branches
            .iter()
            .take(MOST_BELOW)
            .take_while(is_large)
            .count();
        let rest = branches.split_off(count);
        (branches, rest.len())
    }

    fn is_recursive(&self, unit: usize) -> bool {
        let members = self.units.members.of(unit);
        let calls_itself = |member: &u32| {
            let graphs = self.graphs.iter();
            let mut calls = graphs.flat_map(|graph| &graph.calls[*member as usize]);
            calls.any(|call| call.callee == *member)
        };
        members.len() > 1 || members.iter().any(calls_itself)
    }
}

/// Difference of the costs of a branch.
fn size((_, [old, new]): &Branch) -> f64 {
    (new - old).abs()
}

fn whole(costs: f64) -> u64 {
    costs.round() as u64
}
