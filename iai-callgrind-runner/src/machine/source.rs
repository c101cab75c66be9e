//! State of the source that is measured: output of git in the package's directory, and a mark of
//! the machine code.
//!
//! It is determined while the first benchmark starts, and waited for when a record needs it.
//! Unknown facts are absent: a project may be in no repository, and executables run on machines
//! without one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, SystemTime};

use iai_callgrind::protocol::Package;
use iai_callgrind::shared::answer::answer;

use crate::settings::Settings;
use base::os::parent;
use base::shell_line::{shell_line, Inherits};
use cli::env::RunnerEnvironment;
use project::CargoConfig;
use records::summary::{LazySource, Source};
use symbols::code_mark;

/// Time in which git answers. A file system of a network may take for ever.
const PATIENCE: Duration = Duration::from_secs(2);

/// Variables with the branch if none is checked out: those of GitHub and GitLab.
const BRANCH_VARIABLES: [&str; 3] = ["GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME"];

/// Begins to find out the state of the source.
pub(crate) fn begin(settings: &Settings, package: &Package) -> LazySource {
    let question = SourceQuestion {
        directory: directory(settings, package),
        executable: settings.executable.clone(),
        was_just_built: was_just_built(&settings.environment),
        commit: text(&settings.environment, RunnerEnvironment::COMMIT),
        branch: BRANCH_VARIABLES
            .iter()
            .find_map(|name| text(&settings.environment, name)),
    };
    let thread = thread::Builder::new().name("source".to_owned());
    match thread.spawn(move || question.answered()) {
        Ok(thread) => LazySource::of_thread(thread),
        Err(error) => {
            log::debug!("nothing is known of the source: {error}");
            LazySource::default()
        }
    }
}

/// Has cargo looked right before whether the executable is up to date?
pub(crate) fn was_just_built(environment: &RunnerEnvironment) -> bool {
    // A runner that builds all bench targets sets this for those that it starts.
    let is_of_all = environment.get(RunnerEnvironment::RUN_RECORDS).is_some();
    is_of_all || parent::parent().is_some_and(|parent| CargoConfig::is_cargo(&parent))
}

/// The directory of the package, which may be elsewhere than where it was built.
fn directory(settings: &Settings, package: &Package) -> Option<PathBuf> {
    let places = [
        PathBuf::from(&package.manifest_dir),
        settings.workspace(package),
    ];
    places.into_iter().find(|place| place.is_dir())
}

fn text(environment: &RunnerEnvironment, name: &str) -> Option<String> {
    let value = environment.get(name)?;
    Some(value.to_string_lossy().into_owned())
}

/// Input for finding out the state of the source.
struct SourceQuestion {
    /// `None`: the source is not on this machine.
    directory: Option<PathBuf>,
    executable: PathBuf,
    /// Cargo has started the executable, so it is of the sources as they are.
    was_just_built: bool,
    /// The commit that the user names.
    commit: Option<String>,
    /// The branch, if git knows none.
    branch: Option<String>,
}

impl SourceQuestion {
    fn answered(self) -> Source {
        let asked = |arguments: &[&str]| git(self.directory.as_deref()?, arguments);
        let code = code_mark(&self.executable);
        // Somebody may have committed, or checked something out, since it was built.
        let is_of_head = self.was_just_built || is_newer_than_head(&self.executable, asked);
        if !is_of_head && self.commit.is_none() {
            return Source {
                branch: self.branch,
                code,
                ..Source::default()
            };
        }
        let (commit, committed_at) = commit(self.commit, asked);
        // Only files that git follows: results and the like lie beside them.
        let status = asked(&[
            // Git would lock the index to update it, which makes other commands of git fail.
            "--no-optional-locks",
            // Git would start the file system monitor of the configuration.
            "-c",
            "core.fsmonitor=false",
            "status",
            "--porcelain=v2",
            "--branch",
            "--untracked-files=no",
        ]);
        let status = status.map(|text| GitStatus::parse(&text));
        let (branch, dirty) = match status {
            Some(GitStatus { branch, dirty }) => (branch, Some(dirty)),
            None => (None, None),
        };
        Source {
            commit,
            committed_at,
            branch: branch.or(self.branch),
            // What changed since the build says nothing about the executable.
            dirty: dirty.filter(|_| is_of_head),
            code,
        }
    }
}

