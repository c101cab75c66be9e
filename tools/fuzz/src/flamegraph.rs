//! Functions and calls of Callgrind's files, and the pictures of them: a zero byte divides the new
//! profile from the old one.

use std::collections::BTreeMap;

use base::entry_functions::EntryFunctions;
use flamegraph::FlamegraphSettings;
use flamegraph::{draw, FlamegraphInput};
use formats::callgrind::{self, CallGraph, CallGraphReader, CallgrindItem, InstructionReader};
use iai_callgrind::protocol::flamegraph::Direction;
use iai_callgrind::protocol::EventKind;

pub(crate) fn check(bytes: &[u8]) {
    let mut halves = bytes.splitn(2, |byte| *byte == 0);
    let new = halves.next().and_then(graph);
    let old = halves.next().and_then(graph);
    let Some(new) = new else { return };
    let settings = FlamegraphSettings {
        direction: Direction::BottomToTop,
        normalize: bytes.len() % 2 == 0,
        ..FlamegraphSettings::default()
    };
    let subject = FlamegraphInput {
        new: &[new],
        old: &Vec::from_iter(old),
        entry: &EntryFunctions::of_patterns(["main"]),
        regions: false,
        title: "title",
        old_name: "old",
    };
    let Ok(pictures) = draw(EventKind::Ir, subject, &settings) else {
        return;
    };
    let picture = pictures.regular.expect("it was asked for");
    assert!(std::str::from_utf8(&picture).is_ok_and(|text| text.trim_end().ends_with("</svg>")));
}

/// The own costs of the functions are all costs of the lines, and so are those of the instructions.
fn graph(bytes: &[u8]) -> Option<CallGraph> {
    let mut reader = CallGraphReader::default();
    reader.add(bytes).ok()??;
    let graph = reader.finish();
    let mut reader = InstructionReader::default();
    reader.add(bytes).expect("it was read before");
    let instructions = reader.finish();
    assert_eq!(instructions.events, graph.events);
    let mut names: Vec<String> = Vec::new();
    let mut sums: BTreeMap<String, u128> = BTreeMap::new();
    let read = callgrind::read_with(bytes, |event| match event {
        CallgrindItem::Events { names: events, .. } => names = events.to_vec(),
        CallgrindItem::Cost { costs, .. } => {
            for (name, cost) in names.iter().zip(costs) {
                *sums.entry(name.clone()).or_default() += u128::from(*cost);
            }
        }
        _ => {}
    });
    read.expect("it was read before");
    for (column, event) in graph.events.iter().enumerate() {
        let own =
            (0..graph.functions.len()).map(|function| u128::from(graph.own(function)[column]));
        let expected = sums.get(event).copied().unwrap_or(0);
        // Larger sums overflow, so they are not drawn.
        if expected <= u128::from(u64::MAX) {
            assert_eq!(own.sum::<u128>(), expected, "{event}");
            let rows = 0..instructions.rows.len();
            let own = rows.map(|row| u128::from(instructions.own(row)[column]));
            assert_eq!(own.sum::<u128>(), expected, "{event}");
        }
    }
    for arc in &graph.arcs {
        let functions = graph.functions.len();
        assert!((arc.caller as usize) < functions && (arc.callee as usize) < functions);
    }
    Some(graph)
}
