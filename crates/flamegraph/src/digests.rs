//! Digests to a tree: with the functions that the compiler inlined as frames of their own.
//!
//! A stack of inlined functions (a node of the digest) takes the place of a function of a profile:
//! it is reached from the stack around it, and the calls of its code leave it. So costs are divided
//! by the same rules, and add up in the same way.

use iai_callgrind::protocol::EventKind;
use rustc_hash::FxHashMap;

use super::calls::{CallCosts, Calls, Roots};
use super::tree::{PathFrame, PathTree, Side};
use super::{least, name};
use explain::digest::{CostTable, Digest, DigestNode, NodeFrame, NodeId};
use formats::callgrind::CallArc;
use formats::ParseErrorKind;
use metrics::RowValues;

/// Begin of the names of our own functions, such as the executor of asynchronous benchmarks.
const OURS: &str = "iai_callgrind::";

/// Functions of the C library that begin threads. The costs of a thread are recorded as a call from
/// these, without the function that started it, so the thread is a root of its own.
const CLONES: [&str; 4] = ["clone", "clone3", "__clone", "__clone3"];

/// Weight of the way into an inlined function, above that of any call: it is the only one.
const INLINED: u64 = u64::MAX;

/// Adds a digest to one side of the tree and returns its total. `None`: the metric was not
/// collected.
pub(super) fn add(
    tree: &mut PathTree,
    side: Side,
    kind: EventKind,
    digest: &Digest,
    cut: f64,
) -> Result<Option<u64>, ParseErrorKind> {
    let nodes = BodyNodes::new(digest);
    let Some(costs) = nodes.costs(digest, kind)? else {
        return Ok(None);
    };
    let mut names = FxHashMap::default();
    let nodes_of_digest = digest.nodes.iter().enumerate();
    let frames: Vec<PathFrame> = nodes_of_digest
        .map(|(index, node)| frame(tree, digest, &mut names, index, node))
        .collect();
    let calls = Calls::new(costs, &nodes.roots(digest));
    let total = calls.total();
    // The same cut as for profiles.
    tree.add(side, &calls, &frames, least(total, cut / 4.0));
    Ok(Some(total))
}

/// The node of each body, if it has one.
struct BodyNodes(Vec<Option<u32>>);

impl BodyNodes {
    fn new(digest: &Digest) -> Self {
        let mut nodes = vec![None; digest.bodies.len()];
        for (index, node) in (0..).zip(&digest.nodes) {
            if let NodeFrame::Body(body) = node.frame {
                nodes[body.index()] = Some(index);
            }
        }
        Self(nodes)
    }

    /// Values of the metric by node: own costs, ways into inlined functions, and calls.
    fn costs(
        &self,
        digest: &Digest,
        kind: EventKind,
    ) -> Result<Option<CallCosts<'static>>, ParseErrorKind> {
        let events = digest.head.events.iter();
        let columns = RowValues::new(kind, events.map(|event| digest.text(*event)));
        let values = |costs: &CostTable| -> Result<Option<Vec<u64>>, ParseErrorKind> {
            costs.rows().map(|row| columns.value(row)).collect()
        };
        // A digest without rows says at least which events it has.
        let collected = columns.value(&[])?;
        let of_rows = values(&digest.row_costs)?;
        let of_calls = values(&digest.call_costs)?;
        let (Some(_), Some(of_rows), Some(of_calls)) = (collected, of_rows, of_calls) else {
            return Ok(None);
        };
        let mut own = vec![0_u64; digest.nodes.len()];
        for (row, value) in digest.rows.iter().zip(of_rows) {
            let sum = &mut own[row.node.index()];
            *sum = sum.saturating_add(value);
        }
        let mut arcs = Vec::with_capacity(digest.nodes.len() + digest.calls.len());
        let mut recorded = Vec::with_capacity(arcs.capacity());
        for (callee, node) in (0..).zip(&digest.nodes) {
            if let NodeFrame::Inlined { parent, .. } = node.frame {
                arcs.push(arc(parent, callee));
                recorded.push(INLINED);
            }
        }
        for (call, value) in digest.calls.iter().zip(of_calls) {
            let begins_thread = CLONES.contains(&digest.name(digest.function_of(call.node)));
            let callee = self.0[call.callee.index()].filter(|_| !begins_thread);
            if let Some(callee) = callee {
                arcs.push(arc(call.node, callee));
                recorded.push(value);
            }
        }
        Ok(Some(CallCosts {
            arcs: arcs.into(),
            own,
            recorded,
        }))
    }

    fn roots(&self, digest: &Digest) -> Roots {
        let mut is_root = vec![false; digest.nodes.len()];
        for root in &digest.head.roots {
            if let Some(node) = self.0[root.index()] {
                is_root[node as usize] = true;
            }
        }
        Roots {
            is_root,
            only: false,
        }
    }
}

