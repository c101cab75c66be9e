//! The settings of the tools.
//!
//! Each builder wraps the plain value of [`protocol`](crate::protocol) that it fills, and becomes
//! the field of [`Tools`](crate::protocol::Tools) that belongs to it. `methods` has what all of
//! them have.

mod bbv;
mod cachegrind;
mod callgrind;
mod checked;
mod dhat;
mod errors;
mod explain;
mod flamegraph;
mod massif;
mod methods;
mod perf;
mod time;

pub use bbv::Bbv;
pub use cachegrind::Cachegrind;
pub use callgrind::Callgrind;
pub use dhat::Dhat;
pub use errors::{Drd, Helgrind, Memcheck};
pub use explain::ExplainConfig;
pub use flamegraph::FlamegraphConfig;
pub use massif::Massif;
pub use perf::Perf;
pub use time::Time;
