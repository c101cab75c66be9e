//! Inclusive costs of the user's lines, on one side.
//!
//! A cost belongs to the line of each function of the user on the stack of inlined functions, so it
//! makes no difference what the compiler inlined. The costs of a call belong to the lines that lead
//! to it, but for calls inside of a circle of functions, whose costs are those of the circle
//! itself.

use rustc_hash::FxHashMap;

use super::digest::{BodyId, Digest, FileId, NodeFrame, NodeId, SourceOrigin};
use super::pair::PairNumber;
use super::sides::{DigestValues, SourceLine};
use super::units::Units;

/// A line of a function.
pub(super) type LineKey = (PairNumber, SourceLine);

/// One side, while its costs are added up.
pub(super) struct LineSums<'a> {
    pub(super) digest: &'a Digest,
    pub(super) values: &'a DigestValues,
    /// Pair of each function.
    pub(super) pairs: &'a [PairNumber],
    /// Number of each file's path.
    pub(super) files: &'a [u32],
    pub(super) units: &'a Units,
}

/// The nodes from a body down to one of its stacks.
#[derive(Default)]
struct NodePath {
    nodes: Vec<usize>,
    /// For each unit, the positions of its nodes in the path.
    places: FxHashMap<u32, Vec<usize>>,
}

impl LineSums<'_> {
    /// The costs of each line of the user's functions.
    pub(super) fn sums(&self) -> FxHashMap<LineKey, i128> {
        let below = self.below();
        // Signed, since the inner copies of a recursion are subtracted.
        let mut sums: FxHashMap<LineKey, i128> = FxHashMap::default();
        for (row, value) in self.digest.rows.iter().zip(&self.values.rows) {
            let key = self.key(row.node, row.file, row.line);
            add(&mut sums, key, i128::from(*value));
        }
        let children = self.children();
        let calls = self.calls();
        // Not recursive: the depth of inlined functions comes from the input.
        for root in children.last().into_iter().flatten() {
            let mut path = NodePath::default();
            let mut visits = vec![(*root, 0)];
            while let Some((node, done)) = visits.last_mut() {
                let node = *node;
                // The first visit, also of a node without children.
                if *done == 0 {
                    self.enter(node, &mut path, &below, &calls[node], &mut sums);
                }
                match children[node].get(*done) {
                    Some(child) => {
                        *done += 1;
                        visits.push((*child, 0));
                    }
                    None => {
                        path.leave(self.unit(node));
                        visits.pop();
                    }
                }
            }
        }
        sums
    }

    /// Adds the inclusive costs of a node to the line at which it was inlined, and its calls to
    /// their lines.
    fn enter(
        &self,
        node: usize,
        path: &mut NodePath,
        below: &[i128],
        calls: &[usize],
        sums: &mut FxHashMap<LineKey, i128>,
    ) {
        let unit = self.unit(node);
        let outer = path.edge(unit, Some(node));
        path.enter(node, unit);
        add(sums, self.edge_key(node), below[node]);
        // A function that is inlined into itself costs what its innermost copy does.
        if let Some(edge) = outer {
            add(sums, self.edge_key(edge), -below[node]);
        }
        for index in calls {
            let call = &self.digest.calls[*index];
            let callee = self.digest.bodies[call.callee.index()].function;
            let callee = self.units.unit[self.pairs[callee.index()] as usize];
            let value = i128::from(self.values.calls[*index]);
            let function = self.digest.functions[self.digest.function_of(call.node).index()];
            if callee != unit {
                let key = self.key(call.node, function.file, call.line);
                add(sums, key, value);
                // The callee is inlined further out too: that line has these costs already.
                if let Some(edge) = path.edge(callee, None) {
                    add(sums, self.edge_key(edge), -value);
                }
            }
        }
    }

    /// Costs of each node with all that was inlined below it, and the calls that leave its body's
    /// circle.
    pub(super) fn below(&self) -> Vec<i128> {
        let mut below = vec![0_i128; self.digest.nodes.len()];
        for (row, value) in self.digest.rows.iter().zip(&self.values.rows) {
            below[row.node.index()] += i128::from(*value);
        }
        for (node, calls) in self.calls().iter().enumerate() {
            for call in calls {
                below[node] += i128::from(self.values.calls[*call]);
            }
        }
        // Nodes have higher numbers than the node that they were inlined into.
        for node in (0..below.len()).rev() {
            if let NodeFrame::Inlined { parent, .. } = self.digest.nodes[node].frame {
                below[parent.index()] += below[node];
            }
        }
        below
    }

    /// For each node, its calls of other circles than that of its body.
    fn calls(&self) -> Vec<Vec<usize>> {
        let bodies = self.digest.bodies_of_nodes();
        let mut calls = vec![Vec::new(); self.digest.nodes.len()];
        for (index, call) in self.digest.calls.iter().enumerate() {
            let pair = |body: BodyId| self.pairs[self.digest.bodies[body.index()].function.index()];
            let caller = pair(bodies[call.node.index()]) as usize;
            if !self.units.is_inner(caller, pair(call.callee)) {
                calls[call.node.index()].push(index);
            }
        }
        calls
    }

    /// For each node, the nodes that were inlined into it; at the end, the bodies.
    fn children(&self) -> Vec<Vec<usize>> {
        let nodes = &self.digest.nodes;
        let mut children = vec![Vec::new(); nodes.len() + 1];
        for (index, node) in nodes.iter().enumerate() {
            let parent = match node.frame {
                NodeFrame::Body(_) => nodes.len(),
                NodeFrame::Inlined { parent, .. } => parent.index(),
            };
            children[parent].push(index);
        }
        children
    }

    fn unit(&self, node: usize) -> u32 {
        let function = self.digest.function_of(NodeId(node as u32));
        self.units.unit[self.pairs[function.index()] as usize]
    }

    /// The line that a node was inlined at.
    fn edge_key(&self, node: usize) -> Option<LineKey> {
        let node = self.digest.nodes[node];
        match node.frame {
            NodeFrame::Body(_) => None,
            NodeFrame::Inlined { parent, .. } => self.key(parent, node.call_file, node.call_line),
        }
    }

    /// A line of the innermost function of a node, if both are the user's. Code without a line is
    /// line 0 of the file of the function.
    fn key(&self, node: NodeId, file: Option<FileId>, line: u32) -> Option<LineKey> {
        let function = self.digest.function_of(node);
        let declared = || self.digest.functions[function.index()].file;
        let file = file.filter(|_| line > 0).or_else(declared)?;
        let is_users = self.digest.origin(function) == SourceOrigin::User
            && self.digest.files[file.index()].origin == SourceOrigin::User;
        let line = SourceLine {
            file: self.files[file.index()],
            line,
        };
        is_users.then(|| (self.pairs[function.index()], line))
    }
}

impl NodePath {
    fn enter(&mut self, node: usize, unit: u32) {
        self.places.entry(unit).or_default().push(self.nodes.len());
        self.nodes.push(node);
    }

    fn leave(&mut self, unit: u32) {
        self.nodes.pop();
        self.places.entry(unit).or_default().pop();
    }

    /// The node that was inlined into the innermost node of a unit, on the way to the end of the
    /// path and `next`. `None`: the unit has no node, or it is the last.
    fn edge(&self, unit: u32, next: Option<usize>) -> Option<usize> {
        let place = self.places.get(&unit)?.last()?;
        self.nodes.get(place + 1).copied().or(next)
    }
}

fn add(sums: &mut FxHashMap<LineKey, i128>, key: Option<LineKey>, value: i128) {
    if let Some(key) = key {
        *sums.entry(key).or_default() += value;
    }
}
