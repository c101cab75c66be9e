//! Instructions of ARM's processors with 64 bits: words, in which some bits are decided by the
//! linker.

use super::hash::CodeHashers;
use super::{CodeReference, MachineCode, ReferenceKind, ReferenceName};

/// Hashes all words, without the bits that the linker decides.
pub(super) fn hash(
    code: &MachineCode<'_>,
    hasher: &mut CodeHashers,
    names: &mut dyn FnMut(CodeReference) -> ReferenceName,
) {
    let mut pages = PageRegisters::default();
    let mut words = code.bytes.chunks_exact(4);
    for (index, word) in (&mut words).enumerate() {
        let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        let offset = index as u64 * 4;
        let mut kept = word & !pages.linked(word);
        if let Some(distance) = branch(word) {
            let address = code.start.wrapping_add(offset);
            let target = address.wrapping_add_signed(distance);
            if !code.contains(target) {
                // The upper six bits are the operation, the others the distance.
                kept = word & 0xfc00_0000;
                let reference = CodeReference {
                    offset,
                    target,
                    kind: ReferenceKind::Branch,
                };
                if let ReferenceName::Function(name) = names(reference) {
                    hasher.refer(&name);
                }
            }
        }
        hasher.add(&kept.to_le_bytes());
    }
    hasher.add(words.remainder());
}

/// The distance in bytes of `B` and `BL`.
fn branch(word: u32) -> Option<i64> {
    let is_branch = word & 0x7c00_0000 == 0x1400_0000;
    // The sign is the highest of 26 bits, which count words.
    is_branch.then(|| i64::from((word << 6) as i32 >> 6) * 4)
}

/// Registers that hold the page of an address, until the place in it has been added.
#[derive(Debug, Default)]
struct PageRegisters(u32);

impl PageRegisters {
    /// The bits of a word that the linker decides.
    fn linked(&mut self, word: u32) -> u32 {
        let target = 1 << (word & 31);
        let base = 1 << (word >> 5 & 31);
        // ADRP, and ADR.
        if word & 0x1f00_0000 == 0x1000_0000 {
            if word & 0x8000_0000 != 0 {
                self.0 |= target;
            }
            // The distance in two parts: bits 29 and 30, and 5 to 23.
            return 0x60ff_ffe0;
        }
        // Loads of a literal.
        if word & 0x3b00_0000 == 0x1800_0000 {
            // The distance: bits 5 to 23.
            return 0x00ff_ffe0;
        }
        let is_add = word & 0x7f80_0000 == 0x1100_0000;
        let is_load_or_store = word & 0x3b00_0000 == 0x3900_0000;
        if (is_add || is_load_or_store) && self.0 & base != 0 {
            // A store reads its register, which keeps the page.
            let is_load = word & 0x00c0_0000 != 0;
            if is_add || is_load {
                self.0 &= !target;
            }
            // The place in the page: bits 10 to 21.
            return 0x003f_fc00;
        }
        0
    }
}
