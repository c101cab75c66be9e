//! Conflicts of a merge in a file of accepted counts.
//!
//! Neither branch has the count that holds after a merge: it has to be measured. So the lines
//! between the markers are removed, and whatever regresses then is accepted anew.

use std::collections::BTreeMap;

use thiserror::Error;

use super::document::AcceptedDocument;
use super::model::{AcceptedBenchmark, AcceptedName};
use super::read::AcceptedError;

/// A file without its conflicts.
#[derive(Debug, Clone)]
pub struct ResolvedConflict {
    /// The file, without the benchmarks of the conflicts.
    pub document: AcceptedDocument,
    /// The benchmarks of the conflicts, as one of the branches has them.
    pub benchmarks: BTreeMap<AcceptedName, AcceptedBenchmark>,
}

/// Reason why a conflict cannot be resolved.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConflictError {
    /// The markers do not match those of a merge.
    #[error(
        "line {0}: a conflict marker without its others\n  hint: resolve the conflict by hand"
    )]
    Markers(usize),
    /// One of both branches has a file that is wrong by itself.
    #[error("{error}\n  hint: it is so in one of the two branches; resolve the conflict by hand")]
    Branch {
        /// The mistake; its line is that of the file with the markers.
        error: AcceptedError,
    },
    /// Both branches differ in more than benchmarks.
    #[error(
        "line {0}: both branches changed more than lines of benchmarks\n  hint: resolve this conflict by hand"
    )]
    Facts(usize),
}

/// Sides of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConflictSide {
    /// Outside of conflicts.
    Both,
    Ours,
    Base,
    Theirs,
}

/// Are there conflict markers in a text?
#[must_use]
pub fn has_conflict(text: &str) -> bool {
    first_marker(text).is_some()
}

/// The line of the first conflict marker.
pub(super) fn first_marker(text: &str) -> Option<usize> {
    let mut lines = text.lines();
    lines
        .position(|line| matches!(marker(line), Some(ConflictSide::Ours)))
        .map(|index| index + 1)
}

/// Takes the benchmarks of the conflicts out of a file with conflict markers.
///
/// # Errors
///
/// The markers are damaged, or there is more between them than benchmarks.
pub fn resolve(text: &str) -> Result<ResolvedConflict, ConflictError> {
    let lines = sides(text)?;
    let ours = branch(&lines, ConflictSide::Ours)?;
    let theirs = branch(&lines, ConflictSide::Theirs)?;
    if ours.counts().facts != theirs.counts().facts {
        return Err(ConflictError::Facts(first_marker(text).unwrap_or(1)));
    }
    let mut document = ours.clone();
    let mut benchmarks = BTreeMap::new();
    // Ours last, so that its reason stays where both branches accepted the same benchmark.
    for (branch, side) in [(&theirs, ConflictSide::Theirs), (&ours, ConflictSide::Ours)] {
        let originals = originals(&lines, side);
        for (name, benchmark) in &branch.counts().benchmarks {
            // Lines count from 1, in the branch's text, which has exactly the lines of `originals`.
            let line = originals[benchmark.line - 1];
            if lines[line].1 != ConflictSide::Both {
                let mut benchmark = benchmark.clone();
                benchmark.line = line + 1;
                benchmarks.insert(name.clone(), benchmark);
            }
        }
    }
    document.remove(&benchmarks.keys().cloned().collect());
    Ok(ResolvedConflict {
        document,
        benchmarks,
    })
}

/// The side after a line that is a marker.
fn marker(line: &str) -> Option<ConflictSide> {
    let is = |marker: &str| {
        let rest = line.strip_prefix(marker);
        // git writes a name behind each of them but `=======`.
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\r']))
    };
    if is("<<<<<<<") {
        Some(ConflictSide::Ours)
    } else if is("|||||||") {
        Some(ConflictSide::Base)
    } else if is("=======") {
        Some(ConflictSide::Theirs)
    } else if is(">>>>>>>") {
        Some(ConflictSide::Both)
    } else {
        None
    }
}

/// All lines with their sides; markers are of [`ConflictSide::Base`], which no branch has.
fn sides(text: &str) -> Result<Vec<(&str, ConflictSide)>, ConflictError> {
    let mut side = ConflictSide::Both;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(next) = marker(line) else {
            lines.push((line, side));
            continue;
        };
        let follows = match next {
            ConflictSide::Ours => side == ConflictSide::Both,
            // Only with `merge.conflictStyle = diff3` or `zdiff3`.
            ConflictSide::Base => side == ConflictSide::Ours,
            ConflictSide::Theirs => matches!(side, ConflictSide::Ours | ConflictSide::Base),
            ConflictSide::Both => side == ConflictSide::Theirs,
        };
        if !follows {
            return Err(ConflictError::Markers(index + 1));
        }
        lines.push((line, ConflictSide::Base));
        side = next;
    }
    match side {
        ConflictSide::Both => Ok(lines),
        _ => Err(ConflictError::Markers(first_marker(text).unwrap_or(1))),
    }
}

/// The file of one branch.
fn branch(
    lines: &[(&str, ConflictSide)],
    side: ConflictSide,
) -> Result<AcceptedDocument, ConflictError> {
    let originals = originals(lines, side);
    let text: String = originals
        .iter()
        .flat_map(|index| [lines[*index].0, "\n"])
        .collect();
    AcceptedDocument::parse(&text).map_err(|mut error| {
        let original = originals.get(error.line - 1);
        error.line = original.map_or(error.line, |index| index + 1);
        ConflictError::Branch { error }
    })
}

/// The indices of the lines that a branch has. Ours gets the comments of both.
fn originals(lines: &[(&str, ConflictSide)], wanted: ConflictSide) -> Vec<usize> {
    let is_known = |text: &str| {
        let mut known = lines
            .iter()
            .filter(|(_, side)| matches!(side, ConflictSide::Ours | ConflictSide::Both));
        known.any(|(other, _)| *other == text)
    };
    let is_comment_of_theirs = |text: &str, side: ConflictSide| {
        // Comments are no counts, so nothing measures them anew: those of both branches stay.
        let comment = side == ConflictSide::Theirs && text.trim_start().starts_with('#');
        comment && !is_known(text)
    };
    let has = |(text, side): (&str, ConflictSide)| {
        let own = side == wanted || side == ConflictSide::Both;
        own || (wanted == ConflictSide::Ours && is_comment_of_theirs(text, side))
    };
    (0..lines.len())
        .filter(|index| has(lines[*index]))
        .collect()
}
