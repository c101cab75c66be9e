//! Instructions of Intel's and AMD's processors.

use std::sync::Arc;

use iced_x86::{
    Decoder, DecoderOptions, Formatter, FormatterOutput, FormatterTextKind, Instruction,
    IntelFormatter, Mnemonic, OpKind, SymbolResolver, SymbolResult,
};

use super::hash::CodeHashers;
use super::{CodeLayout, CodeReference, MachineCode, ReferenceKind, ReferenceName};

/// Instruction as text without addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedInstruction {
    /// Bytes from the begin of the function.
    pub offset: u64,
    /// Length in bytes.
    pub length: usize,
    /// Mnemonic and operands, as Intel writes them: `call lab::fib`, `jne .up`,
    /// `mov rax,[rip data]`.
    pub text: String,
    /// Canonical name of the function that the instruction calls or jumps to.
    pub callee: Option<Arc<str>>,
}

/// Bytes of the longest instruction there can be.
const LONGEST: usize = 15;

type Names<'a> = &'a mut dyn FnMut(CodeReference) -> ReferenceName;

/// Makes the tables of the decoder.
pub(super) fn prepare(bits: u32) {
    let _ = Decoder::new(bits, &[], DecoderOptions::NONE);
}

/// Hashes the bytes of all instructions, without those that the linker decides.
pub(super) fn hash(code: &MachineCode<'_>, hasher: &mut CodeHashers, names: Names<'_>) {
    for_each(code, |decoder, instruction, bytes, offset| {
        let mut kept = [0; LONGEST];
        kept[..bytes.len()].copy_from_slice(bytes);
        for_each_reference(code, instruction, offset, |reference, is_displacement| {
            let name = names(reference);
            // A number that is no address is a part of the code, such as a limit of a loop.
            if reference.kind == ReferenceKind::Number && name == ReferenceName::None {
                return;
            }
            let places = decoder.get_constant_offsets(instruction);
            let (place, size) = match is_displacement {
                true => (places.displacement_offset(), places.displacement_size()),
                false => (places.immediate_offset(), places.immediate_size()),
            };
            kept[place..place + size].fill(0);
            if let ReferenceName::Function(name) = name {
                hasher.refer(&name);
            }
        });
        hasher.add(&kept[..bytes.len()]);
    });
}

/// The instructions as text.
pub(super) fn instructions(code: &MachineCode<'_>, names: Names<'_>) -> Vec<DecodedInstruction> {
    let mut decoded = Vec::new();
    for_each(code, |_, instruction, bytes, offset| {
        let mut callee = None;
        let mut resolved = Vec::new();
        for_each_reference(code, instruction, offset, |reference, _| {
            let name = names(reference);
            if let ReferenceName::Function(name) = &name {
                let is_branch = reference.kind == ReferenceKind::Branch || is_call(instruction);
                if is_branch {
                    callee = Some(Arc::clone(&name.canonical));
                }
            }
            resolved.push((reference, name));
        });
        let words = Words {
            start: code.start,
            end: code.start.wrapping_add(code.bytes.len() as u64),
            resolved,
        };
        decoded.push(DecodedInstruction {
            offset,
            length: bytes.len(),
            text: text(instruction, words),
            callee,
        });
    });
    decoded
}

/// The offsets of the instructions, and the names of their references.
pub(super) fn layout(code: &MachineCode<'_>, names: Names<'_>) -> CodeLayout {
    let mut layout = CodeLayout::default();
    for_each(code, |_, instruction, _, offset| {
        let place = offset as u32;
        layout.offsets.push(place);
        for_each_reference(code, instruction, offset, |reference, _| {
            let name = names(reference);
            let is_told = match name {
                ReferenceName::Function(_) => true,
                // Other kinds are data without being told.
                ReferenceName::Data => reference.kind == ReferenceKind::Number,
                ReferenceName::None => false,
            };
            let references = &mut layout.references;
            let is_first = references.last().is_none_or(|last| last.0 != place);
            if is_told && is_first {
                references.push((place, name));
            }
        });
    });
    layout
}

/// The place in memory through which the first jump goes.
pub(super) fn slot_of_jump(code: &MachineCode<'_>) -> Option<u64> {
    let mut slot = None;
    for_each(code, |_, instruction, _, _| {
        let is_jump = instruction.mnemonic() == Mnemonic::Jmp;
        if is_jump && slot.is_none() && instruction.is_ip_rel_memory_operand() {
            slot = Some(instruction.ip_rel_memory_address());
        }
    });
    slot
}

