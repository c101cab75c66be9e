//! The costs of a profile, divided among callers, for one metric.
//!
//! A profile has the own cost of each function and the inclusive cost of each call, but not the
//! cost of a function for each of its callers, and calls inside of a recursion overlap. So the
//! costs are added up from the bottom: the cost of a function and everything below it is divided
//! among its callers in proportion to their calls. Functions that call each other in circles are
//! one unit here. Without recursion, the shares are the inclusive costs of the calls as they were
//! recorded.

use std::borrow::Cow;

use base::apportion::divide;
use base::csr::Grouped;
use base::scc::Circles;
use formats::callgrind::CallArc;

/// Functions at which the picture begins.
#[derive(Debug)]
pub(super) struct Roots {
    /// For each function, whether the picture begins there.
    pub(super) is_root: Vec<bool>,
    /// Only calls below these are shown. Otherwise costs outside of them (threads) are shown as
    /// well, at functions without callers.
    pub(super) only: bool,
}

/// Costs of one metric in a profile: functions and calls.
pub(super) struct CallCosts<'a> {
    pub(super) arcs: Cow<'a, [CallArc]>,
    /// Own cost of each function.
    pub(super) own: Vec<u64>,
    /// Inclusive cost of each arc as it was recorded.
    pub(super) recorded: Vec<u64>,
}

/// The costs of one profile, divided among callers.
pub(super) struct Calls<'a> {
    pub(super) arcs: Cow<'a, [CallArc]>,
    /// Own cost of each function.
    pub(super) own: Vec<u64>,
    /// Cost of the callee on account of each arc that leaves a circle.
    pub(super) shares: Vec<u64>,
    /// Inclusive cost of each arc as it was recorded.
    pub(super) recorded: Vec<u64>,
    /// Indices of the arcs that leave each function.
    pub(super) leaving: Grouped,
    pub(super) circles: Circles,
    /// Functions at which the picture begins, with their inclusive costs.
    pub(super) roots: Vec<(u32, u64)>,
}

impl<'a> Calls<'a> {
    pub(super) fn new(costs: CallCosts<'a>, roots: &Roots) -> Self {
        let CallCosts {
            arcs,
            own,
            recorded,
        } = costs;
        let leaving = (0..)
            .zip(arcs.iter())
            .map(|(index, arc)| (arc.caller, index));
        let targets = arcs.iter().map(|arc| (arc.caller, arc.callee));
        let functions = own.len();
        let mut calls = Self {
            leaving: Grouped::new(functions, leaving),
            circles: Circles::find(&Grouped::new(functions, targets)),
            arcs,
            own,
            shares: vec![0; recorded.len()],
            recorded,
            roots: Vec::new(),
        };
        calls.flow(&calls.entries(roots), roots.only);
        calls
    }

    /// Cost of all roots.
    pub(super) fn total(&self) -> u64 {
        let costs = self.roots.iter().map(|(_, cost)| *cost);
        costs.fold(0, u64::saturating_add)
    }

    /// Does this arc stay inside of a circle?
    pub(super) fn is_inner(&self, arc: u32) -> bool {
        let arc = self.arcs[arc as usize];
        let component = &self.circles.component;
        component[arc.caller as usize] == component[arc.callee as usize]
    }

    /// Function of each component at which the picture begins, if it begins there.
    fn entries(&self, roots: &Roots) -> Vec<Option<u32>> {
        let mut entries = vec![None; self.circles.members.len()];
        for (function, is_root) in roots.is_root.iter().enumerate() {
            if *is_root {
                let component = self.circles.component[function] as usize;
                // Roots that call each other in a circle have one cost together, and are one root.
                entries[component].get_or_insert(function as u32);
            }
        }
        entries
    }

    /// Divides the costs of all components among their callers, callees first.
    fn flow(&mut self, entries: &[Option<u32>], only: bool) {
        let entering = (0..)
            .zip(self.arcs.iter())
            .filter(|(index, _)| !self.is_inner(*index));
        let component = &self.circles.component;
        let entering = entering.map(|(index, arc)| (component[arc.callee as usize], index));
        let entering = Grouped::new(self.circles.members.len(), entering);
        let mut weights: Vec<u64> = Vec::new();
        for (component, arcs) in entering.iter().enumerate() {
            let members = self.circles.members.of(component);
            let below = members.iter().flat_map(|member| {
                let shares = self.leaving.of(*member as usize).iter();
                shares.map(|arc| self.shares[*arc as usize])
            });
            let own = members.iter().map(|member| self.own[*member as usize]);
            let cost = own.chain(below).fold(0, u64::saturating_add);
            if cost == 0 {
                continue;
            }
            // The callers of a root are outside of the picture, so nothing is divided among them.
            if let Some(entry) = entries[component] {
                self.roots.push((entry, cost));
                continue;
            }
            weights.clear();
            weights.extend(arcs.iter().map(|arc| self.recorded[*arc as usize]));
            if weights.iter().any(|weight| *weight > 0) {
                for (arc, share) in arcs.iter().zip(divide(cost, &weights)) {
                    self.shares[*arc as usize] = share;
                }
            } else if !only {
                let largest = members
                    .iter()
                    .max_by_key(|member| self.own[**member as usize]);
                self.roots.extend(largest.map(|member| (*member, cost)));
            }
        }
    }
}
