//! Failures of benchmarks, in the types of the format.

use crate::error::with_causes;
use crate::execute::{self, ProcessEnd};
use base::tool::Tool;
use records::summary::{Failure, Reason};

/// Failure of a benchmark under a tool.
pub(crate) fn failure(tool: Tool, failure: &execute::JobFailure, output: &[u8]) -> Failure {
    let how = how(failure);
    let (exit_code, signal) = how.map_or((None, None), code_and_signal);
    let found = match failure {
        execute::JobFailure::Errors { found, .. } => found.first(),
        _ => None,
    };
    Failure {
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
pub(crate) fn failure_of_setup(message: String, how: &ProcessEnd) -> Failure {
    let (exit_code, signal) = code_and_signal(how);
    Failure {
        tool: None,
        reason: Reason::Setup,
        message,
        exit_code,
        signal,
        log: None,
        output: None,
    }
}

fn reason(failure: &execute::JobFailure) -> Reason {
    use execute::JobFailure as F;
    match failure {
        F::Ended { how, .. } | F::Unexpected { how, .. } => match how {
            ProcessEnd::TimedOut(_) => Reason::TimedOut,
            ProcessEnd::NotStarted(_) => Reason::NotStarted,
            ProcessEnd::NotSetUp(_) => Reason::Setup,
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
fn how(failure: &execute::JobFailure) -> Option<&ProcessEnd> {
    use execute::JobFailure as F;
    match failure {
        F::Ended { how, .. } | F::Unexpected { how, .. } => Some(how),
        F::Hooks(hooks) => hooks.first().map(|(_, how)| how),
        F::WithHooks { failure, .. } => self::how(failure),
        _ => None,
    }
}

fn code_and_signal(how: &ProcessEnd) -> (Option<i32>, Option<i32>) {
    match how {
        ProcessEnd::Returned | ProcessEnd::ReturnedWithRegions => (Some(0), None),
        ProcessEnd::Exited(code) => (Some(*code), None),
        ProcessEnd::Signaled(signal) => (None, Some(*signal)),
        ProcessEnd::NotSetUp(how) => code_and_signal(how),
        ProcessEnd::TimedOut(_) | ProcessEnd::NotStarted(_) => (None, None),
    }
}
