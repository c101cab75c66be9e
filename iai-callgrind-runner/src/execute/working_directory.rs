//! The working directory of a benchmark: one of the user's choice, or a sandbox with copies of
//! fixtures.
//!
//! A sandbox lies in the private directory of its job and is removed at the end of the benchmark
//! or, if the runner was killed, together with that directory by the next run.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::wire::DIRECTORY_LEN;
use iai_callgrind::shared::fixtures::copy_into;

use crate::error::{Error, FileContext, FileOperationError, Result};
use crate::plan::WorkingDirectory;
use store::remove_directory;

/// The name of a sandbox in the private directory of a job.
const NAME: &str = "sandbox";

/// A working directory that is ready.
#[derive(Debug, Default)]
pub(super) struct PreparedDirectory {
    directory: Option<PathBuf>,
    /// Removed when dropped.
    _sandbox: Option<Sandbox>,
}

impl PreparedDirectory {
    /// The working directory of the benchmark. `None`: that in which the executable was started.
    pub(super) fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }
}

/// Makes the sandbox, if there is to be one, and checks the working directory.
pub(super) fn prepare(place: Option<&WorkingDirectory>, work: &Path) -> Result<PreparedDirectory> {
    let sandbox = sandbox(place, work)?;
    let directory = match (place, &sandbox) {
        (Some(WorkingDirectory::Sandbox { directory, .. }), Some(root)) => {
            root.path().join(directory)
        }
        (Some(WorkingDirectory::Directory(directory)), _) => directory.clone(),
        _ => return Ok(PreparedDirectory::default()),
    };
    check(&directory)?;
    Ok(PreparedDirectory {
        directory: Some(directory),
        _sandbox: sandbox,
    })
}

/// Makes the sandbox of a place that has one.
pub(super) fn sandbox(place: Option<&WorkingDirectory>, work: &Path) -> Result<Option<Sandbox>> {
    let Some(WorkingDirectory::Sandbox {
        fixtures,
        workspace,
        follow_symlinks,
        ..
    }) = place
    else {
        return Ok(None);
    };
    let root = Sandbox(work.join(NAME));
    fs::create_dir(root.path()).context("create", root.path())?;
    for fixture in fixtures {
        copy_into(fixture, root.path(), *follow_symlinks).map_err(|source| Error::Fixture {
            path: fixture.clone(),
            workspace: workspace.clone(),
            source,
        })?;
    }
    Ok(Some(root))
}

/// Checks that a benchmark can run in this directory.
pub(super) fn check(directory: &Path) -> Result<()> {
    let unusable = |source| {
        Error::File(FileOperationError {
            action: "run a benchmark in",
            path: directory.to_owned(),
            source,
        })
    };
    let data = fs::metadata(directory).map_err(unusable)?;
    if !data.is_dir() {
        return Err(unusable(io::ErrorKind::NotADirectory.into()));
    }
    // The path has to fit into the packet with which a server is told to run a benchmark.
    if directory.as_os_str().as_bytes().len() >= DIRECTORY_LEN {
        return Err(unusable(io::Error::other("the path is too long")));
    }
    Ok(())
}

/// A directory that is removed with everything in it when dropped, also if a benchmark took away
/// the permission to do so.
#[derive(Debug)]
pub(super) struct Sandbox(PathBuf);

impl Sandbox {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if let Err(error) = remove_directory(&self.0) {
            log::warn!(
                "the sandbox `{}` cannot be removed: {error}",
                self.0.display()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A directory with fixtures: `tree/sub/file`, and the symlink `tree/link` to this file.
    fn fixtures() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("tree/sub")).unwrap();
        fs::write(root.path().join("tree/sub/file"), "text").unwrap();
        symlink("sub/file", root.path().join("tree/link")).unwrap();
        root
    }

    fn sandbox(fixtures: &[PathBuf], follow: bool, directory: &str) -> WorkingDirectory {
        WorkingDirectory::Sandbox {
            fixtures: fixtures.to_vec(),
            workspace: "/no/such/workspace".into(),
            follow_symlinks: follow,
            directory: directory.into(),
        }
    }

    #[test]
    fn directories_are_copied_with_everything_in_them() {
        let fixtures = fixtures();
        let tree = [fixtures.path().join("tree")];
        for follow in [false, true] {
            let work = tempfile::tempdir().unwrap();
            let place = sandbox(&tree, follow, "");
            let prepared = prepare(Some(&place), work.path()).unwrap();
            let path = prepared.directory().unwrap();
            assert_eq!(fs::read(path.join("tree/sub/file")).unwrap(), b"text");
            assert_eq!(fs::read(path.join("tree/link")).unwrap(), b"text");
            assert_eq!(path.join("tree/link").is_symlink(), !follow);
        }
    }