/// Was the executable written after `HEAD` moved for the last time?
fn is_newer_than_head(executable: &Path, asked: impl Fn(&[&str]) -> Option<String>) -> bool {
    let written = std::fs::metadata(executable).and_then(|data| data.modified());
    let written = written.ok().and_then(|at| {
        let since = at.duration_since(SystemTime::UNIX_EPOCH);
        Some(since.ok()?.as_secs())
    });
    // From the reflog, since a commit is most often older than its checkout.
    // `HEAD@{1700000000}`
    let moved = asked(&[
        "log",
        "-g",
        "-1",
        "--date=unix",
        "--format=%gd",
        "HEAD",
        "--",
    ]);
    let moved = moved.and_then(|text| {
        let (_, time) = text.trim().strip_suffix('}')?.rsplit_once('{')?;
        time.parse().ok()
    });
    matches!((written, moved), (Some(written), Some(moved)) if written >= moved)
}

/// The commit and its time. `named` is the one that the user gives: git may not know it.
fn commit(
    named: Option<String>,
    asked: impl Fn(&[&str]) -> Option<String>,
) -> (Option<String>, Option<String>) {
    let revision = named.as_deref().unwrap_or("HEAD");
    // It would be an option.
    let is_revision = !revision.starts_with('-');
    let log = [
        "log",
        "-1",
        // With `log.showSignature` the lines of gpg would come first.
        "--no-show-signature",
        "--format=%H%n%cI",
        revision,
        "--",
    ];
    let answer = is_revision.then(|| asked(&log)).flatten();
    let mut lines = answer
        .iter()
        .flat_map(|text| text.lines().map(str::to_owned));
    match (lines.next(), lines.next()) {
        (Some(hash), Some(time)) => (Some(hash), Some(time)),
        _ => (named, None),
    }
}

/// The output of a git command in a directory. `None`: it failed, printed nothing or timed out.
#[expect(
    clippy::disallowed_methods,
    reason = "asks a question; benchmarks start in `execute`"
)]
fn git(directory: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.current_dir(directory).args(arguments);
    log::debug!("starts {}", shell_line(&command, Inherits::All));
    match answer(&mut command, PATIENCE) {
        Ok(Some(text)) if !text.trim().is_empty() => Some(text),
        Ok(Some(_)) => None,
        Ok(None) => {
            log::debug!("git says nothing about the source in time");
            None
        }
        Err(error) => {
            log::debug!("git says nothing about the source: {error}");
            None
        }
    }
}

/// Branch of a working tree, and whether files changed.
#[derive(Debug, PartialEq, Eq)]
struct GitStatus {
    /// `None`: a commit is checked out.
    branch: Option<String>,
    dirty: bool,
}

impl GitStatus {
    /// Reads the second version of the format, whose headers begin with `#`.
    fn parse(text: &str) -> Self {
        let mut headers = text.lines();
        let head = headers.find_map(|line| line.strip_prefix("# branch.head "));
        Self {
            branch: head.filter(|head| *head != "(detached)").map(str::to_owned),
            dirty: text.lines().any(|line| !line.starts_with('#')),
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "git of the tests")]
mod tests {
    use std::fs;

    use super::*;

    /// A repository with a file `a` in its first commit.
    struct Repository(tempfile::TempDir);

    impl Repository {
        fn new() -> Self {
            let repository = Self(tempfile::tempdir().unwrap());
            repository.git(&["init", "-q", "-b", "trunk"]);
            repository.write("a", "1");
            repository.git(&["add", "a"]);
            repository.git(&["commit", "-q", "-m", "first"]);
            repository
        }

        fn write(&self, name: &str, text: &str) {
            fs::write(self.0.path().join(name), text).unwrap();
        }

        fn git(&self, arguments: &[&str]) -> String {
            let mut command = Command::new("git");
            command.current_dir(self.0.path()).args(arguments);
            for role in ["AUTHOR", "COMMITTER"] {
                command.env(format!("GIT_{role}_NAME"), "n");
                command.env(format!("GIT_{role}_EMAIL"), "n@example.com");
                command.env(format!("GIT_{role}_DATE"), "2026-11-20T10:11:12+0100");
            }
            let output = command.output().unwrap();
            assert!(output.status.success(), "{arguments:?}: {output:?}");
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        }

        fn head(&self) -> String {
            self.git(&["rev-parse", "HEAD"])
        }

        fn source(&self, commit: Option<&str>) -> Source {
            source_in(self.0.path(), commit)
        }
    }

