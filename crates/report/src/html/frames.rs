//! Frames of both sides as data of a page.

use iai_callgrind::protocol::EventKind;
use serde::Serialize;

use super::texts::name;
use flamegraph::{MergedFrame, MergedTree};

/// All calls were inlined.
const INLINED: u8 = 1;

/// Some calls were inlined.
const PARTLY_INLINED: u8 = 2;

/// Data from which the script of the page draws a flamegraph.
#[derive(Debug, Serialize)]
pub(super) struct FrameData {
    metric: String,
    old: u64,
    new: u64,
    names: Vec<String>,
    files: Vec<String>,
    /// `[parent, name, flags, old, new]`
    nodes: Vec<(i64, u32, u8, u64, u64)>,
}

/// The frames with at least this part of the costs of a side, in percent.
pub(super) fn data(tree: &MergedTree, metric: EventKind, cut: f64) -> FrameData {
    let [old, new] = tree.totals();
    let tree = tree.pruned([old, new], cut);
    let node = |frame: &MergedFrame| {
        // The script looks up the parent by its index, and finds none at -1.
        let parent = frame.parent.map_or(-1, i64::from);
        let flags = match (frame.is_inlined, frame.is_called) {
            (false, _) => 0,
            (true, false) => INLINED,
            (true, true) => PARTLY_INLINED,
        };
        let [old, new] = frame.costs;
        (parent, frame.name, flags, old, new)
    };
    let file = |file: &Option<String>| file.as_deref().map(name).unwrap_or_default();
    FrameData {
        metric: metric.to_name(),
        old,
        new,
        names: tree.names.iter().map(|text| name(text)).collect(),
        files: tree.files.iter().map(file).collect(),
        nodes: tree.frames.iter().map(node).collect(),
    }
}
