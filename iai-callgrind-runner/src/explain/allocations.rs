//! Allocations of a result: true calls of the allocator from outside of it.

use super::digest::{BodyId, Digest, DigestCall, NodeFrame};
use super::explanation::{AllocationCount, AllocationCounts};
use super::names;
use super::sides::DigestValues;

/// Functions of the C library that allocate, or allocate again.
const ALLOCATE: [&str; 9] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "posix_memalign",
    "memalign",
    "valloc",
    "pvalloc",
];
/// Functions of the C library that free.
const FREE: [&str; 2] = ["free", "cfree"];

/// The same of Rust, where an allocator of the program hides those of the C library.
const RUST_ALLOCATE: [&str; 9] = [
    "__rust_alloc",
    "__rust_alloc_zeroed",
    "__rust_realloc",
    "__rdl_alloc",
    "__rdl_alloc_zeroed",
    "__rdl_realloc",
    "__rg_alloc",
    "__rg_alloc_zeroed",
    "__rg_realloc",
];
/// Functions of an allocator of the program that allocate, behind those of Rust or in their place.
const PROGRAM_ALLOCATE: [&str; 3] = ["alloc", "alloc_zeroed", "realloc"];
/// The function of an allocator of the program that frees.
const PROGRAM_FREE: &str = "dealloc";
/// End of the trait of allocators in the name of their functions.
const TRAIT: &str = "GlobalAlloc>::";

/// The function that each allocation of Rust calls first; versions follow its name.
const SHIM: &str = "__rust_no_alloc_shim_is_unstable";

/// Functions of Rust that free.
const RUST_FREE: [&str; 3] = ["__rust_dealloc", "__rdl_dealloc", "__rg_dealloc"];

/// Function of an allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AllocatorFunction {
    owner: AllocatorOwner,
    frees: bool,
}

/// Owner of an allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AllocatorOwner {
    /// The C library, or what takes its place.
    CLibrary,
    /// Rust, in front of whatever allocator the program has.
    Rust,
}

/// Role of a function in an allocator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AllocatorRole {
    /// It allocates a block, or allocates it again.
    Allocates,
    /// It frees a block.
    Frees,
    /// It is called beside those that allocate.
    Helps,
}

impl AllocatorRole {
    /// The role of the function with this name.
    pub(super) fn of(name: &str) -> Option<Self> {
        if names::last(name, 1).starts_with(SHIM) {
            return Some(Self::Helps);
        }
        let function = AllocatorFunction::named(name)?;
        Some(match function.frees {
            true => Self::Frees,
            false => Self::Allocates,
        })
    }
}

/// Calls of allocators from outside of them.
struct AllocatorCalls<'a>(Vec<(AllocatorFunction, &'a DigestCall)>);

/// Is this a function of Rust, or of an allocator of the program, that allocates?
pub(crate) fn is_rust_allocator(name: &str) -> bool {
    RUST_ALLOCATE.contains(&names::last(name, 1)) || name.contains(TRAIT)
}

/// Allocations of both sides, if there are some.
pub(super) fn count(old: &Digest, new: &Digest) -> Option<AllocationCounts> {
    let counts = AllocationCounts {
        new: allocations(new)?,
        old: allocations(old)?,
    };
    let none = AllocationCount::default();
    (counts.new != none || counts.old != none).then_some(counts)
}

/// Allocations of a result. `None`: its numbers of calls are not true, or not all of them are calls.
#[must_use]
pub fn allocations(digest: &Digest) -> Option<AllocationCount> {
    let calls = AllocatorCalls::find(digest)?;
    Some(calls.count(calls.counted()))
}

/// Allocations, or frees, as values of a digest. A call is a cost of the called function, so the cause is whoever calls.
/// `None`: as [`allocations`].
pub(super) fn values(digest: &Digest, frees: bool) -> Option<DigestValues> {
    let found = AllocatorCalls::find(digest)?;
    let bodies = digest.bodies_of_nodes();
    let mut first_rows = vec![None; digest.bodies.len()];
    for (index, row) in digest.rows.iter().enumerate() {
        first_rows[bodies[row.node.index()].index()].get_or_insert(index);
    }
    let mut values = DigestValues {
        rows: vec![0; digest.rows.len()],
        calls: vec![0; digest.calls.len()],
    };
    let owner = found.counted();
    for (function, call) in found.0 {
        if function.owner == owner && function.frees == frees {
            let sum = &mut values.rows[first_rows[call.callee.index()]?];
            *sum = sum.saturating_add(call.count);
        }
    }
    Some(values)
}