    #[test]
    fn later_fixtures_replace_the_links_of_earlier_ones() {
        let fixtures = fixtures();
        let place = |name: &str| fixtures.path().join(name);
        for folder in ["first/same/target", "second/same/link"] {
            fs::create_dir_all(place(folder)).unwrap();
        }
        symlink("target", place("first/same/link")).unwrap();
        fs::write(place("second/same/link/file"), "second").unwrap();
        let both = [place("first/same"), place("second/same")];
        let work = tempfile::tempdir().unwrap();
        let prepared = prepare(Some(&sandbox(&both, false, "")), work.path()).unwrap();
        let path = prepared.directory().unwrap();
        assert_eq!(fs::read(path.join("same/link/file")).unwrap(), b"second");
        assert!(!path.join("same/target/file").exists());
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a directory of the test")]
    fn a_link_that_leads_out_is_refused_unless_it_is_followed() {
        let fixtures = fixtures();
        let place = |name: &str| fixtures.path().join(name);
        fs::write(place("outside"), "outside").unwrap();
        let tree = [place("tree")];
        let link = place("tree/sub/out");
        let prepare = |follow: bool| {
            let work = tempfile::tempdir().unwrap();
            prepare(Some(&sandbox(&tree, follow, "")), work.path())
                .map(|prepared| fs::read(prepared.directory().unwrap().join("tree/sub/out")))
        };
        for target in [
            place("outside"),
            "../../../outside".into(),
            "../sub/../../../outside".into(),
        ] {
            symlink(&target, &link).unwrap();
            let error = prepare(false).unwrap_err();
            let source = std::error::Error::source(&error).unwrap().to_string();
            let text = format!(
                "the link `{}` leads out of the sandbox, to `{}`; with `follow_symlinks(true)`",
                link.display(),
                target.display()
            );
            assert!(source.contains(&text), "{source}");
            fs::remove_file(&link).unwrap();
        }
        symlink(place("outside"), &link).unwrap();
        assert_eq!(prepare(true).unwrap().unwrap(), b"outside");
    }

    #[test]
    fn what_cannot_be_copied_is_refused() {
        let fixtures = fixtures();
        let tree = fixtures.path().join("tree");
        let fails = |follow: bool, expected: &str| {
            let work = tempfile::tempdir().unwrap();
            let place = sandbox(std::slice::from_ref(&tree), follow, "");
            let error = prepare(Some(&place), work.path()).unwrap_err();
            let source = std::error::Error::source(&error).unwrap().to_string();
            assert!(source.contains(expected), "{source}");
        };
        symlink("..", tree.join("sub/back")).unwrap();
        fails(true, "leads back to a directory above it");
        let pipe = tree.join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        fails(false, "is neither a file nor a directory nor a link");
    }

    #[test]
    fn relative_directories_lie_in_the_sandbox() {
        let fixtures = fixtures();
        let work = tempfile::tempdir().unwrap();
        let tree = [fixtures.path().join("tree")];
        let prepared = prepare(Some(&sandbox(&tree, false, "tree/sub")), work.path()).unwrap();
        let path = work.path().join("sandbox/tree/sub");
        assert_eq!(prepared.directory(), Some(path.as_path()));
        drop(prepared);
        assert!(!work.path().join("sandbox").exists());
    }

    #[test]
    fn what_is_missing_is_named() {
        let fixtures = fixtures();
        let error = |place: &WorkingDirectory| {
            let work = tempfile::tempdir().unwrap();
            prepare(Some(place), work.path()).unwrap_err().to_string()
        };
        let absent = fixtures.path().join("absent");
        let text = error(&sandbox(std::slice::from_ref(&absent), false, ""));
        assert!(text.contains(&absent.display().to_string()), "{text}");
        assert!(
            text.ends_with("begin at the root of the workspace"),
            "{text}"
        );
        let elsewhere = PathBuf::from("/no/such/workspace/file");
        let text = error(&sandbox(&[elsewhere], false, ""));
        let hint =
            "hint: the workspace that the benchmark was compiled in, `/no/such/workspace`, is not \
                    there; `--workspace-root=<directory>` says where it is";
        assert!(text.ends_with(hint), "{text}");
        let text = error(&sandbox(&[], false, "absent"));
        assert!(text.contains("cannot run a benchmark in"), "{text}");
        let text = error(&WorkingDirectory::Directory(absent));
        assert!(text.contains("absent"), "{text}");
    }
}
