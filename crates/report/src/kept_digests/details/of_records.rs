//! Details from the records alone: the explanation of the run that compared the same values, and
//! own costs of functions.

use std::collections::BTreeMap;

use iai_callgrind::protocol::EventKind;

use super::{BenchmarkDetails, SideDetails};
use base::tool::Tool;
use explain::{ComparedFunction, SideCosts, SourceOrigin};
use records::{RecordText, ToolText};
use verdict::sides::{ReportRow, ResultSide};

/// Adds the details of a benchmark's records.
pub(super) fn add(details: &mut BenchmarkDetails, sides: &SideDetails, row: &ReportRow) {
    let metric = details.metric.unwrap_or(EventKind::Ir);
    let old = sides.old.as_deref().and_then(|side| profile(side, row));
    let new = profile(&sides.new, row);
    details.explanation = sides.change(row, metric).causes(None);
    details.functions = functions(old.as_ref(), new.as_ref(), metric);
    if !details.functions.is_empty() || details.explanation.is_some() {
        let note = "from records alone: frames, lines and machine code need digests";
        details.notes.push(note.to_owned());
    }
}

/// The result under Callgrind. A record without its text has none.
fn profile<'a>(side: &'a ResultSide, row: &ReportRow) -> Option<ToolText<'a>> {
    let (benchmark, _) = side.callgrind_result(row)?;
    let record = RecordText::of(benchmark.text.as_deref()?).ok()?;
    let mut profiles = record.profiles().ok()?.into_iter();
    profiles.find(|profile| profile.tool == Tool::Callgrind.id())
}

/// The functions of both records.
fn functions(
    old: Option<&ToolText<'_>>,
    new: Option<&ToolText<'_>>,
    metric: EventKind,
) -> Vec<ComparedFunction> {
    let mut functions: BTreeMap<(&str, SourceOrigin), ComparedFunction> = BTreeMap::new();
    for (side, is_new) in [(old, false), (new, true)] {
        let Some(side) = side else { continue };
        let name = metric.to_name();
        let column = side.events.iter().position(|event| *event == name);
        let Some(column) = column else { continue };
        for function in &side.functions {
            let costs = SideCosts {
                own: function.own.get(column).copied().unwrap_or(0),
                inclusive: None,
                calls: function.calls,
            };
            let known = functions.entry((&function.name, function.origin));
            let row = known.or_insert_with(|| ComparedFunction {
                name: function.name.to_string(),
                origin: function.origin,
                is_inlined: true,
                old: None,
                new: None,
            });
            row.is_inlined &= function.inlined;
            *(if is_new { &mut row.new } else { &mut row.old }) = Some(costs);
        }
    }
    let own = |side: Option<SideCosts>| side.map_or(0, |side| side.own);
    let mut functions: Vec<ComparedFunction> = functions.into_values().collect();
    functions.retain(|function| own(function.old).max(own(function.new)) > 0);
    functions.sort_by_key(|function| std::cmp::Reverse(own(function.old).max(own(function.new))));
    functions.truncate(MOST);
    functions
}

/// Functions, at most.
const MOST: usize = 200;
