//! The heap right before and right after the benchmark function.
//!
//! A file of DHAT has no times. So what was allocated while the function ran is the difference of
//! two files, of processes that ended at these moments. Each of them is a run of its own, which
//! happens when somebody asks for its file first.

use std::cell::OnceCell;

use crate::error::Result;
use crate::execute::{name_of_process, JobRunner, ProcessEnd};
use crate::plan::{Job, Moment};
use base::tool::ToolFile;
use formats::dhat::{self, DhatProfile};

/// Profiles of a library benchmark at the two moments.
pub(super) struct HeapMoments<'a> {
    job: &'a Job,
    runner: &'a JobRunner<'a>,
    before: OnceCell<Option<DhatProfile>>,
    after: OnceCell<Option<DhatProfile>>,
}

impl<'a> HeapMoments<'a> {
    pub(super) fn new(job: &'a Job, runner: &'a JobRunner<'a>) -> Self {
        Self {
            job,
            runner,
            before: OnceCell::new(),
            after: OnceCell::new(),
        }
    }

    /// The profile when the benchmark function begins. `None`: the process ended in another way.
    pub(super) fn before(&self) -> Result<Option<&DhatProfile>> {
        self.at(&self.before, Moment::BeforeFunction)
    }

    /// The profile when the benchmark function has returned. `None`: as for [`Self::before`].
    pub(super) fn after(&self) -> Result<Option<&DhatProfile>> {
        self.at(&self.after, Moment::AfterFunction)
    }

    fn at<'s>(
        &self,
        cell: &'s OnceCell<Option<DhatProfile>>,
        moment: Moment,
    ) -> Result<Option<&'s DhatProfile>> {
        let profile = match cell.get() {
            Some(profile) => profile,
            None => {
                let profile = until(self.job, moment, self.runner)?;
                cell.get_or_init(|| profile)
            }
        };
        Ok(profile.as_ref())
    }
}

/// Profile of a process that ends at a moment. `None`: the process ended in another way.
fn until(job: &Job, moment: Moment, runner: &JobRunner<'_>) -> Result<Option<DhatProfile>> {
    let job = Job {
        ends: Some(moment),
        ..job.clone()
    };
    let run = runner.run_unseen(&job)?;
    let ended = &run.ended;
    if !matches!(
        ended.how,
        ProcessEnd::Returned | ProcessEnd::ReturnedWithRegions
    ) {
        log::debug!("{}: {moment:?}: {}", job.benchmark_path, ended.how);
        return Ok(None);
    }
    let Some(pid) = ended.pid else {
        return Ok(None);
    };
    let path = run.path().join(name_of_process(ToolFile::Out, pid));
    Ok(dhat::read_file(&path).ok().flatten())
}
