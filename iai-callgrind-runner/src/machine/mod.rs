//! The machine: Valgrind and perf, the environment on which figures depend, the state of the
//! source.

pub mod host;
pub(crate) mod source;
pub(crate) mod system;
