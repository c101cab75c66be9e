//! Explanations: why a benchmark costs more or less than before.
//!
//! **In**: profiles with the costs of instructions, and the executables while they are
//! there. **Out**: a [`Digest`], which outlives the executable; of two digests an [`Explanation`].
//! Everything is computed from values. Causes, functions and owners each add up to the difference.
//! The repository has the reasons in `docs/design/explanations.md`.
//!
//! ```
//! use std::path::Path;
//!
//! use base::entry_functions::EVERYTHING;
//! use formats::callgrind::InstructionReader;
//! use iai_callgrind::protocol::EventKind;
//! use iai_callgrind_explain::{digest::Digest, explain, format, new_digest::DigestSources};
//! use symbols::Symbolizer;
//!
//! fn digest(of_sort: u64) -> Digest {
//!     let profile = format!(
//!         "positions: instr line\nevents: Ir\nob=/no/such/program\nfl=src/lib.rs\n\
//!          fn=bench\n0x100 1 10\ncfn=sort\ncalls=1 0x200 5\n0x104 2 {of_sort}\n\
//!          fn=sort\n0x200 5 {of_sort}\n"
//!     );
//!     let mut reader = InstructionReader::default();
//!     reader.add(profile.as_bytes()).unwrap();
//!     let executable = Path::new("/no/such/program");
//!     let workspace = Path::new("/no/such/workspace");
//!     let (entry, symbolizer) = (&EVERYTHING, &Symbolizer::default());
//!     let (regions, identity, target, is_malloc) = (false, 0, None, None);
//!     let sources = DigestSources { entry, regions, symbolizer, executable, identity, workspace,
//!         target, is_malloc };
//!     sources.digest(&reader.finish(), 0)
//! }
//! let kept = format::write(&digest(400));
//! let explanation = explain(&format::read(&kept)?, &digest(700), EventKind::Ir)?;
//! assert_eq!((explanation.old, explanation.new, explanation.diff), (410, 710, 300));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Where each step is done:
//
//   file → digest                                 kept_digest.rs
//   bytes ↔ digest                                format/, digest.rs, costs.rs, check.rs
//   digest old × digest new → pairs of functions  pair.rs, alike.rs, libraries.rs, names.rs
//     → graphs of both sides                      sides.rs
//     → without other decisions on inlining       contract.rs
//     → units with expected costs                 units.rs
//     → causes, passed to changed code            flow.rs, effects.rs
//     → gathered by place, whole numbers          place.rs, inline_paths.rs, parts.rs, rounding.rs
//     → names and words                           causes.rs, stories.rs, display.rs, notes.rs
//   and beside it: costs by function and owner    sums.rs, functions.rs; allocations.rs
//     calls from the roots down                   tree.rs
//     lines of the user                           lines.rs, line_sums.rs, alignment.rs
//     machine code                                instructions.rs, alignment.rs
//     functions with own and inclusive costs      function_table.rs
//     records of the heap (heap_stacks/)          heap_sites.rs

mod alignment;
mod alike;
mod allocations;
mod allocator_calls;
mod allocator_functions;
mod causes;
mod check;
#[cfg(test)]
mod compiled_program;
mod contract;
mod costs;
pub mod digest;
mod display;
mod effects;
mod explanation;
mod flow;
pub mod format;
mod function_table;
mod functions;
mod heap_sites;
pub mod heap_stacks;
mod inline_paths;
mod instructions;
pub mod kept_digest;
mod libraries;
mod line_sums;
mod lines;
mod names;
pub mod new_digest;
mod notes;
mod pair;
mod parting;
mod parts;
mod place;
pub mod placement;
mod rounding;
#[cfg(any(test, feature = "sample"))]
pub mod sample;
mod sides;
pub mod stories;
mod sums;
#[cfg(test)]
mod tests;
mod tree;
mod units;
#[cfg(test)]
mod view_tests;

use iai_callgrind::protocol::EventKind;

