//! A tree to folded lines: `main;sort;compare 1200`, or with two counts, old and new.

use super::tree::{CallWays, PathTree, Side, REST};

/// Stands for a semicolon in a name, which would begin the next name. `BLANK` stands for the blank
/// before digits at the end of a name, which would be a count. No name has these characters, so the
/// picture gets the original ones back.
pub(super) const SEMICOLON: char = '\u{1}';
pub(super) const BLANK: char = '\u{2}';

/// Own costs of all paths, for one side.
#[derive(Debug)]
pub(super) struct PathCosts {
    pub(super) side: Side,
    pub(super) own: Vec<u64>,
    /// Paths with less than this are cut.
    pub(super) least: u64,
}

/// One line for each path with own costs. Children with less than `least` on every side are added
/// up to one frame of their parent. The last side is the one whose total is drawn.
///
/// Frames are in the order of their names, below that of their parent: a name may begin with
/// another name, so sorted lines would tear frames apart.
pub(super) fn folded(tree: &PathTree, sides: &[PathCosts]) -> Vec<String> {
    let inclusive: Vec<Vec<u64>> = sides.iter().map(|side| tree.inclusive(&side.own)).collect();
    let mut children = vec![Vec::new(); tree.nodes.len()];
    for (node, path) in tree.nodes.iter().enumerate().skip(1) {
        if inclusive.iter().any(|side| side[node] > 0) {
            children[path.parent as usize].push(node);
        }
    }
    let name = |node: usize| &tree.names[tree.nodes[node].name as usize];
    for list in &mut children {
        list.sort_unstable_by_key(|node| name(*node));
    }
    let mark = |node: usize| {
        let ways = sides
            .iter()
            .map(|side| tree.nodes[node].ways[side.side as usize]);
        ways.fold(CallWays::default(), CallWays::and).mark()
    };
    let is_small = |node: usize| {
        let mut sides = sides.iter().zip(&inclusive);
        // A frame that is small on one side may be new or gone, and is what a difference has to
        // show.
        sides.all(|(side, sums)| sums[node] < side.least) || name(node) == REST
    };

    let mut lines = Vec::new();
    let mut path = String::new();
    // Nodes to go on with, and the length of the path of their parents.
    let mut pending = vec![(Next::Node(0), 0)];
    while let Some((next, length)) = pending.pop() {
        path.truncate(length);
        let node = match next {
            Next::Node(node) => node,
            Next::Rest(counts) => {
                join(&mut path, REST);
                line(&mut lines, &path, counts.into_iter());
                continue;
            }
        };
        if node > 0 {
            join(&mut path, name(node));
            path += mark(node);
        }
        let (small, large): (Vec<usize>, Vec<usize>) =
            children[node].iter().partition(|child| is_small(**child));
        line(&mut lines, &path, sides.iter().map(|side| side.own[node]));
        let length = path.len();
        if !small.is_empty() {
            let rest = |sums: &Vec<u64>| {
                let counts = small.iter().map(|child| sums[*child]);
                counts.fold(0, u64::saturating_add)
            };
            let rest = inclusive.iter().map(rest).collect();
            // Pushed before the other children, so that the rest is drawn after them.
            pending.push((Next::Rest(rest), length));
        }
        pending.extend(
            large
                .into_iter()
                .rev()
                .map(|child| (Next::Node(child), length)),
        );
    }
    lines
}

/// A frame below a path.
enum Next {
    Node(usize),
    /// Sums of all small children.
    Rest(Vec<u64>),
}

fn line(lines: &mut Vec<String>, path: &str, counts: impl Iterator<Item = u64>) {
    let counts: Vec<u64> = counts.collect();
    if counts.iter().any(|count| *count > 0) {
        let counts = counts.iter().map(|count| format!(" {count}"));
        lines.push(path.to_owned() + &counts.collect::<String>());
    }
}

fn join(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push(';');
    }
    let last = name
        .rfind(' ')
        .filter(|blank| is_number(&name[blank + 1..]));
    for (index, c) in name.char_indices() {
        path.push(match c {
            ';' => SEMICOLON,
            // inferno trims lines and stacks, and takes digits after the last blank for the count.
            ' ' if Some(index) == last || index == 0 || index + 1 == name.len() => BLANK,
            c => c,
        });
    }
}

/// Would inferno take this text for a count?
fn is_number(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
}
