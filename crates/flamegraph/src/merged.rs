//! Digests of two builds to one tree of frames, with the costs of both sides, which the script of a
//! page draws.

use iai_callgrind::protocol::EventKind;
use rustc_hash::FxHashMap;

use super::tree::{CallWays, PathTree, Side, REST};
use super::{digests, name, DrawError};
use explain::digest::{Digest, NodeFrame, NodeId};
use std::collections::HashMap;

use base::csr::Grouped;

/// Name of the frame below all others.
const ALL: &str = "all";

/// Frames of both sides.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MergedTree {
    /// Names of frames.
    pub names: Vec<String>,
    /// The file of the function of each name, if it is known.
    pub files: Vec<Option<String>>,
    /// The frames, each before those in it. The first one is around all others.
    pub frames: Vec<MergedFrame>,
}

/// A frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergedFrame {
    /// Index of the frame around this one. `None`: it is the first.
    pub parent: Option<u32>,
    /// Index of its name.
    pub name: u32,
    /// The compiler put calls into the function around it.
    pub is_inlined: bool,
    /// There are calls that the compiler did not put there.
    pub is_called: bool,
    /// Costs with those of the frames in it, old and new.
    pub costs: [u64; 2],
}

/// The tree of two builds. Frames with less than this part of the costs of a side, in percent, are
/// added up to one.
///
/// # Errors
///
/// The metric was not collected, or cannot be added up.
pub fn merged_tree(
    old: &Digest,
    new: &Digest,
    kind: EventKind,
    cut: f64,
) -> Result<MergedTree, DrawError> {
    let mut tree = PathTree::new();
    let total = |total: Option<u64>| total.ok_or_else(|| DrawError::NotCollected(kind.to_string()));
    let new_total = total(digests::add(&mut tree, Side::New, kind, new, cut)?)?;
    let old_total = total(digests::add(&mut tree, Side::Old, kind, old, cut)?)?;
    let files = files_of_names([new, old]);
    let mut merged = MergedTree::default();
    let mut builder = MergedBuilder {
        inclusive: [Side::Old, Side::New].map(|side| tree.inclusive(&tree.own(side))),
        children: children(&tree),
        tree: &tree,
        names: HashMap::new(),
        files: &files,
    };
    builder.frames(&mut merged);
    Ok(merged.pruned([old_total, new_total], cut))
}

/// Children of each path, in the order of their names.
fn children(tree: &PathTree) -> Grouped {
    let below = (0..).zip(&tree.nodes).skip(1);
    let below = below.map(|(node, path)| (path.parent, node));
    let mut children = Grouped::new(tree.nodes.len(), below);
    for node in 0..children.len() {
        let name = |child: &u32| &tree.names[tree.nodes[*child as usize].name as usize];
        children.of_mut(node).sort_unstable_by_key(name);
    }
    children
}

struct MergedBuilder<'a> {
    tree: &'a PathTree,
    inclusive: [Vec<u64>; 2],
    children: Grouped,
    /// Number of each name in the merged tree.
    names: HashMap<&'a str, u32>,
    files: &'a HashMap<String, String>,
}

impl<'a> MergedBuilder<'a> {
    /// All paths with costs, each before those below it.
    fn frames(&mut self, merged: &mut MergedTree) {
        let mut open: Vec<(u32, Option<u32>)> = vec![(0, None)];
        while let Some((node, parent)) = open.pop() {
            let node = node as usize;
            let path = &self.tree.nodes[node];
            let name = match node {
                0 => ALL,
                _ => &self.tree.names[path.name as usize],
            };
            let ways = path.ways.iter();
            let ways = ways.fold(CallWays::default(), |ways, side| ways.and(*side));
            let frame = MergedFrame {
                parent,
                name: self.name(name, merged),
                is_inlined: ways.is_inlined,
                is_called: ways.is_called || node == 0,
                costs: [0, 1].map(|side: usize| self.inclusive[side][node]),
            };
            if frame.costs != [0, 0] || node == 0 {
                let place = merged.frames.len() as u32;
                merged.frames.push(frame);
                // Pushed in reverse, so that frames are visited in the order of their names.
                let below = self.children.of(node).iter().rev();
                open.extend(below.map(|below| (*below, Some(place))));
            }
        }
    }

