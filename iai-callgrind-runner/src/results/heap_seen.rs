//! Whether DHAT and Massif saw the allocations of a program.
//!
//! Memory of an allocator that does not take it from `malloc` is in no figure, and a zero would
//! look like a result. In: a finished job with its counters, and the executable. Out: the failure
//! that names the allocator, or nothing.
//!
//! A library benchmark under DHAT makes blocks that have to be in DHAT's file
//! ([`MARKED`](iai_callgrind::protocol::wire::MARKED)). Everywhere else the executable is asked.

use iai_callgrind::protocol::wire::HEAP_MARKS;

use crate::execute::JobFailure;
use crate::plan::{Job, Subject};
use base::tool::{self, Tool};
use metrics::CounterSet;
use symbols::allocator::{can_be_marked, ElfImage, UnseenHeap};

/// Fails if the tool did not see the allocations of the program.
pub(super) fn check(job: &Job, sets: &[CounterSet]) -> Result<(), JobFailure> {
    if !matches!(job.tool, Tool::Dhat | Tool::Massif) || sets.iter().any(is_of_another_mode) {
        return Ok(());
    }
    // With `--pages-as-heap=yes` Massif counts the memory that the kernel gives to any allocator.
    if job
        .args
        .words
        .iter()
        .any(|word| word == "--pages-as-heap=yes")
    {
        return Ok(());
    }
    let program = &job.target.program;
    let marks = sets.iter().filter_map(|set| set.heap_marks).max();
    let marks = marks.filter(|_| {
        job.target.command_line().is_none() && can_be_marked(job.tool, &job.args.entry, program)
    });
    let facts = Facts {
        tool: tool::row(job.tool).title,
        marks,
        is_malloc: job.target.is_malloc(),
        is_empty: is_empty(sets),
    };
    match unseen(facts, || ElfImage::of(program)) {
        Some(unseen) => Err(JobFailure::HeapNotSeen(unseen)),
        None => Ok(()),
    }
}

/// DHAT can count other events than blocks of the heap.
fn is_of_another_mode(set: &CounterSet) -> bool {
    set.counters.iter().any(|(name, _)| name == "TotalEvents")
}

/// Did the tool see no block? A static program may have started another one in its place.
fn is_empty(sets: &[CounterSet]) -> bool {
    let mut counters = sets.iter().flat_map(|set| &set.counters);
    counters
        .all(|(name, count)| !["PeakHeap", "TotalBlocks"].contains(&name.as_str()) || *count == 0)
}

/// The facts that are known without a look at the executable.
struct Facts {
    tool: &'static str,
    /// The number of marking blocks in the file, if some were made.
    marks: Option<u64>,
    /// Does the global allocator take each block from `malloc`?
    is_malloc: Option<bool>,
    /// The tool saw no block at all.
    is_empty: bool,
}

fn unseen(facts: Facts, image: impl FnOnce() -> Option<ElfImage>) -> Option<UnseenHeap> {
    let Facts {
        tool,
        marks,
        is_malloc,
        is_empty,
    } = facts;
    if marks >= Some(u64::from(HEAP_MARKS)) {
        return None;
    }
    let image = image();
    if is_empty && image.as_ref().is_some_and(|image| image.is_static) {
        return Some(UnseenHeap::Static { tool });
    }
    let allocator = image.as_ref().and_then(ElfImage::allocator);
    let may_be_global = image.as_ref().is_some_and(ElfImage::may_be_global);
    // Valgrind replaces also a `malloc` that is in the executable.
    let has_malloc = image.as_ref().is_some_and(|image| image.has_malloc);
    // What was seen outweighs what the executable says of itself, and symbols decide alone only
    // where neither is known.
    let is_unseen = match (marks, is_malloc) {
        (Some(_), _) => true,
        (None, Some(is_malloc)) => !is_malloc && !has_malloc,
        (None, None) => allocator.is_some() && may_be_global,
    };
    is_unseen.then_some(UnseenHeap::Global { tool, allocator })
}

