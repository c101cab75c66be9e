//! Blocks of the heap that two tools count in different ways: Callgrind by the calls of `malloc`,
//! DHAT by the stacks of the blocks. Both are about the benchmark function alone, so fewer under
//! DHAT show that it misses blocks.

use super::outcome::ToolOutcomes;
use base::tool::Tool;

/// Adds a note to the result of DHAT where Callgrind counts more blocks.
pub(super) fn compare(tools: &mut ToolOutcomes) {
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
            .and_then(|of_dhat| note(of_callgrind, of_dhat));
        outcome.result.notes.extend(note);
    }
}

/// DHAT may count more: each tool has a process of its own, and blocks that are made once for a
/// process, such as the buffer of stdout, are made in one before the benchmark function begins and
/// in another one while it runs.
fn note(of_callgrind: u64, of_dhat: u64) -> Option<String> {
    (of_dhat < of_callgrind).then(|| {
        format!(
            "DHAT counts {of_dhat} blocks, Callgrind {of_callgrind}: on stacks that do not lead to the benchmark function, \
             such as those of coroutines, DHAT cannot see who allocates\n  \
             hint: `Allocations` of Callgrind does not depend on stacks; if the benchmark allocates differently in each \
             run, `--check-determinism` shows it"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_dhat_misses_are_said_with_both_numbers() {
        assert_eq!(note(10, 10), None);
        let fewer = note(10, 0).unwrap();
        assert!(
            fewer.starts_with("DHAT counts 0 blocks, Callgrind 10: "),
            "{fewer}"
        );
        assert_eq!(note(0, 1), None);
    }
}
