//! The target directory of the build that made a benchmark executable.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The target directory: `CARGO_TARGET_DIR` if that is absolute (`given`), else the one that cargo
/// told at compile time by a directory right below it (`tmpdir`), if it is there, else the folder
/// above the executable that cargo marked.
pub fn target_directory(
    given: Option<&OsStr>,
    tmpdir: Option<&str>,
    executable: &Path,
) -> Option<PathBuf> {
    // A relative one begins where cargo was started, which this process does not know.
    if let Some(given) = given.map(Path::new) {
        if given.is_absolute() {
            return Some(given.to_owned());
        }
    }
    if let Some(told) = tmpdir.and_then(|tmpdir| Path::new(tmpdir).parent()) {
        if told.is_dir() {
            return Some(told.to_owned());
        }
    }
    let mut marked = executable.parent()?;
    while !marked.join("CACHEDIR.TAG").is_file() {
        marked = marked.parent()?;
    }
    Some(marked.to_owned())
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
        // A relative path begins at the directory in which cargo was started, which is not known
        // any more.
        assert_eq!(find(Some(Path::new("a")), told).as_deref(), Some(package));
        // Cargo marks the directory that this test lies in.
        let marked = find(None, Some("/no/such/tmp")).unwrap();
        assert!(executable.starts_with(&marked), "{}", marked.display());
        assert_eq!(find(None, None), Some(marked));
        assert_eq!(target_directory(None, None, Path::new("/a/b")), None);
    }
}
