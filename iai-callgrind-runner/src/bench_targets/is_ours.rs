//! Recognizes executables with benchmarks of this library.

use std::fs::File;
use std::path::Path;

use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{ElfFile, FileHeader};
use object::{Endianness, FileKind, Object, ObjectSection, ReadCache, ReadRef};

/// The beginning of the name of the section with the descriptions of benchmarks, in all versions of the library.
const SECTION: &str = "iai_cg_";

/// Does the executable have benchmarks of this library? Nothing is started, since another harness would measure, and
/// only headers are read, since executables are large.
pub(super) fn is_ours(executable: &Path) -> bool {
    let Ok(file) = File::open(executable) else {
        return false;
    };
    let file = ReadCache::new(file);
    match FileKind::parse(&file) {
        Ok(FileKind::Elf32) => has_section::<FileHeader32<Endianness>, _>(&file),
        Ok(FileKind::Elf64) => has_section::<FileHeader64<Endianness>, _>(&file),
        _ => false,
    }
}

fn has_section<'data, H, R>(data: R) -> bool
where
    H: FileHeader<Endian = Endianness>,
    R: ReadRef<'data>,
{
    let Ok(file) = ElfFile::<H, R>::parse(data) else {
        return false;
    };
    let mut names = file.sections();
    names.any(|section| section.name().is_ok_and(|name| name.starts_with(SECTION)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_and_files_are_not_ours() {
        for other in ["/bin/sh", "Cargo.toml", "/nowhere"].map(Path::new) {
            assert!(!is_ours(other), "{}", other.display());
        }
    }
}
