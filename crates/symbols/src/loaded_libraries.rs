//! The libraries that a program can load, by its dynamic section.

use std::fs::File;
use std::path::Path;

use object::elf::{self, FileHeader32, FileHeader64};
use object::read::elf::{ElfFile, FileHeader, ProgramHeader};
use object::{Endianness, FileKind, Object, ObjectSymbol, ReadCache};

/// Libraries of every C, C++ and Rust program, without the numbers of their versions.
const OF_EVERY_PROGRAM: [&[u8]; 11] = [
    b"libc",
    b"libm",
    b"libmvec",
    b"libpthread",
    b"libthr",
    b"libdl",
    b"librt",
    b"libutil",
    b"libexecinfo",
    b"libgcc_s",
    b"libstdc++",
];

/// Does a program load only the libraries that come with C library and compiler (`libc`, `libm`,
/// `libstdc++` …)? `false` also if the program can open libraries while it runs (`dlopen`), and if
/// the file is not ELF or cannot be read.
#[must_use]
pub fn loads_c_library_only(program: &Path) -> bool {
    let Ok(file) = File::open(program) else {
        return false;
    };
    let cache = ReadCache::new(&file);
    let known = match FileKind::parse(&cache) {
        Ok(FileKind::Elf32) => of_elf::<FileHeader32<Endianness>>(&cache),
        Ok(FileKind::Elf64) => of_elf::<FileHeader64<Endianness>>(&cache),
        Ok(_) | Err(_) => Ok(false),
    };
    known.unwrap_or(false)
}

fn of_elf<H: FileHeader<Endian = Endianness>>(cache: &ReadCache<&File>) -> object::Result<bool> {
    let file = ElfFile::<H, _>::parse(cache)?;
    let endian = file.endian();
    let sections = file.elf_section_table();
    let Some((entries, strings)) = sections.dynamic(endian, file.data())? else {
        // It is linked statically, or its sections were cut off.
        let mut headers = file.elf_program_headers().iter();
        return Ok(headers.all(|header| header.p_type(endian) != elf::PT_DYNAMIC));
    };
    let strings = sections.strings(endian, file.data(), strings)?;
    for entry in entries {
        use object::read::elf::Dyn;
        if entry.tag(endian) == elf::DT_NEEDED
            && !is_of_every_program(entry.string(endian, strings)?)
        {
            return Ok(false);
        }
    }
    // Libraries that a program opens while it runs are not in its dynamic section.
    let mut symbols = file.dynamic_symbols().filter(ObjectSymbol::is_undefined);
    Ok(!symbols.any(|symbol| matches!(symbol.name_bytes(), Ok(b"dlopen" | b"dlmopen"))))
}

/// `libc.so.6`, `ld-linux-x86-64.so.2`, `libc.musl-x86_64.so.1`
fn is_of_every_program(library: &[u8]) -> bool {
    let end = memchr::memchr(b'.', library).unwrap_or(library.len());
    let stem = &library[..end];
    OF_EVERY_PROGRAM.contains(&stem) || stem.starts_with(b"ld-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_every_program() {
        for library in [
            &b"libc.so.6"[..],
            b"libm.so.6",
            b"ld-linux-x86-64.so.2",
            b"libc.musl-x86_64.so.1",
            b"libstdc++.so.6",
        ] {
            assert!(is_of_every_program(library));
        }
        for library in [
            &b"libworker.so"[..],
            b"libcurl.so.4",
            b"/w/libm-own.so",
            b"",
        ] {
            assert!(!is_of_every_program(library));
        }
    }

    #[test]
    fn a_program_tells_what_it_loads() {
        let own = std::env::current_exe().unwrap();
        assert!(loads_c_library_only(&own));
        let directory = tempfile::tempdir().unwrap();
        let written = |content: &[u8]| {
            let path = directory.path().join("program");
            std::fs::write(&path, content).unwrap();
            loads_c_library_only(&path)
        };
        let content = std::fs::read(own).unwrap();
        let replaced = |from: &[u8], to: &[u8]| {
            let mut other = content.clone();
            let places: Vec<usize> = memchr::memmem::find_iter(&content, from).collect();
            assert!(!places.is_empty());
            for place in places {
                other[place..place + to.len()].copy_from_slice(to);
            }
            other
        };
        assert!(written(&content));
        assert!(!written(&replaced(b"\0libc.so", b"\0libx.so")));
        assert!(!written(&replaced(b"\0getcwd\0", b"\0dlopen\0")));
        assert!(!written(b"#!/bin/sh\nexec worker\n"));
        assert!(!loads_c_library_only(Path::new("/no/such/file")));
    }
}
