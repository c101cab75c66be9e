//! The settings of flamegraphs.

use crate::config::into_protocol;
use crate::protocol::flamegraph::Direction;
use crate::protocol::{self, EventKind, FlamegraphKind};

/// Flamegraphs of a benchmark, for [`Callgrind::flamegraph`](crate::Callgrind::flamegraph) and
/// [`Dhat::flamegraph`](crate::Dhat::flamegraph).
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Callgrind, EventKind, FlamegraphConfig, FlamegraphKind};
///
/// Callgrind::default().flamegraph(
///     FlamegraphConfig::default()
///         .kind(FlamegraphKind::Regular)
///         .event_kinds([EventKind::Ir, EventKind::EstimatedCycles])
///         .title("Where the time goes"),
/// );
/// ```
#[derive(Debug, Clone, Default)]
#[doc(alias("Profiler", "pprof", "profile_time"))]
pub struct FlamegraphConfig(protocol::Flamegraph);

impl FlamegraphConfig {
    /// Says which graphs are drawn: of this run and the old one, of the difference, both or none.
    /// The default is [`FlamegraphKind::All`].
    pub fn kind(&mut self, kind: FlamegraphKind) -> &mut Self {
        self.0.kind = Some(kind);
        self
    }

    /// Draws one graph for each of these metrics. The default is `[EventKind::Ir]`; a second call
    /// replaces the first.
    ///
    /// Counters only: rates do not add up to a graph, so the runner refuses them.
    pub fn event_kinds<T>(&mut self, kinds: T) -> &mut Self
    where
        T: IntoIterator<Item = EventKind>,
    {
        self.0.event_kinds = Some(kinds.into_iter().collect());
        self
    }

    /// Says which way the stacks grow. The default is [`Direction::TopToBottom`].
    ///
    /// ```
    /// use iai_callgrind::{Direction, FlamegraphConfig};
    ///
    /// FlamegraphConfig::default().direction(Direction::BottomToTop);
    /// ```
    pub fn direction(&mut self, direction: Direction) -> &mut Self {
        self.0.direction = Some(direction);
        self
    }

    /// Swaps the colors for more and less in differential graphs. The default is `false`.
    ///
    /// ```
    /// iai_callgrind::FlamegraphConfig::default().negate_differential(true);
    /// ```
    pub fn negate_differential(&mut self, negate: bool) -> &mut Self {
        self.0.negate_differential = Some(negate);
        self
    }

    /// Scales the old profile to the total of the new one in differential graphs, so that they show
    /// how the parts moved, not how the whole grew. The default is `false`.
    ///
    /// ```
    /// iai_callgrind::FlamegraphConfig::default().normalize_differential(true);
    /// ```
    pub fn normalize_differential(&mut self, normalize: bool) -> &mut Self {
        self.0.normalize_differential = Some(normalize);
        self
    }

    /// Sets the headline of the graphs. The default is the headline of the benchmark.
    pub fn title<T>(&mut self, title: T) -> &mut Self
    where
        T: Into<String>,
    {
        self.0.title = Some(title.into());
        self
    }

    /// Sets the line below the headline. The default names the metric and its value.
    ///
    /// ```
    /// iai_callgrind::FlamegraphConfig::default().subtitle("without allocations");
    /// ```
    pub fn subtitle<T>(&mut self, subtitle: T) -> &mut Self
    where
        T: Into<String>,
    {
        self.0.subtitle = Some(subtitle.into());
        self
    }

    /// Leaves out frames that are narrower than this percentage of the graph. The default is 0.1.
    ///
    /// ```
    /// iai_callgrind::FlamegraphConfig::default().min_width(1.0);
    /// ```
    pub fn min_width(&mut self, percent: f64) -> &mut Self {
        self.0.min_width = Some(percent);
        self
    }

    /// A copy by value, to end a chain of calls with.
    ///
    /// ```
    /// use iai_callgrind::FlamegraphConfig;
    ///
    /// let config: FlamegraphConfig = FlamegraphConfig::default().min_width(1.0).build();
    /// ```
    #[must_use]
    #[inline]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

into_protocol!(FlamegraphConfig => protocol::Flamegraph);
