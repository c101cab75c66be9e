//! Calls, spread out to a tree: every path of functions once, with the own cost at its end.
//!
//! A tree takes several profiles: processes and threads add up, and the new and the old result are
//! side by side. The costs of all nodes together are exactly those of the roots.

use std::collections::{BinaryHeap, HashMap};

use rustc_hash::FxHashMap;

use super::calls::Calls;
use base::apportion::divide;

/// Name of the frame for all children that are too small to be shown.
pub(super) const REST: &str = "…";

/// Greatest depth of a path; deeper calls are cut.
const DEEPEST: u32 = 300;

/// Paths of a tree, at most. Those of programs are some thousand; a digest that was made by hand
/// may have millions, none of which anybody sees.
const MOST_PATHS: usize = 200_000;

/// Side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    New,
    Old,
}

/// A function as a path shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PathFrame {
    /// Index of [`PathTree::names`].
    pub(super) name: u32,
    /// The compiler put the function into its caller.
    pub(super) is_inlined: bool,
    /// The function is ours and gets no frame: its costs belong to its caller.
    pub(super) is_ours: bool,
}

impl PathFrame {
    /// A function that is called.
    pub(super) fn called(name: u32) -> Self {
        Self {
            name,
            is_inlined: false,
            is_ours: false,
        }
    }
}

/// Ways in which the calls of a path reach its last function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CallWays {
    pub(super) is_called: bool,
    pub(super) is_inlined: bool,
}

impl CallWays {
    fn add(&mut self, frame: PathFrame) {
        self.is_called |= !frame.is_inlined;
        self.is_inlined |= frame.is_inlined;
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            is_called: self.is_called || other.is_called,
            is_inlined: self.is_inlined || other.is_inlined,
        }
    }

    /// The mark behind the name.
    pub(super) fn mark(self) -> &'static str {
        match (self.is_inlined, self.is_called) {
            (false, _) => "",
            (true, false) => " [inlined]",
            (true, true) => " [partly inlined]",
        }
    }
}

/// A path of functions.
#[derive(Debug)]
pub(super) struct Node {
    /// The last function, an index of [`PathTree::names`].
    pub(super) name: u32,
    pub(super) parent: u32,
    depth: u32,
    /// Own cost at the end of the path, new and old.
    pub(super) own: [u64; 2],
    /// Ways to the last function, new and old.
    pub(super) ways: [CallWays; 2],
}

/// All paths. The first node is above all functions; parents come before their children.
#[derive(Debug)]
pub(super) struct PathTree {
    pub(super) nodes: Vec<Node>,
    pub(super) names: Vec<String>,
    ids: HashMap<String, u32>,
    children: FxHashMap<(u32, u32), u32>,
}

/// A call whose callees are not yet in the tree.
struct OpenCall {
    node: u32,
    function: u32,
    amount: u64,
}

