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
    /// Name without generic arguments, the same in every build; `…` is all others.
    pub name: String,
    /// Owner of the function.
    pub origin: SourceOrigin,
    /// Own costs, inlined or not, in the order of the profile's `events`.
    pub own: Vec<u64>,
    /// Executions of its machine code, where what is inlined is not called; absent if they are not
    /// known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// The compiler inlined it everywhere.
    pub inlined: bool,
}

/// Own costs of the functions of a result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedFunctions {
    /// Callgrind's names of the counters.
    pub events: Vec<String>,
    /// The functions that matter, the most expensive first, and all others. They add up to the
    /// totals.
    pub functions: Vec<FunctionCosts>,
}

impl RecordedFunctions {
    /// Adds up the rows of a digest by function.
    #[must_use]
    pub fn new(digest: &Digest) -> Self {
        let sums = FunctionSums::new(digest);
        let mut order: Vec<u32> = (0..digest.functions.len() as u32).collect();
        order.retain(|function| sums.own(*function).iter().any(|cost| *cost > 0));
        let name = |function: u32| digest.name(FunctionId(function));
        order.sort_unstable_by(|a, b| {
            let costs = sums.own(*b).cmp(sums.own(*a));
            // Numbers of functions differ between builds, names do not.
            costs.then_with(|| name(*a).cmp(name(*b)))
        });
        let least = digest
            .head
            .totals
            .first()
            .map_or(0, |total| total / LEAST_PART);
        // A thousandth of a small total is 0, which every function reaches.
        let matters = |function: &&u32| sums.own(**function).first() >= Some(&least.max(1));
        let kept = order.iter().take(MOST).take_while(matters).count();
        let others = order.split_off(kept);
        let mut functions: Vec<FunctionCosts> = order
            .into_iter()
            .map(|function| FunctionCosts {
                name: names::shown(name(function)),
                origin: digest.origin(FunctionId(function)),
                own: sums.own(function).to_vec(),
                calls: sums.calls(function),
                inlined: sums.is_inlined[function as usize],
            })
            .collect();
        functions.extend(sums.all(&others));
        let events = digest.head.events.iter();
        Self {
            events: events.map(|event| digest.text(*event).to_owned()).collect(),
            functions,
        }
    }
}

/// Sums over the rows and bodies of each function of a digest.
struct FunctionSums {
    events: usize,
    has_calls: bool,
    /// Own costs of all functions, one after the other.
    own: Vec<u64>,
    calls: Vec<u64>,
    is_inlined: Vec<bool>,
}

impl FunctionSums {
    fn new(digest: &Digest) -> Self {
        let count = digest.functions.len();
        let events = digest.head.events.len();
        let mut sums = Self {
            events,
            has_calls: digest.head.by_instruction,
            own: vec![0; count * events],
            calls: vec![0; count],
            is_inlined: vec![true; count],
        };
        for body in &digest.bodies {
            let function = body.function.index();
            let calls = &mut sums.calls[function];
            *calls = calls.saturating_add(body.entries);
            sums.is_inlined[function] = false;
        }
        for (row, costs) in digest.rows.iter().zip(digest.row_costs.rows()) {
            let function = digest.function_of(row.node).index();
            add(&mut sums.own[function * events..][..events], costs);
        }
        sums
    }

    fn own(&self, function: u32) -> &[u64] {
        &self.own[function as usize * self.events..][..self.events]
    }

    fn calls(&self, function: u32) -> Option<u64> {
        self.has_calls.then(|| self.calls[function as usize])
    }

    /// The row of all these functions together, if there are some.
    fn all(&self, functions: &[u32]) -> Option<FunctionCosts> {
        let mut row = FunctionCosts {
            name: OTHERS.to_owned(),
            origin: SourceOrigin::Unknown,
            own: vec![0; self.events],
            calls: None,
            inlined: false,
        };
        for function in functions {
            add(&mut row.own, self.own(*function));
            let calls = row.calls.unwrap_or(0);
            row.calls = self.calls(*function).map(|more| calls.saturating_add(more));
        }
        (!functions.is_empty()).then_some(row)
    }
}

fn add(sums: &mut [u64], costs: &[u64]) {
    for (sum, cost) in sums.iter_mut().zip(costs) {
        // A checked digest may still have any numbers, and a damaged one must not end the run.
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
        let rows = serde_json::to_value(RecordedFunctions::new(&digest).functions).unwrap();
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
        let table = RecordedFunctions::new(&digest);
        assert_eq!(table.events, ["Ir", "Dr"]);
        let rows = table.functions;
        assert_eq!(rows.len(), 200);
        assert_eq!(rows[199].name, "…");
        assert_eq!(rows[199].own, [102 * 150 + 1, 102 + 16]);
        let totals = rows
            .iter()
            .fold([0, 0], |[ir, dr], row| [ir + row.own[0], dr + row.own[1]]);
        assert_eq!(totals[..], digest.head.totals);
    }
}
