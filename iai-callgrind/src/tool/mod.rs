//! The settings of the tools.

mod callgrind;

pub(crate) use callgrind::over;
pub use callgrind::Callgrind;
