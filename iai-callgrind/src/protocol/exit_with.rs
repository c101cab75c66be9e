//! Expected end of a benchmark.

use super::json::described;

described! {
    /// Expected end of a benchmark. If it ends otherwise, it failed: its count is not taken.
    ///
    /// # Examples
    ///
    /// ```
    /// use iai_callgrind::{ExitWith, SignalSet};
    ///
    /// // One of several signals:
    /// let killed = ExitWith::Signals([9, 15]);
    /// assert_eq!(killed, ExitWith::OneOfSignals(SignalSet::from([15, 9])));
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum ExitWith {
        /// A library benchmark returns, a binary benchmark exits with code 0.
        #[default]
        Success,
        /// The benchmark exits with any code but 0, which includes a panic, or is ended by a
        /// signal.
        Failure,
        /// The benchmark exits with this code. A library benchmark that panics exits with 101.
        Code(i32),
        /// The benchmark is ended by the signal with this number.
        Signal(i32),
        /// The benchmark is ended by one of these signals.
        OneOfSignals(SignalSet),
    }
}

impl ExitWith {
    /// The benchmark is ended by one of the signals with these numbers: [`ExitWith::OneOfSignals`]
    /// from a list.
    ///
    /// # Panics
    ///
    /// If a number is none from 1 to 64.
    // Named like a variant with a list, which could not be `Copy`.
    #[allow(non_snake_case)]
    #[must_use]
    #[track_caller]
    pub fn Signals(signals: impl IntoIterator<Item = i32>) -> Self {
        Self::OneOfSignals(signals.into())
    }
}

described! {
    /// A set of signals, by their numbers from 1 to 64.
    ///
    /// ```
    /// use iai_callgrind::SignalSet;
    ///
    /// let set = SignalSet::from([15, 1]);
    /// assert!(set.contains(15));
    /// assert!(set.iter().eq([1, 15]));
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct SignalSet {
        /// The lowest bit stands for signal 1.
        pub(super) bits: u64,
    }
}

impl SignalSet {
    /// Is the signal with this number in the set?
    #[must_use]
    #[inline]
    pub fn contains(self, signal: i32) -> bool {
        Self::bit(signal).is_some_and(|bit| self.bits & bit != 0)
    }

    /// The numbers of all signals in the set, the lowest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = i32> {
        (1..65).filter(move |signal| self.contains(*signal))
    }

    #[inline]
    fn bit(signal: i32) -> Option<u64> {
        (1..65).contains(&signal).then(|| 1 << (signal - 1))
    }
}

/// # Panics
///
/// If a number is none from 1 to 64.
impl<T: IntoIterator<Item = i32>> From<T> for SignalSet {
    #[track_caller]
    fn from(signals: T) -> Self {
        let mut set = Self::default();
        for signal in signals {
            match Self::bit(signal) {
                Some(bit) => set.bits |= bit,
                None => panic!("{signal} is no number of a signal: they are from 1 to 64"),
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_every_number_of_a_signal() {
        let set = SignalSet::from([64, 1, 15, 1]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [1, 15, 64]);
        assert!(set.contains(64) && !set.contains(2));
        assert!(!set.contains(0) && !set.contains(-1) && !set.contains(65));
        assert_eq!(SignalSet::from(1..=64).iter().count(), 64);
    }

    #[test]
    fn what_is_no_signal_is_refused() {
        for signal in [0, -1, 65] {
            assert!(std::panic::catch_unwind(|| ExitWith::Signals(vec![signal])).is_err());
        }
    }
}
