//! Data that code refers to by an address: constants, tables, strings.
//!
//! In: the code of a function. Out: the address, and how many bytes of it the function reads.
//! Tables of jumps and of relative addresses are left out, since the linker decides what they hold.

use std::collections::{BTreeSet, HashMap};

use iced_x86::{Instruction, MemorySize, Mnemonic, OpKind, Register};

use super::x86::for_each;
use super::MachineCode;

/// A place in memory that an instruction refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DataReference {
    /// Place of the instruction in the function.
    pub(crate) offset: u32,
    /// The address of the data.
    pub(crate) target: u64,
    /// Length of the data.
    pub(crate) extent: DataExtent,
}

/// Length of data that an instruction refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataExtent {
    /// The instruction reads this many bytes.
    Bytes(u64),
    /// The instruction takes the address, so the length is not known.
    Open,
}

/// The references of a function, in the order of its instructions.
pub(super) fn references(code: &MachineCode<'_>) -> Vec<DataReference> {
    let mut found: Vec<DataReference> = Vec::new();
    let mut tables = RelativeTables::default();
    for_each(code, |_, instruction, _, offset| {
        tables.follow(instruction, found.len());
        if instruction.is_ip_rel_memory_operand() {
            found.push(DataReference {
                offset: offset as u32,
                target: instruction.ip_rel_memory_address(),
                extent: extent(instruction),
            });
        }
    });
    // From the end, so that the positions before stay right.
    for index in tables.found.into_iter().rev() {
        found.remove(index);
    }
    found
}

/// The bytes that an instruction reads, for the sizes that compilers use. The decoder's own table
/// of sizes is behind a feature, which nothing else here needs.
fn extent(instruction: &Instruction) -> DataExtent {
    use MemorySize::*;
    if instruction.mnemonic() == Mnemonic::Lea {
        return DataExtent::Open;
    }
    DataExtent::Bytes(match instruction.memory_size() {
        UInt8 | Int8 => 1,
        UInt16 | Int16 => 2,
        UInt32 | Int32 | Float32 => 4,
        UInt64 | Int64 | Float64 | QwordOffset => 8,
        UInt128 | Packed128_UInt8 | Packed128_Int8 | Packed128_UInt16 | Packed128_Int16
        | Packed128_UInt32 | Packed128_Int32 | Packed128_UInt64 | Packed128_Int64
        | Packed128_Float32 | Packed128_Float64 => 16,
        UInt256 | Packed256_UInt8 | Packed256_Int8 | Packed256_UInt16 | Packed256_Int16
        | Packed256_UInt32 | Packed256_Int32 | Packed256_UInt64 | Packed256_Int64
        | Packed256_Float32 | Packed256_Float64 => 32,
        _ => return DataExtent::Open,
    })
}

/// Tables of addresses that are relative to the table itself:
/// `lea rcx,[rip+table]`, `movsxd rax,[rcx+rax*4]`, `add rax,rcx`.
#[derive(Default)]
struct RelativeTables {
    /// Position of the reference whose address each register holds.
    addresses: HashMap<Register, usize>,
    /// Registers that hold an entry of a table, with the register of the table.
    entries: HashMap<Register, Register>,
    /// Positions of the references to such tables, ascending.
    found: BTreeSet<usize>,
}

impl RelativeTables {
    /// `next` is the position of the reference that this instruction would be.
    fn follow(&mut self, instruction: &Instruction, next: usize) {
        let target = instruction.op0_register();
        match instruction.mnemonic() {
            Mnemonic::Lea if instruction.is_ip_rel_memory_operand() => {
                self.addresses.insert(target, next);
            }
            Mnemonic::Movsxd if instruction.memory_index_scale() == 4 => {
                self.entries.insert(target, instruction.memory_base());
            }
            Mnemonic::Add if instruction.op1_kind() == OpKind::Register => {
                let other = instruction.op1_register();
                for (entry, base) in [(target, other), (other, target)] {
                    let is_entry = self.entries.get(&entry) == Some(&base);
                    self.found
                        .extend(self.addresses.get(&base).filter(|_| is_entry));
                }
            }
            _ => {}
        }
    }
}
