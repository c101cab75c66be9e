//! Functions of two builds side by side: own and inclusive costs, and calls.
//!
//! Own costs are those of the function, wherever the compiler put its code. Inclusive costs contain
//! all calls; for functions that call each other in circles, those within the circle are left out.

use super::digest::{Digest, NodeFrame, NodeId, SourceOrigin};
use super::line_sums::LineSums;
use super::names;
use super::pair::PairNumber;
use super::sides::{side_graphs, SharedNames, NEW, OLD};
use super::units::Units;
use super::ComparedDigests;

/// Functions of a table, at most.
const MOST: usize = 200;

/// Functions of a table that are chosen by their own costs. The others are chosen by their
/// inclusive costs.
// By own costs alone `main` and other callers at the top would be missing.
const MOST_OWN: usize = 130;

/// A function of one or both builds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedFunction {
    /// Its canonical name, by the new build if that has it: the one of frames and machine code.
    pub name: String,
    /// Owner of the function.
    pub origin: SourceOrigin,
    /// The compiler inlined each call, in all builds that have the function.
    pub is_inlined: bool,
    /// The old build. `None`: it has no such function.
    pub old: Option<SideCosts>,
    /// The new build. `None`: it has no such function.
    pub new: Option<SideCosts>,
}

/// Costs of a function in one build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SideCosts {
    /// Own costs, inlined or not.
    pub own: u64,
    /// Costs with all that is called. `None`: they are not known.
    pub inclusive: Option<u64>,
    /// Executions of its machine code, which inlined copies do not execute. `None`: they are not
    /// known.
    pub calls: Option<u64>,
}

/// The functions with the largest costs, the largest own costs first.
#[must_use]
pub fn function_table(compared: &ComparedDigests<'_>) -> Vec<ComparedFunction> {
    let ComparedDigests {
        digests,
        values,
        totals,
        pairs,
        shown,
        ..
    } = compared;
    let mut texts = SharedNames::default();
    let mut graphs = side_graphs(*digests, values, pairs, &mut texts);
    let files = digests.map(|digest| texts.files(digest));
    let units = Units::new(&mut graphs);
    let numbers = [&pairs.old[..], &pairs.new[..]];
    let sides = [OLD, NEW].map(|side| {
        let sums = LineSums {
            digest: digests[side],
            values: &values[side],
            pairs: numbers[side],
            files: &files[side],
            units: &units,
        };
        side_costs(&sums, pairs.len(), totals[side])
    });
    let inlined = [OLD, NEW].map(|side| {
        let mut is_inlined = vec![true; pairs.len()];
        for body in &digests[side].bodies {
            is_inlined[numbers[side][body.function.index()] as usize] = false;
        }
        is_inlined
    });
    let row = |function: usize| ComparedFunction {
        name: names::shown(shown.canonical(function as u32)),
        origin: shown.origin(function as u32),
        is_inlined: inlined.iter().all(|side| side[function]),
        old: sides[OLD][function],
        new: sides[NEW][function],
    };
    let chosen = chosen(&sides).into_iter();
    chosen.map(row).collect()
}

/// Costs of each function on one side.
fn side_costs(sums: &LineSums<'_>, count: usize, total: u64) -> Vec<Option<SideCosts>> {
    let digest = sums.digest;
    let pair = |node: usize| sums.pairs[digest.function_of(NodeId(node as u32)).index()] as usize;
    let mut own = vec![0_u64; count];
    let mut inclusive = vec![0_i128; count];
    let mut calls = vec![None; count];
    let mut is_there = vec![false; count];
    for (row, value) in digest.rows.iter().zip(&sums.values.rows) {
        let own = &mut own[pair(row.node.index())];
        *own = own.saturating_add(*value);
    }
    for (node, below) in sums.below().into_iter().enumerate() {
        is_there[pair(node)] = true;
        // A function that is inlined into itself has the costs of its outermost copy.
        if !callers(digest, node).any(|caller| pair(caller) == pair(node)) {
            inclusive[pair(node)] += below;
        }
    }
    for (call, value) in digest.calls.iter().zip(&sums.values.calls) {
        let callee = sums.pairs[digest.bodies[call.callee.index()].function.index()] as usize;
        let node = call.node.index();
        // A call from an inlined copy of the callee is recursion: the copy has its costs already.
        let is_inlined = std::iter::once(node)
            .chain(callers(digest, node))
            .any(|caller| pair(caller) == callee);
        if is_inlined && !is_inner(sums, node, callee) {
            inclusive[callee] -= i128::from(*value);
        }
    }
    for body in &digest.bodies {
        let function = sums.pairs[body.function.index()] as usize;
        is_there[function] = true;
        let known: &mut Option<u64> = &mut calls[function];
        *known = Some(known.unwrap_or(0).saturating_add(body.entries));
    }
    let sides = (0..count).map(|function| {
        is_there[function].then(|| SideCosts {
            own: own[function],
            // Costs of recursive calls overlap in the profile, so a sum of differences may be below
            // 0 or above everything.
            inclusive: Some(u64::try_from(inclusive[function]).unwrap_or(0).min(total)),
            calls: match digest.head.by_instruction {
                true => Some(calls[function].unwrap_or(0)),
                false => None,
            },
        })
    });
    sides.collect()
}

