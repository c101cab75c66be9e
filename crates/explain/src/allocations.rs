//! Allocations of a result: sums of the calls of its allocator, for records, metrics and
//! explanations.

use super::allocator_calls::{AllocatorCalls, AllocatorView};
use super::digest::{BodyId, Digest};
use super::explanation::{AllocationCount, AllocationCounts};
use super::sides::DigestValues;

/// Allocations of both sides, if there are some.
pub(super) fn count(old: &Digest, new: &Digest) -> Option<AllocationCounts> {
    let counts = AllocationCounts {
        new: allocations(new)?,
        old: allocations(old)?,
    };
    let has_some = |count: AllocationCount| count.calls > Some(0) || count.frees > Some(0);
    (has_some(counts.new) || has_some(counts.old)).then_some(counts)
}

/// Allocations of a result. `None`: neither allocations nor frees are known.
#[must_use]
pub fn allocations(digest: &Digest) -> Option<AllocationCount> {
    let AllocatorCalls { allocations, frees } = AllocatorView::new(digest)?.calls();
    let count = AllocationCount {
        calls: allocations.as_deref().map(sum),
        frees: frees.as_deref().map(sum),
    };
    (count.calls.is_some() || count.frees.is_some()).then_some(count)
}

/// Blocks of the C library's allocator, including those for the C library itself: DHAT counts the
/// same. `None`: the program may have another allocator, or numbers of calls are not true.
#[must_use]
pub fn blocks_of_malloc(digest: &Digest) -> Option<u64> {
    let blocks = AllocatorView::new(digest)?.blocks_of_malloc()?;
    Some(sum(&blocks))
}

/// Allocations, or frees, as values of a digest. A call is a cost of the called function, so the
/// cause is its caller. `None`: they are not known.
pub(super) fn values(digest: &Digest, frees: bool) -> Option<DigestValues> {
    let found = AllocatorView::new(digest)?.calls();
    let calls = match frees {
        true => found.frees?,
        false => found.allocations?,
    };
    let bodies = digest.bodies_of_nodes();
    let mut first_rows = vec![None; digest.bodies.len()];
    for (index, row) in digest.rows.iter().enumerate() {
        // Any row of the body will do: its sum alone counts, since the callers are the cause.
        first_rows[bodies[row.node.index()].index()].get_or_insert(index);
    }
    let mut values = DigestValues {
        rows: vec![0; digest.rows.len()],
        calls: vec![0; digest.calls.len()],
    };
    for (callee, count) in calls {
        // A profile that was cut may call a body without own costs. Its calls have no row then, and
        // would be missing in the sum.
        let sum = &mut values.rows[first_rows[callee.index()]?];
        *sum = sum.saturating_add(count);
    }
    Some(values)
}

