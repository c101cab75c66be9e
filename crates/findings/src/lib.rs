//! The problems that keep the benchmarks of a project from running, or from counting what they
//! should.
//!
//! **In**: the manifests of a workspace, cargo's configuration, executables, and environment
//! variables, which somebody else has read. **Out**: [`Finding`]s, each with the lines that mend
//! it. Nothing is built, nothing is changed, and no process is started but `cargo metadata`.
//!
//! | question | answered by |
//! | --- | --- |
//! | Which packages use the library, and where are their manifests? | [`Project`] |
//! | Does the profile keep what the tools read? | [`profile`] |
//! | Do flags use instructions that Valgrind does not know? | [`flags`] |
//! | Has each bench target what it needs in its manifest? | [`targets`] |
//! | Have library and runner the same version? | [`versions`] |
//! | Which debug information has an executable? | [`executable`] |
//! | Can benchmarks run in this container? | [`surroundings`] |
//! | What can be done where Valgrind ended for a known reason? | [`cures`] |
//! | Did the compiler remove the work? | [`removed_work`] |
//! | Which functions match an entry point and hide each other? | [`several_entries`] |
//! | What of Valgrind's start is debug symbols of the C library? | [`start`] |
//! | How much is wall time worth on this machine, with these builds? | [`wall_time`] |
//!
//! ```
//! use base::variables::EnvironmentVariables;
//! use iai_callgrind_findings::{flags, Severity};
//! use project::CargoConfig;
//!
//! let variables = [("RUSTFLAGS", "-C target-cpu=znver4")];
//! let environment: EnvironmentVariables = variables.into_iter().collect();
//! let config = CargoConfig::read("/projects/app".as_ref(), &environment);
//!
//! let found = flags::examine(&config, false);
//! assert_eq!(found[0].level, Severity::Problem);
//! assert!(found[0].text.contains("znver4"));
//! assert!(found[0].cure.is_some());
//! ```

#![cfg(unix)]

pub mod cures;
pub mod executable;
pub mod flags;
pub mod profile;
mod project;
pub mod removed_work;
pub mod several_entries;
pub mod start;
pub mod surroundings;
pub mod targets;
pub mod versions;
pub mod wall_time;

use std::path::Path;

pub use self::project::Project;

/// A result of the examination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Severity.
    pub level: Severity,
    /// One sentence, without a full stop.
    pub text: String,
    /// Remedy, if there is one.
    pub cure: Option<Cure>,
}

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// Nothing to improve.
    Fine,
    /// Benchmarks work, but a change would improve them.
    Note,
    /// Benchmarks do not work, or lack information that reports need.
    Problem,
}

/// Remedy of a finding: lines for a file or a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cure {
    /// Instruction for the lines: ``write in `…/Cargo.toml` ``, `run`.
    pub place: String,
    /// The lines.
    pub lines: Vec<String>,
}

impl Cure {
    /// Lines of a file.
    #[must_use]
    pub fn write(file: &Path, lines: &[&str]) -> Self {
        Self {
            place: format!("write in `{}`", file.display()),
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        }
    }

    /// A command line.
    #[must_use]
    pub fn run(line: impl Into<String>) -> Self {
        Self {
            place: "run".to_owned(),
            lines: vec![line.into()],
        }
    }
}

impl Finding {
    /// Nothing to improve.
    #[must_use]
    pub fn fine(text: impl Into<String>) -> Self {
        Self {
            level: Severity::Fine,
            text: text.into(),
            cure: None,
        }
    }

    /// A change would improve something.
    #[must_use]
    pub fn note(text: impl Into<String>, cure: impl Into<Option<Cure>>) -> Self {
        Self {
            level: Severity::Note,
            text: text.into(),
            cure: cure.into(),
        }
    }

    /// Benchmarks do not work, or reports lack something.
    #[must_use]
    pub fn problem(text: impl Into<String>, cure: impl Into<Option<Cure>>) -> Self {
        Self {
            level: Severity::Problem,
            text: text.into(),
            cure: cure.into(),
        }
    }
}
