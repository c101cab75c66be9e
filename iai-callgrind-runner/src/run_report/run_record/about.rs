//! Fields of the record of a run that are known before its end.

use crate::plan::Plan;
use records::summary::{Baselines, RunContext, System, Valgrind};

/// Fields of the record of a run that are known before its end.
#[derive(Debug)]
pub(super) struct About {
    pub(super) baselines: Baselines,
    /// Number of selected benchmarks.
    pub(super) selected: usize,
    /// Number of benchmarks that filters or `--partition` leave out.
    pub(super) filtered: usize,
    /// `None`: the run ended before it had a plan.
    pub(super) context: Option<RunContext>,
    pub(super) system: System,
    /// `None`: no Valgrind was needed, or none found.
    pub(super) valgrind: Option<Valgrind>,
}

impl About {
    /// Fields of a run with a plan; Valgrind is examined later.
    pub(super) fn new(plan: &Plan, context: &RunContext) -> Self {
        Self {
            baselines: plan.baseline.names(),
            selected: plan.len(),
            filtered: plan.filtered,
            context: Some(context.clone()),
            system: System::clone(&context.system),
            valgrind: None,
        }
    }

    /// Fields of a run that ended before it had a plan.
    pub(super) fn unplanned(system: System) -> Self {
        Self {
            baselines: Baselines::default(),
            selected: 0,
            filtered: 0,
            context: None,
            system,
            valgrind: None,
        }
    }
}
