//! Own costs of the functions of one result, as records have them.

use serde::{Deserialize, Serialize};

use super::digest::{Digest, FunctionId, SourceOrigin};
use super::names;

/// Functions at most, beside the row for all others.
const MOST: usize = 199;

/// A function with less than this part of the first event has no row of its own.
const LEAST_PART: u64 = 1000;

/// Name of the row for all others.
const OTHERS: &str = "…";

/// Own costs of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FunctionCosts {
    /// Canonical name; `…` is all others.
    pub name: String,
    /// Owner of the function.
    pub origin: SourceOrigin,
    /// Own costs, inlined or not, in the order of the digest's events.
    pub own: Vec<u64>,
    /// Executions of its machine code; what is inlined is not called.
    pub calls: u64,
    /// The compiler inlined it everywhere.
    pub inlined: bool,
}

/// The functions of a digest that matter, the most expensive first, and all others. They add up to the
/// totals.
#[must_use]
pub fn function_costs(digest: &Digest) -> Vec<FunctionCosts> {
    let events = digest.head.events.len();
    let mut all: Vec<FunctionCosts> = digest
        .functions
        .iter()
        .enumerate()
        .map(|(index, function)| FunctionCosts {
            name: names::shown(digest.text(function.name)),
            origin: digest.origin(FunctionId(index as u32)),
            own: vec![0; events],
            calls: 0,
            inlined: true,
        })
        .collect();
    for body in &digest.bodies {
        let function = &mut all[body.function.index()];
        function.calls = function.calls.saturating_add(body.entries);
        function.inlined = false;
    }
    for (row, costs) in digest.rows.iter().zip(digest.row_costs.rows()) {
        add(&mut all[digest.function_of(row.node).index()].own, costs);
    }
    all.retain(|function| function.own.iter().any(|cost| *cost > 0));
    all.sort_by(|a, b| b.own.cmp(&a.own).then_with(|| a.name.cmp(&b.name)));
    let total = all.iter().filter_map(|function| function.own.first());
    let least = total.fold(0_u64, |sum, cost| sum.saturating_add(*cost)) / LEAST_PART;
    let matters = |function: &FunctionCosts| function.own.first() >= Some(&least.max(1));
    let kept = all
        .iter()
        .take(MOST)
        .take_while(|function| matters(function))
        .count();
    let others = all.split_off(kept);
    if !others.is_empty() {
        let mut row = FunctionCosts {
            name: OTHERS.to_owned(),
            origin: SourceOrigin::Unknown,
            own: vec![0; events],
            calls: 0,
            inlined: false,
        };
        for other in others {
            add(&mut row.own, &other.own);
            row.calls = row.calls.saturating_add(other.calls);
        }
        all.push(row);
    }
    all
}

fn add(sums: &mut [u64], costs: &[u64]) {
    for (sum, cost) in sums.iter_mut().zip(costs) {
        *sum = sum.saturating_add(*cost);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{digest, Sample};
    use super::*;

    #[test]
    fn functions_have_their_own_costs() {
        let digest = digest(
            "root lab::bench
            own lab::bench:1 = 500
            own lab::bench:2 > std::Vec::push:3 = 300
            call lab::bench:4 -> malloc 7 = 200
            own malloc:0 = 1200",
        );
        let rows = serde_json::to_value(function_costs(&digest)).unwrap();
        let expected = serde_json::json!([
            {"name": "malloc", "origin": "unknown", "own": [1200], "calls": 7, "inlined": false},
            {"name": "lab::bench", "origin": "user", "own": [500], "calls": 1, "inlined": false},
            {"name": "std::Vec::push", "origin": "std", "own": [300], "calls": 0, "inlined": true},
        ]);
        assert_eq!(rows, expected);
    }

    #[test]
    fn small_functions_are_added_up() {
        let mut sample = Sample::new(&["Ir", "Dr"]);
        sample.own("lab::bench:1", &[100_000, 5]);
        for number in 0..300 {
            sample.own(&format!("lab::f{number}:1"), &[150, 1]);
        }
        sample.own("lab::small:1", &[1, 7]);
        sample.own("lab::smaller:1", &[0, 9]);
        let digest = sample.finish();
        let rows = function_costs(&digest);
        assert_eq!(rows.len(), 200);
        assert_eq!(rows[199].name, "…");
        assert_eq!(rows[199].own, [102 * 150 + 1, 102 + 16]);
        let totals = rows
            .iter()
            .fold([0, 0], |[ir, dr], row| [ir + row.own[0], dr + row.own[1]]);
        assert_eq!(totals[..], digest.head.totals);
    }
}
