//! The line of an address, by the line program of its unit.
//!
//! A program is a list of sequences, one for each piece of code that the linker places. One pass finds where they begin, and
//! rows are kept of those only that somebody asks for: an executable has a thousand functions, and a benchmark runs some of them.

use gimli::{constants, LineEncoding, LineProgramHeader};

use super::cursor::ByteCursor;
use super::DebugSlice;

/// The sequences of a unit, in the order of their addresses.
#[derive(Debug)]
pub(super) struct LineSequences {
    program: LineProgram,
    sequences: Vec<LineSequence>,
    /// The one that was found last.
    last: usize,
}

/// A piece of code with its lines.
#[derive(Debug)]
struct LineSequence {
    start: u64,
    end: u64,
    /// Position in the program.
    at: usize,
    /// Made at their first use.
    rows: Option<Box<[PlacedLine]>>,
}

/// Line of the code from an address on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlacedLine {
    address: u64,
    /// Number of the file in the unit.
    pub(super) file: u64,
    /// 0: none.
    pub(super) line: u32,
}

/// Program of a unit. An instruction of the processors that Valgrind knows is one operation.
#[derive(Debug, Clone, Copy)]
struct LineProgram {
    bytes: DebugSlice,
    /// Operands of the standard opcodes, from the first on.
    operands: &'static [u8],
    opcode_base: u8,
    address_size: u8,
    encoding: LineEncoding,
}

impl LineSequences {
    /// Looks for the sequences. A damaged program has those before the damage.
    pub(super) fn new(header: &LineProgramHeader<DebugSlice>) -> Self {
        let program = LineProgram {
            bytes: header.raw_program_buf(),
            operands: header.standard_opcode_lengths().slice(),
            opcode_base: header.opcode_base(),
            address_size: header.address_size(),
            encoding: header.line_encoding(),
        };
        let mut sequences = Vec::new();
        let mut machine = LineMachine::new(&program, 0);
        let mut begin = 0;
        let mut start = None;
        while let Some(step) = machine.step() {
            match step {
                LineStep::Nothing => {}
                LineStep::Row => {
                    start.get_or_insert(machine.address);
                }
                LineStep::End(end) => {
                    sequences.push(LineSequence {
                        start: start.take().unwrap_or(end),
                        end,
                        at: begin,
                        rows: None,
                    });
                    begin = machine.cursor.at();
                }
            }
        }
        sequences.retain(|sequence| sequence.start < sequence.end);
        sequences.sort_by_key(|sequence| sequence.start);
        Self {
            program,
            sequences,
            last: 0,
        }
    }

    /// Addresses of all sequences.
    pub(super) fn ranges(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.sequences
            .iter()
            .map(|sequence| (sequence.start, sequence.end))
    }

    /// The line of the code at this address.
    pub(super) fn at(&mut self, address: u64) -> Option<PlacedLine> {
        let order =
            |sequence: &LineSequence| super::order_of_range(sequence.start, sequence.end, address);
        let found = super::search_from(&self.sequences, &mut self.last, order)?;
        let sequence = &mut self.sequences[found];
        let rows = sequence
            .rows
            .get_or_insert_with(|| self.program.rows(sequence.at));
        let after = rows.partition_point(|row| row.address <= address);
        rows.get(after.checked_sub(1)?).copied()
    }
}

impl LineProgram {
    /// The rows of the sequence that begins here. Of several with the same address the last one holds.
    fn rows(&self, at: usize) -> Box<[PlacedLine]> {
        let mut rows: Vec<PlacedLine> = Vec::new();
        let mut machine = LineMachine::new(self, at);
        loop {
            match machine.step() {
                Some(LineStep::Nothing) => {}
                Some(LineStep::Row) => {
                    let row = machine.row();
                    match rows.last_mut() {
                        Some(last) if last.address == row.address => *last = row,
                        _ => rows.push(row),
                    }
                }
                Some(LineStep::End(_)) | None => break,
            }
        }
        rows.into()
    }
}

/// The machine that runs a program: the registers that lines need.
struct LineMachine<'a> {
    program: &'a LineProgram,
    cursor: ByteCursor<'a>,
    address: u64,
    file: u64,
    line: u64,
    /// The linker has left this code out.
    is_gone: bool,
}

/// What an instruction of a program has done.
enum LineStep {
    /// No more than changing registers.
    Nothing,
    /// A row of code that is there: the registers.
    Row,
    /// The sequence ends before this address.
    End(u64),
}

