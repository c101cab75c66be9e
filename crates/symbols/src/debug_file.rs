//! The files in which distributions put the symbols of stripped libraries.

use std::fs::File;
use std::path::{Path, PathBuf};

use object::{Object, ReadCache};

/// Path at which distributions put the symbols of the library with this build id; the file need not
/// exist. `None`: the build id is empty.
#[must_use]
pub fn path_by_build_id(build_id: &[u8]) -> Option<PathBuf> {
    let (first, rest) = build_id.split_first()?;
    let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
    // GDB looks at the same place.
    let path = format!("/usr/lib/debug/.build-id/{first:02x}/{rest}.debug");
    Some(path.into())
}

/// Path of the existing file with the symbols of this library. `None`: there is none, or the
/// library cannot be read or has no build id.
#[must_use]
pub fn find(library: &Path) -> Option<PathBuf> {
    let cache = ReadCache::new(File::open(library).ok()?);
    let file = object::File::parse(&cache).ok()?;
    let path = path_by_build_id(file.build_id().ok()??)?;
    path.is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_is_a_folder() {
        let path = "/usr/lib/debug/.build-id/0a/1bff.debug";
        assert_eq!(path_by_build_id(&[0x0a, 0x1b, 0xff]), Some(path.into()));
        assert_eq!(path_by_build_id(&[]), None);
    }

    #[test]
    fn what_is_no_library_has_none() {
        assert_eq!(find(Path::new("/proc/self/maps")), None);
        assert_eq!(find(Path::new("/missing")), None);
    }
}
