//! The crate whose benchmarks are edited.

pub mod input;
pub mod kinds;
pub mod package;
pub mod swaps;
pub mod user;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
