//! An executable or library, opened once.
//!
//! In: a path. Out: its build id and architecture, its functions, the stacks of inlined functions
//! of its addresses, and its machine code. Only the tables that this needs are read. A file that is
//! no ELF file is an error; with damaged debug information it is an object without any, and
//! [`CodeObject::debug_facts`] has the reason.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use gimli::RunTimeEndian;
use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{ElfFile, FileHeader};
use object::{Endianness, FileKind, Object, ObjectSection, ReadCache, SectionKind};

use super::code::{
    CodeHashes, CodeLayout, CodeReference, DecodedInstruction, FunctionName, InstructionSet,
    MachineCode, ReferenceKind, ReferenceName,
};
use super::constants::{addresses_in_code, ConstantData};
use super::debug_facts::{DebugFacts, UnreadDebug};
use super::frames::{FrameReader, InlinedFrames};
use super::function_symbols::{CodeBody, FunctionSymbols};
use super::linked_addresses::{LinkedAddresses, SlotTarget};
use super::names;
use super::sections::{read_at, DebugSections};
use base::regular_file;

/// An executable or library that is open: its functions, debug information and machine code.
#[derive(Debug)]
pub struct CodeObject {
    path: PathBuf,
    file: File,
    build_id: Option<Vec<u8>>,
    instruction_set: InstructionSet,
    symbols: FunctionSymbols,
    sections: Vec<TextSection>,
    addresses: LinkedAddresses,
    constants: ConstantData,
    /// Functions that code refers to, by their addresses.
    names: Mutex<HashMap<u64, Option<FunctionName>>>,
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
    /// The file cannot be opened or read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// Path of the executable or library.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The file is not an ELF file, or its headers contradict themselves.
    #[error("`{}` is no executable or library that can be read ({detail}); build it again", path.display())]
    Damaged {
        /// Path of the executable or library.
        path: PathBuf,
        /// Header or table that is wrong.
        detail: String,
    },
    /// A [`Symbolizer`](crate::Symbolizer) has opened this path before, and it has a different file
    /// now.
    #[error("`{}` was replaced during the run; do not build while benchmarks run", .0.display())]
    Replaced(PathBuf),
}

