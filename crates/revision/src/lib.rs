//! Another revision of a project: which commit a branch is compared with, a worktree for it, and
//! its results.
//!
//! **In**: a directory in a repository of git, the words of a user for a revision and for cargo,
//! and environment variables, which somebody else has read. **Out**: a [`Commit`], a checkout of it
//! in a [`BaseArea`], and directories of results that are whole or not there.
//!
//! This crate starts git, cargo, and the programs that a [`MeasuredRevision`] names; it prints
//! nothing. Nothing in the checkout of the user changes: git is asked without its optional locks
//! and without hooks, and the worktree has builds, results and a lock of its own.
//!
//! | question | answered by |
//! | --- | --- |
//! | Which commit is the base? | [`Repository::base`] |
//! | Where is it checked out, and who may use its files? | [`BaseArea`], in `area.rs` |
//! | Are there results of it already? | [`BaseArea::results`] |
//! | What do they depend on besides the commit? | [`conditions`] |
//! | Which runner does it need? | [`BaseArea::runner`] |
//! | What does it cost, and what did the compiler say? | [`MeasuredRevision`] |
//! | What does it have of the selected packages and targets? | [`BaseSelection`] |
//! | Whose bench files are measured? | [`bench_files`] |
//! | At which commit of several did it begin? | [`Bisection`] |
//!
//! ```no_run
//! use base::variables::EnvironmentVariables;
//! use iai_callgrind_revision::{BaseArea, Repository};
//!
//! let environment: EnvironmentVariables = [("HOME", "/home/me")].into_iter().collect();
//! let repository = Repository::of("/projects/app".as_ref())?;
//! let base = repository.base(Some("v1.4"))?;
//! let area = BaseArea::open(&repository, &environment, || {})?;
//! let checkout = area.check_out(&repository, &base)?;
//! println!("{} is in {}", base.title, checkout.display());
//! # Ok::<(), iai_callgrind_revision::RevisionError>(())
//! ```

#![cfg(unix)]

mod area;
pub mod bench_files;
mod bisection;
mod error;
mod measured;
mod repository;
mod selection;
#[cfg(test)]
mod tests;
mod versions;

pub use self::area::BaseArea;
pub use self::bisection::Bisection;
pub use self::error::RevisionError;
pub use self::measured::{conditions, first_error, MeasuredRevision, RevisionRun};
pub use self::repository::{Commit, Repository};
pub use self::selection::BaseSelection;