    fn source_in(directory: &Path, commit: Option<&str>) -> Source {
        let question = SourceQuestion {
            directory: Some(directory.to_owned()),
            executable: "/no/executable".into(),
            was_just_built: true,
            commit: commit.map(str::to_owned),
            branch: Some("of-a-variable".to_owned()),
        };
        question.answered()
    }

    #[test]
    fn git_tells_commit_branch_and_changes() {
        let repository = Repository::new();
        let clean = Source {
            commit: Some(repository.head()),
            committed_at: Some("2026-11-20T10:11:12+01:00".to_owned()),
            branch: Some("trunk".to_owned()),
            dirty: Some(false),
            code: None,
        };
        assert_eq!(repository.source(None), clean);
        // Files that git does not follow are no change, such as results.
        repository.write("results.jsonl", "");
        assert_eq!(repository.source(None), clean);
        repository.write("a", "2");
        assert_eq!(repository.source(None).dirty, Some(true));
        repository.git(&["checkout", "-q", "--detach"]);
        let detached = repository.source(None);
        assert_eq!(detached.branch.as_deref(), Some("of-a-variable"));
        assert_eq!(detached.commit, clean.commit);
    }

    /// `bench --exe` measures what was built before, and `HEAD` is somewhere else since.
    #[test]
    fn an_executable_of_before_head_moved_is_of_an_unknown_commit() {
        let repository = Repository::new();
        let executable = repository.0.path().join("executable");
        let source = |commit: Option<&str>| {
            let question = SourceQuestion {
                directory: Some(repository.0.path().to_owned()),
                executable: executable.clone(),
                was_just_built: false,
                commit: commit.map(str::to_owned),
                branch: None,
            };
            question.answered()
        };
        assert_eq!(source(None), Source::default());
        // `HEAD` was moved at the time that the commits of these tests have.
        let moved = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_165_872);
        let written = |at: SystemTime| {
            let file = fs::File::create(&executable).unwrap();
            file.set_modified(at).unwrap();
        };
        written(moved);
        let known = source(None);
        assert_eq!(known.commit, Some(repository.head()));
        assert_eq!(known.dirty, Some(false));
        written(moved - Duration::from_secs(1));
        assert_eq!(source(None), Source::default());
        // The user knows it.
        let named = source(Some(&repository.head()));
        assert_eq!((named.commit, named.dirty), (Some(repository.head()), None));
    }

    #[test]
    fn a_named_commit_has_its_own_time_if_git_knows_it() {
        let repository = Repository::new();
        let first = repository.head();
        repository.git(&["commit", "-q", "--allow-empty", "-m", "second"]);
        let source = repository.source(Some(&first[..10]));
        assert_eq!(
            (source.commit, source.committed_at.is_some()),
            (Some(first), true)
        );
        for unknown in ["f3ab7bb0", "--all", "no such commit"] {
            let source = repository.source(Some(unknown));
            assert_eq!(source.commit.as_deref(), Some(unknown));
            assert_eq!(source.committed_at, None);
            assert_eq!(source.dirty, Some(false));
        }
    }

    #[test]
    fn without_a_repository_variables_tell() {
        let directory = tempfile::tempdir().unwrap();
        let nothing = source_in(directory.path(), None);
        let of_variable = Source {
            branch: Some("of-a-variable".to_owned()),
            ..Source::default()
        };
        assert_eq!(nothing, of_variable);
        let named = source_in(directory.path(), Some("f3ab7bb0"));
        assert_eq!(named.commit.as_deref(), Some("f3ab7bb0"));
        // A repository without a commit.
        let repository = Repository(directory);
        repository.git(&["init", "-q", "-b", "trunk"]);
        let source = repository.source(None);
        assert_eq!((source.commit, source.dirty), (None, Some(false)));
    }

    #[test]
    fn status_is_read() {
        #[track_caller]
        fn check(text: &str, branch: Option<&str>, dirty: bool) {
            let branch = branch.map(str::to_owned);
            assert_eq!(GitStatus::parse(text), GitStatus { branch, dirty });
        }
        check("# branch.oid 1\n# branch.head main\n", Some("main"), false);
        check("# branch.head a/b\n# branch.ab +0 -1\n", Some("a/b"), false);
        check(
            "# branch.head (detached)\n1 .M N... 1 1 1 1 1 a\n",
            None,
            true,
        );
        check("# branch.head x\nu UU N... # a\n", Some("x"), true);
    }
}
