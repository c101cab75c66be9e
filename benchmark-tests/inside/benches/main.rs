//! Benchmarks with something defined inside of them: closures, nested functions, local types.
//!
//! Each executes a loop of exactly two instructions a round a known number of times, named by the
//! group: `n` rounds once, twice, and so on. So the difference of its two cases is known to the
//! last instruction, whatever the compiler makes of the rest.

mod names;
mod regions;
mod threads;

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::future::Future;
use std::hint::black_box;
use std::panic;
use std::pin::pin;
use std::sync::{LazyLock, OnceLock};
use std::task::{Context, Waker};

use iai_callgrind::{library_benchmark, library_benchmark_group, main};
use inside_benchmarks::rounds;

/// Generic, and never inlined: under v0 mangling its instances have the names of closures in
/// theirs.
#[inline(never)]
fn apply<F: FnMut(u64) -> u64>(mut function: F, n: u64) -> u64 {
    black_box(function(black_box(n)))
}

/// Calls what the optimizer cannot see.
fn call(function: &dyn Fn(u64), n: u64) {
    black_box(function)(n);
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn nested_function(n: u64) {
    #[inline(never)]
    fn inner(n: u64) {
        rounds(n);
    }
    inner(n);
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn local_method(n: u64) {
    struct Local(u64);
    impl Local {
        #[inline(never)]
        fn run(&self) {
            rounds(self.0);
        }
    }
    black_box(Local(n)).run();
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn local_drop(n: u64) {
    struct Local(u64);
    impl Drop for Local {
        #[inline(never)]
        fn drop(&mut self) {
            rounds(self.0);
        }
    }
    drop(black_box(Local(n)));
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn boxed_future(n: u64) {
    let mut future: Box<dyn Future<Output = ()>> = Box::new(async move { rounds(n) });
    // SAFETY: it is not moved until it is dropped.
    let pinned = unsafe { std::pin::Pin::new_unchecked(&mut *future) };
    let _ = black_box(pinned).poll(&mut Context::from_waker(Waker::noop()));
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn async_block(n: u64) {
    let future = pin!(async move {
        rounds(n);
    });
    let _ = black_box(future).poll(&mut Context::from_waker(Waker::noop()));
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn callback_of_c(n: u64) {
    extern "C" fn compare(a: *const c_void, b: *const c_void) -> c_int {
        // SAFETY: `qsort` passes pointers to elements.
        let (a, b) = unsafe { (*a.cast::<u64>(), *b.cast::<u64>()) };
        rounds(a.max(b));
        a.cmp(&b) as c_int
    }
    let mut numbers = [n, 0];
    // SAFETY: two numbers of eight bytes. They are compared once.
    unsafe { libc::qsort(numbers.as_mut_ptr().cast(), 2, 8, Some(compare)) };
    black_box(numbers);
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn comparator(n: u64) {
    // Two elements are compared once.
    let mut numbers = black_box(vec![n, 0]);
    numbers.sort_by(|a, b| {
        rounds(*a.max(b));
        b.cmp(a)
    });
    black_box(numbers);
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn caught(n: u64) {
    let _ = black_box(panic::catch_unwind(|| rounds(black_box(n))));
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn lazy_lock(n: u64) {
    thread_local!(static N: Cell<u64> = const { Cell::new(0) });
    static VALUE: LazyLock<u64> = LazyLock::new(|| {
        let n = N.get();
        rounds(n);
        n
    });
    N.set(n);
    black_box(*VALUE);
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn once_lock(n: u64) {
    static VALUE: OnceLock<u64> = OnceLock::new();
    black_box(VALUE.get_or_init(|| {
        rounds(black_box(n));
        n
    }));
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn module_function(n: u64) {
    outside(n);
}

/// Equal to what is nested in the next one: the optimizer may keep either.
#[inline(never)]
fn outside(n: u64) {
    rounds(n);
    black_box(());
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn equal_to_module_function(n: u64) {
    #[inline(never)]
    fn inside(n: u64) {
        rounds(n);
        black_box(());
    }
    inside(n);
}

#[library_benchmark]
#[bench::n_0(consts = (16), args = (1))]
#[bench::n_1(consts = (16), args = (1_000_001))]
fn const_generic<const N: usize>(n: u64) -> [u64; N] {
    let mut values = [n; N];
    apply(
        |n| {
            rounds(n);
            values[N - 1] = n;
            n
        },
        n,
    );
    values
}

/// A function of a type that has no name.
fn opaque(n: u64) -> impl Fn() -> u64 {
    move || {
        rounds(black_box(n));
        n
    }
}

#[library_benchmark]
#[benches::n(opaque(1), opaque(1_000_001))]
fn impl_trait(function: impl Fn() -> u64) -> u64 {
    apply(|_| function(), 1)
}

/// A name with characters that are wildcards or separators elsewhere.
#[library_benchmark]
#[benches::n(&raw const SHORT, &raw const LONG)]
fn pointers<T: Into<u64> + Copy>(n: *const T) -> *const T {
    // SAFETY: it points to a static.
    let n: u64 = unsafe { *n }.into();
    apply(
        |n| {
            rounds(n);
            n
        },
        n,
    );
    black_box(n as *const T)
}

static SHORT: u64 = 1;
static LONG: u64 = 1_000_001;

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn twice_local_trait(n: u64) {
    trait Visit {
        fn visit(&self, n: u64);
    }
    struct Visitor;
    impl Visit for Visitor {
        fn visit(&self, n: u64) {
            rounds(n);
        }
    }
    let visitor: &dyn Visit = black_box(&Visitor);
    visitor.visit(n);
    visitor.visit(n);
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn twice_closure(n: u64) {
    let closure = |n| rounds(n);
    call(&closure, n);
    call(&closure, n);
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn twice_generic_callee(n: u64) {
    let closure = |n| {
        rounds(n);
        n
    };
    apply(closure, n);
    apply(closure, n);
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn thrice_boxed_closures(n: u64) {
    let offset = black_box(0);
    let closures: Vec<Box<dyn Fn(u64)>> = vec![
        Box::new(move |n| rounds(n + offset)),
        Box::new(|n| rounds(n)),
        Box::new(move |n| rounds(n - offset)),
    ];
    for closure in black_box(closures) {
        closure(n);
    }
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn thrice_clone(n: u64) {
    struct Local(u64);
    impl Clone for Local {
        fn clone(&self) -> Self {
            rounds(self.0);
            Self(self.0)
        }
    }
    let list = black_box(vec![Local(n), Local(n), Local(n)]);
    black_box(list.clone());
}

#[library_benchmark]
#[benches::n(1, 1_000_001)]
fn thrice_recursion(n: u64) {
    fn down(depth: u64, n: u64) -> u64 {
        rounds(n);
        match depth {
            1 => n,
            _ => black_box(down(black_box(depth - 1), n)) + 1,
        }
    }
    black_box(down(black_box(3), n));
}

library_benchmark_group!(
    name = once,
    benchmarks = [
        nested_function,
        local_method,
        local_drop,
        boxed_future,
        async_block,
        callback_of_c,
        comparator,
        caught,
        lazy_lock,
        once_lock,
        module_function,
        equal_to_module_function,
        const_generic,
        impl_trait,
        pointers,
        names::pointer,
        names::mutable_pointer,
        names::reference,
        names::slice,
        names::array,
        names::tuple,
        names::function_pointer,
        names::function_with_lifetimes,
        names::extern_function,
        names::function_item,
        names::trait_object,
        names::trait_object_with_lifetime,
        names::associated_type,
        names::pair,
        names::größe,
        names::constants,
        names::r#struct,
        regions::nested_in_region,
        regions::region_of_closure,
        regions::region_with_generic_callee,
    ]
);
library_benchmark_group!(
    name = twice,
    benchmarks = [
        twice_local_trait,
        twice_closure,
        twice_generic_callee,
        threads::closure_on_both_threads,
        threads::spawned,
    ]
);
library_benchmark_group!(
    name = thrice,
    benchmarks = [
        thrice_boxed_closures,
        thrice_clone,
        thrice_recursion,
        regions::three_regions,
    ]
);
main!(library_benchmark_groups = [once, twice, thrice]);
