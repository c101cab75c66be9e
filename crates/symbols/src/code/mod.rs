//! Machine code of functions: hashes that only a change of the function changes, and instructions
//! as text.
//!
//! In: bytes, and names for the addresses in them. Out: the same in each build, wherever the linker
//! put the function and its data. Nothing here knows files, so the code of an executable that is
//! gone can be read.

mod aarch64;
mod data;
mod hash;
mod x86;

pub(crate) use data::{DataExtent, DataReference};
pub(super) use hash::CodeHasher;
pub use hash::CodeHashes;
pub use x86::DecodedInstruction;

use std::sync::Arc;

use hash::CodeHashers;

/// Instruction set of a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InstructionSet {
    /// 64-bit instructions of Intel and AMD processors.
    X86_64,
    /// 32-bit instructions of Intel and AMD processors.
    X86,
    /// 64-bit instructions of ARM processors.
    Aarch64,
    /// Any other: its code has no hash and no text.
    Other,
}

impl InstructionSet {
    /// All of them, with the name that the Rust compiler has for each.
    const NAMES: [(Self, &'static str); 4] = [
        (Self::X86_64, "x86_64"),
        (Self::X86, "x86"),
        (Self::Aarch64, "aarch64"),
        (Self::Other, "other"),
    ];

    /// Name, as in Rust's `target_arch`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let mut names = Self::NAMES.iter();
        names
            .find(|(set, _)| *set == self)
            .map_or("other", |(_, name)| name)
    }

    /// Instruction set with this name of Rust's `target_arch`; [`Self::Other`] for unknown ones.
    #[must_use]
    pub fn named(name: &str) -> Self {
        let mut names = Self::NAMES.iter();
        let set = names.find(|(_, known)| *known == name);
        set.map_or(Self::Other, |(set, _)| *set)
    }

    /// Builds the tables of the decoder once, which takes longer than most functions.
    pub(super) fn prepare(self) {
        if let Some(bits) = self.bits() {
            x86::prepare(bits);
        }
    }

    /// Bits of an address, if this is an instruction set of Intel.
    fn bits(self) -> Option<u32> {
        match self {
            Self::X86_64 => Some(64),
            Self::X86 => Some(32),
            Self::Aarch64 | Self::Other => None,
        }
    }
}

impl From<object::Architecture> for InstructionSet {
    fn from(architecture: object::Architecture) -> Self {
        match architecture {
            object::Architecture::X86_64 => Self::X86_64,
            object::Architecture::I386 => Self::X86,
            object::Architecture::Aarch64 => Self::Aarch64,
            _ => Self::Other,
        }
    }
}

/// Machine code of a function.
#[derive(Debug, Clone, Copy)]
pub struct MachineCode<'a> {
    /// Instruction set of the code.
    pub set: InstructionSet,
    /// Address of the first byte in the file.
    pub start: u64,
    /// All bytes of the function.
    pub bytes: &'a [u8],
}

/// A place outside of a function that one of its instructions refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeReference {
    /// Bytes from the begin of the function to the instruction.
    pub offset: u64,
    /// Address that the instruction refers to.
    pub target: u64,
    /// The use of the address by the instruction.
    pub kind: ReferenceKind,
}

/// Use of an address by an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceKind {
    /// A call or a jump to the address.
    Branch,
    /// An access to memory at the address, or the address is taken.
    Memory,
    /// A number that is an address if the file is always loaded at the same place.
    Number,
}

/// Instructions of a function without their texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CodeLayout {
    /// Bytes from the begin of the function to each instruction.
    pub offsets: Vec<u32>,
    /// Instructions that refer to a function or to data, by their bytes from the begin of the
    /// function, ascending. An instruction with several references has the first.
    pub references: Vec<(u32, ReferenceName)>,
}

/// Name that hashes and texts have in place of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReferenceName {
    /// A function.
    Function(FunctionName),
    /// Data, which has no name.
    Data,
    /// No address of the file: a number that means itself.
    None,
}

/// Name of a function that code refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionName {
    /// Canonical name, which all instances of a generic function share.
    pub canonical: Arc<str>,
    /// Name of the instance, with generic arguments.
    pub instance: Arc<str>,
}

impl From<&str> for FunctionName {
    /// The name of a function that has one instance only.
    fn from(name: &str) -> Self {
        let canonical: Arc<str> = name.into();
        Self {
            instance: Arc::clone(&canonical),
            canonical,
        }
    }
}

impl MachineCode<'_> {
    /// Hashes of the code, with names in place of addresses. All are 0 for
    /// [`InstructionSet::Other`].
    pub fn hashes(&self, names: &mut dyn FnMut(CodeReference) -> ReferenceName) -> CodeHashes {
        let mut hashers = CodeHashers::default();
        match self.set {
            InstructionSet::Other => return CodeHashes::default(),
            InstructionSet::Aarch64 => aarch64::hash(self, &mut hashers, names),
            InstructionSet::X86_64 | InstructionSet::X86 => x86::hash(self, &mut hashers, names),
        }
        hashers.finish()
    }

    /// The data that the instructions refer to by an address. Empty: not known for this processor.
    pub(crate) fn data_references(&self) -> Vec<DataReference> {
        match self.set {
            InstructionSet::X86_64 => data::references(self),
            _ => Vec::new(),
        }
    }

    /// Instructions as text, with names in place of addresses. Empty: the instruction set is not
    /// one of Intel's.
    pub fn instructions(
        &self,
        names: &mut dyn FnMut(CodeReference) -> ReferenceName,
    ) -> Vec<DecodedInstruction> {
        x86::instructions(self, names)
    }

    /// The instructions, without texts. Empty: they are not known for this processor.
    pub(crate) fn layout(
        &self,
        names: &mut dyn FnMut(CodeReference) -> ReferenceName,
    ) -> CodeLayout {
        x86::layout(self, names)
    }

    /// The place in memory through which this code, the begin of a stub, jumps.
    pub(super) fn slot_of_jump(&self) -> Option<u64> {
        x86::slot_of_jump(self)
    }

    /// Does the address lie in the function?
    fn contains(&self, address: u64) -> bool {
        let offset = address.checked_sub(self.start);
        offset.is_some_and(|offset| offset < self.bytes.len() as u64)
    }
}

/// Hash for a function of a library by the build id of the library: it changes with any change of
/// the library. Never 0.
#[must_use]
pub fn library_hash(build_id: &[u8], symbol: &str) -> u64 {
    let mut hasher = CodeHasher::default();
    hasher.add(build_id);
    hasher.add(symbol.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests;