impl PathTree {
    pub(super) fn new() -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            names: Vec::new(),
            ids: HashMap::new(),
            children: FxHashMap::default(),
        };
        // The first name, since `is_rest` knows it by the number 0.
        let rest = tree.name(REST.to_owned());
        tree.nodes.push(Node {
            name: rest,
            parent: 0,
            depth: 0,
            own: [0; 2],
            ways: [CallWays::default(); 2],
        });
        tree
    }

    /// The index of a name, which is added if it is new.
    pub(super) fn name(&mut self, text: String) -> u32 {
        let next = self.names.len() as u32;
        let id = *self.ids.entry(text).or_insert_with_key(|text| {
            self.names.push(text.clone());
            next
        });
        id
    }

    /// Adds a profile with the frame of each function; calls with less than `least` are cut.
    pub(super) fn add(&mut self, side: Side, calls: &Calls<'_>, frames: &[PathFrame], least: u64) {
        let mut steps: Vec<OpenCall> = Vec::new();
        for (function, amount) in &calls.roots {
            let node = self.child(side, 0, frames[*function as usize], *amount, least);
            steps.push(OpenCall {
                node,
                function: *function,
                amount: *amount,
            });
        }
        while let Some(step) = steps.pop() {
            self.follow(side, calls, frames, least, &step, &mut steps);
        }
    }

    /// Adds a whole path with the own cost at its end.
    pub(super) fn add_path(
        &mut self,
        side: Side,
        path: impl Iterator<Item = PathFrame>,
        amount: u64,
    ) {
        let mut node = 0;
        for frame in path {
            node = self.child(side, node, frame, amount, 0);
        }
        self.executed(node, side, amount);
    }

    /// Divides the cost of a call among the callee's own cost and its calls. The functions of a
    /// circle are shown below the one that was called from outside, each function once.
    fn follow(
        &mut self,
        side: Side,
        calls: &Calls<'_>,
        frames: &[PathFrame],
        least: u64,
        step: &OpenCall,
        steps: &mut Vec<OpenCall>,
    ) {
        if self.is_rest(step.node) {
            return self.executed(step.node, side, step.amount);
        }
        let members = members(calls, step.function);
        // For each member its own cost, then the calls that leave the circle.
        let mut weights = Vec::new();
        let mut callees = Vec::new();
        for (index, (function, _)) in members.iter().enumerate() {
            weights.push(calls.own[*function as usize]);
            callees.push((index, None));
            for arc in calls.leaving.of(*function as usize) {
                let share = calls.shares[*arc as usize];
                if share > 0 && !calls.is_inner(*arc) {
                    weights.push(share);
                    callees.push((index, Some(calls.arcs[*arc as usize].callee)));
                }
            }
        }
        let amounts = divide(step.amount, &weights);
        let mut below = vec![0; members.len()];
        for ((member, _), amount) in callees.iter().zip(&amounts) {
            below[*member] += amount;
        }
        // A member is after the one that calls it, so one pass from the end adds everything up.
        for (member, (_, parent)) in members.iter().enumerate().skip(1).rev() {
            below[*parent] += below[member];
        }
        // Members that are too small end in the frame of the rest.
        let mut nodes = vec![step.node];
        for (member, (function, parent)) in members.iter().enumerate().skip(1) {
            let frame = frames[*function as usize];
            nodes.push(self.child(side, nodes[*parent], frame, below[member], least));
        }
        for ((member, callee), amount) in callees.into_iter().zip(amounts) {
            let node = nodes[member];
            match callee {
                _ if amount == 0 => {}
                None => self.executed(node, side, amount),
                Some(function) => {
                    let frame = frames[function as usize];
                    steps.push(OpenCall {
                        node: self.child(side, node, frame, amount, least),
                        function,
                        amount,
                    });
                }
            }
        }
    }

    fn executed(&mut self, node: u32, side: Side, amount: u64) {
        let own = &mut self.nodes[node as usize].own[side as usize];
        *own = own.saturating_add(amount);
    }

    fn is_rest(&self, node: u32) -> bool {
        node > 0 && self.nodes[node as usize].name == 0
    }

    /// The path to a function that is called at the end of another path with this cost. A function
    /// that calls itself gets no path of its own.
    fn child(&mut self, side: Side, parent: u32, frame: PathFrame, amount: u64, least: u64) -> u32 {
        let Node {
            name: same, depth, ..
        } = self.nodes[parent as usize];
        if self.is_rest(parent) || (parent > 0 && (same == frame.name || frame.is_ours)) {
            return parent;
        }
        let is_full =
            self.nodes.len() >= MOST_PATHS && !self.children.contains_key(&(parent, frame.name));
        let frame = if amount < least || depth >= DEEPEST || is_full {
            PathFrame::called(0)
        } else {
            frame
        };
        let name = frame.name;
        let next = self.nodes.len() as u32;
        let child = *self.children.entry((parent, name)).or_insert(next);
        if child == next {
            self.nodes.push(Node {
                name,
                parent,
                depth: depth + 1,
                own: [0; 2],
                ways: [CallWays::default(); 2],
            });
        }
        self.nodes[child as usize].ways[side as usize].add(frame);
        child
    }

    /// Own costs of all paths.
    pub(super) fn own(&self, side: Side) -> Vec<u64> {
        self.nodes
            .iter()
            .map(|node| node.own[side as usize])
            .collect()
    }

    /// Inclusive costs of all paths.
    pub(super) fn inclusive(&self, own: &[u64]) -> Vec<u64> {
        let mut sums = own.to_vec();
        for node in (1..self.nodes.len()).rev() {
            let parent = self.nodes[node].parent as usize;
            sums[parent] = sums[parent].saturating_add(sums[node]);
        }
        sums
    }
}

/// The functions of the circle of `entry`, itself first, each with the index of the function that
/// calls it. Of several callers it is the one whose calls cost most.
fn members(calls: &Calls<'_>, entry: u32) -> Vec<(u32, usize)> {
    let component = calls.circles.component[entry as usize];
    let count = calls.circles.members.of(component as usize).len();
    if count == 1 {
        // Most functions call none that call them again.
        return vec![(entry, 0)];
    }
    let mut members = Vec::with_capacity(count);
    let mut reached = BinaryHeap::from([(u64::MAX, u32::MAX, entry, 0)]);
    let mut seen = std::collections::HashSet::new();
    while let Some((_, _, function, parent)) = reached.pop() {
        if !seen.insert(function) {
            continue;
        }
        members.push((function, parent));
        // Each member of a circle is reached from each other one, so no more are to come.
        if members.len() == count {
            break;
        }
        for arc in calls.leaving.of(function as usize) {
            if calls.is_inner(*arc) {
                let callee = calls.arcs[*arc as usize].callee;
                let cost = calls.recorded[*arc as usize];
                // Equal costs are ordered by place in the file, so that the result is
                // deterministic.
                reached.push((cost, u32::MAX - arc, callee, members.len() - 1));
            }
        }
    }
    members
}
