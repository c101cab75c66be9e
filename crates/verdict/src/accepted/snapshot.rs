//! Accepted counts as the old side of a comparison: a file that holds all counts needs no results
//! of before.

use std::collections::BTreeMap;
use std::sync::Arc;

use iai_callgrind::protocol::Input;

use super::model::{AcceptedBenchmark, AcceptedCounts, AcceptedFacts, AcceptedName, AcceptedPlace};
use crate::sides::ResultSide;
use base::tool::Tool;
use metrics::{MetricKind, MetricValue};
use records::summary::ObjectCosts;
use records::{BenchmarkIdentity, Circumstances, RecordedBenchmark, RecordedTool};

/// The accepted counts as a side, for the places whose facts are known. `None`: there is none that
/// the new side has results of.
#[must_use]
pub fn old_side(counts: &AcceptedCounts, new: &ResultSide, file: &str) -> Option<ResultSide> {
    let mut places: BTreeMap<AcceptedPlace, Arc<Circumstances>> = BTreeMap::new();
    for benchmark in &new.benchmarks {
        let place = AcceptedPlace::of(&benchmark.identity);
        if let (Some(facts), Some(result)) = (counts.facts.get(&place), benchmark.tools.first()) {
            places
                .entry(place)
                .or_insert_with(|| Arc::new(circumstances(facts, &result.circumstances)));
        }
    }
    let mut benchmarks = Vec::new();
    for (name, accepted) in &counts.benchmarks {
        if let Some(circumstances) = places.get(&name.place) {
            let circumstances = match &accepted.libc {
                // A line of its own may have been accepted with another C library than the others.
                Some(libc) => Arc::new(Circumstances {
                    libc: Some(libc.clone()),
                    ..(**circumstances).clone()
                }),
                None => Arc::clone(circumstances),
            };
            benchmarks.push(benchmark(identity(name), accepted, &circumstances));
        }
    }
    // The file is in the order of targets, identities begin with the label, and pairs need theirs.
    benchmarks.sort_by(|one, other| one.identity.cmp(&other.identity));
    (!benchmarks.is_empty()).then(|| ResultSide {
        arguments: vec![file.to_owned()],
        benchmarks,
        ..ResultSide::default()
    })
}

/// The accepted facts in the words of the new side, if they are the same; all others are unknown.
fn circumstances(facts: &AcceptedFacts, new: &Circumstances) -> Circumstances {
    let of_new = AcceptedFacts::of(new);
    // The file has `1.95.0` where a record has the commit as well: the same compiler would differ.
    let said =
        |accepted: &Option<String>, short: &Option<String>, whole: &Option<String>| match accepted
            == short
        {
            true => whole.clone(),
            false => accepted.clone(),
        };
    Circumstances {
        rustc: said(&facts.rustc, &of_new.rustc, &new.rustc),
        libc: said(&facts.libc, &of_new.libc, &new.libc),
        processor_class: said(&facts.cpu, &of_new.cpu, &new.processor_class),
        ..Circumstances::default()
    }
}

fn identity(name: &AcceptedName) -> BenchmarkIdentity {
    let place = &name.place;
    BenchmarkIdentity {
        label: place.label.as_deref().map(Arc::from),
        target: place.known_target().map(Arc::from),
        package: Arc::from(name.package.as_str()),
        path: Arc::from(name.path.as_str()),
    }
}

fn benchmark(
    identity: BenchmarkIdentity,
    accepted: &AcceptedBenchmark,
    circumstances: &Arc<Circumstances>,
) -> RecordedBenchmark {
    let mut parts = identity.path.splitn(4, "::").map(Arc::from);
    let mut next = || parts.next().unwrap_or_else(|| Arc::from(""));
    let (file, group, function) = (next(), next(), next());
    let mut tools: Vec<RecordedTool> = Vec::new();
    for count in &accepted.counts {
        let Some(kind) = MetricKind::named(count.tool, &count.kind) else {
            continue;
        };
        let value = MetricValue::from(count.count);
        match tools.iter_mut().find(|result| result.tool == count.tool) {
            Some(result) => result.metrics.push((kind, value)),
            None => tools.push(tool(count.tool, (kind, value), accepted, circumstances)),
        }
    }
    RecordedBenchmark {
        file,
        group,
        function,
        id: parts.next(),
        description: None,
        input: accepted.input.as_ref().map(|text| {
            Box::new(Input {
                text: text.clone(),
                positional: true,
            })
        }),
        source_file: None,
        line: None,
        started_at: String::new(),
        duration_ns: 0,
        source: Arc::default(),
        system: Arc::default(),
        tools,
        failures: Vec::new(),
        time: None,
        directory: Box::default(),
        baseline: None,
        read_from: 0,
        text: None,
        identity: identity.clone(),
    }
}

fn tool(
    tool: Tool,
    metric: (MetricKind, MetricValue),
    accepted: &AcceptedBenchmark,
    circumstances: &Arc<Circumstances>,
) -> RecordedTool {
    let own = accepted.own.filter(|_| tool == Tool::Callgrind);
    let object = own.map(|own| ObjectCosts {
        name: String::new(),
        own: true,
        counts: BTreeMap::from([("Ir".to_owned(), own)]),
    });
    RecordedTool {
        tool,
        metrics: vec![metric],
        unknown: Vec::new(),
        time_unit: None,
        limits: Vec::new(),
        unmet: Vec::new(),
        objects: object.into_iter().collect(),
        functions: Vec::new(),
        repeated: None,
        // Without marks nothing is the same code, so all is judged.
        code: None,
        fingerprint: None,
        circumstances: Arc::clone(circumstances),
        duration_ns: None,
        digest: None,
        failed: false,
    }
}
