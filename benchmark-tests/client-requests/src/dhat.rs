//! Requests of DHAT.

use std::hint::black_box;

use iai_callgrind::client_requests::dhat;

/// Two events of 10 units.
pub(crate) fn events() {
    dhat::ad_hoc_event(7);
    dhat::ad_hoc_event(black_box(3));
}

/// A block that is too large to be watched unless DHAT is asked to.
pub(crate) fn histogram() {
    let mut block = black_box(vec![0_u8; 2000]);
    dhat::histogram_memory(block.as_ptr().cast());
    for _ in 0..100 {
        // SAFETY: the block has 2000 bytes.
        unsafe { block.as_mut_ptr().add(17).write_volatile(1) };
    }
    black_box(block);
}

/// The same without the request.
pub(crate) fn no_histogram() {
    let mut block = black_box(vec![0_u8; 2000]);
    for _ in 0..100 {
        // SAFETY: the block has 2000 bytes.
        unsafe { block.as_mut_ptr().add(17).write_volatile(1) };
    }
    black_box(block);
}
