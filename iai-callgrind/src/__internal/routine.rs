//! The call of a routine that was registered at run time: what `measured_function.rs` of the runner
//! finds.
//!
//! All of these benchmarks share the name of one measured function, so the description marks them
//! (`at_run_time`), and `Job::measured_function` of the runner answers with this name. Filters
//! match the name of the other framework as well.

use std::hint::black_box;

use super::call::{done, ready};
use super::frames::Framed;
use super::registration;

/// Its method is the measured function, as that of an annotated function is one of a struct of this
/// name.
#[allow(non_camel_case_types)]
struct __iai_callgrind_wrapper_mod;

impl __iai_callgrind_wrapper_mod {
    #[inline(never)]
    #[cfg_attr(
        any(target_os = "linux", target_os = "android", target_os = "freebsd"),
        unsafe(link_section = ".text.iai_callgrind.routine")
    )]
    fn routine<I, O, F: FnMut(I) -> O>(routine: &mut F, input: I) -> O {
        routine(input)
    }
}

/// Calls the routine once, which is what counts. Neither the input nor the result is dropped in it.
pub fn measured<I, O, F: FnMut(I) -> O>(mut routine: F, input: I) -> O {
    registration::enter();
    // An opaque pointer: the optimizer knows neither callee nor arguments.
    let measured = black_box::<fn(_, _) -> _>(__iai_callgrind_wrapper_mod::routine::<I, O, F>);
    // SAFETY: a process runs one case.
    let measured = black_box(unsafe { measured.framed() });
    done(measured(black_box(&mut routine), ready(input)))
}
