//! Measuring a part of a benchmark function only.
//!
//! The closure is called by a function of a known name. A process that measured a region says so by
//! its exit code, and the runner takes the inclusive costs of the calls of this function instead of
//! the totals.

use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::__internal::frames;
#[cfg(unix)]
use crate::__internal::timed;

/// Has this process measured a region?
static REGIONS: AtomicBool = AtomicBool::new(false);

thread_local! {
    static IN_REGION: Cell<bool> = const { Cell::new(false) };
}

/// Counts only what `region` executes, and nothing else of the benchmark function around it.
///
/// Set-up, loops and drops that stand outside of the closure are not in the figures. Several
/// regions add up. Without any call the whole benchmark function counts, as usual. Natively, in the
/// test mode and outside of benchmarks the closure just runs.
///
/// Callgrind counts the regions of the thread that runs the benchmark. Under tools that cannot tell
/// functions apart (Cachegrind, Massif and others) regions have no effect on the figures.
///
/// # Panics
///
/// When regions are nested: what the inner one counts would count twice.
///
/// # Examples
///
/// ```
/// use std::hint::black_box;
///
/// use iai_callgrind::{library_benchmark, measure};
///
/// #[library_benchmark]
/// #[bench::thousand(1000)]
/// fn lookup(n: u64) {
///     let numbers: Vec<u64> = (0..n).map(|n| n * n).collect(); // not counted
///     let found = measure(|| numbers.binary_search(&black_box(49)));
///     assert_eq!(found, Ok(7)); // not counted
/// }
/// # fn main() { lookup(10) }
/// ```
#[doc(alias("iter_custom", "bench_local"))]
pub fn measure<F, R>(region: F) -> R
where
    F: FnOnce() -> R,
{
    let _guard = Guard::enter();
    // Calls it through a function pointer, like benchmark functions: the optimizer knows neither
    // callee nor captured values, so the code around the region cannot change its count.
    let call: fn(F) -> R = match frames::wanted() {
        true => __iai_callgrind_region_mod::framed,
        #[cfg(unix)]
        false if timed::wanted() => timed::region,
        false => __iai_callgrind_region_mod::call,
    };
    let call = black_box(call);
    black_box(call(black_box(region)))
}

/// Did [`measure()`] run in this process?
pub(crate) fn has_regions() -> bool {
    REGIONS.load(Ordering::Relaxed)
}

/// Makes nested regions visible, also when a region ends by unwinding.
struct Guard;

impl Guard {
    fn enter() -> Self {
        assert!(
            !IN_REGION.replace(true),
            "`measure` was called inside of `measure`; end the outer region before"
        );
        REGIONS.store(true, Ordering::Relaxed);
        Self
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        IN_REGION.set(false);
    }
}

/// Module by whose name the runner finds regions in a profile.
#[allow(non_snake_case)]
mod __iai_callgrind_region_mod {
    #[inline(never)]
    #[cfg_attr(
        any(target_os = "linux", target_os = "android", target_os = "freebsd"),
        unsafe(link_section = ".text.iai_callgrind.region")
    )]
    pub(super) fn call<F: FnOnce() -> R, R>(region: F) -> R {
        region()
    }

    /// Stays on the stack until the region has ended, see [`frames`](crate::__internal::frames).
    #[inline(never)]
    #[cfg_attr(
        any(target_os = "linux", target_os = "android", target_os = "freebsd"),
        unsafe(link_section = ".text.iai_callgrind.region")
    )]
    pub(super) fn framed<F: FnOnce() -> R, R>(region: F) -> R {
        std::hint::black_box(region())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_pass_through() {
        let mut list = vec![3, 1, 2];
        measure(|| list.sort());
        let owned = measure(move || list);
        assert_eq!(owned, [1, 2, 3]);
        assert!(has_regions());
    }

    #[test]
    fn nested_regions_panic_and_later_ones_do_not() {
        let nested = std::panic::catch_unwind(|| measure(|| measure(|| 1)));
        let text = *nested.unwrap_err().downcast::<&str>().unwrap();
        assert!(text.contains("inside of `measure`"), "{text}");
        assert_eq!(measure(|| 2), 2);
    }
}
