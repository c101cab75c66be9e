//! Two sets of metrics side by side: differences, noise, and the main change of a benchmark.

mod changes;
mod main_change;
mod metrics_comparison;
mod noise;
mod significance;
mod throughput;

pub use self::changes::CountChange;
pub use self::main_change::MainChange;
pub use self::metrics_comparison::{
    compare, ComparisonRow, Difference, MetricsComparison, Trend, UnknownRow,
};
pub(crate) use self::noise::{is_cycles, is_instructions};
pub use self::noise::{Noise, LEAST_COUNT, LEAST_PERCENT};
pub use self::significance::WelchTest;
pub use self::throughput::OtherAmount;
