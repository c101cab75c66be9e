//! A library of the system: no more of it than a digest keeps.
//!
//! Callgrind's names of its functions are better than its own, since Valgrind also reads separate
//! files. So its symbols are not read, which would take longer than anything else of a small
//! benchmark.

use std::fs::File;
use std::path::Path;

use object::elf::{FileHeader32, FileHeader64, SHF_ALLOC};
use object::read::elf::{ElfFile, FileHeader};
use object::{Endianness, FileKind, Object, ObjectSection, ReadCache, SectionFlags};

use super::debug_facts::DebugFacts;
use super::function_symbols::FunctionSymbols;
use super::object::{damaged, opened, CodeObject, ObjectError};

/// Build id and debug information of a library, which is faster than opening it as a
/// [`CodeObject`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryFacts {
    /// GNU build id, which the linker computes from the content.
    pub build_id: Option<Vec<u8>>,
    /// The contents of the debug information, and the reason why there is not more.
    pub debug_facts: DebugFacts,
}

impl LibraryFacts {
    /// Opens an ELF file and reads its headers. A library with debug information is read like an
    /// executable.
    ///
    /// # Errors
    ///
    /// As [`CodeObject::open`].
    pub fn open(path: &Path) -> Result<Self, ObjectError> {
        let file = opened(path)?;
        let cache = ReadCache::new(&file);
        let facts = match FileKind::parse(&cache) {
            Ok(FileKind::Elf32) => Self::without_debug::<FileHeader32<Endianness>>(&cache),
            Ok(FileKind::Elf64) => Self::without_debug::<FileHeader64<Endianness>>(&cache),
            Ok(_) => return Err(damaged(path, "it is no ELF file")),
            Err(error) => Err(error),
        };
        if let Some(facts) = facts.map_err(|error| damaged(path, error))? {
            return Ok(facts);
        }
        let object = CodeObject::open(path)?;
        Ok(Self {
            build_id: object.build_id().map(<[u8]>::to_owned),
            debug_facts: object.debug_facts().clone(),
        })
    }

    /// `None`: it has debug information.
    fn without_debug<H: FileHeader<Endian = Endianness>>(
        cache: &ReadCache<&File>,
    ) -> object::Result<Option<Self>> {
        let headers = ElfFile::<H, _>::parse(cache)?;
        if headers
            .sections()
            .any(|section| is_debug_information(&section))
        {
            return Ok(None);
        }
        Ok(Some(Self {
            // A damaged note is as none.
            build_id: headers.build_id().ok().flatten().map(<[u8]>::to_owned),
            debug_facts: DebugFacts {
                has_names: FunctionSymbols::are_in(&headers),
                ..DebugFacts::default()
            },
        }))
    }
}

/// Reads the names only of sections that are not loaded: each takes two system calls.
fn is_debug_information<'data>(section: &impl ObjectSection<'data>) -> bool {
    let is_loaded = match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => (sh_flags & SHF_ALLOC).0 != 0,
        _ => false,
    };
    let name = || section.name().unwrap_or_default();
    !is_loaded && matches!(name(), ".debug_info" | ".zdebug_info")
}
