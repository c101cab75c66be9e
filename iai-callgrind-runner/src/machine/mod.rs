//! The machine and the build: Valgrind and perf, what figures depend on beside the program, the state of the source.

pub(crate) mod built;
pub(crate) mod cargo_config;
pub mod host;
pub(crate) mod source;
pub(crate) mod system;
