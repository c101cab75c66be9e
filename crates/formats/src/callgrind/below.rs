//! The part of a profile that lies below some functions.
//!
//! Callgrind has the costs of a function for all its callers together. They are divided in
//! proportion to the inclusive costs of the calls, from the callers down, so that each event adds
//! up to the calls of these functions, to the last count. Functions that call each other in circles
//! are divided as one.

use std::collections::HashMap;

use super::cost_rows::CostRows;
use super::instructions::{CostPlace, InstructionProfile, ProfileName};
use base::apportion::divide;
use base::csr::Grouped;
use base::scc::Circles;

/// A circle of functions that call each other, most often a single function, with its costs and
/// calls.
#[derive(Debug, Default)]
struct Circle {
    is_root: bool,
    rows: Vec<usize>,
    entering: Vec<usize>,
    leaving: Vec<usize>,
    inner: Vec<usize>,
}

impl InstructionProfile {
    /// The part of the profile that was executed by functions for which `is_root` holds and by
    /// those that they call.
    ///
    /// Callgrind has the costs of a function for all callers together. They are divided in
    /// proportion to the inclusive costs of the calls, so they are exact if no function below a
    /// root has callers elsewhere.
    #[must_use]
    pub fn below(mut self, is_root: impl Fn(&str) -> bool) -> Self {
        let circles = circles(&self, is_root);
        // Kept, because the calls of a root count as they were recorded, and shares overwrite them.
        let recorded = self.inclusive.clone();
        for event in 0..self.events.len() {
            // Callers have higher numbers.
            for circle in circles.iter().rev() {
                circle.divide(event, &recorded, &mut self.own, &mut self.inclusive);
            }
        }
        self.without_idle_calls()
    }

    /// Leaves out calls without any cost, which belong to parts that do not count.
    fn without_idle_calls(mut self) -> Self {
        let mut inclusive = CostRows::default();
        let mut calls = Vec::new();
        for (index, call) in self.calls.iter().enumerate() {
            let costs = self.inclusive.row(index);
            if costs.iter().any(|cost| *cost > 0) {
                calls.push(*call);
                inclusive.push(costs);
            }
        }
        (self.calls, self.inclusive) = (calls, inclusive);
        self
    }
}

impl Circle {
    /// Divides the costs of calls from outside: all of them in roots, elsewhere the share of the
    /// callers.
    fn divide(
        &self,
        event: usize,
        recorded: &CostRows,
        own: &mut CostRows,
        inclusive: &mut CostRows,
    ) {
        let rows = self.rows.iter().map(|row| own.row(*row)[event]);
        let calls = self.leaving.iter().map(|call| inclusive.row(*call)[event]);
        let weights: Vec<u64> = rows.chain(calls).collect();
        let given = if self.is_root { recorded } else { &*inclusive };
        let entering = self.entering.iter().map(|call| given.row(*call)[event]);
        let amount = entering.fold(0, u64::saturating_add);
        let whole = weights.iter().copied().fold(0, u64::saturating_add);
        let mut parts = divide(amount, &weights).into_iter();
        for (row, part) in self.rows.iter().zip(&mut parts) {
            own.row_mut(*row)[event] = part;
        }
        for (call, part) in self.leaving.iter().zip(parts) {
            inclusive.row_mut(*call)[event] = part;
        }
        for call in &self.inner {
            let cost = &mut inclusive.row_mut(*call)[event];
            let product = u128::from(*cost) * u128::from(amount);
            let part = product.checked_div(u128::from(whole)).unwrap_or(0);
            // Calls inside of a circle overlap, so the cost of one may exceed that of the circle.
            *cost = u64::try_from(part).unwrap_or(u64::MAX);
        }
    }
}

