//! Allocations of a result: true calls of the allocator from outside of its library.

use super::digest::Digest;
use super::explanation::{AllocationCount, AllocationCounts};
use super::names;

/// Functions of the C library that allocate.
const ALLOCATE: [&str; 5] = [
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "posix_memalign",
];
/// Functions of the C library that free.
const FREE: [&str; 1] = ["free"];

/// The same of Rust, where an allocator of the program hides those of the C library.
const RUST_ALLOCATE: [&str; 6] = [
    "__rust_alloc",
    "__rust_alloc_zeroed",
    "__rust_realloc",
    "__rdl_alloc",
    "__rdl_alloc_zeroed",
    "__rdl_realloc",
];
/// Functions of Rust that free.
const RUST_FREE: [&str; 2] = ["__rust_dealloc", "__rdl_dealloc"];

/// AllocatorFunction of a function of an allocator.
#[derive(Clone, Copy)]
enum AllocatorFunction {
    Allocate,
    Free,
    RustAllocate,
    RustFree,
}

/// Allocations of both sides, if there are some.
pub(super) fn count(old: &Digest, new: &Digest) -> Option<AllocationCounts> {
    let counts = AllocationCounts {
        new: of(new),
        old: of(old),
    };
    let none = AllocationCount::default();
    (counts.new != none || counts.old != none).then_some(counts)
}

/// Allocations of a digest.
fn of(digest: &Digest) -> AllocationCount {
    let kinds: Vec<Option<AllocatorFunction>> = digest
        .functions
        .iter()
        .map(|function| kind(digest.text(function.name)))
        .collect();
    if kinds.iter().all(Option::is_none) {
        return AllocationCount::default();
    }
    let bodies = digest.bodies_of_nodes();
    let mut library = AllocationCount::default();
    let mut rust = AllocationCount::default();
    for call in &digest.calls {
        let callee = &digest.bodies[call.callee.index()];
        let caller = &digest.bodies[bodies[call.node.index()].index()];
        let count = match kinds[callee.function.index()] {
            // The allocator calls itself: `realloc` of nothing is `malloc`.
            Some(AllocatorFunction::Allocate) if caller.object != callee.object => {
                &mut library.calls
            }
            Some(AllocatorFunction::Free) if caller.object != callee.object => &mut library.frees,
            // `__rust_alloc` jumps to `__rdl_alloc`.
            Some(AllocatorFunction::RustAllocate) if kinds[caller.function.index()].is_none() => {
                &mut rust.calls
            }
            Some(AllocatorFunction::RustFree) if kinds[caller.function.index()].is_none() => {
                &mut rust.frees
            }
            _ => continue,
        };
        *count = count.saturating_add(call.count);
    }
    match library.calls > 0 || library.frees > 0 {
        true => library,
        false => rust,
    }
}

fn kind(name: &str) -> Option<AllocatorFunction> {
    let last = names::last(name, 1);
    let is_one = |names: &[&str]| names.contains(&last);
    match name.len() == last.len() {
        true if is_one(&ALLOCATE) => Some(AllocatorFunction::Allocate),
        true if is_one(&FREE) => Some(AllocatorFunction::Free),
        _ if is_one(&RUST_ALLOCATE) => Some(AllocatorFunction::RustAllocate),
        _ if is_one(&RUST_FREE) => Some(AllocatorFunction::RustFree),
        _ => None,
    }
}
