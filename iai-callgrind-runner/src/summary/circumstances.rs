//! Records to the facts that decide which results can be compared.

use super::{Environment, Files, Mode, System};
use crate::compare::{processor_class, Circumstances, Workspace};
use crate::measured_code::is_same_code;

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

/// Were two results made by the same code under the same circumstances? Then a difference between them
/// is not the code's.
pub(crate) fn is_same(old: (Mode, &Environment), new: (Mode, &Environment)) -> bool {
    is_same_code(old.1.code.as_deref(), new.1.code.as_deref()) && old == new
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(fingerprint: Option<&str>) -> Environment {
        Environment {
            valgrind_version: Some("3.24.0".to_owned()),
            valgrind_args: vec!["--cache-sim=yes".to_owned()],
            code: fingerprint.map(str::to_owned),
            fingerprint: fingerprint.map(str::to_owned),
            ..Environment::default()
        }
    }

    #[test]
    fn everything_that_is_known_has_to_be_equal() {
        let same =
            |old: &Environment, mode, new: &Environment| is_same((Mode::Fork, old), (mode, new));
        let one = environment(Some("1"));
        assert!(same(&one, Mode::Fork, &one));
        assert!(!same(&one, Mode::Direct, &one));
        assert!(!same(&one, Mode::Fork, &environment(Some("2"))));
        assert!(!same(&environment(None), Mode::Fork, &environment(None)));
        let other_valgrind = Environment {
            valgrind_version: Some("3.19.0".to_owned()),
            ..one.clone()
        };
        assert!(!same(&one, Mode::Fork, &other_valgrind));
        let other_args = Environment {
            valgrind_args: Vec::new(),
            ..one.clone()
        };
        assert!(!same(&one, Mode::Fork, &other_args));
    }
}