fn arc(caller: NodeId, callee: u32) -> CallArc {
    CallArc {
        caller: caller.0,
        callee,
        // Pictures do not look at numbers of calls.
        count: 1,
    }
}

/// Names in the tree by function and, for the body of one, by object. Many frames have the same.
type FrameNames = FxHashMap<(usize, Option<usize>), u32>;

fn frame(
    tree: &mut PathTree,
    digest: &Digest,
    names: &mut FrameNames,
    index: usize,
    node: &DigestNode,
) -> PathFrame {
    let function = digest.function_of(NodeId(index as u32));
    let object = match node.frame {
        NodeFrame::Body(body) => Some(digest.bodies[body.index()].object.index()),
        NodeFrame::Inlined { .. } => None,
    };
    let text = digest.name(function);
    let name = names.entry((function.index(), object)).or_insert_with(|| {
        let object = object.map_or("", |object| digest.text(digest.objects[object].name));
        tree.name(name::of_object(text.as_bytes(), object.as_bytes()))
    });
    PathFrame {
        name: *name,
        is_inlined: object.is_none(),
        is_ours: text.starts_with(OURS),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::Value;
    use EventKind::Ir;

    use super::super::lines::{folded, PathCosts};
    use super::super::tests::{count, data, sum};
    use super::*;
    use base::entry_functions::EntryFunctions;
    use explain::new_digest::DigestSources;
    use explain::sample;
    use formats::callgrind::InstructionReader;
    use symbols::Symbolizer;

    fn lines_of(digest: &Digest) -> (Vec<String>, u64) {
        let mut tree = PathTree::new();
        let total = add(&mut tree, Side::New, Ir, digest, 0.0).unwrap().unwrap();
        let side = PathCosts {
            side: Side::New,
            own: tree.own(Side::New),
            least: 1,
        };
        (folded(&tree, &[side]), total)
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let digest = sample::digest(text);
        let (lines, total) = lines_of(&digest);
        assert_eq!(lines, expected);
        let expected = digest.head.totals[0];
        assert_eq!((sum(&lines), total), (expected, expected));
    }

    #[test]
    fn inlined_functions_are_frames() {
        check(
            "root lab::bench
             own lab::bench:1 = 10
             own lab::bench:2 > std::Vec::push:80 = 30
             own lab::bench:2 > std::Vec::push:81 > std::ptr::write:5 = 7
             call lab::bench:2 > std::Vec::push:82 -> std::Vec::grow 3 = 400
             own std::Vec::grow:9 = 100
             call std::Vec::grow:10 -> malloc 3 = 300
             own malloc:0 = 300",
            &[
                "lab::bench 10",
                "lab::bench;std::Vec::push [inlined] 30",
                "lab::bench;std::Vec::push [inlined];std::Vec::grow 100",
                "lab::bench;std::Vec::push [inlined];std::Vec::grow;malloc 300",
                "lab::bench;std::Vec::push [inlined];std::ptr::write [inlined] 7",
            ],
        );
    }

    #[test]
    fn some_calls_of_a_function_may_be_inlined() {
        check(
            "root lab::bench
             own lab::bench:1 > lab::f:20 = 5
             call lab::bench:2 -> lab::f 1 = 6
             own lab::f:20 = 6
             own lab::bench:3 > lab::bench:4 = 1",
            // A function in itself is no frame of its own, inlined or not.
            &["lab::bench 1", "lab::bench;lab::f [partly inlined] 11"],
        );
    }

    #[test]
    fn costs_are_divided_by_what_the_calls_of_a_stack_cost() {
        check(
            "root lab::bench
             call lab::bench:1 > lab::cheap:5 -> lab::shared 9 = 100
             call lab::bench:2 > lab::dear:6 -> lab::shared 1 = 900
             own lab::shared:7 = 1000",
            &[
                "lab::bench;lab::cheap [inlined];lab::shared 100",
                "lab::bench;lab::dear [inlined];lab::shared 900",
            ],
        );
    }

    #[test]
    fn our_own_functions_are_no_frames() {
        check(
            "root lab::bench
             own lab::bench:1 = 1
             call lab::bench:1 -> iai_callgrind::__internal::block_on 1 = 14
             own iai_callgrind::__internal::block_on:1 = 4
             call iai_callgrind::__internal::block_on:1 -> lab::poll 1 = 10
             own lab::poll:1 = 10",
            &["lab::bench 5", "lab::bench;lab::poll 10"],
        );
        // Nobody else has the costs of the outermost function.
        check(
            "root iai_callgrind::front
             own iai_callgrind::front:1 = 1
             call iai_callgrind::front:1 -> lab::bench 1 = 2
             own lab::bench:1 = 2",
            &[
                "iai_callgrind::front 1",
                "iai_callgrind::front;lab::bench 2",
            ],
        );
    }

    #[test]
    fn threads_stand_beside_each_other() {
        check(
            "root lab::bench
             call lab::bench:1 -> clone 1 = 3
             own clone:0 = 3
             call clone:0 -> lab::thread 2 = 50
             own lab::thread:1 = 50",
            &["lab::bench;clone 3", "lab::thread 50"],
        );
    }

    #[test]
    fn circles_through_inlined_functions_end() {
        check(
            "root lab::bench
             call lab::bench:1 -> lab::even 1 = 100
             own lab::even:2 = 60
             own lab::even:3 > lab::odd:5 = 40
             call lab::even:3 > lab::odd:6 -> lab::even 9 = 90",
            &[
                "lab::bench;lab::even 60",
                "lab::bench;lab::even;lab::odd [inlined] 40",
            ],
        );
    }

    #[test]
    fn an_inlined_function_is_the_same_frame_in_a_difference() {
        let inlined = sample::digest("root lab::b\nown lab::b:1 = 1\nown lab::b:1 > lab::f:2 = 5");
        let called = sample::digest(
            "root lab::b\nown lab::b:1 = 1\ncall lab::b:1 -> lab::f 1 = 7\nown lab::f:2 = 7",
        );
        let mut tree = PathTree::new();
        add(&mut tree, Side::New, Ir, &called, 0.0).unwrap();
        add(&mut tree, Side::Old, Ir, &inlined, 0.0).unwrap();
        let sides = [Side::Old, Side::New].map(|side| PathCosts {
            side,
            own: tree.own(side),
            least: 1,
        });
        let lines = folded(&tree, &sides);
        assert_eq!(lines, ["lab::b 1 1", "lab::b;lab::f [partly inlined] 5 7"]);
    }

    /// Every recorded profile, with and without an entry point.
    #[test]
    fn pictures_add_up_to_the_totals() {
        let Some(data) = data("callgrind") else {
            return;
        };
        let mut checked = 0;
        for version in ["3.19.0", "3.24.0", "3.27.1"] {
            for case in fs::read_dir(data.join(version)).unwrap() {
                let case = case.unwrap().path();
                for functions in [&["main"][..], &[]] {
                    let entry = EntryFunctions::of_patterns(functions.iter().copied());
                    let digest = recorded(&case, &entry);
                    let total = total(&case);
                    if total > 0 {
                        let (lines, found) = lines_of(&digest);
                        assert_eq!((sum(&lines), found), (total, total), "{case:?}");
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 120, "{checked}");
    }

    fn expected(case: &Path) -> Value {
        serde_json::from_slice(&fs::read(case.join("expected.json")).unwrap()).unwrap()
    }

    fn recorded(case: &Path, entry: &EntryFunctions) -> Digest {
        let mut reader = InstructionReader::default();
        for name in expected(case)["files"].as_object().unwrap().keys() {
            reader
                .add(fs::File::open(case.join(name)).unwrap())
                .unwrap();
        }
        let sources = DigestSources {
            entry,
            regions: false,
            symbolizer: &Symbolizer::default(),
            executable: Path::new("/no/such/program"),
            identity: 0,
            workspace: Path::new("/no/such/workspace"),
            target: None,
            is_malloc: None,
        };
        sources.digest(&reader.finish(), 0)
    }

    /// Instructions of all parts, which are written down beside the recorded files.
    fn total(case: &Path) -> u64 {
        let expected = expected(case);
        let files = expected["files"].as_object().unwrap().values();
        let parts = files.filter_map(|file| file["parts"].as_array()).flatten();
        let totals = parts.map(|part| {
            let mut events = part["events"].as_array().unwrap().iter();
            let column = events.position(|event| event == "Ir").unwrap();
            count(&part["totals"], column)
        });
        totals.sum()
    }
}
