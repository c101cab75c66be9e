//! A function that is on the stack for as long as the benchmark function runs, for DHAT.
//!
//! DHAT knows who allocated from the stack alone. A function whose last act is to call another one
//! is no longer on it when that one runs: the compiler makes a jump of the call. So benchmark
//! functions are called by one of these, which does something afterwards. Under other tools nothing
//! stands between them and the code that calls them.
//!
//! They can also end the process right before or after the benchmark function, so that DHAT's file
//! tells of this moment.

use std::hint::black_box;
use std::mem::transmute;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};

use super::exit;
use crate::protocol::wire::{ENDS_AFTER, ENDS_BEFORE};

static ON: AtomicBool = AtomicBool::new(false);

/// The benchmark function.
static FUNCTION: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// Moment at which the process ends: `ENDS_BEFORE`, `ENDS_AFTER`, or 0 for neither.
static ENDS: AtomicU32 = AtomicU32::new(0);

/// From here on benchmark functions are called by those of this file. `flags` are those of the
/// command.
#[cfg(unix)]
pub(super) fn switch_on(flags: u32) {
    ENDS.store(flags & (ENDS_BEFORE | ENDS_AFTER), Ordering::Relaxed);
    ON.store(true, Ordering::Relaxed);
}

/// Ends the process, if that is to happen at this moment.
#[inline(never)]
fn end_if(moment: u32) {
    if ENDS.load(Ordering::Relaxed) & moment != 0 {
        exit::returned();
    }
}

/// Are benchmark functions called by those of this file?
#[inline]
pub(crate) fn wanted() -> bool {
    ON.load(Ordering::Relaxed)
}

/// A pointer to a benchmark function.
pub trait Framed {
    /// Function to call instead of this one, which it calls.
    ///
    /// # Safety
    ///
    /// One that was returned before, for another function, is not called any more.
    #[must_use]
    unsafe fn framed(self) -> Self;
}

macro_rules! framed {
    ($($call:ident($($argument:ident: $type:ident),*);)+) => {
        $(impl<$($type,)* R> Framed for fn($($type),*) -> R {
            // One copy for each type, and not for each case.
            #[inline(never)]
            unsafe fn framed(self) -> Self {
                FUNCTION.store(self as *mut (), Ordering::Relaxed);
                // Not by a branch, after which a fork under Callgrind would have to translate a
                // further piece of code.
                let choice = [self, __iai_callgrind_frame_mod::$call];
                choice[usize::from(wanted())]
            }
        })+

        /// Module by whose name the runner finds the functions in it.
        #[allow(non_snake_case)]
        mod __iai_callgrind_frame_mod {
            use super::*;

            $(#[allow(clippy::too_many_arguments)]
            #[inline(never)]
            pub(super) fn $call<$($type,)* R>($($argument: $type),*) -> R {
                // SAFETY: `framed` stored a function of this type, and no other one since.
                let function = unsafe {
                    transmute::<*mut (), fn($($type),*) -> R>(FUNCTION.load(Ordering::Relaxed))
                };
                end_if(ENDS_BEFORE);
                // Not the last act of this function.
                let result = black_box(function($($argument),*));
                end_if(ENDS_AFTER);
                result
            })+
        }
    };
}

framed! {
    call_0();
    call_1(a: A);
    call_2(a: A, b: B);
    call_3(a: A, b: B, c: C);
    call_4(a: A, b: B, c: C, d: D);
    call_5(a: A, b: B, c: C, d: D, e: E);
    call_6(a: A, b: B, c: C, d: D, e: E, f: F);
    call_7(a: A, b: B, c: C, d: D, e: E, f: F, g: G);
    call_8(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H);
    call_9(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I);
    call_10(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J);
    call_11(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K);
    call_12(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test: the switch is for the whole process.
    #[test]
    fn functions_are_called_by_another_one_if_wanted() {
        let double: fn(u64) -> u64 = |n| 2 * n;
        // SAFETY: each is called before the next one is made.
        assert!(ptr::fn_addr_eq(unsafe { double.framed() }, double));
        ON.store(true, Ordering::Relaxed);
        // SAFETY: as above.
        let framed = unsafe { double.framed() };
        assert!(!ptr::fn_addr_eq(framed, double));
        assert_eq!(framed(4), 8);
        let join: fn(String, [u64; 9]) -> String = |text, numbers| text + &numbers[8].to_string();
        // SAFETY: as above.
        assert_eq!(unsafe { join.framed() }("a".to_owned(), [7; 9]), "a7");
        ON.store(false, Ordering::Relaxed);
    }
}