    fn name(&mut self, name: &'a str, merged: &mut MergedTree) -> u32 {
        let next = merged.names.len() as u32;
        *self.names.entry(name).or_insert_with(|| {
            merged.names.push(name.to_owned());
            merged.files.push(self.files.get(name).cloned());
            next
        })
    }
}

/// The file of the functions of each name; the first digest takes precedence.
fn files_of_names(digests: [&Digest; 2]) -> HashMap<String, String> {
    let mut files = HashMap::new();
    for digest in digests {
        // Many frames are of the same function.
        let mut seen = FxHashMap::default();
        for (index, node) in digest.nodes.iter().enumerate() {
            let function = digest.function_of(NodeId(index as u32));
            let Some(file) = digest.functions[function.index()].file else {
                continue;
            };
            let object = match node.frame {
                NodeFrame::Body(body) => Some(digest.bodies[body.index()].object.index()),
                NodeFrame::Inlined { .. } => None,
            };
            if seen.insert((function.index(), object), ()).is_some() {
                continue;
            }
            let object = object.map_or("", |object| digest.text(digest.objects[object].name));
            let name = name::of_object(digest.name(function).as_bytes(), object.as_bytes());
            let path = digest.text(digest.files[file.index()].path);
            files.entry(name).or_insert_with(|| path.to_owned());
        }
    }
    files
}

impl MergedTree {
    /// Costs of everything, old and new.
    #[must_use]
    pub fn totals(&self) -> [u64; 2] {
        self.frames.first().map_or([0, 0], |frame| frame.costs)
    }

    /// The tree with one frame in place of all those in a frame that have less than this part of
    /// the totals, in percent, on both sides.
    #[must_use]
    pub fn pruned(&self, totals: [u64; 2], cut: f64) -> Self {
        let least = totals.map(|total| super::least(total, cut));
        let is_rest = |frame: &MergedFrame| self.names[frame.name as usize] == REST;
        let is_small = |frame: &MergedFrame| {
            let mut sides = frame.costs.iter().zip(least);
            sides.all(|(costs, least)| *costs < least)
        };
        let mut pruned = Self::default();
        let mut names: FxHashMap<u32, u32> = FxHashMap::default();
        let mut rest_name = None;
        // Where each frame is now, and where the one for the small ones in it is. `None`: it is a
        // part of such a one.
        let mut places: Vec<Option<u32>> = Vec::with_capacity(self.frames.len());
        let mut rests: FxHashMap<u32, usize> = FxHashMap::default();
        for frame in &self.frames {
            let parent = frame.parent.map(|parent| places[parent as usize]);
            let kept = match parent {
                None => Some(None),
                Some(Some(parent)) if !is_small(frame) && !is_rest(frame) => Some(Some(parent)),
                Some(_) => None,
            };
            if let Some(parent) = kept {
                let next = pruned.names.len() as u32;
                let name = *names.entry(frame.name).or_insert(next);
                if name == next {
                    pruned.names.push(self.names[frame.name as usize].clone());
                    pruned.files.push(self.files[frame.name as usize].clone());
                }
                places.push(Some(pruned.frames.len() as u32));
                pruned.frames.push(MergedFrame {
                    parent,
                    name,
                    ..*frame
                });
                continue;
            }
            places.push(None);
            let Some(Some(parent)) = parent else {
                // Its costs are in the frame that stands for the one around it.
                continue;
            };
            match rests.get(&parent) {
                Some(rest) => {
                    let costs = &mut pruned.frames[*rest].costs;
                    for (sum, more) in costs.iter_mut().zip(frame.costs) {
                        *sum = sum.saturating_add(more);
                    }
                }
                None => {
                    let name = *rest_name.get_or_insert_with(|| {
                        pruned.names.push(REST.to_owned());
                        pruned.files.push(None);
                        pruned.names.len() as u32 - 1
                    });
                    rests.insert(parent, pruned.frames.len());
                    pruned.frames.push(MergedFrame {
                        parent: Some(parent),
                        name,
                        is_inlined: false,
                        is_called: true,
                        costs: frame.costs,
                    });
                }
            }
        }
        pruned.in_order()
    }

