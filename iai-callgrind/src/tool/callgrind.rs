//! The settings of Callgrind.

use crate::config::into_protocol;
use crate::protocol::{self, CallgrindMetrics, EntryPoint, Limit};

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
    /// Starts with arguments for Callgrind. A leading `--` may be left out.
    pub fn with_args<I, T>(args: I) -> Self
    where
        I: IntoIterator<Item = T>,
        T: AsRef<str>,
    {
        let mut callgrind = Self::default();
        callgrind.args(args);
        callgrind
    }

    /// Adds arguments for Callgrind. A leading `--` may be left out.
    ///
    /// Arguments that are the runner's own, such as the names of output files, are dropped with a
    /// warning.
    pub fn args<I, T>(&mut self, args: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: AsRef<str>,
    {
        let args = args.into_iter().map(|arg| arg.as_ref().to_owned());
        self.0.settings.args.extend(args);
        self
    }

    /// Sets the function at whose entry the count begins and at whose return it ends. The default
    /// is the benchmark function.
    pub fn entry_point(&mut self, entry_point: EntryPoint) -> &mut Self {
        self.0.entry_point = Some(entry_point);
        self
    }

    /// Adds metrics to show, in the order in which they are to appear. By default
    /// [`CallgrindMetrics::Default`] is shown. Metrics that were not collected are left out.
    pub fn format<I, T>(&mut self, metrics: I) -> &mut Self
    where
        I: IntoIterator<Item = T>,
        T: Into<CallgrindMetrics>,
    {
        let format = self.0.settings.format.get_or_insert_default();
        for kind in metrics
            .into_iter()
            .flat_map(|metric| metric.into().members())
        {
            if !format.contains(&kind) {
                format.push(kind);
            }
        }
        self
    }

    /// Adds limits for the change against the old run, in percent. A positive limit is exceeded
    /// above it, a negative one below it; the benchmark is then reported as a regression. A group
    /// of metrics stands for its members; of two limits for a metric the later one counts.
    pub fn soft_limits<I, T>(&mut self, limits: I) -> &mut Self
    where
        I: IntoIterator<Item = (T, f64)>,
        T: Into<CallgrindMetrics>,
    {
        for (metrics, percent) in limits {
            let metrics = metrics.into().members();
            self.0.settings.limits.set_soft(metrics, percent.into());
        }
        self
    }

    /// Adds limits for the value itself: whole numbers for counters, fractions for rates. A value
    /// beyond its limit is a regression, with or without an old run. A group of metrics stands for
    /// its members; of two limits for a metric the later one counts.
    pub fn hard_limits<I, T, L>(&mut self, limits: I) -> &mut Self
    where
        I: IntoIterator<Item = (T, L)>,
        T: Into<CallgrindMetrics>,
        L: Into<Limit>,
    {
        for (metrics, limit) in limits {
            let metrics = metrics.into().members();
            self.0.settings.limits.set_hard(metrics, limit.into());
        }
        self
    }

    /// A copy by value, to end a chain of calls with.
    #[must_use]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

into_protocol!(Callgrind => protocol::Callgrind);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::EventKind;

    #[test]
    fn groups_stand_for_their_members_and_later_limits_win() {
        let callgrind: protocol::Callgrind = Callgrind::default()
            .soft_limits([(CallgrindMetrics::CacheHits, 5.0)])
            .soft_limits([(EventKind::LLhits, 1.0)])
            .hard_limits([(EventKind::Ir, 10)])
            .hard_limits([(EventKind::L1HitRate, 99.5)])
            .into();
        let expected = [
            (EventKind::L1hits, 5.0),
            (EventKind::LLhits, 1.0),
            (EventKind::RamHits, 5.0),
        ];
        assert_eq!(callgrind.settings.limits.soft, expected);
        let expected = [
            (EventKind::Ir, Limit::Int(10)),
            (EventKind::L1HitRate, Limit::Float(99.5)),
        ];
        assert_eq!(callgrind.settings.limits.hard, expected);
    }

    #[test]
    fn a_metric_is_shown_once() {
        let callgrind: protocol::Callgrind = Callgrind::default()
            .format([CallgrindMetrics::CacheHits, EventKind::L1hits.into()])
            .format([EventKind::Ir])
            .into();
        let expected = [
            EventKind::L1hits,
            EventKind::LLhits,
            EventKind::RamHits,
            EventKind::Ir,
        ];
        assert_eq!(
            callgrind.settings.format.as_deref(),
            Some(expected.as_slice())
        );
    }
}
