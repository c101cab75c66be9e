//! Effects: functions with unchanged code that cost more because another function, whose code
//! changed, left other data.
//!
//! A vector that now grows by one element, for example, makes all functions that push call its
//! growth more often. No caller of these has changed, so the reason is below.

use super::sides::SideGraph;
use super::units::{CodeState, Units};

/// Finds the unit to which the causes of units belong whose callers are all unchanged.
pub(super) struct Effects {
    /// Code of a direct or indirect caller of this unit changed.
    is_below_change: Vec<bool>,
    /// Callees of each unit, itself left out.
    callees: Vec<Vec<u32>>,
    /// Changed unit that each unit calls, directly or not, with the size of its own cause.
    changed: Vec<Option<(u32, f64)>>,
}

impl Effects {
    /// `graph` is that of the new side.
    pub(super) fn new(graph: &SideGraph, units: &Units) -> Self {
        let mut callees: Vec<Vec<u32>> = vec![Vec::new(); units.len()];
        for (caller, calls) in graph.calls.iter().enumerate() {
            let unit = units.unit[caller];
            let called = calls.iter().map(|call| units.unit[call.callee as usize]);
            callees[unit as usize].extend(called.filter(|callee| *callee != unit));
        }
        let mut is_below_change = vec![false; units.len()];
        // Callers come after those that they call.
        for caller in (0..units.len()).rev() {
            callees[caller].sort_unstable();
            callees[caller].dedup();
            // Code that is not known may have changed: what it calls is not explained from below.
            let may_be_cause = (units.code[caller].is_other()
                || units.code[caller] == CodeState::Unknown)
                && caller != units.outside();
            for callee in &callees[caller] {
                is_below_change[*callee as usize] |= may_be_cause || is_below_change[caller];
            }
        }
        Self {
            is_below_change,
            callees,
            changed: vec![None; units.len()],
        }
    }

    /// Adds a unit with the size of its own cause. All that it calls have to be there.
    pub(super) fn add(&mut self, unit: usize, size: f64, units: &Units) {
        let below = self.callees[unit].iter();
        let below = below.filter_map(|callee| self.changed[*callee as usize]);
        // Unknown code is never named as the reason: nothing shows that it changed.
        let own = units.code[unit].is_other().then_some((unit as u32, size));
        self.changed[unit] = below
            .chain(own)
            // Of equal causes the lowest unit is taken, so that each run names the same one.
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    }

    /// The unit that the causes of this one belong to, if nothing above of it has other code and
    /// something below has.
    pub(super) fn reason(&self, unit: usize, units: &Units) -> Option<usize> {
        let is_as_before = units.code[unit] == CodeState::Same
            && !self.is_below_change[unit]
            && unit != units.outside();
        let changed = self.changed[unit].filter(|_| is_as_before);
        changed.map(|(unit, _)| unit as usize)
    }
}