pub(super) fn for_each(
    code: &MachineCode<'_>,
    mut visit: impl FnMut(&Decoder<'_>, &Instruction, &[u8], u64),
) {
    let Some(bits) = code.set.bits() else { return };
    let mut decoder = Decoder::with_ip(bits, code.bytes, code.start, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    while decoder.can_decode() {
        let place = decoder.position();
        decoder.decode_out(&mut instruction);
        // An invalid instruction takes at least a byte, so this ends.
        let bytes = &code.bytes[place..decoder.position()];
        visit(&decoder, &instruction, bytes, place as u64);
    }
}

/// Visits the references of an instruction outside of the function, and whether they are its
/// displacement.
fn for_each_reference(
    code: &MachineCode<'_>,
    instruction: &Instruction,
    offset: u64,
    mut visit: impl FnMut(CodeReference, bool),
) {
    let mut push = |target, kind, is_displacement| {
        let reference = CodeReference {
            offset,
            target,
            kind,
        };
        visit(reference, is_displacement);
    };
    for kind in instruction.op_kinds() {
        match kind {
            OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => {
                let target = instruction.near_branch_target();
                if !code.contains(target) {
                    push(target, ReferenceKind::Branch, false);
                }
            }
            OpKind::Memory if instruction.is_ip_rel_memory_operand() => {
                let target = instruction.ip_rel_memory_address();
                push(target, ReferenceKind::Memory, true);
            }
            // Shorter displacements are offsets in structures: no address fits into a byte.
            OpKind::Memory if instruction.memory_displ_size() >= 4 => {
                let target = instruction.memory_displacement64();
                push(target, ReferenceKind::Number, true);
            }
            OpKind::Immediate32 | OpKind::Immediate32to64 | OpKind::Immediate64 => {
                let target = match kind {
                    OpKind::Immediate32 => u64::from(instruction.immediate32()),
                    OpKind::Immediate32to64 => instruction.immediate32to64() as u64,
                    _ => instruction.immediate64(),
                };
                push(target, ReferenceKind::Number, false);
            }
            _ => {}
        }
    }
}

/// Is it a call or a jump through memory?
fn is_call(instruction: &Instruction) -> bool {
    matches!(instruction.mnemonic(), Mnemonic::Call | Mnemonic::Jmp)
}

/// Words for the addresses of one instruction.
struct Words {
    start: u64,
    end: u64,
    resolved: Vec<(CodeReference, ReferenceName)>,
}

impl SymbolResolver for Words {
    fn symbol(
        &mut self,
        instruction: &Instruction,
        _operand: u32,
        instruction_operand: Option<u32>,
        address: u64,
        _address_size: u32,
    ) -> Option<SymbolResult<'_>> {
        let kind = instruction_operand.map(|operand| instruction.op_kind(operand));
        let is_branch = matches!(
            kind,
            Some(OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64)
        );
        let text = if is_branch && (self.start..self.end).contains(&address) {
            let is_up = address <= instruction.ip();
            if is_up { ".up" } else { ".down" }.to_owned()
        } else {
            let mut resolved = self.resolved.iter();
            let found = resolved.find(|(reference, _)| reference.target == address);
            match found? {
                (reference, name) if reference.kind == ReferenceKind::Memory => match name {
                    ReferenceName::Function(name) => format!("rip {}", name.canonical),
                    _ => "rip data".to_owned(),
                },
                (_, ReferenceName::Function(name)) => name.canonical.to_string(),
                (reference, _) if reference.kind == ReferenceKind::Branch => "?".to_owned(),
                (_, ReferenceName::Data) => "data".to_owned(),
                (_, ReferenceName::None) => return None,
            }
        };
        Some(SymbolResult::with_string(address, text))
    }
}

/// The text of an instruction. A negative number is written as Intel does: `0FFFFFFFFFFFFFFFEh`.
fn text(instruction: &Instruction, words: Words) -> String {
    let mut text = PlainText(String::new());
    let mut formatter = IntelFormatter::with_options(Some(Box::new(words)), None);
    formatter.options_mut().set_show_branch_size(false);
    formatter.format(instruction, &mut text);
    text.0
}

struct PlainText(String);

impl FormatterOutput for PlainText {
    fn write(&mut self, text: &str, _kind: FormatterTextKind) {
        self.0 += text;
    }
}
