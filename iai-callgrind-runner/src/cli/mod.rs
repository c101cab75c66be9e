//! Strings to [`Args`]: the command line and the environment, read here and nowhere else.

mod args;
mod baseline;
pub mod env;
mod metrics;

pub use args::{Args, Bench, Color, Command, Completions, Doctor, Program, ToolOptions};
pub use baseline::BaselineOptions;
pub use metrics::Limits;
