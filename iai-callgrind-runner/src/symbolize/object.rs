//! An executable or library, opened once.
//!
//! In: a path. Out: what it is (build id, architecture), its functions, the stacks of inlined functions of its addresses, and
//! its machine code. Only the tables that this needs are read. A file that is no ELF file is an error; one with damaged debug information
//! is an object without it, which says so ([`CodeObject::debug_facts`]).

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use addr2line::gimli::RunTimeEndian;
use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{ElfFile, FileHeader};
use object::{Architecture, Endianness, FileKind, Object, ObjectSection, ReadCache, SectionKind};

use super::debug_facts::{DebugFacts, UnreadDebug};
use super::frames::{FrameReader, InlinedFrames};
use super::sections::{read_at, DebugSections};
use super::symbol_table::{CodeBody, FunctionSymbols};
use crate::regular_file;

/// An executable or library, with what is known of its code.
#[derive(Debug)]
pub struct CodeObject {
    path: PathBuf,
    file: File,
    build_id: Option<Vec<u8>>,
    architecture: Architecture,
    symbols: FunctionSymbols,
    sections: Vec<TextSection>,
    debug_facts: DebugFacts,
    frames: Option<Mutex<InlinedFrames>>,
}

/// A section with code: its address, its place in the file, and its length.
#[derive(Debug, Clone, Copy)]
struct TextSection {
    address: u64,
    place: u64,
    length: u64,
}

/// Reason why an executable or library cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    /// The system does not give it.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The executable or library.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is no ELF file, or its headers contradict themselves.
    #[error("`{}` is no executable or library that can be read ({detail}); build it again", path.display())]
    Damaged {
        /// The executable or library.
        path: PathBuf,
        /// The place that is wrong.
        detail: String,
    },
}

impl CodeObject {
    /// Opens an ELF file and reads its tables: some 0.5 ms for each MB of it.
    ///
    /// # Errors
    ///
    /// It cannot be read, or it is no ELF file.
    pub fn open(path: &Path) -> Result<Self, ObjectError> {
        let unreadable = |source| ObjectError::Unreadable {
            path: path.to_owned(),
            source,
        };
        // Libraries are known by links to them.
        let target = fs::canonicalize(path).map_err(unreadable)?;
        let file = regular_file::open(&target).map_err(unreadable)?;
        Self::read(path, file).map_err(|detail| ObjectError::Damaged {
            path: path.to_owned(),
            detail,
        })
    }

    fn read(path: &Path, file: File) -> Result<Self, String> {
        let cache = ReadCache::new(&file);
        let text = |error: object::Error| error.to_string();
        let parts = match FileKind::parse(&cache).map_err(text)? {
            FileKind::Elf32 => Parts::read::<FileHeader32<Endianness>>(&cache, &file),
            FileKind::Elf64 => Parts::read::<FileHeader64<Endianness>>(&cache, &file),
            _ => return Err("it is no ELF file".to_owned()),
        };
        let mut parts = parts.map_err(text)?;
        let (frames, debug_facts) = parts.frames();
        drop(cache);
        Ok(Self {
            path: path.to_owned(),
            file,
            build_id: parts.build_id,
            architecture: parts.architecture,
            symbols: parts.symbols,
            sections: parts.sections,
            debug_facts,
            frames: frames.map(Mutex::new),
        })
    }

    /// The path that it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The linker's mark, which differs as soon as anything in the file does.
    pub fn build_id(&self) -> Option<&[u8]> {
        self.build_id.as_deref()
    }

    /// The processor that the code is for.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// What the debug information can tell.
    pub fn debug_facts(&self) -> &DebugFacts {
        &self.debug_facts
    }

    /// The function with this address, by the symbol tables.
    pub fn body_at(&self, address: u64) -> Option<CodeBody<'_>> {
        self.symbols.at(address)
    }

    /// All functions, in the order of their addresses.
    pub fn bodies(&self) -> impl Iterator<Item = CodeBody<'_>> {
        self.symbols.all()
    }

    /// Look-ups in the debug information, if there is any that can be read.
    pub fn frames(&self) -> Option<FrameReader<'_>> {
        let frames = self.frames.as_ref()?;
        let frames = frames.lock().unwrap_or_else(PoisonError::into_inner);
        Some(FrameReader {
            frames,
            symbols: &self.symbols,
        })
    }

    /// The bytes of code from this address on, as the file has them. `None`: there is no such code.
    pub fn code(&self, address: u64, length: u64) -> Option<Vec<u8>> {
        let mut sections = self.sections.iter();
        let (section, before) = sections.find_map(|section| {
            let before = address.checked_sub(section.address)?;
            (before < section.length).then_some((section, before))
        })?;
        if length > section.length - before {
            return None;
        }
        read_at(&self.file, section.place.checked_add(before)?, length).ok()
    }

    /// Bytes of debug sections in memory.
    pub fn debug_bytes(&self) -> usize {
        let frames = self.frames.as_ref();
        frames.map_or(0, |frames| {
            let frames = frames.lock().unwrap_or_else(PoisonError::into_inner);
            frames.length()
        })
    }
}

/// What the headers and tables of a file say.
struct Parts {
    build_id: Option<Vec<u8>>,
    architecture: Architecture,
    endian: RunTimeEndian,
    symbols: FunctionSymbols,
    has_names: bool,
    sections: Vec<TextSection>,
    debug: Option<Result<DebugSections, UnreadDebug>>,
}

impl Parts {
    fn read<H: FileHeader<Endian = Endianness>>(
        cache: &ReadCache<&File>,
        file: &File,
    ) -> object::Result<Self> {
        let headers = ElfFile::<H, _>::parse(cache)?;
        let symbols = FunctionSymbols::read(&headers);
        let debug = DebugSections::read(&headers, file);
        let has_names = symbols.all().next().is_some();
        let is_there = |debug: &Result<DebugSections, _>| !matches!(debug, Ok(debug) if !debug.have_information());
        Ok(Self {
            // A damaged note is as none.
            build_id: headers.build_id().ok().flatten().map(<[u8]>::to_owned),
            architecture: headers.architecture(),
            endian: match headers.is_little_endian() {
                true => RunTimeEndian::Little,
                false => RunTimeEndian::Big,
            },
            has_names,
            symbols,
            sections: text_sections(&headers),
            debug: Some(debug).filter(is_there),
        })
    }

    fn frames(&mut self) -> (Option<InlinedFrames>, DebugFacts) {
        let none = |unread| DebugFacts {
            has_names: self.has_names,
            unread,
            ..DebugFacts::default()
        };
        let Some(debug) = self.debug.take() else {
            return (None, none(None));
        };
        let frames = debug.and_then(|debug| InlinedFrames::new(debug, self.endian, self.has_names));
        match frames {
            Ok((frames, facts)) => (Some(frames), facts),
            Err(unread) => (None, none(Some(unread))),
        }
    }
}

fn text_sections<'data>(headers: &impl Object<'data>) -> Vec<TextSection> {
    let sections = headers.sections();
    let text = sections.filter(|section| section.kind() == SectionKind::Text);
    text.filter_map(|section| {
        let (place, length) = section.file_range()?;
        Some(TextSection {
            address: section.address(),
            place,
            length,
        })
    })
    .collect()
}
