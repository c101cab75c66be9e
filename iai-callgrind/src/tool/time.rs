//! The settings of wall time.

use std::time::Duration;

use super::checked;
use super::methods::tool_config;
use crate::protocol::{self, Percent};

/// Settings of wall time, which is measured beside the counts: natively, in pairs with the
/// executable of the old result.
///
/// A benchmark with it is measured in each run, and copies of executables are kept with its
/// results, as with the option `--time`. The options `--time` and `--time-limits` and their
/// variables win over it, and `--time=no` switches it off. By default no time is measured.
///
/// What a time can tell and what not is the subject of
/// [a chapter](https://iai-callgrind.github.io/iai-callgrind/time.html).
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use iai_callgrind::{LibraryBenchmarkConfig, Time};
///
/// LibraryBenchmarkConfig::default()
///     .tool(Time::default().duration(Duration::from_secs(2)).limit(5.0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Time(protocol::Time);

impl Time {
    /// Switches the measurement on or off. The default is `true`.
    ///
    /// ```
    /// use iai_callgrind::{LibraryBenchmarkConfig, Time};
    ///
    /// // Not for this benchmark, whatever its group says.
    /// LibraryBenchmarkConfig::default().tool(Time::default().enable(false));
    /// ```
    pub fn enable(&mut self, enable: bool) -> &mut Self {
        self.0.enable = Some(enable);
        self
    }

    /// Sets the wall time for each benchmark, both executables together. The default is half a
    /// second. More of it makes the interval of the change narrower; twelve starts of both
    /// executables have to fit into four times of it.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use iai_callgrind::Time;
    ///
    /// Time::default().duration(Duration::from_secs(2));
    /// ```
    #[doc(alias("measurement_time", "min_time", "max_time", "sample_duration"))]
    pub fn duration(&mut self, duration: Duration) -> &mut Self {
        self.0.duration = Some(duration);
        self
    }

    /// Measures only where counts or code changed, as `--time=changed` does. The default is
    /// `false`.
    ///
    /// ```
    /// use iai_callgrind::Time;
    ///
    /// Time::default().only_changed(true);
    /// ```
    pub fn only_changed(&mut self, only_changed: bool) -> &mut Self {
        self.0.only_changed = Some(only_changed);
        self
    }

    /// Sets a limit in percent: the benchmark is a regression, and the run ends with exit code 3,
    /// if it is proven to take longer by more than this, which the lower bound of the 99.9 %
    /// confidence interval says. By default time is shown and limits nothing.
    ///
    /// # Panics
    ///
    /// If the limit is negative, `NaN` or infinite.
    ///
    /// ```
    /// use iai_callgrind::Time;
    ///
    /// Time::default().limit(5.0);
    /// ```
    #[track_caller]
    pub fn limit<P: Into<Percent>>(&mut self, percent: P) -> &mut Self {
        let Percent(percent) = checked::soft(percent.into());
        assert!(percent >= 0.0, "a limit of time is negative: {percent}");
        self.0.limit = Some(percent);
        self
    }

    /// A copy by value, to end a chain of calls with.
    ///
    /// ```
    /// use iai_callgrind::Time;
    ///
    /// let time: Time = Time::default().limit(5.0).build();
    /// ```
    #[must_use]
    #[inline]
    pub fn build(&mut self) -> Self {
        self.clone()
    }
}

tool_config!(Time => Time);
