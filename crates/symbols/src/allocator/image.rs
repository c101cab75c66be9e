//! The allocators in an executable, found by its headers and symbols.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use iai_callgrind::protocol::wire::HEAP_MARK;
use object::read::elf::{ElfFile, FileHeader, ProgramHeader};
use object::{elf, Endianness, FileKind, Object, ObjectSymbol};

/// Beginnings of symbols, and the allocators that they belong to. The first one that matches is
/// named.
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

/// Facts about the allocator of an executable in the ELF format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ElfImage {
    /// The executable is linked statically, so Valgrind can replace no function in it.
    pub is_static: bool,
    /// The executable defines a function `malloc`.
    pub has_malloc: bool,
    /// The executable is a bench file of iai-callgrind with the function whose blocks show whether
    /// DHAT sees the heap.
    pub has_marks: bool,
    has_symbols: bool,
    is_rust: bool,
    /// The executable has the standard library's function behind the default global allocator.
    has_default: bool,
    /// The symbol of an allocator, with the index of its row in `ALLOCATORS`.
    known: Option<(usize, String)>,
}

impl ElfImage {
    /// Reads an executable; the outcome is remembered for the rest of the process. `None`: the file
    /// is a script, has another format, or cannot be read.
    #[must_use]
    pub fn of(executable: &Path) -> Option<Self> {
        static READ: Mutex<Vec<(PathBuf, Option<ElfImage>)>> = Mutex::new(Vec::new());
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
            // A static executable that can be loaded anywhere has a dynamic section too, but no
            // interpreter.
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

    /// Adds a symbol that the executable defines, by its mangled name.
    pub fn symbol(&mut self, name: &str) {
        self.has_symbols = true;
        self.has_marks |= name.contains(HEAP_MARK);
        self.has_malloc |= name == "malloc";
        // Newer compilers mangle this name with a crate `__rustc` before it.
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

    /// Name of the well-known allocator that is linked into the executable, with the symbol by
    /// which it was found: ``mimalloc (`mi_malloc`)``.
    pub fn allocator(&self) -> Option<String> {
        let (row, symbol) = self.known.as_ref()?;
        let (_, name) = ALLOCATORS.get(*row)?;
        Some(format!("{name} (`{symbol}`)"))
    }

    /// Do the symbols show that allocations go to `malloc`: no Rust, or the default global
    /// allocator?
    pub fn has_default_allocator(&self) -> bool {
        self.has_symbols && !self.may_be_global()
    }

    /// May this be a Rust program with a global allocator other than the default one?
    pub fn may_be_global(&self) -> bool {
        self.is_rust && !self.has_default
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_executable_is_as_it_was_linked() {
        let image = ElfImage::of(&std::env::current_exe().unwrap()).unwrap();
        assert_eq!(image.is_static, cfg!(target_feature = "crt-static"));
        assert!(image.is_rust && image.has_default && !image.has_malloc);
        assert_eq!(image.allocator(), None);
        assert!(image.has_default_allocator());
    }

    #[test]
    fn symbols_tell_whether_the_allocator_is_the_default_one() {
        let check = |symbols: &[&str], expected| {
            let mut image = ElfImage::default();
            symbols.iter().for_each(|symbol| image.symbol(symbol));
            assert_eq!(image.has_default_allocator(), expected, "{symbols:?}");
        };
        check(&["__rust_alloc", "__rdl_alloc"], true);
        // With link-time optimization, too, there is no symbol of the default one.
        check(&["__rust_alloc"], false);
        check(&["main"], true);
        // Stripped: it may be anything.
        check(&[], false);
    }

    #[test]
    fn what_is_no_executable_says_nothing() {
        assert_eq!(ElfImage::read(b"#!/bin/sh\n"), None);
        assert_eq!(ElfImage::read(b"\x7fELF"), None);
        assert_eq!(ElfImage::of(Path::new("/absent/program")), None);
    }
}
