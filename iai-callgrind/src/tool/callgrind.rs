//! The settings of Callgrind.

use super::methods::tool_methods;
use crate::protocol::{self, CallgrindMetrics, EntryPoint, Over};

/// Settings of Callgrind, the tool that counts instructions and simulates caches.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Callgrind, CallgrindMetrics, EventKind, LibraryBenchmarkConfig};
///
/// LibraryBenchmarkConfig::default().tool(
///     Callgrind::with_args(["--branch-sim=yes"])
///         .format([CallgrindMetrics::from(EventKind::Ir), CallgrindMetrics::BranchSim])
///         .soft_limits([(EventKind::Ir, 5.0)]),
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct Callgrind(protocol::Callgrind);

impl Callgrind {
    /// Sets the function at whose entry the count begins and at whose return it ends. The default
    /// is the benchmark function.
    ///
    /// With [`EntryPoint::None`] the whole process is counted, unless client requests or
    /// `--toggle-collect` among the arguments say otherwise. A pattern of your own should match one
    /// function: at the entry of another one that matches, the count is switched off.
    ///
    /// ```
    /// use iai_callgrind::{Callgrind, EntryPoint};
    ///
    /// Callgrind::default().entry_point(EntryPoint::Custom("my_crate::parse".to_owned()));
    /// ```
    pub fn entry_point(&mut self, entry_point: EntryPoint) -> &mut Self {
        self.0.entry_point = Some(entry_point);
        self
    }

    /// Counts also what threads execute while the benchmark function runs, from its entry to its return,
    /// and the processes that it starts.
    ///
    /// The default is `false`: only what the thread of the benchmark executes is counted, and a
    /// warning says so if there were others. What that thread executes is counted exactly alike in
    /// both cases. Excludes [`measure`](crate::measure()) in the same benchmark. Has no effect with
    /// [`EntryPoint::None`], which counts every thread.
    ///
    /// ```
    /// use iai_callgrind::Callgrind;
    ///
    /// Callgrind::default().count_threads(true);
    /// ```
    pub fn count_threads(&mut self, count: bool) -> &mut Self {
        self.0.count_threads = Some(count);
        self
    }

    /// Draws flamegraphs of the benchmark beside its other files. By default none is drawn. A second
    /// call replaces what the new graph sets.
    ///
    /// ```
    /// use iai_callgrind::{Callgrind, FlamegraphConfig};
    ///
    /// Callgrind::default().flamegraph(FlamegraphConfig::default());
    /// ```
    pub fn flamegraph<T>(&mut self, flamegraph: T) -> &mut Self
    where
        T: Into<protocol::Flamegraph>,
    {
        self.0.flamegraph = Some(flamegraph.into()).over(self.0.flamegraph.take());
        self
    }
}

tool_methods!(
    Callgrind[0.settings] => callgrind,
    "Callgrind",
    CallgrindMetrics,
    EventKind::Ir
);
