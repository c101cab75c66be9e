//! Executables that count what they execute, by code that the compiler added.

use std::fs::File;
use std::path::Path;

use object::{Object, ObjectSection, ReadCache};

/// The sections of the counters of LLVM, which programs need and `strip` therefore leaves.
const COUNTERS: &[u8] = b"__llvm_prf_";

/// Has the compiler added counters to a program, for profiles (`-Cprofile-generate`) or coverage
/// (`-Cinstrument-coverage`)? `false` if the file is not ELF or cannot be read.
#[must_use]
pub fn is_instrumented(program: &Path) -> bool {
    let Ok(file) = File::open(program) else {
        return false;
    };
    let cache = ReadCache::new(&file);
    let Ok(file) = object::File::parse(&cache) else {
        return false;
    };
    let mut sections = file.sections();
    sections.any(|section| {
        let name = section.name_bytes();
        name.is_ok_and(|name| name.starts_with(COUNTERS))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_tell_it() {
        let own = std::env::current_exe().unwrap();
        assert!(!is_instrumented(&own));
        assert!(!is_instrumented(Path::new("/no/such/file")));
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("program");
        let mut content = std::fs::read(own).unwrap();
        // A section with a name that is long enough.
        let places: Vec<usize> =
            memchr::memmem::find_iter(&content, b"\0.gcc_except_table\0").collect();
        assert!(!places.is_empty());
        for place in places {
            content[place + 1..place + 16].copy_from_slice(b"__llvm_prf_cnts");
            content[place + 16] = 0;
        }
        std::fs::write(&path, content).unwrap();
        assert!(is_instrumented(&path));
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        assert!(!is_instrumented(&path));
    }
}
