//! Where a benchmark runs: a directory of the user's choice, or a sandbox with copies of fixtures.
//!
//! A sandbox lies in the private directory of its job and is removed together with it, whatever
//! becomes of the benchmark or the runner.

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use iai_callgrind::protocol::wire::DIRECTORY_LEN;

use crate::error::{Error, FileContext, Result};
use crate::plan::Place;

/// The name of a sandbox in the private directory of a job.
const NAME: &str = "sandbox";

/// Makes the place ready and returns its path. `None`: where the executable was started.
pub(super) fn prepare(place: Option<&Place>, work: &Path) -> Result<Option<PathBuf>> {
    let root = sandbox(place, work)?;
    let directory = match (place, root) {
        (Some(Place::Sandbox { directory, .. }), Some(root)) => root.join(directory),
        (Some(Place::Directory(directory)), _) => directory.clone(),
        _ => return Ok(None),
    };
    check(&directory)?;
    Ok(Some(directory))
}

/// Makes the sandbox, if there is to be one.
pub(super) fn sandbox(place: Option<&Place>, work: &Path) -> Result<Option<PathBuf>> {
    let Some(Place::Sandbox {
        fixtures,
        follow_symlinks,
        ..
    }) = place
    else {
        return Ok(None);
    };
    let root = work.join(NAME);
    if root.exists() {
        // Of an attempt whose server was lost.
        fs::remove_dir_all(&root).context("remove", &root)?;
    }
    fs::create_dir(&root).context("create", &root)?;
    for fixture in fixtures {
        copy_into(fixture, &root, *follow_symlinks).map_err(|source| Error::Fixture {
            path: fixture.clone(),
            source,
        })?;
    }
    Ok(Some(root))
}

/// Can a benchmark run there?
pub(super) fn check(directory: &Path) -> Result<()> {
    let unusable = |source| Error::File {
        action: "run a benchmark in",
        path: directory.to_owned(),
        source,
    };
    let data = fs::metadata(directory).map_err(unusable)?;
    if !data.is_dir() {
        return Err(unusable(io::ErrorKind::NotADirectory.into()));
    }
    if directory.as_os_str().as_bytes().len() >= DIRECTORY_LEN {
        return Err(unusable(io::Error::other("the path is too long")));
    }
    Ok(())
}

/// Copies a file or a directory with everything in it, under its own name.
fn copy_into(from: &Path, directory: &Path, follow: bool) -> io::Result<()> {
    let name = from
        .file_name()
        .ok_or_else(|| io::Error::other("the path has no name at its end"))?;
    let to = directory.join(name);
    // A fixture that is itself a link is what the user named, as the link's target.
    let data = fs::metadata(from)?;
    copy(from, &to, &data, follow)
}

fn copy(from: &Path, to: &Path, data: &fs::Metadata, follow: bool) -> io::Result<()> {
    if data.is_symlink() {
        return symlink(fs::read_link(from)?, to);
    }
    if !data.is_dir() {
        fs::copy(from, to)?;
        // As `cp -p` does; programs may compare the times of files.
        return File::open(to)?.set_modified(data.modified()?);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let path = entry.path();
        let data = match follow {
            true => fs::metadata(&path)?,
            false => fs::symlink_metadata(&path)?,
        };
        copy(&path, &to.join(entry.file_name()), &data, follow)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with fixtures: `tree/sub/file`, and `tree/link` to it.
    fn fixtures() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("tree/sub")).unwrap();
        fs::write(root.path().join("tree/sub/file"), "text").unwrap();
        symlink("sub/file", root.path().join("tree/link")).unwrap();
        root
    }

    fn sandbox(fixtures: &[PathBuf], follow: bool, directory: &str) -> Place {
        Place::Sandbox {
            fixtures: fixtures.to_vec(),
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
            let path = prepare(Some(&place), work.path()).unwrap().unwrap();
            assert_eq!(fs::read(path.join("tree/sub/file")).unwrap(), b"text");
            assert_eq!(fs::read(path.join("tree/link")).unwrap(), b"text");
            assert_eq!(path.join("tree/link").is_symlink(), !follow);
        }
    }

    #[test]
    fn relative_directories_lie_in_the_sandbox() {
        let fixtures = fixtures();
        let work = tempfile::tempdir().unwrap();
        let tree = [fixtures.path().join("tree")];
        let path = prepare(Some(&sandbox(&tree, false, "tree/sub")), work.path());
        assert_eq!(path.unwrap(), Some(work.path().join("sandbox/tree/sub")));
    }

    #[test]
    fn what_is_missing_is_named() {
        let fixtures = fixtures();
        let error = |place: &Place| {
            let work = tempfile::tempdir().unwrap();
            prepare(Some(place), work.path()).unwrap_err().to_string()
        };
        let absent = fixtures.path().join("absent");
        let text = error(&sandbox(std::slice::from_ref(&absent), false, ""));
        assert!(text.contains(&absent.display().to_string()), "{text}");
        let text = error(&sandbox(&[], false, "absent"));
        assert!(text.contains("cannot run a benchmark in"), "{text}");
        let text = error(&Place::Directory(absent));
        assert!(text.contains("absent"), "{text}");
    }
}
