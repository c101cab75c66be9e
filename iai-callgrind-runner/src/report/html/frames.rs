//! Frames of both sides as data of a page.

use iai_callgrind::protocol::EventKind;
use serde_json::{json, Value};

use super::texts::name;
use crate::flamegraph::{MergedFrame, MergedTree};

/// All calls were inlined.
const INLINED: u8 = 1;

/// Some calls were inlined.
const PARTLY_INLINED: u8 = 2;

/// The frames with at least this part of the costs of a side, in percent: `[parent, name, flags, old, new]`.
pub(super) fn data(tree: &MergedTree, metric: EventKind, cut: f64) -> Value {
    let [old, new] = tree.totals();
    let tree = tree.pruned([old, new], cut);
    let node = |frame: &MergedFrame| {
        let parent = frame.parent.map_or(-1, i64::from);
        let flags = match (frame.is_inlined, frame.is_called) {
            (false, _) => 0,
            (true, false) => INLINED,
            (true, true) => PARTLY_INLINED,
        };
        json!([parent, frame.name, flags, frame.costs[0], frame.costs[1]])
    };
    let file = |file: &Option<String>| file.as_deref().map(name).unwrap_or_default();
    json!({
        "metric": metric.to_name(),
        "old": old,
        "new": new,
        "names": tree.names.iter().map(|text| name(text)).collect::<Vec<_>>(),
        "files": tree.files.iter().map(file).collect::<Vec<_>>(),
        "nodes": tree.frames.iter().map(node).collect::<Vec<_>>(),
    })
}
