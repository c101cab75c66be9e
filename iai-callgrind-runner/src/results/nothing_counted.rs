//! Reasons why a run counted nothing, or not the function that it was to count.
//!
//! In: the job. Out: a reason for the error, found in the symbol table of the executable; absent
//! where an empty count is a result, as with allocations.

use crate::execute::{JobFailure, NothingCounted};
use crate::plan::{self, Job};
use base::tool::Tool;
use symbols::symbol_table::{self, Symbols};

/// A piece of the names of the functions that run regions.
const REGION: &str = "__iai_callgrind_region_mod";

/// Judges a run that counted nothing: it fails, or that is a result with a note.
pub(super) fn check(job: &Job, regions: bool) -> Result<Option<String>, JobFailure> {
    match why_nothing(job, regions) {
        Some(nothing) => Err(JobFailure::NothingCounted(nothing)),
        None => Ok(nothing_matched(job)),
    }
}

/// Reason why nothing was counted. `None`: an empty count is a result.
fn why_nothing(job: &Job, regions: bool) -> Option<NothingCounted> {
    match job.tool {
        Tool::Callgrind => Some(without_entry(job, regions).unwrap_or(NothingCounted::NeverOn)),
        // An empty count says that nothing was allocated, unless DHAT cannot see where.
        Tool::Dhat => without_entry(job, regions).filter(|nothing| {
            use NothingCounted::{Folded, NeverEntered, NoRegion, NotEntered};
            let is_result = matches!(
                nothing,
                Folded { .. } | NeverEntered | NotEntered(_) | NoRegion
            );
            !is_result
        }),
        // Every process executes instructions, so the count can only have been off.
        Tool::Cachegrind | Tool::Bbv => Some(NothingCounted::NeverInstrumented),
        // There was nothing to be found.
        _ => None,
    }
}

/// Looks into the executable for the reason. `None`: everything was to be counted.
fn without_entry(job: &Job, regions: bool) -> Option<NothingCounted> {
    if regions {
        return Some(match symbol_table::find(&job.target.program, &[REGION]) {
            Symbols::None => NothingCounted::Stripped,
            Symbols::Others | Symbols::Present => NothingCounted::NoRegion,
        });
    }
    if job.args.entry.measured {
        return Some(not_entered(job));
    }
    let pattern = job.args.entry.patterns.first()?;
    // A mangled name can contain the pieces between wildcards and separators.
    let pieces: Vec<&str> = pattern.split(['*', '?', ':', '<', '>']).collect();
    Some(match symbol_table::find(&job.target.program, &pieces) {
        Symbols::None => NothingCounted::Stripped,
        Symbols::Others => NothingCounted::NoFunction(pattern.clone()),
        Symbols::Present => NothingCounted::NotEntered(pattern.clone()),
    })
}

/// Reason why the measured copy of the benchmark function was not entered.
pub(super) fn not_entered(job: &Job) -> NothingCounted {
    let benchmark = job.measured_function();
    let Some(copies) = symbol_table::measured_copies(&job.target.program) else {
        return NothingCounted::NeverEntered;
    };
    let mut own = copies
        .list
        .iter()
        .filter(|copy| copy.benchmark == benchmark);
    let folded = own.clone().find_map(|copy| copy.folded.clone());
    match (copies.has_symbols, own.next(), folded) {
        (false, ..) => NothingCounted::Stripped,
        (true, None, _) => NothingCounted::NoCopy(benchmark.to_owned()),
        (true, Some(_), Some(other)) => NothingCounted::Folded {
            benchmark: benchmark.to_owned(),
            other,
        },
        (true, Some(_), None) => NothingCounted::NeverEntered,
    }
}

/// Note on functions of the user's choice that match no allocation, which most likely is a mistake.
/// A benchmark function that allocates nothing is as it should be.
fn nothing_matched(job: &Job) -> Option<String> {
    let patterns = job.args.entry.patterns.iter().map(String::as_str);
    let chosen: Vec<&str> = patterns.filter(|p| !plan::is_own_pattern(p)).collect();
    (job.tool == Tool::Dhat && !chosen.is_empty()).then(|| {
        format!(
            "nothing was allocated below a function whose name matches `{}`",
            chosen.join("` or `")
        )
    })
}
