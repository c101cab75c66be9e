//! The bench targets of a workspace: built together by cargo, and run one after the other, even
//! after a failure.
//!
//! In: the words of a user for `cargo bench`. Out: the records with which the runs of the targets
//! ended, and one exit code. Cargo itself starts the executables, so that each of them sees what it
//! sees under `cargo bench`; targets with another harness are left out.

mod build;
mod is_ours;
mod run;
mod run_records;

pub(crate) use build::build;
pub(crate) use run::run;
pub use run::{EndedRun, EndedRuns};
pub(crate) use run_records::leave_record;
