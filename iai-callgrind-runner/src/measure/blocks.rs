//! Blocks of the heap that two tools count in different ways: Callgrind by the calls of `malloc`,
//! DHAT by the stacks of the blocks. Both are about the benchmark function alone, so different
//! numbers show that one of them is not what it seems.

use std::cmp::Ordering;

use super::outcome::ToolOutcomes;
use crate::execute::JobFailure;
use crate::results::FunctionBlocks;
use base::tool::Tool;

/// Adds a note to the result of DHAT where Callgrind counts other blocks; with `strict` its
/// failure.
pub(super) fn compare(tools: &mut ToolOutcomes, strict: bool) {
    let of_callgrind = tools.iter().find_map(|(tool, outcome)| match outcome {
        Ok(outcome) if *tool == Tool::Callgrind => outcome.blocks,
        _ => None,
    });
    let mut outcomes = tools.iter_mut();
    let of_dhat = outcomes.find_map(|(tool, outcome)| match outcome {
        Ok(outcome) if *tool == Tool::Dhat => Some(outcome),
        _ => None,
    });
    if let (Some(of_callgrind), Some(outcome)) = (of_callgrind, of_dhat) {
        let note = outcome
            .blocks
            .and_then(|of_dhat| note(of_callgrind.made, of_dhat));
        match note {
            Some(note) if strict && outcome.failure.is_none() => {
                outcome.failure = Some(JobFailure::Strict(note));
            }
            note => outcome.result.notes.extend(note),
        }
    }
}

fn note(of_callgrind: u64, of_dhat: FunctionBlocks) -> Option<String> {
    let FunctionBlocks { counted, made } = of_dhat;
    match made.cmp(&of_callgrind) {
        Ordering::Equal => None,
        Ordering::Less => Some(format!(
            "DHAT counts {counted} blocks, Callgrind {of_callgrind}: on stacks that do not lead to the benchmark function, \
             such as those of coroutines, DHAT cannot see who allocates\n  \
             hint: `Allocations` of Callgrind does not depend on stacks; if the benchmark allocates differently in each \
             run, `--check-determinism` shows it"
        )),
        Ordering::Greater => Some(format!(
            "DHAT counts {counted} blocks, Callgrind {of_callgrind}: each tool has a process of its own, and the benchmark \
             does not allocate the same in both\n  \
             hint: `--check-determinism` shows whether it allocates differently in each run"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_numbers_are_said_with_both() {
        let counted = |counted| FunctionBlocks {
            counted,
            made: counted,
        };
        assert_eq!(note(10, counted(10)), None);
        let fewer = note(10, counted(0)).unwrap();
        assert!(
            fewer.starts_with("DHAT counts 0 blocks, Callgrind 10: on stacks"),
            "{fewer}"
        );
        let more = note(0, counted(1)).unwrap();
        assert!(
            more.starts_with("DHAT counts 1 blocks, Callgrind 0: each tool"),
            "{more}"
        );
    }

    #[test]
    fn blocks_that_grew_elsewhere_are_no_difference() {
        let grown = FunctionBlocks {
            counted: 1,
            made: 9,
        };
        assert_eq!(note(9, grown), None);
        assert!(note(1, grown).is_some());
    }
}
