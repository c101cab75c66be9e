//! Instructions that Valgrind counts differently than the processor executes them in single steps.
//!
//! In: the bytes of an instruction and the registers before and after a step. Out: the difference
//! to Valgrind's count. Found by programs of a few instructions under Valgrind 3.19:
//!
//! - A string instruction with a `rep` prefix is a loop for Valgrind: each iteration is an
//!   instruction, and so is the last check, which finds the counter at zero. The processor stops
//!   after each iteration, and in the last one it has done this check already.
//! - A client request is five instructions for the processor and one for Valgrind.

/// Kind of an instruction, by which Valgrind's count may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InstructionKind {
    /// Valgrind and the processor count the same.
    Plain,
    /// `rep movs`, `stos`, `lods`: ends when the counter is zero.
    Repeat,
    /// `repe cmps`, `scas`: ends also when two operands differ, or with `repne` when they are
    /// equal.
    RepeatWhile {
        /// State of the zero flag with which the loop goes on.
        zero: bool,
    },
    /// The first of the five instructions of a client request.
    Request,
}

/// Most bytes of code that are read for an instruction.
pub(super) const LENGTH: usize = 24;

/// Rotates `rdi` by 3, 13, 61 and 51 bits.
const PREAMBLE: [u8; 16] = [
    0x48, 0xc1, 0xc7, 3, 0x48, 0xc1, 0xc7, 13, 0x48, 0xc1, 0xc7, 61, 0x48, 0xc1, 0xc7, 51,
];

/// Instructions that exchange a register with itself: `rbx` for a request, `rcx`, `rdx` and `rdi`
/// for Valgrind's own wrappers.
const LAST: [[u8; 3]; 4] = [
    [0x48, 0x87, 0xdb],
    [0x48, 0x87, 0xc9],
    [0x48, 0x87, 0xd2],
    [0x48, 0x87, 0xff],
];

/// Zero flag in `rflags`.
const ZERO_FLAG: u64 = 1 << 6;

/// Registers that decide about a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepState {
    /// Address of the next instruction.
    pub(super) address: u64,
    /// `rcx`
    pub(super) counter: u64,
    /// `rflags`
    pub(super) flags: u64,
}

/// Kind of the instruction at the begin of these bytes.
pub(super) fn kind(bytes: &[u8]) -> InstructionKind {
    let last = bytes.strip_prefix(&PREAMBLE[..]);
    if last.is_some_and(|last| LAST.iter().any(|known| last.starts_with(known))) {
        return InstructionKind::Request;
    }
    let mut repeat = None;
    for (place, byte) in bytes.iter().enumerate() {
        match byte {
            0xf2 | 0xf3 => repeat = Some(*byte),
            // Prefixes: sizes of operands and addresses, segments, REX.
            0x66 | 0x67 | 0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65 => {}
            0x40..=0x4f if place > 0 => {}
            // movs, stos, lods
            0xa4 | 0xa5 | 0xaa..=0xad if repeat.is_some() => return InstructionKind::Repeat,
            // cmps, scas
            0xa6 | 0xa7 | 0xae | 0xaf => {
                return match repeat {
                    Some(repeat) => InstructionKind::RepeatWhile {
                        zero: repeat == 0xf3,
                    },
                    None => InstructionKind::Plain,
                };
            }
            _ => return InstructionKind::Plain,
        }
    }
    InstructionKind::Plain
}

impl InstructionKind {
    /// Number of instructions beyond one that Valgrind counts for a step.
    pub(super) fn more(self, before: StepState, after: StepState) -> i64 {
        let ended = after.address != before.address && before.counter != 0 && after.counter == 0;
        match self {
            Self::Plain => 0,
            Self::Repeat => i64::from(ended),
            Self::RepeatWhile { zero } => {
                let goes_on = (after.flags & ZERO_FLAG != 0) == zero;
                i64::from(ended && goes_on)
            }
            Self::Request => -4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_known_by_their_bytes() {
        #[track_caller]
        fn check(bytes: &[u8], expected: InstructionKind) {
            assert_eq!(kind(bytes), expected, "{bytes:02x?}");
        }
        check(&[0xf3, 0xa4, 0xc3], InstructionKind::Repeat);
        check(&[0xf3, 0x48, 0xab], InstructionKind::Repeat);
        check(&[0x66, 0xf3, 0xa5], InstructionKind::Repeat);
        check(&[0xa4], InstructionKind::Plain);
        check(&[0xf3, 0xa6], InstructionKind::RepeatWhile { zero: true });
        check(&[0xf2, 0xae], InstructionKind::RepeatWhile { zero: false });
        check(&[0xae], InstructionKind::Plain);
        // pause, endbr64, bnd ret, movsd
        check(&[0xf3, 0x90], InstructionKind::Plain);
        check(&[0xf3, 0x0f, 0x1e, 0xfa], InstructionKind::Plain);
        check(&[0xf2, 0xc3], InstructionKind::Plain);
        check(&[0xf2, 0x0f, 0x10, 0xa4], InstructionKind::Plain);
        check(&[], InstructionKind::Plain);
        let request = [&PREAMBLE[..], &[0x48, 0x87, 0xdb, 0x90]].concat();
        check(&request, InstructionKind::Request);
        check(&PREAMBLE, InstructionKind::Plain);
    }

    #[test]
    fn a_repeated_instruction_counts_its_last_look() {
        let state = |address, counter, flags| StepState {
            address,
            counter,
            flags,
        };
        let goes_on = InstructionKind::Repeat.more(state(7, 2, 0), state(7, 1, 0));
        let ends = InstructionKind::Repeat.more(state(7, 1, 0), state(9, 0, 0));
        let nothing_to_do = InstructionKind::Repeat.more(state(7, 0, 0), state(9, 0, 0));
        assert_eq!((goes_on, ends, nothing_to_do), (0, 1, 0));
        let find = InstructionKind::RepeatWhile { zero: false };
        assert_eq!(find.more(state(7, 1, 0), state(9, 0, 0)), 1);
        // Found in the last place, and before.
        assert_eq!(find.more(state(7, 1, 0), state(9, 0, ZERO_FLAG)), 0);
        assert_eq!(find.more(state(7, 5, 0), state(9, 4, ZERO_FLAG)), 0);
    }
}
