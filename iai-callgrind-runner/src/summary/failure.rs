//! Failures of benchmarks, in the types of the format.

use super::{Failure, Reason};
use crate::error::with_causes;
use crate::execute::{self, How};
use crate::tool::Tool;

impl Failure {
    /// Failure of a benchmark under a tool.
    pub(crate) fn new(tool: Tool, failure: &execute::Failure, output: &[u8]) -> Self {
        let how = how(failure);
        let (exit_code, signal) = how.map_or((None, None), code_and_signal);
        let found = match failure {
            execute::Failure::Errors { found, .. } => found.first(),
            _ => None,
        };
        Self {
            tool: Some(tool.id().to_owned()),
            reason: reason(failure),
            message: with_causes(failure),
            exit_code,
            signal,
            log: found.map(|found| found.log.display().to_string()),
            output: (!output.is_empty()).then(|| String::from_utf8_lossy(output).into_owned()),
        }
    }

    /// Failure of a benchmark that did not run, since the setup around it ended like this.
    pub(crate) fn of_setup(message: String, how: &How) -> Self {
        let (exit_code, signal) = code_and_signal(how);
        Self {
            tool: None,
            reason: Reason::Setup,
            message,
            exit_code,
            signal,
            log: None,
            output: None,
        }
    }
}

fn reason(failure: &execute::Failure) -> Reason {
    use execute::Failure as F;
    match failure {
        F::Ended { how, .. } | F::Unexpected { how, .. } => match how {
            How::TimedOut(_) => Reason::TimedOut,
            How::NotStarted(_) => Reason::NotStarted,
            How::NotSetUp(_) => Reason::Setup,
            _ => Reason::Ended,
        },
        F::Hooks(_) => Reason::Hooks,
        F::WithHooks { failure, .. } => reason(failure),
        F::Errors { .. } => Reason::Errors,
        F::NothingCounted(_) | F::Entry(_) | F::HeapNotSeen(_) => Reason::NothingCounted,
        F::NoResult { .. } | F::Incomplete { .. } | F::Unreadable(_) | F::Sum(_) => {
            Reason::NoResult
        }
        F::Strict(_) => Reason::Strict,
        F::NotDeterministic(_) => Reason::NotDeterministic,
        F::RegionsOfThreads | F::RegionsOfCachegrind | F::Run(_) => Reason::Other,
    }
}

/// End of the process or hook that ended the wrong way, if the failure is about one.
fn how(failure: &execute::Failure) -> Option<&How> {
    use execute::Failure as F;
    match failure {
        F::Ended { how, .. } | F::Unexpected { how, .. } => Some(how),
        F::Hooks(hooks) => hooks.first().map(|(_, how)| how),
        F::WithHooks { failure, .. } => self::how(failure),
        _ => None,
    }
}

fn code_and_signal(how: &How) -> (Option<i32>, Option<i32>) {
    match how {
        How::Returned | How::ReturnedWithRegions => (Some(0), None),
        How::Exited(code) => (Some(*code), None),
        How::Signaled(signal) => (None, Some(*signal)),
        How::NotSetUp(how) => code_and_signal(how),
        How::TimedOut(_) | How::NotStarted(_) => (None, None),
    }
}