/// A note on a program of a binary benchmark with an unknown global allocator. It may be one around
/// `malloc`, which is seen, or not.
pub(super) fn doubt(job: &Job) -> Option<String> {
    let is_heap = matches!(job.tool, Tool::Dhat | Tool::Massif);
    let is_command = matches!(job.target.subject, Subject::Command(_));
    let image = (is_heap && is_command)
        .then(|| ElfImage::of(&job.target.program))
        .flatten()?;
    (image.may_be_global() && !image.has_malloc).then(|| {
        let program = job.target.program.file_name().unwrap_or_default();
        format!(
            "`{}` has a global allocator of its own; {} counts only what it takes from `malloc`",
            program.to_string_lossy(),
            tool::row(job.tool).title
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marks: Option<u64>, image: Option<ElfImage>, expected: Option<&str>) {
        check_with(marks, None, image, expected);
    }

    #[track_caller]
    fn check_with(
        marks: Option<u64>,
        is_malloc: Option<bool>,
        image: Option<ElfImage>,
        expected: Option<&str>,
    ) {
        let facts = Facts {
            tool: "DHAT",
            marks,
            is_malloc,
            is_empty: true,
        };
        let found = unseen(facts, || image).map(|unseen| unseen.to_string());
        match (&found, expected) {
            (Some(found), Some(expected)) => assert!(found.contains(expected), "{found}"),
            (found, expected) => assert_eq!(found.as_deref(), expected),
        }
    }

    fn image(symbols: &[&str]) -> Option<ElfImage> {
        let mut image = ElfImage::default();
        symbols.iter().for_each(|symbol| image.symbol(symbol));
        Some(image)
    }

    const SHIM: &str = "_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc";
    const DEFAULT: &str = "_RNvCsfLfy6EI15iL_7___rustc11___rdl_alloc";

    #[test]
    fn blocks_that_are_in_the_file_settle_it() {
        for symbols in [&[SHIM, DEFAULT][..], &[SHIM, "mi_malloc_aligned"], &[]] {
            check(Some(3), image(symbols), None);
        }
        check(Some(3), None, None);
    }

    #[test]
    fn blocks_that_are_not_in_the_file_are_a_failure_with_the_name_of_the_allocator() {
        check(
            Some(0),
            image(&[SHIM, "mi_malloc_aligned"]),
            Some("is mimalloc (`mi_malloc_aligned`)"),
        );
        check(
            Some(0),
            image(&[SHIM, "_rjem_mallocx"]),
            Some("is jemalloc (`_rjem_mallocx`)"),
        );
        // An arena asked for one large piece.
        check(
            Some(1),
            image(&[SHIM]),
            Some("does not take each block from `malloc`"),
        );
        check(
            Some(0),
            None,
            Some("does not take each block from `malloc`"),
        );
    }

    #[test]
    fn static_executables_are_named_with_and_without_blocks() {
        let linked_statically = || {
            let mut image = ElfImage::default();
            image.is_static = true;
            Some(image)
        };
        check(Some(0), linked_statically(), Some("linked statically"));
        check(None, linked_statically(), Some("linked statically"));
    }

    #[test]
    fn without_blocks_the_symbols_say_what_they_can() {
        check(None, image(&[SHIM, "mi_malloc_aligned"]), Some("mimalloc"));
        check(
            None,
            image(&["_rjem_malloc", "rust_begin_unwind"]),
            Some("jemalloc"),
        );
        // Linked, but not the global allocator.
        check(None, image(&[SHIM, DEFAULT, "mi_malloc"]), None);
        // A program in C that calls it where it wants to.
        check(None, image(&["main", "mi_malloc"]), None);
        check(None, image(&[SHIM, DEFAULT]), None);
        // With link-time optimization the default allocator has no name either.
        check(None, image(&[SHIM]), None);
        check(None, None, None);
    }

    #[test]
    fn what_the_executable_found_out_about_itself_holds_where_no_blocks_are() {
        let is = "does not take each block from `malloc`";
        check_with(None, Some(false), image(&[SHIM]), Some(is));
        check_with(
            None,
            Some(false),
            image(&[SHIM, "mi_malloc"]),
            Some("mimalloc"),
        );
        // An allocator that counts and passes on, and one that replaces `malloc` itself.
        check_with(None, Some(true), image(&[SHIM, "mi_malloc"]), None);
        check_with(None, Some(false), image(&[SHIM, "malloc"]), None);
        check_with(Some(3), Some(false), image(&[SHIM]), None);
    }
}
