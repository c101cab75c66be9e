//! End of a benchmark, compared with the expected end, and the words for the latter.

use crate::protocol::ExitWith;

/// The end of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The benchmark function returned; a program ended with exit code 0.
    Returned,
    /// The process ended with this exit code. A function that did so with code 0 has not returned.
    Exited(i32),
    /// This signal ended the process.
    Signaled(i32),
}

impl End {
    /// Is this the end that was expected?
    #[must_use]
    #[inline]
    pub fn is_expected(self, expected: ExitWith) -> bool {
        match (self, expected) {
            (Self::Returned, expected) => matches!(expected, ExitWith::Success | ExitWith::Code(0)),
            (Self::Exited(code), ExitWith::Failure) => code != 0,
            (Self::Exited(code), ExitWith::Code(expected)) => code == expected,
            (Self::Signaled(_), ExitWith::Failure) => true,
            (Self::Signaled(signal), ExitWith::Signal(expected)) => signal == expected,
            (Self::Signaled(signal), ExitWith::OneOfSignals(set)) => set.contains(signal),
            _ => false,
        }
    }
}

/// Continues "was to". `signal` says a signal in words.
#[inline]
pub fn wording(expected: ExitWith, signal: &dyn Fn(i32) -> String) -> String {
    match expected {
        ExitWith::Success => "end with exit code 0".to_owned(),
        ExitWith::Failure => "fail".to_owned(),
        ExitWith::Code(code) => format!("end with exit code {code}"),
        ExitWith::Signal(number) => format!("be ended by {}", signal(number)),
        ExitWith::OneOfSignals(set) => {
            let mut signals = Vec::new();
            for number in 1..65 {
                if set.contains(number) {
                    signals.push(signal(number));
                }
            }
            format!("be ended by {}", signals.join(" or "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_is_expected_by_some() {
        let signals = ExitWith::Signals([6, 15]);
        let all = [
            ExitWith::Success,
            ExitWith::Failure,
            ExitWith::Code(0),
            ExitWith::Code(3),
            ExitWith::Signal(6),
            ExitWith::Signal(9),
            signals,
        ];
        for (end, fine) in [
            (End::Returned, &[ExitWith::Success, ExitWith::Code(0)][..]),
            (End::Exited(0), &[ExitWith::Code(0)]),
            (End::Exited(3), &[ExitWith::Failure, ExitWith::Code(3)]),
            (End::Exited(4), &[ExitWith::Failure]),
            (
                End::Signaled(6),
                &[ExitWith::Failure, ExitWith::Signal(6), signals],
            ),
        ] {
            for expected in all {
                let is_fine = fine.contains(&expected);
                assert_eq!(end.is_expected(expected), is_fine, "{end:?} {expected:?}");
            }
        }
    }

    #[test]
    fn expectations_continue_a_sentence() {
        let text = |expected| wording(expected, &|number| format!("signal {number}"));
        assert_eq!(text(ExitWith::Success), "end with exit code 0");
        assert_eq!(text(ExitWith::Code(3)), "end with exit code 3");
        assert_eq!(
            text(ExitWith::Signals([15, 6])),
            "be ended by signal 6 or signal 15"
        );
    }
}
