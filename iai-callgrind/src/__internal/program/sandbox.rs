//! A temporary directory with copies of fixtures.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::protocol;
use crate::shared::fixtures::copy_into;

/// Path of the directory, which is removed when the value is dropped.
#[derive(Debug)]
pub(super) struct Sandbox(PathBuf);

impl Sandbox {
    /// Makes the directory, if there is to be one. Relative fixtures start at the workspace.
    #[inline]
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
        make_private(&path)
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

    #[inline]
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

/// Makes a directory that nobody else can enter.
#[inline]
fn make_private(path: &Path) -> std::io::Result<()> {
    let builder = &mut fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(builder, 0o700);
    builder.create(path)
}

impl Drop for Sandbox {
    #[inline]
    fn drop(&mut self) {
        // An error has no consequence: the rest stays in the directory for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Paths from the directory of this package.
    fn sandbox(fixtures: &[&str]) -> Result<Option<Sandbox>, String> {
        let said = protocol::Sandbox {
            enable: Some(true),
            fixtures: fixtures.iter().map(Into::into).collect(),
            follow_symlinks: None,
        };
        Sandbox::new(Some(&said), Path::new(env!("CARGO_MANIFEST_DIR")))
    }

    #[test]
    fn fixtures_are_copied_and_everything_is_removed() {
        let made = sandbox(&["src"]).unwrap().unwrap();
        let path = made.path().to_owned();
        let mode = std::os::unix::fs::MetadataExt::mode(&fs::metadata(&path).unwrap());
        assert_eq!(mode & 0o777, 0o700, "others cannot enter");
        let copied = fs::read(path.join("src/protocol/mod.rs")).unwrap();
        assert_eq!(copied, include_bytes!("../../protocol/mod.rs"));
        drop(made);
        assert!(!path.exists());
        assert!(Sandbox::new(None, Path::new("/")).unwrap().is_none());
    }

    #[test]
    fn a_link_that_leads_out_is_refused() {
        // An empty directory to work in, which removes itself.
        let work = sandbox(&[]).unwrap().unwrap();
        let tree = work.path().join("tree");
        fs::create_dir(&tree).unwrap();
        std::os::unix::fs::symlink("../..", tree.join("out")).unwrap();
        let error = sandbox(&[&tree.display().to_string()]).unwrap_err();
        assert!(
            error.contains("tree/out` leads out of the sandbox"),
            "{error}"
        );
    }

    #[test]
    fn a_missing_fixture_is_named() {
        let error = sandbox(&["no/such/file"]).unwrap_err();
        assert!(error.contains("no/such/file` cannot be copied"), "{error}");
    }
}
