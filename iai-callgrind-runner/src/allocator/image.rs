//! The allocators in an executable, as its headers and symbols tell of them.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use iai_callgrind::protocol::wire::HEAP_MARK;
use object::read::elf::{ElfFile, FileHeader, ProgramHeader};
use object::{elf, Endianness, FileKind, Object, ObjectSymbol};

/// Beginnings of symbols, and whose they are. The first that matches is named.
const ALLOCATORS: &[(&str, &str)] = &[
    ("mi_malloc", "mimalloc"),
    ("_mi_malloc", "mimalloc"),
    ("_rjem_malloc", "jemalloc"),
    ("je_malloc", "jemalloc"),
    ("mallocx", "jemalloc"),
    ("sn_rust_alloc", "snmalloc"),
    ("sn_malloc", "snmalloc"),
    ("rpmalloc", "rpmalloc"),
    ("rpaligned_alloc", "rpmalloc"),
    ("tc_malloc", "tcmalloc"),
    ("scudo_allocate", "scudo"),
];

/// An executable in the format of Linux.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Image {
    /// It runs without the dynamic linker, so nothing in it can be replaced.
    pub is_static: bool,
    /// It has a function `malloc` of its own.
    pub has_malloc: bool,
    /// It has the function whose blocks show whether DHAT sees the heap, and a name for it.
    pub has_marks: bool,
    is_rust: bool,
    /// There is the function of the standard library that is behind the default global allocator.
    has_default: bool,
    /// The first symbol of an allocator, with its place in the table above.
    known: Option<(usize, String)>,
}

impl Image {
    /// Reads an executable. The answer is remembered. `None`: it is a script, of another format or
    /// not there.
    pub fn of(executable: &Path) -> Option<Self> {
        static READ: Mutex<Vec<(PathBuf, Option<Image>)>> = Mutex::new(Vec::new());
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, image)) = read.iter().find(|(path, _)| path == executable) {
            return image.clone();
        }
        let image = std::fs::read(executable)
            .ok()
            .and_then(|bytes| Self::read(&bytes));
        read.push((executable.to_owned(), image.clone()));
        image
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        match FileKind::parse(bytes).ok()? {
            FileKind::Elf32 => Self::of_elf::<elf::FileHeader32<Endianness>>(bytes),
            FileKind::Elf64 => Self::of_elf::<elf::FileHeader64<Endianness>>(bytes),
            _ => None,
        }
    }

    fn of_elf<H: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> Option<Self> {
        let file = ElfFile::<H>::parse(bytes).ok()?;
        let headers = file.elf_program_headers();
        let mut segments = headers.iter().map(|header| header.p_type(file.endian()));
        let mut image = Self {
            is_static: segments.all(|kind| kind != elf::PT_INTERP),
            ..Self::default()
        };
        for symbol in file.symbols().filter(|symbol| symbol.is_definition()) {
            if let Ok(name) = symbol.name() {
                image.symbol(name);
            }
        }
        Some(image)
    }

    /// Takes in the name of something that is defined in the executable.
    pub(crate) fn symbol(&mut self, name: &str) {
        self.has_marks |= name.contains(HEAP_MARK);
        self.has_malloc |= name == "malloc";
        self.has_default |= name.ends_with("__rdl_alloc");
        self.is_rust |= name.ends_with("__rust_alloc")
            || name.ends_with("rust_begin_unwind")
            || name.ends_with("rust_panic");
        let mut rows = ALLOCATORS.iter();
        if let Some(row) = rows.position(|(start, _)| name.starts_with(start)) {
            if self.known.as_ref().is_none_or(|(known, _)| row < *known) {
                self.known = Some((row, name.to_owned()));
            }
        }
    }

    /// The allocator that is linked into it, with the symbol that tells of it.
    pub(crate) fn allocator(&self) -> Option<String> {
        let (row, symbol) = self.known.as_ref()?;
        let (_, name) = ALLOCATORS.get(*row)?;
        Some(format!("{name} (`{symbol}`)"))
    }

    /// Can that be the global allocator of a Rust program? It is not where the default one is.
    pub(crate) fn may_be_global(&self) -> bool {
        self.is_rust && !self.has_default
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_executable_is_as_it_was_linked() {
        let image = Image::of(&std::env::current_exe().unwrap()).unwrap();
        assert_eq!(image.is_static, cfg!(target_feature = "crt-static"));
        assert!(image.is_rust && image.has_default && !image.has_malloc);
        assert_eq!(image.allocator(), None);
    }

    #[test]
    fn what_is_no_executable_says_nothing() {
        assert_eq!(Image::read(b"#!/bin/sh\n"), None);
        assert_eq!(Image::read(b"\x7fELF"), None);
        assert_eq!(Image::of(Path::new("/absent/program")), None);
    }
}
