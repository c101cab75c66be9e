//! Systems without single steps: an answer that says so.

use std::path::Path;

use super::{Entries, TraceResult};
use crate::error::Result;
use crate::execute::ValgrindLauncher;
use crate::plan::{Job, PlannedCase};

impl ValgrindLauncher<'_> {
    /// Executes a case in single steps.
    pub(crate) fn single_step(
        &self,
        _job: &Job,
        _case: &PlannedCase,
        _entries: &Entries,
        _most: u64,
        _directory: &Path,
    ) -> Result<TraceResult> {
        Ok(Err(
            "single steps are counted on x86_64 Linux only".to_owned()
        ))
    }
}