/// Is it a call inside of a circle of functions? `LineSums::below` leaves out these costs.
fn is_inner(sums: &LineSums<'_>, node: usize, callee: usize) -> bool {
    let body = std::iter::once(node)
        .chain(callers(sums.digest, node))
        .last();
    let body = body.map(|body| sums.digest.function_of(NodeId(body as u32)));
    let caller = body.map(|body| sums.pairs[body.index()] as usize);
    caller.is_some_and(|caller| sums.units.is_inner(caller, callee as PairNumber))
}

/// The nodes that a node was inlined into, the innermost first.
fn callers(digest: &Digest, node: usize) -> impl Iterator<Item = usize> + '_ {
    let parent = |node: usize| match digest.nodes[node].frame {
        NodeFrame::Body(_) => None,
        NodeFrame::Inlined { parent, .. } => Some(parent.index()),
    };
    std::iter::successors(parent(node), move |node| parent(*node))
}

/// The functions with the largest own costs, and those with the largest inclusive ones.
fn chosen(sides: &[Vec<Option<SideCosts>>; 2]) -> Vec<usize> {
    let largest = |function: usize, of: fn(SideCosts) -> u64| {
        let costs = sides.iter().filter_map(|side| side[function].map(of));
        costs.max().unwrap_or(0)
    };
    let sorted = |of: fn(SideCosts) -> u64| {
        let mut order: Vec<usize> = (0..sides[NEW].len()).collect();
        order.retain(|function| largest(*function, of) > 0);
        order.sort_by_key(|function| std::cmp::Reverse(largest(*function, of)));
        order
    };
    let by_own = sorted(|costs| costs.own);
    let mut is_chosen = vec![false; sides[NEW].len()];
    for function in by_own.iter().take(MOST_OWN) {
        is_chosen[*function] = true;
    }
    let free = MOST - by_own.len().min(MOST_OWN);
    let others = sorted(|costs| costs.inclusive.unwrap_or(0)).into_iter();
    let others = others.filter(|function| !is_chosen[*function]);
    let others: Vec<usize> = others.take(free).collect();
    for function in others {
        is_chosen[function] = true;
    }
    let mut chosen: Vec<usize> = by_own.clone();
    chosen.extend(
        (0..sides[NEW].len()).filter(|function| largest(*function, |costs| costs.own) == 0),
    );
    chosen.retain(|function| is_chosen[*function]);
    chosen
}

#[cfg(test)]
mod tests {
    use iai_callgrind::protocol::EventKind::Ir;

    use super::super::pair::FunctionPairs;
    use super::super::sample::digest;
    use super::*;
    use crate::digest::Digest;

    fn table(old: &Digest, new: &Digest) -> Vec<ComparedFunction> {
        let pairs = FunctionPairs::find(old, new);
        function_table(&ComparedDigests::new(old, new, &pairs, Ir).unwrap())
    }

    type Row<'a> = (&'a str, Option<(u64, u64, u64)>, Option<(u64, u64, u64)>);

    #[track_caller]
    fn check(old: &str, new: &str, expected: &[Row<'_>]) {
        let table = self::table(&digest(old), &digest(new));
        let side = |side: Option<SideCosts>| {
            side.map(|side| (side.own, side.inclusive.unwrap(), side.calls.unwrap()))
        };
        let found: Vec<Row<'_>> = table
            .iter()
            .map(|row| (&*row.name, side(row.old), side(row.new)))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn functions_have_own_and_inclusive_costs_and_calls() {
        check(
            "root lab::bench
            own lab::bench:1 = 500
            own lab::bench:2 > std::Vec::push:3 = 300
            call lab::bench:2 > std::Vec::push:4 -> malloc 7 = 1200
            own malloc:0 = 1200",
            "root lab::bench
            own lab::bench:1 = 500
            call lab::bench:2 -> lab::new 3 = 60
            own lab::new:9 = 60",
            &[
                ("malloc", Some((1200, 1200, 7)), None),
                ("lab::bench", Some((500, 2000, 1)), Some((500, 560, 1))),
                ("std::Vec::push", Some((300, 1500, 0)), None),
                ("lab::new", None, Some((60, 60, 3))),
            ],
        );
    }

    #[test]
    fn recursion_is_counted_once() {
        let text = "root lab::bench
            call lab::bench:1 -> lab::fib 1 = 100
            own lab::fib:2 = 70
            own lab::fib:3 > lab::fib:2 = 30
            call lab::fib:3 > lab::fib:4 -> lab::fib 9 = 90";
        let rows = Some((100, 100, 10));
        check(
            text,
            text,
            &[
                ("lab::fib", rows, rows),
                ("lab::bench", Some((0, 100, 1)), Some((0, 100, 1))),
            ],
        );
        // Inlined in one place, and called from there.
        let text = "root lab::bench
            own lab::bench:1 > lab::f:5 = 10
            call lab::bench:1 > lab::f:6 -> lab::f 1 = 30
            own lab::f:5 = 30";
        let rows = Some((40, 40, 1));
        check(
            text,
            text,
            &[
                ("lab::f", rows, rows),
                ("lab::bench", Some((0, 40, 1)), Some((0, 40, 1))),
            ],
        );
    }

    #[test]
    fn a_side_may_be_missing() {
        let one = digest("root lab::bench\nown lab::bench:1 = 5");
        let table = self::table(&one.without_costs(), &one);
        assert_eq!(table.len(), 1);
        assert_eq!(
            (table[0].old, table[0].new.unwrap().inclusive),
            (None, Some(5))
        );
    }
}
