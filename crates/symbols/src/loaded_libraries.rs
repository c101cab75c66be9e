//! The libraries that a program can load, by its dynamic section.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

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

/// The directories among these, in their order, in which the loader finds libraries that a program
/// was linked with, or that those were linked with. None of a file that is not ELF or cannot be
/// read.
#[must_use]
pub fn library_directories(program: &Path, directories: &[PathBuf]) -> Vec<PathBuf> {
    let mut is_used = vec![false; directories.len()];
    let mut known = BTreeSet::new();
    let mut files = vec![program.to_owned()];
    while let Some(file) = files.pop() {
        for name in needed_libraries(&file) {
            // A name with a separator is a path of its own.
            if name.contains(&b'/') || known.contains(&name) {
                continue;
            }
            let library = OsStr::from_bytes(&name);
            let mut places = directories.iter().map(|directory| directory.join(library));
            // The libraries of the system need no directory of these.
            if let Some(index) = places.position(|place| place.is_file()) {
                is_used[index] = true;
                files.push(directories[index].join(library));
            }
            known.insert(name);
        }
    }
    let used = directories.iter().zip(is_used).filter(|(_, used)| *used);
    used.map(|(directory, _)| directory.clone()).collect()
}

/// The names of the libraries that a file was linked with.
fn needed_libraries(file: &Path) -> Vec<Vec<u8>> {
    let read = || -> object::Result<Option<Vec<Vec<u8>>>> {
        let Ok(file) = File::open(file) else {
            return Ok(None);
        };
        let cache = ReadCache::new(&file);
        match FileKind::parse(&cache)? {
            FileKind::Elf32 => linked_with(&ElfFile::<FileHeader32<Endianness>, _>::parse(&cache)?),
            FileKind::Elf64 => linked_with(&ElfFile::<FileHeader64<Endianness>, _>::parse(&cache)?),
            _ => Ok(None),
        }
    };
    read().ok().flatten().unwrap_or_default()
}

/// The names in the dynamic section of a file. `None`: there is no such section.
fn linked_with<'data, H: FileHeader<Endian = Endianness>>(
    file: &ElfFile<'data, H, &'data ReadCache<&File>>,
) -> object::Result<Option<Vec<Vec<u8>>>> {
    use object::read::elf::Dyn;
    let endian = file.endian();
    let sections = file.elf_section_table();
    let Some((entries, strings)) = sections.dynamic(endian, file.data())? else {
        return Ok(None);
    };
    let strings = sections.strings(endian, file.data(), strings)?;
    let needed = entries
        .iter()
        .filter(|entry| entry.tag(endian) == elf::DT_NEEDED);
    let names = needed.map(|entry| Ok(entry.string(endian, strings)?.to_owned()));
    names.collect::<object::Result<_>>().map(Some)
}

fn of_elf<H: FileHeader<Endian = Endianness>>(cache: &ReadCache<&File>) -> object::Result<bool> {
    let file = ElfFile::<H, _>::parse(cache)?;
    let endian = file.endian();
    let Some(needed) = linked_with(&file)? else {
        // It is linked statically, or its sections were cut off.
        let mut headers = file.elf_program_headers().iter();
        return Ok(headers.all(|header| header.p_type(endian) != elf::PT_DYNAMIC));
    };
    if !needed.iter().all(|name| is_of_every_program(name)) {
        return Ok(false);
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
    fn directories_are_those_with_libraries_that_are_needed() {
        let own = std::env::current_exe().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let [first, second, third] = ["first", "second", "third"].map(|name| {
            let place = directory.path().join(name);
            std::fs::create_dir(&place).unwrap();
            place
        });
        let all = [first.clone(), second.clone(), third.clone()];
        let of = |program: &Path| library_directories(program, &all);
        assert_eq!(of(&own), Vec::<PathBuf>::new());
        // The first one with a library is the one that it comes from.
        std::fs::write(second.join("libc.so.6"), "").unwrap();
        std::fs::write(third.join("libc.so.6"), "").unwrap();
        std::fs::write(first.join("libother.so"), "").unwrap();
        assert_eq!(of(&own), std::slice::from_ref(&second));
        // Libraries of libraries: this one is linked with what the test is.
        let mut content = std::fs::read(&own).unwrap();
        let places: Vec<usize> = memchr::memmem::find_iter(&content, b"\0libc.so.6").collect();
        for place in places {
            content[place..place + 10].copy_from_slice(b"\0libx.so.6");
        }
        let program = directory.path().join("program");
        std::fs::write(&program, content).unwrap();
        assert_eq!(of(&program), Vec::<PathBuf>::new());
        std::fs::copy(&own, first.join("libx.so.6")).unwrap();
        assert_eq!(of(&program), [first, second]);
        std::fs::write(&program, "#!/bin/sh\n").unwrap();
        assert_eq!(of(&program), Vec::<PathBuf>::new());
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
