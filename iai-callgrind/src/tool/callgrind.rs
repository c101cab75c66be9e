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
    #[inline]
    pub fn entry_point(&mut self, entry_point: EntryPoint) -> &mut Self {
        self.0.entry_point = Some(entry_point);
        self
    }

    /// Runs what surrounds the benchmark function (arguments, setup, teardown, drop) about ten
    /// times faster: Callgrind looks at the process while the function runs, and no longer.
    ///
    /// Instructions, reads and writes do not depend on it. Simulated caches and branch predictors
    /// are empty when the function begins: what a setup wrote is read from memory. So the default
    /// is what is faster where neither caches nor branches are simulated
    /// ([`instructions_only`](Self::instructions_only)): `true` for a setup that took long in the
    /// last run. Else the default is `false`. It has no effect, and a warning says so, with
    /// [`count_threads`](Self::count_threads), with another [`entry_point`](Self::entry_point),
    /// with the argument `--instr-atstart`, and in binary benchmarks. The option `--fast-setup`
    /// wins.
    ///
    /// ```
    /// use iai_callgrind::Callgrind;
    ///
    /// Callgrind::default().fast_setup(true);
    /// ```
    pub fn fast_setup(&mut self, fast: bool) -> &mut Self {
        self.0.fast_setup = Some(fast);
        self
    }

    /// Counts instructions and simulates neither caches nor branches, which is three to four times
    /// faster in a large benchmark function, and more in an expensive setup, which is a
    /// [`fast_setup`](Self::fast_setup) by default then.
    ///
    /// The instructions are those of a run with simulation, and are compared with them. All other
    /// metrics are left out; limits on them are not checked, which a warning says. The default is
    /// `false`; the option `--instructions-only` wins. It goes over arguments such as
    /// `--cache-sim=yes`.
    ///
    /// ```
    /// use iai_callgrind::Callgrind;
    ///
    /// Callgrind::default().instructions_only(true);
    /// ```
    pub fn instructions_only(&mut self, only: bool) -> &mut Self {
        self.0.instructions_only = Some(only);
        self
    }

    /// Counts also what threads execute while the benchmark function runs, from its entry to its
    /// return, and the processes that it starts.
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

    /// Draws flamegraphs of the benchmark beside its other files. By default none is drawn. A
    /// second call replaces what the new graph sets.
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

    /// Says how a changed count is explained: the functions and lines that are its cause. By
    /// default every change is, and the option `--explain` says where it is shown. A second call
    /// replaces what the new one sets.
    ///
    /// ```
    /// use iai_callgrind::{Callgrind, ExplainConfig};
    ///
    /// Callgrind::default().explain(ExplainConfig::default().rows(12));
    /// ```
    pub fn explain<T>(&mut self, explain: T) -> &mut Self
    where
        T: Into<protocol::Explain>,
    {
        self.0.explain = Some(explain.into()).over(self.0.explain.take());
        self
    }
}

tool_methods!(
    Callgrind[0.settings] => Callgrind,
    "Callgrind",
    CallgrindMetrics,
    EventKind::Ir
);