/// The functions of a profile in circles, callees first.
fn circles(profile: &InstructionProfile, is_root: impl Fn(&str) -> bool) -> Vec<Circle> {
    let mut functions = FunctionTable::default();
    let rows = profile.rows.iter();
    let rows: Vec<u32> = rows.map(|place| functions.id(profile, place)).collect();
    let calls = profile.calls.iter();
    let calls: Vec<[u32; 2]> = calls
        .map(|call| [&call.site, &call.callee].map(|place| functions.id(profile, place)))
        .collect();
    let pairs = calls.iter().map(|[caller, callee]| (*caller, *callee));
    let found = Circles::find(&Grouped::new(functions.names.len(), pairs));
    let circle = |function: u32| found.component[function as usize] as usize;
    let mut circles: Vec<Circle> = found.members.iter().map(|_| Circle::default()).collect();
    for (name, function) in functions.names.iter().zip(0..) {
        circles[circle(function)].is_root |= is_root(&String::from_utf8_lossy(name));
    }
    for (row, function) in rows.into_iter().enumerate() {
        circles[circle(function)].rows.push(row);
    }
    for (call, ends) in calls.into_iter().enumerate() {
        let [caller, callee] = ends.map(circle);
        if caller == callee {
            circles[caller].inner.push(call);
        } else {
            circles[caller].leaving.push(call);
            circles[callee].entering.push(call);
        }
    }
    circles
}

/// Numbers of functions. Levels of a recursion are one.
#[derive(Debug, Default)]
struct FunctionTable<'a> {
    ids: HashMap<(ProfileName, &'a [u8]), u32>,
    names: Vec<&'a [u8]>,
}

impl<'a> FunctionTable<'a> {
    fn id(&mut self, profile: &'a InstructionProfile, place: &CostPlace) -> u32 {
        let name = profile.plain_name(place.function);
        let next = self.names.len() as u32;
        let id = *self.ids.entry((place.object, name)).or_insert(next);
        if id == next {
            self.names.push(name);
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use crate::callgrind::{InstructionProfile, InstructionReader};

    /// `main` calls `root` twice, which calls `shared` for 30 of its 100. `even` and `odd` call
    /// each other, and `root` is the reason for half of that.
    const PROFILE: &str = "\
positions: instr line
events: Ir Dr
ob=(1) /p
fl=(1) a.rs
fn=(1) main
0x10 1 7 1
cfn=(2) root
calls=2 0x20 2
0x14 1 145 3
cfn=(3) shared
calls=1 0x30 3
0x18 1 70 7
cfn=(4) even
calls=1 0x40 4
0x1c 1 100
fn=(2)
0x20 2 15
cfn=(3)
calls=1 0x30 3
0x24 2 30 3
cfn=(4)
calls=1 0x40 4
0x28 2 100
fn=(3)
0x30 3 99 10
0x34 3 1
fn=(4)
0x40 4 120
cfn=(5) odd
calls=6 0x50 5
0x44 4 180
fn=(5)
0x50 5 80
cfn=(4)
calls=5 0x40 4
0x54 5 90
totals: 322 11
";

    fn below(root: &str) -> InstructionProfile {
        let mut reader = InstructionReader::default();
        reader.add(PROFILE.as_bytes()).unwrap();
        reader.finish().below(|name| name == root)
    }

    /// Address and own costs, without rows that have none.
    fn rows(profile: &InstructionProfile) -> Vec<(u64, Vec<u64>)> {
        let rows = profile.rows.iter().enumerate();
        rows.map(|(index, row)| (row.address, profile.own(index).to_vec()))
            .filter(|(_, costs)| costs.iter().any(|cost| *cost > 0))
            .collect()
    }

    #[test]
    fn costs_are_divided_among_callers_without_losing_one() {
        let profile = below("root");
        let expected = [
            (0x20, vec![15, 0]),
            (0x30, vec![30, 3]),
            (0x40, vec![60, 0]),
            (0x50, vec![40, 0]),
        ];
        assert_eq!(rows(&profile), expected);
        let calls = profile.calls.iter().enumerate();
        let calls: Vec<_> = calls
            .map(|(index, call)| (call.site.address, profile.inclusive(index).to_vec()))
            .collect();
        let expected = [
            (0x24, vec![30, 3]),
            (0x28, vec![100, 0]),
            (0x44, vec![90, 0]),
            (0x54, vec![45, 0]),
        ];
        assert_eq!(calls, expected);
    }

    #[test]
    fn a_function_that_nobody_calls_has_nothing_below() {
        assert_eq!(rows(&below("main")), []);
        assert_eq!(below("nobody").calls, []);
    }
}
