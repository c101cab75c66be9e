//! The target directory of the build that made a benchmark executable.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The target directory: `CARGO_TARGET_DIR` if that is absolute (`given`), else the one that cargo told at
/// compile time by a directory right below it (`tmpdir`), if it is there, else the folder above the
/// executable that cargo marked.
pub fn target_directory(
    given: Option<&OsStr>,
    tmpdir: Option<&str>,
    executable: &Path,
) -> Option<PathBuf> {
    let given = given.map(Path::new).filter(|path| path.is_absolute());
    let told = || {
        let directory = Path::new(tmpdir?).parent()?;
        directory.is_dir().then_some(directory)
    };
    let marked = || {
        let mut directory = executable.parent()?;
        while !directory.join("CACHEDIR.TAG").is_file() {
            directory = directory.parent()?;
        }
        Some(directory)
    };
    given.or_else(told).or_else(marked).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_source_wins() {
        let executable = std::env::current_exe().unwrap();
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let tmpdir = package.join("tmp");
        let find = |given: Option<&Path>, tmpdir: Option<&str>| {
            target_directory(given.map(Path::as_os_str), tmpdir, &executable)
        };
        let told = tmpdir.to_str();
        assert_eq!(find(Some(&tmpdir), told).as_ref(), Some(&tmpdir));
        assert_eq!(find(None, told).as_deref(), Some(package));
        // A relative one begins where cargo was started, which nobody knows any more.
        assert_eq!(find(Some(Path::new("a")), told).as_deref(), Some(package));
        // Cargo marks the directory that this test lies in.
        let marked = find(None, Some("/no/such/tmp")).unwrap();
        assert!(executable.starts_with(&marked), "{}", marked.display());
        assert_eq!(find(None, None), Some(marked));
        assert_eq!(target_directory(None, None, Path::new("/a/b")), None);
    }
}
