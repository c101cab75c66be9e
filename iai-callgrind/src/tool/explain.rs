//! The settings of explanations.

use crate::config::into_protocol;
use crate::protocol::{self, EventKind};

/// Explanations of changed counts, for [`Callgrind::explain`](crate::Callgrind::explain).
///
/// # Examples
///
/// ```
/// use iai_callgrind::{Callgrind, EventKind, ExplainConfig};
///
/// Callgrind::default().explain(
///     ExplainConfig::default()
///         .metric(EventKind::EstimatedCycles)
///         .rows(12),
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct ExplainConfig(protocol::Explain);

impl ExplainConfig {
    /// Says whether a result is kept with what explains it later. The default is `true`. With
    /// `false` the profile has no instructions either, as with the argument `--dump-instr=no`.
    ///
    /// ```
    /// iai_callgrind::ExplainConfig::default().enabled(false);
    /// ```
    pub fn enabled(&mut self, enabled: bool) -> &mut Self {
        self.0.enabled = Some(enabled);
        self
    }

    /// Says whose change is explained. The default is the first metric over its limit; without one
    /// the first that is shown.
    ///
    /// A counter of Callgrind, or `EstimatedCycles`: rates and times do not add up, so `Ir` is
    /// explained instead of them.
    pub fn metric(&mut self, metric: EventKind) -> &mut Self {
        self.0.metric = Some(metric);
        self
    }

    /// Says how many causes are shown at most; the others are one row. The default is 6, and 3 on a
    /// terminal of less than 120 columns.
    pub fn rows(&mut self, rows: u64) -> &mut Self {
        self.0.rows = Some(rows);
        self
    }

    /// A copy by value, to end a chain of calls with.
    ///
    /// ```
    /// use iai_callgrind::ExplainConfig;
    ///
    /// let config: ExplainConfig = ExplainConfig::default().rows(12).build();
    /// ```
    #[must_use]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

into_protocol!(ExplainConfig => protocol::Explain);
