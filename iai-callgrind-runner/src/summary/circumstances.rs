//! Records to the facts that decide which results can be compared.

use super::{Environment, Files, Mode, System};
use crate::compare::{processor_class, Circumstances, Workspace};

impl Circumstances {
    /// Facts of one tool's result in a record.
    #[must_use]
    pub fn of(system: &System, files: &Files, environment: &Environment, mode: Mode) -> Self {
        let workspace = (!files.workspace.is_empty()).then(|| Workspace {
            root: files.workspace.clone(),
            home: files.home_in_workspace.clone(),
        });
        Self {
            target: system.target.clone(),
            workspace,
            build: system.build.settings.clone(),
            rustc: system.rustc.clone(),
            libc: system.libc.clone(),
            deterministic_random: environment.deterministic_random,
            fast_setup: environment.fast_setup,
            processor: system.cpu.clone(),
            processor_class: processor_class(system.target.as_deref(), &system.cpu_features),
            valgrind: environment.valgrind_version.clone(),
            caches: environment.caches.clone(),
            tunables: Some(environment.glibc_tunables.clone().unwrap_or_default()),
            arguments: Some(environment.valgrind_args.clone()),
            forked: Some(mode == Mode::Fork),
        }
    }
}
