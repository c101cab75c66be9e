//! Debug information of the executable that Valgrind skips, such as sections that are compressed in
//! a way that it does not know. It skips the names of functions with it.

use super::ToolFiles;
use crate::execute::{JobFailure, NothingCounted};
use crate::plan::Job;

/// Debug information that Valgrind cannot read.
pub(super) struct UnreadDebugInfo {
    file: String,
    reason: String,
}

impl ToolFiles {
    /// The debug information of the job's program, if Valgrind cannot read it.
    pub(super) fn unread_program(&self, job: &Job) -> Option<UnreadDebugInfo> {
        let mut logs = self.logs.iter();
        let (file, reason) = logs.find_map(|(_, log)| log.unread_of(&job.target.program))?;
        Some(UnreadDebugInfo {
            file: file.clone(),
            reason: reason.clone(),
        })
    }
}

/// The failure with its true reason: without names no function is found.
pub(super) fn instead_of(failure: JobFailure, unread: &Option<UnreadDebugInfo>) -> JobFailure {
    match (failure, unread) {
        (
            JobFailure::NothingCounted(_) | JobFailure::HeapNotSeen(_),
            Some(UnreadDebugInfo { file, reason }),
        ) => JobFailure::NothingCounted(NothingCounted::UnreadDebugInfo {
            file: file.clone(),
            reason: reason.clone(),
        }),
        (failure, _) => failure,
    }
}

/// The note where there is a result.
pub(super) fn note(unread: UnreadDebugInfo) -> String {
    let UnreadDebugInfo { file, reason } = unread;
    format!(
        "Valgrind cannot read the debug information of `{file}`, so functions have no names: {reason}"
    )
}