pub use self::allocations::allocations;
pub use self::allocations::blocks_of_malloc;
pub(crate) use self::allocator_functions::is_rust_allocator;
use self::causes::FoundCauses;
pub use self::check::DigestFault;
use self::contract::contract;
use self::digest::Digest;
pub use self::digest::SourceOrigin;
use self::display::ShownFunctions;
pub use self::explanation::{
    AllocationCount, AllocationCounts, CalleeCosts, Cause, CauseDetail, CodeState, DetailKind,
    ExplainedRow, Explanation, ExplanationBasis, FunctionDifference, FunctionStory, InliningChange,
    OriginDifference, StoryKind,
};
use self::flow::CauseFlow;
pub use self::function_table::{function_table, ComparedFunction, SideCosts};
pub use self::functions::{FunctionCosts, RecordedFunctions};
pub(crate) use self::heap_sites::{site_name, site_text};
pub use self::heap_sites::{HeapAmount, HeapSite, HeapSites, SiteAllocation};
pub use self::instructions::{
    all_instructions, instruction_differences, FunctionInstructions, InstructionDifference,
    InstructionTables, NoInstructions,
};
pub(crate) use self::libraries::is_address;
pub use self::lines::{
    line_costs, line_differences, FunctionLines, LineCosts, LineDifference, LineDifferences,
};
pub use self::names::readable as readable_name;
pub use self::pair::FunctionPairs;
pub use self::parting::{parting_places, PartingPlace};
use self::sides::{side_graphs, DigestValues, SharedNames, NEW, OLD};
pub use self::tree::{call_tree, CallTree, CallTreeKind, CallTreeRow};
use self::units::Units;
use formats::ParseErrorKind;
use metrics::{MetricKind, RowValues};

/// Largest total that is explained: floating-point numbers are exact up to here.
const LARGEST: u64 = 1 << 53;

/// Reason why a difference is not explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The metric was not collected on a side.
    #[error("{0} was not collected")]
    NotCollected(EventKind),
    /// The metric is a rate or a time, whose parts do not add up to it.
    #[error("{0} is no sum of counts")]
    NoSum(EventKind),
    /// A value of the metric is larger than any count of a real run.
    #[error("{0} is too large to be explained")]
    TooLarge(EventKind),
    /// A value of the metric cannot be computed.
    #[error("{0}")]
    Overflow(#[from] ParseErrorKind),
}

/// Two digests with what all views of their difference begin with: their functions in pairs, and
/// their values of a metric.
pub struct ComparedDigests<'a> {
    digests: [&'a Digest; 2],
    metric: EventKind,
    values: [DigestValues; 2],
    totals: [u64; 2],
    pairs: &'a FunctionPairs,
    shown: ShownFunctions<'a>,
}

impl<'a> ComparedDigests<'a> {
    /// Digests have to be checked ones, and the pairs those of their functions.
    ///
    /// # Errors
    ///
    /// The metric was not collected, or cannot be added up.
    pub fn new(
        old: &'a Digest,
        new: &'a Digest,
        pairs: &'a FunctionPairs,
        metric: EventKind,
    ) -> Result<Self, ExplainError> {
        let values = [values(old, metric)?, values(new, metric)?];
        Ok(Self {
            digests: [old, new],
            metric,
            totals: [total(&values[OLD], metric)?, total(&values[NEW], metric)?],
            values,
            pairs,
            shown: ShownFunctions::new(old, new, pairs),
        })
    }
}

/// Explains the difference of a metric. Digests have to be checked ones.
///
/// # Errors
///
/// The metric was not collected, or cannot be added up.
pub fn explain(old: &Digest, new: &Digest, metric: EventKind) -> Result<Explanation, ExplainError> {
    let pairs = FunctionPairs::find(old, new);
    let compared = ComparedDigests::new(old, new, &pairs, metric)?;
    Ok(explanation(&compared))
}

