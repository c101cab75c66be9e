//! A temporary directory with copies of fixtures.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::protocol;

/// Removed when it is dropped.
#[derive(Debug)]
pub(super) struct Sandbox(PathBuf);

impl Sandbox {
    /// Makes the directory, if there is to be one. Relative fixtures start at the workspace.
    pub(super) fn new(
        said: Option<&protocol::Sandbox>,
        workspace: &Path,
    ) -> Result<Option<Self>, String> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let Some(said) = said.filter(|said| said.enable == Some(true)) else {
            return Ok(None);
        };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("iai-callgrind-test-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path)
            .map_err(|error| format!("its sandbox `{}` cannot be made: {error}", path.display()))?;
        let sandbox = Self(path);
        let follow = said.follow_symlinks.unwrap_or(false);
        for fixture in &said.fixtures {
            let fixture = workspace.join(fixture);
            copy_into(&fixture, &sandbox.0, follow).map_err(|error| {
                format!(
                    "the fixture `{}` cannot be copied: {error}",
                    fixture.display()
                )
            })?;
        }
        Ok(Some(sandbox))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // What cannot be removed stays in the directory for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Copies a file or directory under its own name. One that is a link is what it refers to.
fn copy_into(from: &Path, directory: &Path, follow: bool) -> io::Result<()> {
    let name = from
        .file_name()
        .ok_or_else(|| io::Error::other("the path has no name at its end"))?;
    copy(from, &directory.join(name), &fs::metadata(from)?, follow)
}

fn copy(from: &Path, to: &Path, data: &Metadata, follow: bool) -> io::Result<()> {
    if data.is_symlink() {
        return link(&fs::read_link(from)?, to);
    }
    if !data.is_dir() {
        fs::copy(from, to)?;
        // A copy that cannot be written cannot be given the time of its origin.
        return match File::options().append(true).open(to) {
            Ok(file) => file.set_modified(data.modified()?),
            Err(_) => Ok(()),
        };
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

#[cfg(unix)]
fn link(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn link(_target: &Path, link: &Path) -> io::Result<()> {
    let text = format!("`{}` is a symbolic link", link.display());
    Err(io::Error::new(io::ErrorKind::Unsupported, text))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A directory of this package, which has no links, as a fixture.
    fn sandbox(fixture: &str) -> Result<Option<Sandbox>, String> {
        let said = protocol::Sandbox {
            enable: Some(true),
            fixtures: vec![fixture.into()],
            follow_symlinks: None,
        };
        Sandbox::new(Some(&said), Path::new(env!("CARGO_MANIFEST_DIR")))
    }

    #[test]
    fn fixtures_are_copied_and_everything_is_removed() {
        let made = sandbox("src").unwrap().unwrap();
        let path = made.path().to_owned();
        let copied = fs::read(path.join("src/protocol/mod.rs")).unwrap();
        assert_eq!(copied, include_bytes!("../../protocol/mod.rs"));
        drop(made);
        assert!(!path.exists());
        assert!(Sandbox::new(None, Path::new("/")).unwrap().is_none());
    }

    #[test]
    fn a_missing_fixture_is_named() {
        let error = sandbox("no/such/file").unwrap_err();
        assert!(error.contains("no/such/file` cannot be copied"), "{error}");
    }
}
