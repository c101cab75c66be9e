//! What the object of a run says about all of it.

use crate::plan::Plan;
use crate::summary::{Baselines, Context, Files, System, Valgrind};

/// What a run says about itself.
#[derive(Debug)]
pub(super) struct About {
    /// Which benchmarks belong to it.
    pub(super) baselines: Baselines,
    /// How many benchmarks were selected.
    pub(super) selected: usize,
    /// How many were not.
    pub(super) filtered: usize,
    /// What was run and where the results are.
    pub(super) files: Option<Files>,
    /// What figures depend on.
    pub(super) system: System,
    /// What measures.
    pub(super) valgrind: Option<Valgrind>,
}

impl About {
    /// Of a plan; what measures is found out later.
    pub(super) fn new(plan: &Plan, context: &Context) -> Self {
        let (new, old) = plan.baseline.names();
        Self {
            baselines: Baselines { new, old },
            selected: plan.len(),
            filtered: plan.filtered,
            files: Some(context.files.clone()),
            system: context.system.clone(),
            valgrind: None,
        }
    }

    /// Of a run that ended before it had a plan.
    pub(super) fn unplanned(system: System) -> Self {
        Self {
            baselines: Baselines::default(),
            selected: 0,
            filtered: 0,
            files: None,
            system,
            valgrind: None,
        }
    }
}