impl<'a> AllocatorCalls<'a> {
    /// `None`: numbers of calls are not true, or the compiler inlined an allocator of the program.
    fn find(digest: &'a Digest) -> Option<Self> {
        if !digest.head.by_instruction || !digest.head.true_calls {
            return None;
        }
        let functions = digest.bodies.iter();
        let functions: Vec<Option<AllocatorFunction>> = functions
            .map(|body| AllocatorFunction::named(digest.name(body.function)))
            .collect();
        let inlined = inlined_allocator(digest);
        if functions.iter().all(Option::is_none) {
            return (!inlined.contains(&true)).then(|| Self(Vec::new()));
        }
        let bodies = digest.bodies_of_nodes();
        let found = digest.calls.iter().filter_map(|call| {
            let callee = functions[call.callee.index()]?;
            let caller = bodies[call.node.index()];
            let [from, to] = [caller, call.callee].map(|body| digest.bodies[body.index()].object);
            let caller = functions[caller.index()];
            let is_outside = match callee.owner {
                AllocatorOwner::CLibrary if from != to => true,
                // The allocator calls itself: `realloc` of nothing is `malloc`. Where it is linked into the program, so
                // do those who are not part of it.
                AllocatorOwner::CLibrary => {
                    digest.objects[to.index()].is_own
                        && caller.is_none_or(|caller| caller.owner == AllocatorOwner::Rust)
                }
                // `__rust_alloc` jumps to `__rdl_alloc`.
                AllocatorOwner::Rust => caller.is_none(),
            };
            is_outside.then_some((callee, call))
        });
        let found = Self(found.collect());
        match found.has_all(digest, inlined, &functions, &bodies) {
            true => Some(found),
            false => None,
        }
    }

    /// Is every inlined function of an allocator known by the calls that it makes of the C library's, or called
    /// as a part of a function that was not inlined?
    fn has_all(
        &self,
        digest: &Digest,
        mut inlined: Vec<bool>,
        functions: &[Option<AllocatorFunction>],
        bodies: &[BodyId],
    ) -> bool {
        for (_, call) in &self.0 {
            let mut node = call.node;
            inlined[node.index()] = false;
            while let NodeFrame::Inlined { parent, .. } = digest.nodes[node.index()].frame {
                node = parent;
                inlined[node.index()] = false;
            }
        }
        let mut unknown = inlined.into_iter().zip(bodies);
        !unknown.any(|(is_inlined, body)| is_inlined && functions[body.index()].is_none())
    }

    /// The allocator whose calls are the allocations. Where an allocator of the program takes large pieces from
    /// that of the C library, Rust calls its own one more often.
    fn counted(&self) -> AllocatorOwner {
        let calls = |owner| {
            let AllocationCount { calls, frees } = self.count(owner);
            calls.saturating_add(frees)
        };
        match calls(AllocatorOwner::Rust) > calls(AllocatorOwner::CLibrary) {
            true => AllocatorOwner::Rust,
            false => AllocatorOwner::CLibrary,
        }
    }

    fn count(&self, owner: AllocatorOwner) -> AllocationCount {
        let mut count = AllocationCount::default();
        let calls = self
            .0
            .iter()
            .filter(|(function, _)| function.owner == owner);
        for (function, call) in calls {
            let sum = match function.frees {
                true => &mut count.frees,
                false => &mut count.calls,
            };
            *sum = sum.saturating_add(call.count);
        }
        count
    }
}

/// For each node, whether it is an inlined function of an allocator of the program.
fn inlined_allocator(digest: &Digest) -> Vec<bool> {
    let functions = digest.functions.iter();
    let is_allocator: Vec<bool> = functions
        .map(|function| AllocatorFunction::of_program(digest.text(function.name)).is_some())
        .collect();
    let nodes = digest.nodes.iter();
    nodes
        .map(|node| match node.frame {
            NodeFrame::Inlined { function, .. } => is_allocator[function.index()],
            NodeFrame::Body(_) => false,
        })
        .collect()
}

impl AllocatorFunction {
    fn of_program(name: &str) -> Option<Self> {
        let (allocator, function) = name.split_once(TRAIT)?;
        let frees = function == PROGRAM_FREE;
        // That of the standard library, `System`, calls the C library.
        let is_one =
            !allocator.starts_with("<std::") && (frees || PROGRAM_ALLOCATE.contains(&function));
        is_one.then_some(Self {
            owner: AllocatorOwner::Rust,
            frees,
        })
    }

