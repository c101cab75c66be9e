//! Functions with a body on one side, that the other side has inlined everywhere.
//!
//! Such a function is dissolved into its callers, so that both sides have the same shape. Otherwise
//! a decision of the compiler would look as if one function had got dearer and another had gone.

use super::inline_paths::InlinePaths;
use super::pair::PairNumber;
use super::sides::{CallSite, SideGraph, Site, SiteCost, NEW, OLD};
use base::csr::Grouped;
use base::scc::Circles;

/// Frames on the paths of all parts that may arise, at most: a function with many callers and many
/// parts stays as it is.
const LARGEST: usize = 1 << 21;

/// A function that was dissolved.
#[derive(Debug, Clone)]
pub(super) struct DissolvedFunction {
    pub(super) function: PairNumber,
    /// The side that has a body.
    pub(super) side: usize,
    /// Calls of the body.
    pub(super) calls: f64,
    /// Functions that call it.
    pub(super) callers: Vec<PairNumber>,
}

/// Dissolves such functions on both sides.
pub(super) fn contract(
    sides: &mut [SideGraph; 2],
    paths: &mut InlinePaths,
) -> Vec<DissolvedFunction> {
    let mut dissolved = Vec::new();
    for side in [OLD, NEW] {
        let here = &sides[side];
        let there = &sides[1 - side];
        let is_one = |function: usize| {
            here.has_body[function] && !there.has_body[function] && there.is_inlined[function]
        };
        let candidates: Vec<bool> = (0..here.own.len()).map(is_one).collect();
        if candidates.contains(&true) {
            dissolve(&mut sides[side], candidates, side, paths, &mut dissolved);
        }
    }
    // Both sides have it inlined from here on, so there is no code to compare.
    for found in &dissolved {
        sides[found.side].has_body[found.function as usize] = false;
    }
    dissolved
}

fn dissolve(
    graph: &mut SideGraph,
    mut chosen: Vec<bool>,
    side: usize,
    paths: &mut InlinePaths,
    dissolved: &mut Vec<DissolvedFunction>,
) {
    let circles = Circles::find(&Grouped::new(graph.calls.len(), graph.call_pairs()));
    let order: Vec<u32> = circles.members.iter().flatten().copied().collect();
    let incoming = incoming(graph);
    choose(graph, &circles, &incoming, paths, &mut chosen);
    let first = dissolved.len();
    let mut place = vec![0; chosen.len()];
    for function in (0..chosen.len()).filter(|function| chosen[*function]) {
        place[function] = dissolved.len();
        dissolved.push(DissolvedFunction {
            function: function as u32,
            side,
            calls: incoming[function].1,
            callers: Vec::new(),
        });
    }
    // Callees come first, so what is moved to a caller has all that was moved to it.
    for caller in order {
        for call in std::mem::take(&mut graph.calls[caller as usize]) {
            let callee = call.callee as usize;
            if chosen[callee] {
                // Never a division by 0: `choose` leaves out functions without calls, and each call
                // counts at least once. All shares of a function add up to 1.
                let share = call.count / incoming[callee].1;
                let inline = |site: Site| site.inlined_at(call.site, side, paths);
                move_up(graph, caller as usize, call.callee, share, inline);
                dissolved[place[callee]].callers.push(caller);
            } else {
                graph.calls[caller as usize].push(call);
            }
        }
    }
    for found in &mut dissolved[first..] {
        graph.own[found.function as usize].clear();
        graph.calls[found.function as usize].clear();
        found.callers.sort_unstable();
        found.callers.dedup();
    }
}

/// Number of places that call each function, and of their calls.
fn incoming(graph: &SideGraph) -> Vec<(usize, f64)> {
    let mut incoming = vec![(0, 0.0); graph.own.len()];
    for call in graph.calls.iter().flatten() {
        let (places, calls) = &mut incoming[call.callee as usize];
        *places += 1;
        *calls += call.count;
    }
    incoming
}

/// Leaves out functions that are recursive, roots, never called, or too large to be copied into all
/// callers.
fn choose(
    graph: &SideGraph,
    circles: &Circles,
    incoming: &[(usize, f64)],
    paths: &InlinePaths,
    chosen: &mut [bool],
) {
    let frames = |site: Site| paths.depth(site.path) as usize + 1;
    // A root is entered from the outside, where nothing could take its costs.
    for root in &graph.roots {
        chosen[*root as usize] = false;
    }
    // Copies multiply from level to level: 20 levels with two calls each make a million.
    let mut room = LARGEST;
    // Parts, and frames on their paths.
    let mut sizes = vec![(0_usize, 0_usize); chosen.len()];
    for members in circles.members.iter() {
        for function in members.iter().map(|function| *function as usize) {
            let calls = &graph.calls[function];
            let own = &graph.own[function];
            let mut parts = own.len();
            let mut length: usize = own.iter().map(|own| frames(own.site)).sum();
            let mut is_recursive = members.len() > 1;
            for call in calls {
                let callee = call.callee as usize;
                is_recursive |= callee == function;
                let (more, longer) = if chosen[callee] {
                    sizes[callee]
                } else {
                    (1, 0)
                };
                parts = parts.saturating_add(more);
                let moved = more.saturating_mul(frames(call.site));
                length = length.saturating_add(longer).saturating_add(moved);
            }
            sizes[function] = (parts, length);
            let needed = length.saturating_mul(incoming[function].0);
            chosen[function] &= !is_recursive && incoming[function].0 > 0 && needed <= room;
            if chosen[function] {
                room -= needed;
            }
        }
    }
}

/// Moves a share of the callee's costs and calls to a caller; `inline` maps places to the caller.
fn move_up(
    graph: &mut SideGraph,
    caller: usize,
    callee: PairNumber,
    share: f64,
    mut inline: impl FnMut(Site) -> Site,
) {
    let callee = callee as usize;
    for part in 0..graph.own[callee].len() {
        let SiteCost { site, cost } = graph.own[callee][part];
        graph.own[caller].push(SiteCost {
            site: inline(site),
            cost: cost * share,
        });
    }
    for part in 0..graph.calls[callee].len() {
        let call = graph.calls[callee][part];
        graph.calls[caller].push(CallSite {
            site: inline(call.site),
            callee: call.callee,
            count: call.count * share,
            inclusive: call.inclusive * share,
        });
    }
}
