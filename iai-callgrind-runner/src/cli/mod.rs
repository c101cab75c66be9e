//! Strings to [`Args`]: the command line and the environment, read here and nowhere else.

mod args;
pub mod env;
mod metrics;

pub use args::{Args, Bench, Color, Command, Completions, Doctor, Program, ToolOptions};
pub use metrics::Limits;
