//! Callgrind's profiles to a tree: functions as Callgrind names them.

use iai_callgrind::protocol::EventKind;

use super::calls::{CallCosts, Calls, Roots};
use super::tree::{PathFrame, PathTree, Side};
use super::{least, name, FlamegraphInput};
use base::measured_function;
use formats::callgrind::{plain_names, CallGraph, PlainName};
use formats::ParseErrorKind;
use metrics::RowValues;

/// Adds profiles to one side of the tree and returns their total. `None`: the metric is in none of
/// them.
pub(super) fn add(
    tree: &mut PathTree,
    side: Side,
    kind: EventKind,
    graphs: &[CallGraph],
    subject: FlamegraphInput<'_>,
    cut: f64,
) -> Result<Option<u64>, ParseErrorKind> {
    let mut profiles = Vec::new();
    for graph in graphs {
        let Some(costs) = costs(graph, kind)? else {
            continue;
        };
        let functions = (0..graph.functions.len()).map(|function| graph.name(function));
        let plain = plain_names(functions);
        let frames: Vec<PathFrame> = plain
            .iter()
            .enumerate()
            .map(|(function, plain)| tree.name(name::text(*plain, graph.object(function))))
            .map(PathFrame::called)
            .collect();
        profiles.push((Calls::new(costs, &roots(&plain, subject)), frames));
    }
    if profiles.is_empty() {
        return Ok(None);
    }
    let totals = profiles.iter().map(|(calls, _)| calls.total());
    let total = totals.fold(0, u64::saturating_add);
    // Finer than the limit of the picture: a frame that is small on one side may be large on the
    // other.
    let least = least(total, cut / 4.0);
    for (calls, frames) in &profiles {
        tree.add(side, calls, frames, least);
    }
    Ok(Some(total))
}

/// Values of the metric. `None`: it was not collected.
fn costs(graph: &CallGraph, kind: EventKind) -> Result<Option<CallCosts<'_>>, ParseErrorKind> {
    let values = RowValues::new(kind, graph.events.iter().map(String::as_str));
    let own = (0..graph.functions.len()).map(|function| values.value(graph.own(function)));
    let recorded = (0..graph.arcs.len()).map(|arc| values.value(graph.inclusive(arc)));
    let own = own.collect::<Result<Option<Vec<u64>>, _>>()?;
    let recorded = recorded.collect::<Result<Option<Vec<u64>>, _>>()?;
    let (Some(own), Some(recorded)) = (own, recorded) else {
        return Ok(None);
    };
    Ok(Some(CallCosts {
        arcs: (&graph.arcs[..]).into(),
        own,
        recorded,
    }))
}

fn roots(names: &[PlainName<'_>], subject: FlamegraphInput<'_>) -> Roots {
    let is_root = |plain: &PlainName<'_>| {
        let name = String::from_utf8_lossy(plain.name);
        // Deeper levels of a recursion are below the first one: as roots they would count twice.
        !plain.nested
            && match subject.regions {
                true => measured_function::is_region(&name),
                false => subject.entry.has(&name),
            }
    };
    Roots {
        is_root: names.iter().map(is_root).collect(),
        only: subject.regions,
    }
}
