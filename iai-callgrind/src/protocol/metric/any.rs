//! A metric of any tool that has a table.
//!
//! Settings hold metrics in this form, so that those of all tools are of one type. With a type for
//! each tool, everything that a configuration can do was compiled six times, by every user.

use super::{BbvMetric, CachegrindMetric, DhatMetric, ErrorMetric, EventKind, MassifMetric};
use crate::protocol::json::described;

described! {
    /// A metric of a tool of Valgrind.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ToolMetric {
        /// A metric of Callgrind.
        Callgrind(EventKind),
        /// A metric of Cachegrind.
        Cachegrind(CachegrindMetric),
        /// A metric of DHAT.
        Dhat(DhatMetric),
        /// A metric of Massif.
        Massif(MassifMetric),
        /// A metric of exp-bbv.
        Bbv(BbvMetric),
        /// A metric of Memcheck, Helgrind or DRD.
        Error(ErrorMetric),
    }
}

macro_rules! from {
    ($($variant:ident($metric:ty)),+) => {$(
        impl From<$metric> for ToolMetric {
            fn from(metric: $metric) -> Self {
                Self::$variant(metric)
            }
        }
    )+};
}

from!(
    Callgrind(EventKind),
    Cachegrind(CachegrindMetric),
    Dhat(DhatMetric),
    Massif(MassifMetric),
    Bbv(BbvMetric),
    Error(ErrorMetric)
);
