//! The machine and the build: Valgrind and perf, the environment on which figures depend, the state
//! of the source.

pub(crate) mod built;
pub(crate) mod cargo_config;
pub(crate) mod cargo_metadata;
pub(crate) mod cures;
pub mod host;
pub(crate) mod source;
pub(crate) mod system;
