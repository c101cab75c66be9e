//! Errors of this crate, with hints for the user.

use std::path::PathBuf;

use base::file_operation::FileOperationError;
use thiserror::Error;

/// Reason why there is no base to compare with.
#[derive(Debug, Error)]
pub enum RevisionError {
    /// A file operation.
    #[error(transparent)]
    File(#[from] FileOperationError),
    /// There is no git.
    #[error("git cannot be started: {0}\n  hint: install git, or name results: `iai-callgrind-runner compare OLD NEW`")]
    NoGit(std::io::Error),
    /// Git failed.
    #[error("`git {words}` failed: {said}")]
    Git {
        /// The arguments of git.
        words: String,
        /// The message of git.
        said: String,
    },
    /// The directory is in no repository.
    #[error(
        "`{}` is in no git repository, so there is no commit to compare with\n  \
         hint: name results instead: `iai-callgrind-runner compare OLD NEW`",
        .0.display()
    )]
    NoRepository(PathBuf),
    /// The repository has no commit yet.
    #[error("the repository has no commit yet, so there is nothing to compare with\n  hint: `git commit`")]
    NoCommit,
    /// Git does not know the revision.
    #[error("git does not know the revision `{revision}`{near}\n  hint: {cure}")]
    Unknown {
        /// The words of the user.
        revision: String,
        /// `; there are …`, or nothing.
        near: String,
        /// The advice to the user.
        cure: String,
    },
    /// There is no branch to find the base with.
    #[error(
        "there is no branch `origin/HEAD`, `origin/main`, `origin/master`, `main` or `master` to find the base with\n  \
         hint: fetch it: `git fetch origin main:refs/remotes/origin/main`, or name the base: `--base=REVISION`"
    )]
    NoDefaultBranch,
    /// The histories have no commit in common.
    #[error("`HEAD` and `{branch}` have no commit in common\n  hint: {cure}")]
    NoMergeBase {
        /// The other branch.
        branch: String,
        /// The advice to the user.
        cure: &'static str,
    },
    /// The base is what is checked out.
    #[error(
        "`HEAD` is the base itself ({base}), and nothing is uncommitted: there is nothing to compare\n  \
         hint: name an earlier commit: `--base=HEAD~1`"
    )]
    NothingChanged {
        /// The base.
        base: String,
    },
    /// There is no directory for the worktree.
    #[error(
        "there is no place for the base: neither XDG_CACHE_HOME nor HOME is set\n  \
         hint: `export XDG_CACHE_HOME=<directory>`"
    )]
    NoPlace,
    /// A program cannot be started.
    #[error("`{line}` cannot be started: {source}")]
    NotStarted {
        /// The command line.
        line: String,
        /// The reason.
        source: std::io::Error,
    },
    /// No commit lies between the two.
    #[error("no commit lies between `{good}` and `{bad}`\n  hint: the good one comes first, and has to be an ancestor of the bad one")]
    NothingBetween {
        /// The good one.
        good: String,
        /// The bad one.
        bad: String,
    },
    /// The base needs another version of the runner.
    #[error(
        "the base uses iai-callgrind {base}, but this is iai-callgrind-runner {ours}, and there is no runner {base}\n  \
         hint: `cargo install iai-callgrind-runner --version {base} --root {}`, or set IAI_CALLGRIND_AUTO_INSTALL=yes",
        root.display()
    )]
    OtherVersion {
        /// The version of the base.
        base: String,
        /// The version of this runner.
        ours: &'static str,
        /// Where a runner of that version is looked for.
        root: PathBuf,
    },
    /// The runner of the base cannot run all bench targets.
    #[error(
        "the base uses iai-callgrind {base}, whose runner has no command `bench`\n  \
         hint: compare with a commit that uses {ours}, or measure by hand: `cargo bench -- --save-baseline=<name>`"
    )]
    TooOld {
        /// The version of the base.
        base: String,
        /// The version of this runner.
        ours: &'static str,
    },
}