fn sum(calls: &[(BodyId, u64)]) -> u64 {
    let counts = calls.iter().map(|(_, count)| *count);
    counts.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::super::digest::{DebugExtent, DigestBody};
    use super::super::sample::digest;
    use super::*;

    type Counts = Option<(Option<u64>, Option<u64>)>;

    fn counts(digest: &Digest) -> Counts {
        allocations(digest).map(|count| (count.calls, count.frees))
    }

    #[track_caller]
    fn check(text: &str, calls: u64, frees: u64) {
        assert_eq!(counts(&digest(text)), Some((Some(calls), Some(frees))));
    }

    /// Allocations of a program whose blocks may come from elsewhere than `malloc`.
    fn any(text: &str) -> Option<u64> {
        let text = format!("any allocator\nroot lab::bench\n{text}");
        let digest = digest(&text);
        assert_eq!(counts(&digest).and_then(|(_, frees)| frees), None);
        allocations(&digest)?.calls
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
            call getline:0 -> malloc 3 = 30",
            9,
            6,
        );
        check("root lab::bench\nown lab::bench:1 = 5", 0, 0);
    }

    #[test]
    fn a_realloc_to_a_size_of_zero_frees() {
        let text = "root lab::bench
            call lab::bench:2 -> malloc 1 = 70
            call lab::bench:3 -> realloc 3 = 90
            call realloc:0 -> free 2 = 10";
        check(text, 2, 2);
        // That of another library may free the block that it moved.
        let mut digest = digest(text);
        let name = digest.objects.iter().position(|object| !object.is_own);
        let name = digest.objects[name.unwrap()].name.index();
        digest.strings[name] = "libc.musl-x86_64.so.1".into();
        assert_eq!(counts(&digest), Some((Some(4), Some(0))));
    }

    /// Moves these bodies to an object that Valgrind does not know.
    fn without_object(digest: &mut Digest, names: &[&str]) {
        let unknown = digest.objects.len() as u32;
        digest.strings.push("???".into());
        let name = super::super::digest::StringId(digest.strings.len() as u32 - 1);
        let mut object = digest.objects[0].clone();
        (object.name, object.is_own) = (name, false);
        digest.objects.push(object);
        let is_one: Vec<bool> = digest
            .bodies
            .iter()
            .map(|body| names.contains(&digest.name(body.function)))
            .collect();
        for (body, _) in digest.bodies.iter_mut().zip(is_one).filter(|(_, is)| *is) {
            body.object = super::super::digest::ObjectId(unknown);
        }
    }

    #[test]
    fn what_has_no_object_belongs_to_whoever_calls_it() {
        let mut digest = digest(
            "root lab::bench
            call lab::bench:2 -> fopen 1 = 70
            call fopen:0 -> stub_of_libc 2 = 40
            call stub_of_libc:0 -> malloc 2 = 30
            call lab::bench:3 -> stub_of_lab 5 = 40
            call stub_of_lab:0 -> malloc 5 = 30
            call lab::bench:4 -> made_at_run_time 1 = 9
            call made_at_run_time:0 -> made_below 1 = 8
            call made_below:0 -> malloc 4 = 4",
        );
        let names = [
            "stub_of_libc",
            "stub_of_lab",
            "made_at_run_time",
            "made_below",
        ];
        without_object(&mut digest, &names);
        assert_eq!(counts(&digest), Some((Some(5 + 4), Some(0))));
        // DHAT counts those of the C library, too.
        assert_eq!(blocks_of_malloc(&digest), Some(2 + 5 + 4));
    }

    #[test]
    fn an_allocator_of_the_program_is_counted_where_rust_calls_it() {
        let arena = "call lab::bench:2 -> __rustc::__rust_alloc 7 = 70
            call lab::bench:3 -> __rustc::__rust_dealloc 5 = 50
            call __rustc::__rust_alloc:0 -> __rustc::__rg_alloc 7 = 60
            call __rustc::__rg_alloc:0 -> lab::Arena::alloc 7 = 50
            call lab::Arena::alloc:9 -> malloc 1 = 10";
        assert_eq!(any(arena), Some(7));
        // Code in C takes blocks beside it.
        let beside =
            format!("{arena}\ncall lab::bench:5 -> parse 1 = 9\ncall parse:1 -> malloc 1 = 9");
        let mut digest = digest(&format!("any allocator\nroot lab::bench\n{beside}"));
        let is_parse = |body: &&mut DigestBody, name: usize| body.function.index() == name;
        let names = digest.functions.iter();
        let parse = names
            .clone()
            .position(|function| digest.text(function.name) == "parse")
            .unwrap();
        let own = digest.bodies[0].object;
        let mut bodies = digest.bodies.iter_mut();
        bodies.find(|body| is_parse(body, parse)).unwrap().object = own;
        assert_eq!(counts(&digest), Some((Some(8), None)));
        assert_eq!(blocks_of_malloc(&digest), None);
        // The usual case: those of the C library are the true ones.
        check(
            "root lab::bench
            call lab::bench:2 -> __rustc::__rust_alloc 7 = 70
            call __rustc::__rust_alloc:0 -> __rustc::__rdl_alloc 7 = 60
            call __rustc::__rdl_alloc:0 -> malloc 7 = 50
            call lab::c::parse:0 -> malloc 1 = 10",
            8,
            0,
        );
    }

    #[test]
    fn an_inlined_default_allocator_is_known_by_its_functions() {
        let text = "any allocator
            root lab::bench
            call lab::bench:2 > __rustc::__rust_alloc:1 > __rustc::__rdl_alloc:1 -> malloc 7 = 70
            call lab::bench:3 -> free 6 = 60";
        check(text, 7, 6);
    }

    #[test]
    fn an_allocator_of_the_program_that_was_inlined_has_no_count() {
        let called = "call lab::bench:1 -> <lab::Arena as std::alloc::global::GlobalAlloc>::alloc 4 = 9
            call <lab::Arena as std::alloc::global::GlobalAlloc>::alloc_zeroed:1 -> <lab::Arena as std::alloc::global::GlobalAlloc>::alloc 4 = 9";
        assert_eq!(any(called), Some(4));
        let inlined_into = |function: &str, inlined: &str| {
            any(&format!("{called}\nown {function}:1 > {inlined}:2 = 5"))
        };
        for inlined in [
            "<lab::Arena as std::alloc::global::GlobalAlloc>::alloc",
            "<lab::Arena as std::alloc::global::GlobalAlloc>::realloc",
            // The trait has it for all allocators.
            "std::alloc::global::GlobalAlloc::alloc_zeroed",
            "__rustc::__rust_alloc",
            "__rustc::__rg_alloc",
        ] {
            assert_eq!(inlined_into("lab::bench", inlined), None, "{inlined}");
            // Functions that Rust calls have a part of it only.
            assert_eq!(inlined_into("__rustc::__rust_alloc", inlined), Some(4));
        }
        // It counts by itself.
        let free = "<lab::Arena as std::alloc::global::GlobalAlloc>::dealloc";
        assert_eq!(inlined_into("lab::bench", free), Some(4));
        // A part of the blocks comes from the C library.
        let hybrid = "call lab::bench:1 > <lab::Hybrid as std::alloc::global::GlobalAlloc>::alloc:3 -> malloc 1 = 9";
        assert_eq!(any(hybrid), None);
    }

    #[test]
    fn the_function_before_each_allocation_shows_what_was_inlined() {
        let text = "call lab::bench:1 -> __rustc::__rust_no_alloc_shim_is_unstable_v2 11 = 11
            call lab::bench:2 -> __rustc::__rust_alloc_zeroed 10 = 9";
        assert_eq!(any(text), None);
        assert_eq!(any(&text.replace(" 11 =", " 10 =")), Some(10));
        // Only these ask it.
        let again = text.replace("__rust_alloc_zeroed 10", "__rust_realloc 11");
        assert_eq!(any(&again), None);
    }

    #[test]
    fn without_debug_information_nobody_knows_what_was_inlined() {
        let text = "any allocator\nroot lab::bench\nown lab::bench:1 = 5";
        let mut digest = digest(text);
        assert_eq!(counts(&digest), Some((Some(0), None)));
        let mut bare = digest.clone();
        bare.objects[0].debug = DebugExtent::Names;
        assert_eq!(counts(&bare), None);
        // That of the standard library is still there.
        digest.functions[0].file = None;
        assert_eq!(counts(&digest), None);
    }

    #[test]
    fn allocators_that_ask_the_c_library_each_time_are_known_by_its_calls() {
        let of = |text: &str| counts(&digest(text));
        let arena = "root lab::bench
            own lab::bench:1 > <lab::Arena as std::alloc::global::GlobalAlloc>::alloc:2 = 5";
        assert_eq!(of(arena), Some((None, Some(0))));
        assert_eq!(
            of(&format!("{arena}\ncall lab::bench:4 -> malloc 1 = 9")),
            Some((None, Some(0)))
        );
        let wrapper = "root lab::bench
            own lab::bench:1 > <lab::Counting as std::alloc::global::GlobalAlloc>::alloc:2 = 5
            call lab::bench:1 > <lab::Counting as std::alloc::global::GlobalAlloc>::alloc:3 -> malloc 4 = 9
            own lab::bench:1 > <std::sys::System as std::alloc::global::GlobalAlloc>::dealloc:2 = 5
            call lab::bench:1 > <std::sys::System as std::alloc::global::GlobalAlloc>::dealloc:3 -> free 3 = 9";
        check(wrapper, 4, 3);
        // Each of both numbers is known by itself.
        let drops =
            "own lab::bench:7 > <lab::Counting as std::alloc::global::GlobalAlloc>::dealloc:9 = 1";
        let wrapper = format!("{wrapper}\n{drops}");
        assert_eq!(of(&wrapper), Some((Some(4), None)));
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
        assert_eq!(allocations(&digest).unwrap().calls, Some(8));
    }

    #[test]
    fn untrue_numbers_of_calls_are_none() {
        let mut digest = digest("root lab::bench\ncall lab::bench:2 -> malloc 7 = 70");
        digest.head.true_calls = false;
        assert_eq!(allocations(&digest), None);
        assert_eq!(blocks_of_malloc(&digest), None);
        assert!(values(&digest, false).is_none());
    }
}
