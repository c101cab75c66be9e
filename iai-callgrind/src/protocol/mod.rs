//! Protocol between a benchmark executable and the runner.
//!
//! Two things cross the border: the description of a suite (`Suite`, JSON, once for each
//! executable) and the packets of the measuring process ([`wire`], fixed size, once for each
//! benchmark). Everything here is a plain value; nothing runs.

pub mod address;
pub mod callgrind;
pub mod command;
pub mod config;
pub mod delay;
pub mod dhat;
pub mod exit_with;
mod explain;
pub mod filter;
pub mod flamegraph;
pub mod input;
#[cfg_attr(
    not(any(feature = "benchmark", feature = "serde")),
    allow(dead_code, reason = "nobody has a description to write")
)]
pub mod json;
pub mod limit;
pub mod metric;
pub mod options;
pub mod over;
pub mod partition;
#[cfg(feature = "serde")]
mod path;
pub mod perf;
pub mod sandbox;
pub mod suite;
mod time;
pub mod tool;
pub mod unit;
pub mod wire;

pub use address::Address;
pub use callgrind::{Callgrind, EntryPoint};
pub use command::{Command, Pipe, Stdin, Stdio};
pub use config::{Config, EnvVar, OutputFormat, Truncate};
pub use delay::{Delay, DelayKind};
pub use dhat::{Dhat, Frames, SanitizeOutput};
pub use exit_with::{ExitWith, SignalSet};
pub use explain::Explain;
pub use filter::Filter;
pub use flamegraph::{Flamegraph, FlamegraphKind};
pub use input::Input;
pub use limit::{Limit, Limits, Percent};
pub use metric::{
    BbvMetric, BbvMetrics, CachegrindMetric, CachegrindMetrics, CallgrindMetrics, DhatMetric,
    DhatMetrics, Direction, ErrorMetric, ErrorMetrics, EventKind, MassifMetric, MassifMetrics,
    Metric, Number, ToolMetric, UnknownMetric,
};
pub use over::Over;
pub use partition::Partition;
pub use perf::{Perf, PerfLimits, PerfMetric, PerfRunMode};
pub use sandbox::Sandbox;
#[cfg(feature = "serde")]
pub use suite::{Case, Function, Group, Package, Ratio, RatioSide, Scaling, Suite};
pub use suite::{Hooks, Kind, Platform, Throughput};
pub use time::Time;
pub use tool::{General, Tool, ToolConfig, ToolSettings, Tools, UnknownTool};
pub use unit::{OfUnit, Unit};

/// The version of the JSON description and of the packets. The first field of every description.
pub const PROTOCOL: u32 = 1;

/// The version of the library; the runner must have the same.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The first argument that selects a role of the benchmark executable.
pub const ROLE_ARGUMENT: &str = "--iai-callgrind";

/// The environment variable that selects the `serve` role; its value is the number of the socket.
pub const SERVER_VARIABLE: &str = "IAI_CALLGRIND_SERVER";

/// The environment variable that tells a process under perf that it switches the counters itself.
/// Its value has the inodes of the two pipes and of the log, with `:` in between, by which the
/// process knows them.
pub const PERF_VARIABLE: &str = "IAI_CALLGRIND_PERF";

/// The environment variable that tells setups and teardowns the root of the workspace.
pub const WORKSPACE_VARIABLE: &str = "_WORKSPACE_ROOT";

/// The address of `setup` and `teardown` of `main!` in the `assist` role. No group can have this
/// name. Those of a group have its name, those of a binary benchmark its [`Address`].
pub const MAIN_LEVEL: &str = "main!";
