//! Recursion in a graph: sets of functions that call each other in circles.

use crate::csr::Grouped;

/// The strongly connected components of a directed graph.
pub struct Circles {
    /// Component of each node. Components are numbered so that each leads to lower ones only.
    pub component: Vec<u32>,
    /// Nodes of each component.
    pub members: Grouped,
}

/// A node that is being visited, and the number of its arcs that are done.
struct Visit {
    node: usize,
    done: usize,
}

const UNSEEN: u32 = u32::MAX;

impl Circles {
    /// Finds the strongly connected components (Tarjan's algorithm, without recursion: graphs may
    /// be deeper than the stack). `targets` has for each node the nodes that its arcs lead to.
    pub fn find(targets: &Grouped) -> Self {
        let nodes = targets.len();
        let mut found = Self {
            component: vec![UNSEEN; nodes],
            members: Grouped::default(),
        };
        let mut order = vec![UNSEEN; nodes];
        let mut lowest = vec![0; nodes];
        let mut pending: Vec<u32> = Vec::new();
        let mut next = 0;
        for start in 0..nodes {
            if order[start] != UNSEEN {
                continue;
            }
            let mut visits = vec![Visit {
                node: start,
                done: 0,
            }];
            while let Some(Visit { node, done }) = visits.last_mut() {
                let node = *node;
                if *done == 0 {
                    order[node] = next;
                    lowest[node] = next;
                    next += 1;
                    pending.push(node as u32);
                }
                if let Some(target) = targets.of(node).get(*done) {
                    *done += 1;
                    let target = *target as usize;
                    if order[target] == UNSEEN {
                        visits.push(Visit {
                            node: target,
                            done: 0,
                        });
                    } else if found.component[target] == UNSEEN {
                        lowest[node] = lowest[node].min(order[target]);
                    }
                    // The first arc of a node is done once, also if it is the only one.
                    continue;
                }
                visits.pop();
                if let Some(Visit { node: caller, .. }) = visits.last() {
                    lowest[*caller] = lowest[*caller].min(lowest[node]);
                }
                if lowest[node] == order[node] {
                    found.close(node as u32, &mut pending);
                }
            }
        }
        found
    }

    /// Makes a component of `node` and all nodes that are pending behind it.
    fn close(&mut self, node: u32, pending: &mut Vec<u32>) {
        let number = self.members.len() as u32;
        let start = pending.iter().rposition(|other| *other == node);
        let start = start.unwrap_or_default();
        for member in &pending[start..] {
            self.component[*member as usize] = number;
        }
        self.members.push(pending.drain(start..));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(targets: &[&[u32]], expected: &[&[u32]]) {
        let mut grouped = Grouped::default();
        for list in targets {
            grouped.push(list.iter().copied());
        }
        let mut found = Circles::find(&grouped);
        for component in 0..found.members.len() {
            found.members.of_mut(component).sort_unstable();
        }
        assert_eq!(found.members.iter().collect::<Vec<_>>(), expected);
        for (node, arcs) in targets.iter().enumerate() {
            for target in *arcs {
                assert!(found.component[*target as usize] <= found.component[node]);
            }
        }
    }

    #[test]
    fn callees_come_first() {
        check(&[], &[]);
        check(&[&[1], &[2], &[]], &[&[2], &[1], &[0]]);
        check(&[&[], &[0], &[0, 1]], &[&[0], &[1], &[2]]);
    }

    #[test]
    fn circles_are_one_component() {
        check(&[&[0]], &[&[0]]);
        check(&[&[1, 3], &[2], &[1], &[]], &[&[1, 2], &[3], &[0]]);
        check(&[&[1], &[2], &[0, 3], &[3]], &[&[3], &[0, 1, 2]]);
        // Two circles that touch are one.
        check(&[&[1], &[0, 2], &[1]], &[&[0, 1, 2]]);
    }

    #[test]
    fn long_chains_need_no_stack() {
        let nodes = 1_000_000;
        let targets = Grouped::new(nodes as usize, (1..nodes).map(|node| (node - 1, node)));
        assert_eq!(Circles::find(&targets).members.len(), nodes as usize);
    }
}