    fn named(name: &str) -> Option<Self> {
        let last = names::last(name, 1);
        let is_one = |names: &[&str], name| names.contains(&name);
        let rust = AllocatorOwner::Rust;
        let (owner, frees) = match last.strip_prefix("__r") {
            Some(_) if is_one(&RUST_ALLOCATE, last) => (rust, false),
            Some(_) if is_one(&RUST_FREE, last) => (rust, true),
            _ if last.len() < name.len() => return Self::of_program(name),
            _ => {
                let plain = name.strip_prefix("__libc_").unwrap_or(name);
                let frees = is_one(&FREE, plain);
                if !frees && !is_one(&ALLOCATE, plain) {
                    return None;
                }
                (AllocatorOwner::CLibrary, frees)
            }
        };
        Some(Self { owner, frees })
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::digest;
    use super::*;

    #[track_caller]
    fn check(text: &str, calls: u64, frees: u64) {
        let found = allocations(&digest(text)).unwrap();
        assert_eq!(found, AllocationCount { calls, frees });
    }

    #[test]
    fn calls_from_outside_of_the_c_library_count() {
        check(
            "root lab::bench
            own lab::bench:1 = 5
            call lab::bench:2 -> malloc 7 = 70
            call lab::bench:3 > std::Vec::grow:9 -> realloc 2 = 90
            call lab::bench:4 -> free 6 = 60
            call realloc:0 -> malloc 1 = 10
            call realloc:0 -> free 1 = 10
            call getline:0 -> malloc 3 = 30",
            9,
            6,
        );
        check("root lab::bench\nown lab::bench:1 = 5", 0, 0);
    }

    #[test]
    fn an_allocator_of_the_program_is_counted_where_rust_calls_it() {
        check(
            "root lab::bench
            call lab::bench:2 -> __rustc::__rust_alloc 7 = 70
            call lab::bench:3 -> __rustc::__rust_dealloc 5 = 50
            call __rustc::__rust_alloc:0 -> __rustc::__rg_alloc 7 = 60
            call __rustc::__rg_alloc:0 -> lab::Arena::alloc 7 = 50
            call lab::Arena::alloc:9 -> malloc 1 = 10",
            7,
            5,
        );
        // The usual case: as many calls, and those of the C library are the true ones.
        check(
            "root lab::bench
            call lab::bench:2 -> __rustc::__rust_alloc 7 = 70
            call __rustc::__rust_alloc:0 -> __rustc::__rdl_alloc 7 = 60
            call __rustc::__rdl_alloc:0 -> malloc 7 = 50
            call c::parse:0 -> malloc 1 = 10",
            8,
            0,
        );
    }

    #[test]
    fn allocators_that_were_inlined_are_known_by_their_calls_or_not_at_all() {
        let of = |text: &str| allocations(&digest(text));
        let arena = "root lab::bench
            own lab::bench:1 > <lab::Arena as std::alloc::global::GlobalAlloc>::alloc:2 = 5";
        assert_eq!(of(arena), None);
        assert_eq!(
            of(&format!("{arena}\ncall lab::bench:4 -> malloc 1 = 9")),
            None
        );
        let counts = |calls, frees| Some(AllocationCount { calls, frees });
        // It asks the C library each time.
        let wrapper = "root lab::bench
            own lab::bench:1 > <lab::Counting as std::alloc::global::GlobalAlloc>::alloc:2 = 5
            call lab::bench:1 > <lab::Counting as std::alloc::global::GlobalAlloc>::alloc:3 -> malloc 4 = 9
            own lab::bench:1 > <std::sys::System as std::alloc::global::GlobalAlloc>::dealloc:2 = 5
            call lab::bench:1 > <std::sys::System as std::alloc::global::GlobalAlloc>::dealloc:3 -> free 3 = 9";
        assert_eq!(of(wrapper), counts(4, 3));
        // Only the functions that Rust puts in front of it were inlined, or it was into these.
        let called = "root lab::bench
            call lab::bench:1 -> <lab::Arena as std::alloc::global::GlobalAlloc>::alloc 4 = 9
            call <lab::Arena as std::alloc::global::GlobalAlloc>::alloc_zeroed:1 -> <lab::Arena as std::alloc::global::GlobalAlloc>::alloc 4 = 9
            call lab::bench:2 -> __rustc::__rust_dealloc 2 = 9
            own __rustc::__rust_dealloc:1 > <lab::Arena as std::alloc::global::GlobalAlloc>::dealloc:2 = 5";
        assert_eq!(of(called), counts(4, 2));
    }

    #[test]
    fn functions_of_the_program_are_no_allocators_by_their_last_name() {
        check(
            "root lab::bench\ncall lab::bench:2 -> lab::Pool::malloc 7 = 70\ncall lab::bench:3 -> free 1 = 1",
            0,
            1,
        );
    }

    #[test]
    fn an_allocator_that_is_linked_into_the_program_is_seen() {
        let text = "root lab::bench
            call lab::bench:2 -> malloc 7 = 70
            call lab::bench:2 -> __rustc::__rust_realloc 1 = 9
            call __rustc::__rust_realloc:0 -> realloc 1 = 9
            call realloc:0 -> malloc 1 = 10";
        let mut digest = digest(text);
        for object in &mut digest.objects {
            object.is_own = true;
        }
        let own = digest.bodies[0].object;
        for body in &mut digest.bodies {
            body.object = own;
        }
        assert_eq!(allocations(&digest).unwrap().calls, 8);
    }

    #[test]
    fn untrue_numbers_of_calls_are_none() {
        let mut digest = digest("root lab::bench\ncall lab::bench:2 -> malloc 7 = 70");
        digest.head.true_calls = false;
        assert_eq!(allocations(&digest), None);
        assert!(values(&digest, false).is_none());
    }
}
