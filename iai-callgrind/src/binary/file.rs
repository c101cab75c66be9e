//! Files that [`Bench::file`](crate::Bench::file) reads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The root of the workspace, which a benchmark executable has in its table.
static ROOT: OnceLock<&'static str> = OnceLock::new();

/// Tells the root of the workspace, before code of the user is called.
pub(crate) fn begin_at(root: &'static str) {
    // An executable has one.
    let _ = ROOT.set(root);
}

/// The content of a file: relative paths start at the root of the workspace, like those of the
/// attributes, or else at the working directory.
pub(super) fn read(path: &Path) -> Result<String, String> {
    read_from(path, ROOT.get().copied().map(Path::new))
}

fn read_from(path: &Path, root: Option<&Path>) -> Result<String, String> {
    let places = places(path, root);
    for place in &places {
        match fs::read(place) {
            Ok(content) => return check(content).map_err(|error| wrong(place, &error)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(wrong(place, &format!("cannot be read: {error}"))),
        }
    }
    let shown: Vec<_> = places
        .iter()
        .map(|place| format!("`{}`", place.display()))
        .collect();
    Err(format!("there is no file {}", shown.join(" or ")))
}

fn wrong(path: &Path, error: &str) -> String {
    format!("`{}` {error}", path.display())
}

fn check(content: Vec<u8>) -> Result<String, String> {
    if content.is_empty() {
        return Err("is empty; each of its lines is one benchmark".to_owned());
    }
    String::from_utf8(content).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
        format!("is not UTF-8 in line {line}")
    })
}

fn places(path: &Path, root: Option<&Path>) -> Vec<PathBuf> {
    let root = root.filter(|_| path.is_relative());
    let of_root = root.map(|root| root.join(path));
    of_root.into_iter().chain([path.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_workspace_come_first() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
        let manifest = Path::new("Cargo.toml");
        let read = |root| read_from(manifest, root).unwrap();
        assert!(read(root).starts_with("[workspace]"));
        // Tests run in the directory of the package.
        assert!(read(None).starts_with("[package]"));
        // On another machine it may not be there.
        assert!(read(Some(Path::new("/no/such/root"))).starts_with("[package]"));
    }

    #[test]
    fn content_is_text() {
        assert_eq!(check(b"a\n".to_vec()).as_deref(), Ok("a\n"));
        assert!(check(vec![]).unwrap_err().contains("is empty"));
        assert!(check(b"a\n\xff".to_vec()).unwrap_err().contains("line 2"));
    }

    #[test]
    fn a_missing_file_is_named_with_every_place() {
        let root = Some(Path::new("/root"));
        let error = read_from(Path::new("no/such/file"), root).unwrap_err();
        assert_eq!(
            error,
            "there is no file `/root/no/such/file` or `no/such/file`"
        );
        let error = read_from(Path::new("/no/such/file"), root).unwrap_err();
        assert_eq!(error, "there is no file `/no/such/file`");
    }
}
