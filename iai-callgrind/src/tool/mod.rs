//! The settings of the tools.

mod callgrind;

pub use callgrind::Callgrind;
