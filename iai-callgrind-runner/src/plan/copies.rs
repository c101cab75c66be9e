//! Copies and fills in steps instead of bytes.
//!
//! On x86 the C library copies and fills large buffers by one instruction (`rep movsb`, `rep
//! stosb`). Valgrind counts it once for each byte, so a buffer that grows from 2048 to 2049 bytes
//! would count seven times as much. A variable of glibc moves the sizes from which on it does so
//! out of reach; smaller buffers count as without the variable. The C library of the measured
//! program reads it: other ones than glibc, and versions before 2.32, ignore it.
//!
//! Programs of binary benchmarks do not get it: where a program counts as a whole, the loader's
//! work on the variable would count as well.

use std::ffi::OsString;

use super::Target;
use base::tool::{self, Execution, Tool};

/// The variable that glibc reads.
const VARIABLE: &str = "GLIBC_TUNABLES";

/// Both sizes fit into 32 bits and are larger than any measured buffer.
const IN_STEPS: &str =
    "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff:glibc.cpu.x86_rep_stosb_threshold=0x7fffffff";

/// Adds the variable to the environment of a library benchmark, unless the user has set it.
pub(super) fn in_steps(target: &Target, tool: Tool, environment: &mut Vec<(OsString, OsString)>) {
    let is_x86 = cfg!(any(target_arch = "x86_64", target_arch = "x86"));
    // A native count is of what the processor really does.
    let is_simulated = tool::row(tool).execution == Execution::Simulated;
    let counts_bytes = target.is_told() && is_simulated && is_x86;
    if counts_bytes && !environment.iter().any(|(name, _)| name == VARIABLE) {
        environment.push((VARIABLE.into(), IN_STEPS.into()));
    }
}

/// glibc's tunables in the environment of a benchmark. An empty variable has none.
pub(crate) fn tunables(environment: &[(OsString, OsString)]) -> Option<String> {
    let (_, value) = environment.iter().find(|(name, _)| name == VARIABLE)?;
    (!value.is_empty()).then(|| value.to_string_lossy().into_owned())
}

#[cfg(all(test, target_arch = "x86_64"))]
pub(super) mod tests {
    use std::path::Path;

    use iai_callgrind::protocol::{Stdin, Stdio};

    use super::super::{CaseIndex, LevelHooks, PlannedCase, PlannedCommand, Subject};
    use super::*;

    fn target(subject: Subject) -> Target {
        Target {
            program: Path::new("/space/target/bench").into(),
            directory: Path::new("/space").into(),
            is_instrumented: false,
            workspace: Path::new("/space").into(),
            subject,
        }
    }

    pub(in crate::plan) fn case() -> Target {
        let index = CaseIndex {
            group: 0,
            function: 0,
            case: 0,
            element: 0,
            elements: 0,
        };
        target(Subject::Case(PlannedCase {
            index,
            deterministic_random: false,
            brackets: false,
            is_malloc: None,
            at_run_time: false,
            tears_down: false,
            benchmarks: 1,
        }))
    }

    pub(in crate::plan) fn command() -> Target {
        target(Subject::Command(Box::new(PlannedCommand {
            args: Vec::new(),
            stdin: Stdin::default(),
            stdout: Stdio::default(),
            stderr: Stdio::default(),
            delay: None,
            setup_parallel: false,
            hooks: LevelHooks::default(),
        })))
    }

    #[track_caller]
    fn check(target: &Target, tool: Tool, own: Option<&str>, expected: Option<&str>) {
        let own = own.map(|value| (OsString::from(VARIABLE), OsString::from(value)));
        let mut environment: Vec<_> = own.into_iter().collect();
        in_steps(target, tool, &mut environment);
        assert_eq!(tunables(&environment).as_deref(), expected);
    }

    #[test]
    fn functions_under_valgrind_copy_in_steps() {
        for tool in Tool::ALL.into_iter().filter(|tool| *tool != Tool::Perf) {
            check(&case(), tool, None, Some(IN_STEPS));
            check(&command(), tool, None, None);
        }
        check(&case(), Tool::Perf, None, None);
    }

    #[test]
    fn what_the_user_says_wins() {
        let own = "glibc.malloc.arena_max=1";
        check(&case(), Tool::Callgrind, Some(own), Some(own));
        check(&command(), Tool::Callgrind, Some(own), Some(own));
        check(&case(), Tool::Callgrind, Some(""), None);
    }
}