    /// The frames, those in a frame right behind it.
    fn in_order(self) -> Self {
        let inner = (0..).zip(&self.frames);
        let inner = inner.filter_map(|(place, frame)| Some((frame.parent?, place)));
        let children = Grouped::new(self.frames.len(), inner);
        let mut frames = Vec::with_capacity(self.frames.len());
        let mut open: Vec<(u32, Option<u32>)> = vec![(0, None)];
        // An empty tree has no first frame.
        open.truncate(self.frames.len());
        while let Some((place, parent)) = open.pop() {
            let now = frames.len() as u32;
            frames.push(MergedFrame {
                parent,
                ..self.frames[place as usize]
            });
            open.extend(
                children
                    .of(place as usize)
                    .iter()
                    .rev()
                    .map(|child| (*child, Some(now))),
            );
        }
        Self { frames, ..self }
    }
}

#[cfg(test)]
mod tests {
    use EventKind::Ir;

    use super::*;
    use explain::sample::digest;

    /// `depth name old new`, with a mark for inlined functions.
    fn lines(tree: &MergedTree) -> Vec<String> {
        let mut depths: Vec<usize> = Vec::new();
        let lines = tree.frames.iter().map(|frame| {
            let depth = frame.parent.map_or(0, |parent| depths[parent as usize] + 1);
            depths.push(depth);
            let mark = match (frame.is_inlined, frame.is_called) {
                (false, _) => "",
                (true, false) => " inl",
                (true, true) => " inl?",
            };
            let [old, new] = frame.costs;
            let name = &tree.names[frame.name as usize];
            format!("{depth} {name}{mark} {old} {new}")
        });
        lines.collect()
    }

    #[test]
    fn both_sides_are_one_tree() {
        let old = digest(
            "root lab::bench
            own lab::bench:1 = 10
            own lab::bench:2 > lab::f:5 = 90",
        );
        let new = digest(
            "root lab::bench
            own lab::bench:1 = 10
            call lab::bench:2 -> lab::f 1 = 200
            own lab::f:5 = 50
            call lab::f:6 -> malloc 3 = 150
            own malloc:0 = 150",
        );
        let tree = merged_tree(&old, &new, Ir, 0.0).unwrap();
        assert_eq!(
            lines(&tree),
            [
                "0 all 100 210",
                "1 lab::bench 100 210",
                "2 lab::f inl? 90 200",
                "3 malloc 0 150",
            ]
        );
        let files: Vec<Option<&str>> = tree.files.iter().map(Option::as_deref).collect();
        let source = Some("src/lib.rs");
        assert_eq!(files, [None, source, source, None]);
        assert_eq!(tree.totals(), [100, 210]);
    }

    #[test]
    fn small_frames_are_one() {
        let text = "root lab::bench
            own lab::bench:1 = 940
            call lab::bench:2 -> lab::a 1 = 30
            own lab::a:1 = 10
            call lab::a:1 -> lab::b 1 = 20
            own lab::b:1 = 20
            call lab::bench:2 -> lab::c 1 = 30
            own lab::c:1 = 30";
        let one = digest(text);
        let tree = merged_tree(&one, &one, Ir, 0.0).unwrap();
        let all = [
            "0 all 1000 1000",
            "1 lab::bench 1000 1000",
            "2 lab::a 30 30",
            "3 lab::b 20 20",
            "2 lab::c 30 30",
        ];
        assert_eq!(lines(&tree), all);
        let cut = |percent| lines(&tree.pruned(tree.totals(), percent));
        assert_eq!(cut(1.0), all);
        let expected = [all[0], all[1], all[2], "3 … 20 20", all[4]];
        assert_eq!(cut(2.5), expected);
        assert_eq!(cut(5.0), [all[0], all[1], "2 … 60 60"]);
        // Pruning twice keeps the frame `…` of the small ones.
        let twice = tree.pruned(tree.totals(), 2.5).pruned(tree.totals(), 2.5);
        assert_eq!(lines(&twice), expected);
    }

    #[test]
    fn a_side_may_be_empty() {
        let one = digest("root lab::bench\nown lab::bench:1 = 5");
        let tree = merged_tree(&one.without_costs(), &one, Ir, 0.1).unwrap();
        assert_eq!(lines(&tree), ["0 all 0 5", "1 lab::bench 0 5"]);
    }
}
