//! Programs in a benchmark file: the command that is measured, and the low-level form of binary
//! benchmarks.

mod benchmark;
mod command;
mod delay;
mod file;
mod id;
mod removed;

pub use benchmark::{Bench, BinaryBenchmark, BinaryBenchmarkGroup};
pub(crate) use benchmark::{Described, Hook};
pub use command::Command;
pub use delay::{Delay, DelayAddress};
pub(crate) use file::begin_at;
pub use id::BenchmarkId;
pub use removed::{Arg, Fixtures, Options, Run};
