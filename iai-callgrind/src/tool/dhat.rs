//! The settings of DHAT.

use super::methods::tool_methods;
use crate::protocol::{self, DhatMetrics, EntryPoint, Frames, Over, SanitizeOutput};

/// Settings of DHAT, the tool that follows every block of the heap.
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Dhat, DhatMetric, LibraryBenchmarkConfig};
///
/// LibraryBenchmarkConfig::default().tool(
///     Dhat::default()
///         .format([DhatMetric::TotalBytes, DhatMetric::TotalBlocks])
///         .hard_limits([(DhatMetric::TotalBlocks, 100)]),
/// );
/// ```
#[derive(Debug, Clone, Default)]
#[doc(alias = "AllocProfiler")]
pub struct Dhat(protocol::Dhat);

impl Dhat {
    /// Counts only what is allocated by this function and by what it calls. The default is the
    /// benchmark function. With [`EntryPoint::None`] the whole process is counted.
    ///
    /// ```
    /// use iai_callgrind::{Dhat, EntryPoint};
    ///
    /// Dhat::default().entry_point(EntryPoint::None);
    /// ```
    #[inline]
    pub fn entry_point(&mut self, entry_point: EntryPoint) -> &mut Self {
        self.0.entry_point = Some(entry_point);
        self
    }

    /// Adds functions, by patterns of their names (`*` any text, `?` one character). What is
    /// allocated by them and by what they call is counted like that of the entry point.
    ///
    /// This is for threads that the benchmark starts, and for what setups and arguments allocate:
    /// the benchmark function is not among the callers of these. A function that is inlined is on
    /// no stack. By default there are none.
    ///
    /// ```
    /// use iai_callgrind::Dhat;
    ///
    /// Dhat::default().frames(["my_crate::worker::*"]);
    /// ```
    pub fn frames<I, T>(&mut self, patterns: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: Into<String>,
    {
        let patterns = patterns.into_iter().map(Into::into);
        self.0.frames.patterns.extend(patterns);
        self
    }

    /// Drops the [`frames`](Self::frames) of the outer configurations and those that were added
    /// before.
    ///
    /// ```
    /// use iai_callgrind::Dhat;
    ///
    /// Dhat::default().clear_frames().frames(["my_crate::worker::*"]);
    /// ```
    #[inline]
    pub fn clear_frames(&mut self) -> &mut Self {
        self.0.frames = Frames {
            clear: true,
            patterns: Vec::new(),
        };
        self
    }

    /// Draws flamegraphs of the stacks that allocated beside the other files: of all bytes, of all
    /// blocks, and of the bytes that were in use when the heap was largest. By default none is
    /// drawn. A second call replaces what the new one sets.
    ///
    /// [`FlamegraphConfig::event_kinds`](crate::FlamegraphConfig::event_kinds) are metrics of
    /// Callgrind, and refused here.
    ///
    /// ```
    /// use iai_callgrind::{Dhat, FlamegraphConfig};
    ///
    /// Dhat::default().flamegraph(FlamegraphConfig::default());
    /// ```
    pub fn flamegraph<T>(&mut self, flamegraph: T) -> &mut Self
    where
        T: Into<protocol::Flamegraph>,
    {
        self.0.flamegraph = Some(flamegraph.into()).over(self.0.flamegraph.take());
        self
    }

    /// Says what becomes of DHAT's output file, which has all allocations of the process. The
    /// default is [`SanitizeOutput::No`]: it stays as it is. The metrics do not depend on it.
    ///
    /// ```
    /// use iai_callgrind::{Dhat, SanitizeOutput};
    ///
    /// Dhat::default().sanitize_output(SanitizeOutput::KeepOrig);
    /// ```
    pub fn sanitize_output(&mut self, sanitize: SanitizeOutput) -> &mut Self {
        self.0.sanitize_output = Some(sanitize);
        self
    }
}

tool_methods!(
    Dhat[0.settings] => Dhat,
    "DHAT",
    DhatMetrics,
    DhatMetric::TotalBytes
);
