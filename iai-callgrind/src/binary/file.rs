//! Files that [`Bench::file`](crate::Bench::file) reads.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

/// The root of the workspace, which a benchmark executable has in its table.
static ROOT: OnceLock<&str> = OnceLock::new();

/// Tells the root of the workspace, before code of the user is called.
pub(crate) fn begin_at(root: &'static str) {
    // It is the same each time.
    let _ = ROOT.set(root);
}

/// The content of a file: relative paths start at the root of the workspace, like those of the
/// attributes, or else at the working directory.
// Only a few benchmarks read files, and those compile it.
#[inline]
pub(super) fn read(path: &Path) -> Result<String, String> {
    read_from(path, ROOT.get().map(Path::new))
}

#[inline]
fn read_from(path: &Path, root: Option<&Path>) -> Result<String, String> {
    let mut shown = Vec::new();
    let root = root.filter(|_| path.is_relative());
    for place in [root.map(|root| root.join(path)), Some(path.to_owned())] {
        let Some(place) = place else { continue };
        match fs::read(&place) {
            Ok(content) => return check(content).map_err(|error| wrong(&place, &error)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(wrong(&place, &format!("cannot be read: {error}"))),
        }
        shown.push(format!("`{}`", place.display()));
    }
    Err(format!("there is no file {}", shown.join(" or ")))
}

#[inline]
fn wrong(path: &Path, error: &str) -> String {
    format!("`{}` {error}", path.display())
}

#[inline]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_workspace_come_first() {
        let name = format!("iai-callgrind-files-of-{}", std::process::id());
        let root = std::env::temp_dir().join(name);
        fs::create_dir(&root).unwrap();
        fs::write(root.join("LICENSE-MIT"), "of the workspace\n").unwrap();
        let read = |root| read_from(Path::new("LICENSE-MIT"), root).unwrap();
        let of_workspace = read(Some(&root));
        fs::remove_dir_all(&root).unwrap();
        assert_eq!(of_workspace, "of the workspace\n");
        // Tests run in the directory of the package.
        assert!(read(None).starts_with("MIT License"));
        // On another machine it may not be there.
        assert!(read(Some(Path::new("/no/such/root"))).starts_with("MIT License"));
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