impl<'a> LineMachine<'a> {
    fn new(program: &'a LineProgram, at: usize) -> Self {
        Self {
            program,
            cursor: ByteCursor::new(program.bytes).moved(at),
            address: 0,
            file: 1,
            line: 1,
            is_gone: false,
        }
    }

    /// Runs an instruction. `None`: the program ends, or is damaged.
    #[inline(always)]
    fn step(&mut self) -> Option<LineStep> {
        let opcode = self.cursor.byte()?;
        if opcode >= self.program.opcode_base {
            self.special(opcode)?;
            return Some(self.written());
        }
        match constants::DwLns(opcode) {
            constants::DwLns(0) => return self.extended(),
            constants::DW_LNS_copy => return Some(self.written()),
            constants::DW_LNS_advance_pc => {
                let operations = self.cursor.unsigned()?;
                self.advance(operations)?;
            }
            constants::DW_LNS_advance_line => {
                let lines = self.cursor.signed()?;
                self.move_line(lines);
            }
            constants::DW_LNS_set_file => self.file = self.cursor.unsigned()?,
            constants::DW_LNS_const_add_pc => {
                let adjusted = u8::MAX - self.program.opcode_base;
                self.advance(u64::from(adjusted / self.program.encoding.line_range))?;
            }
            constants::DW_LNS_fixed_advance_pc => {
                let bytes = self.cursor.number(2)?;
                self.go_on(bytes)?;
            }
            constants::DW_LNS_negate_stmt
            | constants::DW_LNS_set_basic_block
            | constants::DW_LNS_set_prologue_end
            | constants::DW_LNS_set_epilogue_begin => {}
            constants::DW_LNS_set_column | constants::DW_LNS_set_isa => {
                self.cursor.unsigned()?;
            }
            _ => {
                let index = usize::from(opcode).checked_sub(1)?;
                for _ in 0..*self.program.operands.get(index)? {
                    self.cursor.unsigned()?;
                }
            }
        }
        Some(LineStep::Nothing)
    }

    fn written(&self) -> LineStep {
        match self.is_gone {
            true => LineStep::Nothing,
            false => LineStep::Row,
        }
    }

    fn row(&self) -> PlacedLine {
        PlacedLine {
            address: self.address,
            file: self.file,
            line: self.line as u32,
        }
    }

    #[inline]
    fn special(&mut self, opcode: u8) -> Option<()> {
        let encoding = &self.program.encoding;
        let adjusted = opcode - self.program.opcode_base;
        let lines = i64::from(encoding.line_base) + i64::from(adjusted % encoding.line_range);
        let operations = u64::from(adjusted / encoding.line_range);
        self.move_line(lines);
        self.advance(operations)
    }

    /// Runs an instruction that has its length with it.
    fn extended(&mut self) -> Option<LineStep> {
        let length = usize::try_from(self.cursor.unsigned()?).ok()?;
        let mut operands = self.cursor;
        self.cursor.skip(length)?;
        match constants::DwLne(operands.byte()?) {
            constants::DW_LNE_end_sequence => {
                let step = match self.is_gone {
                    true => LineStep::Nothing,
                    false => LineStep::End(self.address),
                };
                *self = Self {
                    cursor: self.cursor,
                    ..Self::new(self.program, 0)
                };
                Some(step)
            }
            constants::DW_LNE_set_address => {
                let address = operands.number(usize::from(self.program.address_size))?;
                // Linkers write the highest addresses for code that they leave out, or low ones: addresses ascend otherwise.
                let most = u64::MAX >> (64_u32.checked_sub(8 * self.address_bytes())?);
                self.is_gone = address < self.address || address >= most - 1;
                if !self.is_gone {
                    self.address = address;
                }
                Some(LineStep::Nothing)
            }
            _ => Some(LineStep::Nothing),
        }
    }

    fn move_line(&mut self, lines: i64) {
        self.line = match lines < 0 {
            true => self.line.saturating_sub(lines.unsigned_abs()),
            false => self.line.wrapping_add(lines.unsigned_abs()),
        };
    }

    /// Goes on by so many instructions of the smallest length.
    fn advance(&mut self, operations: u64) -> Option<()> {
        let length = u64::from(self.program.encoding.minimum_instruction_length);
        self.go_on(operations.wrapping_mul(length))
    }

    fn go_on(&mut self, bytes: u64) -> Option<()> {
        if !self.is_gone {
            self.address = self.address.checked_add(bytes)?;
        }
        Some(())
    }

    fn address_bytes(&self) -> u32 {
        u32::from(self.program.address_size)
    }
}
