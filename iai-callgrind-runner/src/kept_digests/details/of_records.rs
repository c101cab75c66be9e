//! Details from the records alone: the explanation of the run that compared the same values, and own costs of functions.

use std::collections::BTreeMap;

use iai_callgrind::protocol::EventKind;
use serde::Deserialize;

use super::{BenchmarkDetails, SideDetails};
use crate::explain::{ComparedFunction, Explanation, FunctionCosts, SideCosts, SourceOrigin};
use crate::kept_digests::recorded::result;
use crate::model::tool::Tool;
use crate::records::{BenchmarkIdentity, RecordedBenchmark, RecordedTool};
use crate::verdict::sides::ResultSide;

/// Fields of a record that only details need.
#[derive(Debug, Default, Deserialize)]
struct DetailFields {
    #[serde(default)]
    profiles: Vec<ProfileDetails>,
}

#[derive(Debug, Deserialize)]
struct ProfileDetails {
    tool: String,
    #[serde(default)]
    explanation: Option<Box<Explanation>>,
    #[serde(default)]
    events: Vec<String>,
    #[serde(default)]
    functions: Vec<FunctionCosts>,
}

/// Adds what records tell of a benchmark.
pub(super) fn add(
    details: &mut BenchmarkDetails,
    sides: &SideDetails,
    identity: &BenchmarkIdentity,
) {
    let metric = details.metric.unwrap_or(EventKind::Ir);
    let old = sides.old.as_deref().and_then(|side| fields(side, identity));
    let new = fields(&sides.new, identity);
    let value = |side: &ResultSide| {
        let (_, result) = result(side, identity)?;
        count(result, metric)
    };
    let values = [sides.old.as_deref().and_then(value), value(&sides.new)];
    details.explanation = new
        .as_ref()
        .and_then(|new| new.explanation.as_deref())
        // That of the run is about the results which it compared; these may be others.
        .filter(|found| [Some(found.old), Some(found.new)] == values)
        .filter(|found| found.metric == metric.to_name())
        .cloned();
    details.functions = functions(old.as_ref(), new.as_ref(), metric);
    if !details.functions.is_empty() || details.explanation.is_some() {
        let note = "from records alone: they have no frames, lines and machine code, \
            which directories of results have";
        details.notes.push(note.to_owned());
    }
}

fn count(result: &RecordedTool, metric: EventKind) -> Option<u64> {
    match result.value(metric.into())? {
        crate::metrics::MetricValue::Int(count) => Some(count),
        _ => None,
    }
}

/// The fields of the result under Callgrind. A record without its text has none.
fn fields(side: &ResultSide, identity: &BenchmarkIdentity) -> Option<ProfileDetails> {
    let (benchmark, _): (&RecordedBenchmark, _) = result(side, identity)?;
    let fields: DetailFields = serde_json::from_str(benchmark.text.as_deref()?).ok()?;
    let mut profiles = fields.profiles.into_iter();
    profiles.find(|profile| profile.tool == Tool::Callgrind.id())
}

/// The functions of both records.
fn functions(
    old: Option<&ProfileDetails>,
    new: Option<&ProfileDetails>,
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
                name: function.name.clone(),
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
