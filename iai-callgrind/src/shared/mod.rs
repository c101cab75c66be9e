//! Facts and decisions that library and runner have in common, each in one place.
//!
//! The library needs them where no runner is: for `--list`, and in the test mode, which runs on every
//! system. Nothing here has a dependency, and what depends on the process (variables, directories)
//! comes in as an argument, since the runner reads its environment in one place.

pub mod answer;
pub mod delay;
pub mod exit;
pub mod find_program;
pub mod fixtures;
pub mod glob;
pub mod hash;
pub mod target_directory;
pub mod text;
pub mod yes_no;
