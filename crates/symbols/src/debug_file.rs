//! The files in which distributions put the symbols of stripped libraries.

use std::fs::File;
use std::path::{Path, PathBuf};

use object::{Object, ReadCache};

/// Place of the file by the build id of the library.
pub fn place(build_id: &[u8]) -> Option<PathBuf> {
    let (first, rest) = build_id.split_first()?;
    let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
    let path = format!("/usr/lib/debug/.build-id/{first:02x}/{rest}.debug");
    Some(path.into())
}

/// The file of this library, if there is one.
pub fn of(library: &Path) -> Option<PathBuf> {
    let cache = ReadCache::new(File::open(library).ok()?);
    let file = object::File::parse(&cache).ok()?;
    let path = place(file.build_id().ok()??)?;
    path.is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_is_a_folder() {
        let path = "/usr/lib/debug/.build-id/0a/1bff.debug";
        assert_eq!(place(&[0x0a, 0x1b, 0xff]), Some(path.into()));
        assert_eq!(place(&[]), None);
    }

    #[test]
    fn what_is_no_library_has_none() {
        assert_eq!(of(Path::new("/proc/self/maps")), None);
        assert_eq!(of(Path::new("/missing")), None);
    }
}
