//! Files that [`Bench::file`](crate::Bench::file) reads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The content of a file: relative paths start at the root of the workspace, like those of the
/// attributes, or else at the working directory.
pub(super) fn read(path: &Path) -> Result<String, String> {
    let places = places(path);
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

fn places(path: &Path) -> Vec<PathBuf> {
    let workspace = std::env::current_dir().ok().and_then(|here| root(&here));
    let mut places = vec![path.to_owned()];
    if let Some(workspace) = workspace.filter(|_| path.is_relative()) {
        places.insert(0, workspace.join(path));
    }
    places
}

/// The root of the workspace that the package in this directory belongs to; without any manifest, such
/// as on another machine, the directory itself.
pub(crate) fn workspace(package: &Path) -> PathBuf {
    root(package).unwrap_or_else(|| package.to_owned())
}

/// The nearest directory, upwards, whose manifest has a workspace; the nearest with a manifest if none
/// has.
fn root(here: &Path) -> Option<PathBuf> {
    let mut packages = here.ancestors().filter_map(|directory| {
        let manifest = fs::read_to_string(directory.join("Cargo.toml")).ok()?;
        Some((directory, manifest))
    });
    let (nearest, manifest) = packages.next()?;
    if has_workspace(&manifest) {
        return Some(nearest.to_owned());
    }
    let outer = packages.find(|(_, manifest)| has_workspace(manifest));
    Some(outer.map_or(nearest, |(directory, _)| directory).to_owned())
}

fn has_workspace(manifest: &str) -> bool {
    let mut lines = manifest.lines().map(str::trim_start);
    lines.any(|line| line.starts_with("[workspace]") || line.starts_with("[workspace."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_this_workspace() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(root(package).as_deref(), package.parent());
        assert_eq!(root(&package.join("src")).as_deref(), package.parent());
    }

    #[test]
    fn content_is_text() {
        assert_eq!(check(b"a\n".to_vec()).as_deref(), Ok("a\n"));
        assert!(check(vec![]).unwrap_err().contains("is empty"));
        assert!(check(b"a\n\xff".to_vec()).unwrap_err().contains("line 2"));
    }

    #[test]
    fn a_missing_file_is_named_with_every_place() {
        let error = read(Path::new("no/such/file")).unwrap_err();
        assert_eq!(error.matches("no/such/file").count(), 2, "{error}");
        let error = read(Path::new("/no/such/file")).unwrap_err();
        assert_eq!(error, "there is no file `/no/such/file`");
    }
}