impl CodeObject {
    /// Opens an ELF file and reads its tables, which takes about 0.5 ms per MB. Most of the debug
    /// information is read when an address asks for it.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is a link, FIFO, device or directory, or is not an ELF file.
    pub fn open(path: &Path) -> Result<Self, ObjectError> {
        let file = opened(path)?;
        Self::read(path, file).map_err(|detail| damaged(path, detail))
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
            instruction_set: parts.instruction_set,
            addresses: parts.addresses,
            constants: parts.constants,
            names: Mutex::default(),
            symbols: parts.symbols,
            sections: parts.sections,
            debug_facts,
            frames: frames.map(Mutex::new),
        })
    }

    /// Path that was given to [`Self::open`].
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Length of the file in bytes; 0: the system does not know.
    pub fn length(&self) -> u64 {
        self.file.metadata().map_or(0, |data| data.len())
    }

    /// Time at which the file was last written, if the system knows.
    pub fn written(&self) -> Option<SystemTime> {
        self.file.metadata().and_then(|data| data.modified()).ok()
    }

    /// GNU build id, which the linker computes from the content. `None`: the file has none.
    pub fn build_id(&self) -> Option<&[u8]> {
        self.build_id.as_deref()
    }

    /// Instruction set of the code.
    pub fn instruction_set(&self) -> InstructionSet {
        self.instruction_set
    }

    /// Returns the contents of the debug information, and the reason why there is not more.
    pub fn debug_facts(&self) -> &DebugFacts {
        &self.debug_facts
    }

    /// Function that contains this address, by the symbol tables. `None`: there is no such
    /// function.
    pub fn body_at(&self, address: u64) -> Option<CodeBody<'_>> {
        self.symbols.at(address)
    }

    /// Canonical names of the other Rust functions that have the same code, because the compiler or
    /// the linker merged them; sorted, each once.
    pub fn merged_names(&self, body: &CodeBody<'_>) -> Vec<String> {
        let mut aliases = self.symbols.aliases(body.start).peekable();
        // Most functions have none.
        if aliases.peek().is_none() {
            return Vec::new();
        }
        let name = names::canonical(body.symbol);
        let others = aliases.map(names::canonical);
        let mut others: Vec<String> = others.filter(|other| *other != name).collect();
        others.sort_unstable();
        others.dedup();
        others
    }

    /// All functions of the symbol tables, in the order of their addresses. Of several names of an
    /// address one is chosen.
    pub fn bodies(&self) -> impl Iterator<Item = CodeBody<'_>> {
        self.symbols.all()
    }

    /// Look-ups in the debug information. `None`: there is none that can be read. Holds a lock of
    /// the object: other threads wait until the reader is dropped.
    pub fn frames(&self) -> Option<FrameReader<'_>> {
        let frames = self.frames.as_ref()?;
        let frames = frames.lock().unwrap_or_else(PoisonError::into_inner);
        Some(FrameReader {
            frames,
            symbols: &self.symbols,
        })
    }

    /// `length` bytes of code from this address on, as the file has them. `None`: they do not lie
    /// in one section with code.
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

    /// Hashes of a function's code, which are the same wherever the linker puts the function and
    /// what it refers to. 0: unknown, so the function may have changed.
    pub fn code_hashes(&self, body: &CodeBody<'_>) -> CodeHashes {
        let Some(bytes) = self.code(body.start, body.size) else {
            return CodeHashes::default();
        };
        let code = self.machine_code(body, &bytes);
        code.hashes(&mut |reference| self.reference(reference))
    }

    /// Hashes of the constants that the instructions of a function refer to, each with the place of
    /// the instruction in the function. Only instructions count for whose address `is_executed`
    /// holds. Empty on other processors than x86-64.
    pub fn constants(
        &self,
        body: &CodeBody<'_>,
        is_executed: impl Fn(u64) -> bool,
    ) -> Vec<(u32, u64)> {
        let bytes = self.code(body.start, body.size).unwrap_or_default();
        let references = self.machine_code(body, &bytes).data_references();
        let references = references.iter();
        let executed = references.filter(|found| is_executed(body.start + u64::from(found.offset)));
        executed
            .filter_map(|found| Some((found.offset, self.constants.hash(found, self)?)))
            .collect()
    }

    /// Instructions of a function as text, in Intel's syntax. Empty: not on x86, or the code is not
    /// in the file.
    pub fn instructions(&self, body: &CodeBody<'_>) -> Vec<DecodedInstruction> {
        let bytes = self.code(body.start, body.size).unwrap_or_default();
        let code = self.machine_code(body, &bytes);
        code.instructions(&mut |reference| self.reference(reference))
    }

    /// Bytes of a function, and the places of its instructions. `None`: the code is not in the
    /// file.
    pub fn code_layout(&self, body: &CodeBody<'_>) -> Option<(Vec<u8>, CodeLayout)> {
        let bytes = self.code(body.start, body.size)?;
        let code = self.machine_code(body, &bytes);
        let layout = code.layout(&mut |reference| self.reference(reference));
        Some((bytes, layout))
    }

    fn machine_code<'a>(&self, body: &CodeBody<'_>, bytes: &'a [u8]) -> MachineCode<'a> {
        MachineCode {
            set: self.instruction_set,
            start: body.start,
            bytes,
        }
    }

    /// The name that replaces an address in the code of a function.
    fn reference(&self, reference: CodeReference) -> ReferenceName {
        let target = reference.target;
        let name = match reference.kind {
            ReferenceKind::Branch => self.function_name(target),
            // A call through the global offset table, as `-fno-plt` makes it.
            ReferenceKind::Memory => self.slot_name(target),
            ReferenceKind::Number if !self.addresses.is_fixed(target) => {
                return ReferenceName::None
            }
            ReferenceKind::Number => None,
        };
        name.map_or(ReferenceName::Data, ReferenceName::Function)
    }

    /// The function that begins at this address, or that the stub at this address goes to.
    pub(super) fn function_name(&self, address: u64) -> Option<FunctionName> {
        // Held while `name_of` locks the frames, so whoever has a `FrameReader` must not ask for
        // names.
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = names.get(&address) {
            return name.clone();
        }
        let body = self.body_at(address);
        let name = match body {
            Some(body) if body.start == address => Some(self.name_of(&body)),
            // A jump into another function.
            Some(body) => {
                let name = names::canonical(body.symbol);
                Some(
                    format!("{name}+{:#x}", address - body.start)
                        .as_str()
                        .into(),
                )
            }
            None => self
                .slot_of_stub(address)
                .and_then(|slot| self.target_name(slot)),
        };
        names.insert(address, name.clone());
        name
    }

    /// The names of a function of this file.
    fn name_of(&self, body: &CodeBody<'_>) -> FunctionName {
        let generic = self.frames().and_then(|mut frames| {
            let outermost = frames.at(body.start).first()?.function;
            frames.function(outermost).instance.clone()
        });
        FunctionName {
            canonical: names::canonical(body.symbol).into(),
            instance: names::instance(body.symbol, generic.as_deref()).into(),
        }
    }

    /// The function whose address the dynamic linker puts here.
    fn slot_name(&self, address: u64) -> Option<FunctionName> {
        match self.addresses.slot(address)? {
            SlotTarget::Address(address) => self.function_name(*address),
            SlotTarget::Imported(name) => Some((&**name).into()),
        }
    }

    /// The target of the pointer at an address.
    pub(super) fn pointer_at(&self, address: u64) -> Option<SlotTarget> {
        self.addresses.pointer(address).cloned()
    }

    /// Addresses that code takes, or that data holds, ascending.
    pub(super) fn taken_addresses(&self) -> Vec<u64> {
        let mut taken: Vec<u64> = self.addresses.pointed().collect();
        for section in &self.sections {
            let code = read_at(&self.file, section.place, section.length).unwrap_or_default();
            taken.extend(addresses_in_code(&code, section.address));
        }
        taken.sort_unstable();
        taken.dedup();
        taken
    }

    /// The open file.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// The same as [`Self::slot_name`], but does not follow a further stub.
    fn target_name(&self, slot: u64) -> Option<FunctionName> {
        match self.addresses.slot(slot)? {
            // `function_name` holds the lock of the names, so it cannot be asked again.
            SlotTarget::Address(address) => {
                let body = self.body_at(*address)?;
                Some(self.name_of(&body))
            }
            SlotTarget::Imported(name) => Some((&**name).into()),
        }
    }

    /// The slot that the code at this address jumps through, if it is a stub of a linkage table.
    fn slot_of_stub(&self, address: u64) -> Option<u64> {
        let bytes = self.code(address, STUB)?;
        let code = MachineCode {
            set: self.instruction_set,
            start: address,
            bytes: &bytes,
        };
        code.slot_of_jump()
    }
}

/// The file at this path.
pub(super) fn opened(path: &Path) -> Result<File, ObjectError> {
    // Libraries are known by links to them.
    let opened = fs::canonicalize(path).and_then(|target| regular_file::open(&target));
    opened.map_err(|source| ObjectError::Unreadable {
        path: path.to_owned(),
        source,
    })
}

pub(super) fn damaged(path: &Path, detail: impl ToString) -> ObjectError {
    ObjectError::Damaged {
        path: path.to_owned(),
        detail: detail.to_string(),
    }
}

/// Bytes at the begin of a stub, within which it jumps.
// `endbr64` has 4 bytes, and `bnd jmp [rip+slot]` 7.
const STUB: u64 = 12;

/// Contents of the headers and tables of a file.
struct Parts {
    build_id: Option<Vec<u8>>,
    instruction_set: InstructionSet,
    addresses: LinkedAddresses,
    constants: ConstantData,
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
            instruction_set: headers.architecture().into(),
            addresses: LinkedAddresses::read(&headers),
            constants: ConstantData::read(&headers),
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