/// The explanation of a difference.
#[must_use]
pub fn explanation(compared: &ComparedDigests<'_>) -> Explanation {
    let ComparedDigests {
        digests,
        metric,
        values,
        totals,
        pairs,
        shown,
    } = compared;
    let [old, new] = *digests;
    let sides = [&pairs.old[..], &pairs.new[..]];
    let mut explanation = Explanation {
        metric: metric.to_name(),
        label: metric.label().to_owned(),
        old: totals[OLD],
        new: totals[NEW],
        // Totals are at most 2^53 (`total`), so the casts are exact.
        diff: totals[NEW] as i64 - totals[OLD] as i64,
        basis: ExplanationBasis::Functions,
        origins: sums::by_origin(*digests, values),
        causes: Vec::new(),
        functions: sums::by_function(*digests, values, sides, pairs.len(), shown),
        stories: Vec::new(),
        notes: Vec::new(),
        allocations: None,
    };
    // Callgrind's own `calls=` contain the calls of setup and harness: causes would be wrong.
    let has_calls = |digest: &Digest| digest.head.by_instruction && digest.head.true_calls;
    let mut no_code_changed = false;
    if has_calls(old) && has_calls(new) {
        no_code_changed = add_causes(&mut explanation, *digests, values, pairs, shown);
        explanation.allocations = allocations::count(old, new);
    }
    if !explanation.is_empty() {
        explanation
            .notes
            .extend(notes::notes(*digests, values, no_code_changed));
    }
    explanation
}

/// Finds the causes, and whether no code has changed.
fn add_causes(
    explanation: &mut Explanation,
    digests: [&Digest; 2],
    values: &[DigestValues; 2],
    pairs: &FunctionPairs,
    shown: &ShownFunctions<'_>,
) -> bool {
    let mut names = SharedNames::default();
    let mut graphs = side_graphs(digests, values, pairs, &mut names);
    // Before the units: these are circles of both sides, which need the same functions.
    let dissolved = contract(&mut graphs, &mut names.inlined);
    let units = Units::new(&mut graphs);
    let flow = CauseFlow::new(&graphs, &units);
    let found = flow.as_ref().and_then(|flow| {
        let found = FoundCauses {
            graphs: &graphs,
            units: &units,
            flow,
            dissolved: &dissolved,
            shown,
            names: &names,
        };
        let counted = explanation.old as f64 + explanation.new as f64;
        Some((found.rows(explanation.diff, counted)?, found))
    });
    let Some((rows, found)) = found else {
        let note = "functions only: the numbers of calls contradict each other";
        explanation.notes.push(note.to_owned());
        return false;
    };
    explanation.basis = ExplanationBasis::Instructions;
    explanation.causes = rows;
    explanation.stories = found.stories(pairs.len());
    found.no_code_changed()
}

/// Is the metric among those that a digest has?
///
/// # Errors
///
/// It was not collected, or is no sum.
pub fn is_collected(digest: &Digest, metric: EventKind) -> Result<(), ExplainError> {
    values(digest, metric).map(|_| ())
}

/// Values of a metric for all rows and calls.
fn values(digest: &Digest, metric: EventKind) -> Result<DigestValues, ExplainError> {
    let kind = MetricKind::from(metric);
    if kind.is_rate() || kind.is_time() {
        return Err(ExplainError::NoSum(metric));
    }
    if let EventKind::Allocations | EventKind::Frees = metric {
        let values = allocations::values(digest, metric == EventKind::Frees);
        return values.ok_or(ExplainError::NotCollected(metric));
    }
    let events = digest.head.events.iter();
    let columns = RowValues::new(metric, events.map(|event| digest.text(*event)));
    let value = |costs: &[u64]| match columns.value(costs) {
        Ok(Some(value)) => Ok(value),
        Ok(None) => Err(ExplainError::NotCollected(metric)),
        Err(error) => Err(error.into()),
    };
    // A digest without rows says at least which events it has.
    value(&[])?;
    Ok(DigestValues {
        rows: digest
            .row_costs
            .rows()
            .map(value)
            .collect::<Result<_, _>>()?,
        calls: digest
            .call_costs
            .rows()
            .map(value)
            .collect::<Result<_, _>>()?,
    })
}

fn total(values: &DigestValues, metric: EventKind) -> Result<u64, ExplainError> {
    let sum = values
        .rows
        .iter()
        .try_fold(0_u64, |sum, value| sum.checked_add(*value));
    let total = sum.filter(|sum| *sum <= LARGEST);
    total.ok_or(ExplainError::TooLarge(metric))
}
