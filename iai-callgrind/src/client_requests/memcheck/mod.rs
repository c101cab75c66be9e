//! Requests to Memcheck: what it knows about memory, and its search for leaks.
//!
//! Natively, under the other tools and in a build without active requests, each function returns 0
//! (or what its documentation names) and does nothing else.

mod blocks;
mod leaks;
mod memory;
mod slices;
mod vbits;

pub use blocks::{create_block, discard, try_create_block, BlockHandle};
pub use leaks::{
    count_leak_blocks, count_leaks, do_added_leak_check, do_changed_leak_check, do_leak_check,
    do_new_leak_check, do_quick_leak_check, LeakCounts,
};
pub use memory::{
    check_mem_is_addressable, check_mem_is_defined, check_value_is_defined,
    disable_addr_error_reporting_in_range, enable_addr_error_reporting_in_range, make_mem_defined,
    make_mem_defined_if_addressable, make_mem_noaccess, make_mem_undefined,
};
pub use slices::{check_slice_is_defined, make_slice_defined, make_slice_undefined};
pub use vbits::{get_vbits, set_vbits};
