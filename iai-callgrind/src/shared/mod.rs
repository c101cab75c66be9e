//! Facts and decisions that library and runner have in common, each in one place.
//!
//! The library needs them where no runner is: for `--list`, and in the test mode, which runs on
//! every system. Nothing here has a dependency, and what depends on the process (variables,
//! directories) comes in as an argument, since the runner reads its environment in one place.

/// The page that tells on which systems what works, and how a container measures on all others.
pub const WHERE_IT_RUNS: &str = "https://iai-callgrind.github.io/iai-callgrind/where-it-runs.html";

pub mod answer;
pub mod delay;
pub mod exit;
pub mod find_program;
pub mod fixtures;
pub mod glob;
pub mod hash;
pub mod target_directory;
pub mod yes_no;
