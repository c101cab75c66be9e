//! Requests to DHAT: events that it counts, and blocks whose accesses it counts byte by byte.
//!
//! All functions do nothing natively and under the other tools.

use super::numbers::{VG_USERREQ__DHAT_AD_HOC_EVENT, VG_USERREQ__DHAT_HISTOGRAM_MEMORY};

/// Counts an event of this weight for the calling stack, with `--mode=ad-hoc`.
///
/// ```
/// use iai_callgrind::client_requests::dhat;
///
/// # let row = [1, 2, 3];
/// dhat::ad_hoc_event(row.len());
/// ```
#[doc = request_doc!(VG_USERREQ__DHAT_AD_HOC_EVENT)]
#[inline(always)]
pub fn ad_hoc_event(weight: usize) {
    request!(0; VG_USERREQ__DHAT_AD_HOC_EVENT, weight);
}

/// Asks for the accesses to each byte of the heap block at `addr`.
///
/// DHAT does so by itself for blocks up to 1024 bytes; for these the request is a warning in the
/// log.
///
/// ```
/// use iai_callgrind::client_requests::dhat;
///
/// let table = vec![0_u8; 4096];
/// dhat::histogram_memory(table.as_ptr().cast());
/// ```
#[doc = request_doc!(VG_USERREQ__DHAT_HISTOGRAM_MEMORY)]
#[inline(always)]
pub fn histogram_memory(addr: *const ()) {
    request!(0; VG_USERREQ__DHAT_HISTOGRAM_MEMORY, addr as usize);
}
