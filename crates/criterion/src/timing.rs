//! Settings of time, which have an effect where time is measured beside the counts: with `--time`.

use std::time::Duration;

use iai_callgrind::protocol::Time;

/// The settings that were given.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Timing(Time);

impl Timing {
    pub(crate) fn measure_for(&mut self, time: Duration) {
        self.0.duration = Some(time);
    }

    pub(crate) fn warm_up_for(&mut self, time: Duration) {
        self.0.warm_up = Some(time);
    }

    /// Takes a share: 0.01 is one percent.
    pub(crate) fn ignore_changes_within(&mut self, share: f64) {
        self.0.noise = Some(share * 100.0).filter(|percent| percent.is_finite());
    }

    pub(crate) fn time(self) -> Time {
        self.0
    }
}
