//! The costs of a profile, divided among callers, for one metric.
//!
//! A profile has the own cost of each function and the inclusive cost of each call, but not the cost of a
//! function for each of its callers, and calls inside of a recursion overlap. So the costs are added up
//! from the bottom: the cost of a function and everything below it is divided among its callers in
//! proportion to their calls. Functions that call each other in circles are one unit here. Without
//! recursion, the shares are the inclusive costs of the calls as they were recorded.

use std::borrow::Cow;

use crate::components::Circles;
use crate::parse::callgrind::CallArc;
use crate::shares::divide;

/// Functions at which the picture begins.
#[derive(Debug)]
pub(super) struct Roots {
    /// For each function, whether the picture begins there.
    pub(super) is_root: Vec<bool>,
    /// Nothing else is shown. Otherwise costs outside of these (threads) are, at functions without callers.
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
    pub(super) leaving: Vec<Vec<u32>>,
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
        let mut leaving = vec![Vec::new(); own.len()];
        let mut targets = vec![Vec::new(); own.len()];
        for (index, arc) in arcs.iter().enumerate() {
            leaving[arc.caller as usize].push(index as u32);
            targets[arc.caller as usize].push(arc.callee);
        }
        let mut calls = Self {
            arcs,
            own,
            shares: vec![0; recorded.len()],
            recorded,
            leaving,
            circles: Circles::find(&targets),
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
                entries[component].get_or_insert(function as u32);
            }
        }
        entries
    }

    /// Divides the costs of all components among their callers, callees first.
    fn flow(&mut self, entries: &[Option<u32>], only: bool) {
        let mut entering = vec![Vec::new(); self.circles.members.len()];
        for (index, arc) in self.arcs.iter().enumerate() {
            if !self.is_inner(index as u32) {
                let callee = self.circles.component[arc.callee as usize];
                entering[callee as usize].push(index);
            }
        }
        for (component, arcs) in entering.into_iter().enumerate() {
            let members = &self.circles.members[component];
            let below = members.iter().flat_map(|member| {
                let shares = self.leaving[*member as usize].iter();
                shares.map(|arc| self.shares[*arc as usize])
            });
            let own = members.iter().map(|member| self.own[*member as usize]);
            let cost = own.chain(below).fold(0, u64::saturating_add);
            if cost == 0 {
                continue;
            }
            if let Some(entry) = entries[component] {
                self.roots.push((entry, cost));
                continue;
            }
            let weights: Vec<u64> = arcs.iter().map(|arc| self.recorded[*arc]).collect();
            if weights.iter().any(|weight| *weight > 0) {
                for (arc, share) in arcs.iter().zip(divide(cost, &weights)) {
                    self.shares[*arc] = share;
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
