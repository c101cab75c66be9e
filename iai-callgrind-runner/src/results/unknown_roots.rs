//! Blocks that nobody knows the maker of.
//!
//! DHAT knows who made a block by its stack. On the stack of a coroutine, on one that the program
//! grew, and in machine code without unwind tables, the stack leads neither to the benchmark
//! function nor to where a thread begins. Such blocks are not counted, and this is said with their
//! number.

use super::moments::HeapMoments;
use crate::error::Result;
use formats::dhat::DhatProfile;
use metrics::readers::dhat::of_unknown_root;
use metrics::readers::Selection;

/// The note about such blocks in the profile `whole`, if there are any: those that were made while
/// the benchmark function ran, or without `moments` all of them.
pub(super) fn note(
    whole: &DhatProfile,
    selection: Selection<'_>,
    moments: Option<&HeapMoments<'_>>,
) -> Result<Option<String>> {
    let unknown = |profile, is_case| of_unknown_root(profile, selection, is_case);
    if let Some(moments) = moments {
        if unknown(whole, true).1 == 0 {
            return Ok(None);
        }
        if let Some((before, after)) = moments.before()?.zip(moments.after()?) {
            let (before, after) = (unknown(before, true), unknown(after, true));
            let made = |all: u64, before: u64| all.saturating_sub(before);
            return Ok(text(
                made(after.0, before.0),
                made(after.1, before.1),
                " while the benchmark function ran",
            ));
        }
    }
    // Of all blocks of a process only those are said whose stack certainly leads nowhere.
    let (bytes, blocks) = unknown(whole, false);
    Ok(text(bytes, blocks, ""))
}

fn text(bytes: u64, blocks: u64, when: &str) -> Option<String> {
    let made = match blocks {
        0 => return None,
        1 => format!("1 block of {bytes} bytes"),
        _ => format!("{blocks} blocks of {bytes} bytes in all"),
    };
    Some(format!(
        "DHAT cannot see who made {made}{when}, so they are not counted: their stacks lead neither to the function \
         that counts nor to the start of a thread, as those of coroutines and of machine code without unwind tables\n  \
         hint: `Allocations` of Callgrind does not depend on stacks"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_such_blocks_is_said() {
        assert_eq!(text(0, 0, ""), None);
        let one = text(8, 1, "").unwrap();
        assert!(
            one.starts_with("DHAT cannot see who made 1 block of 8 bytes, so "),
            "{one}"
        );
        let ten = text(10_000, 10, " while the benchmark function ran").unwrap();
        assert!(
            ten.starts_with(
                "DHAT cannot see who made 10 blocks of 10000 bytes in all while the benchmark function ran, so "
            ),
            "{ten}"
        );
    }
}
