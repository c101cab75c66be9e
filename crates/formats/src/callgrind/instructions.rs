//! The costs of a profile by instruction, and the calls by call instruction.
//!
//! One pass over any number of files; memory grows with the number of executed instructions. Costs
//! of the same instruction in several parts, threads, processes, levels of a recursion and contexts
//! add up. In profiles that have no instructions (`--dump-instr=no`) the places are the lines of
//! each function.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::io::{self, Read};

use rustc_hash::FxHashMap;

use super::super::ParseError;
use super::cost_rows::{CostRows, EventColumns};
use super::interned::{InternedNames, NameId};
use super::plain_name::plain_names;
use super::reader::{read_with, CallgrindItem, PositionName};
use super::{CallgrindProfile, PositionKind};

/// Most places that are kept: with all that is made of them, they take some 150 MB.
const MOST: usize = 500_000;

/// Costs by instruction, or by line in profiles without instructions.
///
/// Methods panic if they get an index that is not in their list. Names are those of this profile.
#[derive(Debug, Clone, Default)]
pub struct InstructionProfile {
    /// Names of the events, in the order of all costs.
    pub events: Vec<String>,
    /// The profile has instructions (`--dump-instr=yes`). Otherwise all addresses are 0.
    pub by_instruction: bool,
    /// Places with own costs, in the order of the files. [`Self::own`] takes an index into this
    /// list.
    pub rows: Vec<CostPlace>,
    /// Calls, in the order of the files. [`Self::inclusive`] takes an index into this list.
    pub calls: Vec<CallPlace>,
    names: InternedNames,
    /// Number of bytes of each name without Callgrind's suffixes.
    plain: Vec<u32>,
    pub(super) own: CostRows,
    pub(super) inclusive: CostRows,
}

/// A place that has own costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CostPlace {
    /// Executable or library.
    pub object: ProfileName,
    /// Address of the instruction in the object.
    pub address: u64,
    /// Function, with Callgrind's suffixes; [`InstructionProfile::plain_name`] is without them.
    pub function: ProfileName,
    /// Source file.
    pub file: ProfileName,
    /// Line in the source file, counted from 1; 0: not known.
    pub line: u32,
}

/// A place that calls a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallPlace {
    /// Place of the call.
    pub site: CostPlace,
    /// Place at which the called function begins. Its line is that of the declaration.
    pub callee: CostPlace,
    /// Number of calls in the file. [`InstructionProfile::below`] divides costs, not this number.
    pub raw_count: u64,
}

/// Name of an object, a function or a file of an [`InstructionProfile`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProfileName(NameId);

impl InstructionProfile {
    /// Text of a name of this profile, as Callgrind writes it.
    #[must_use]
    pub fn name(&self, name: ProfileName) -> &[u8] {
        self.names.text(name.0)
    }

    /// Name of a function without the level of a recursion (`'2`) and without callers.
    #[must_use]
    pub fn plain_name(&self, function: ProfileName) -> &[u8] {
        &self.name(function)[..self.plain[function.0 as usize] as usize]
    }

    /// Costs of a place without those of calls, one for each event.
    #[must_use]
    pub fn own(&self, row: usize) -> &[u64] {
        self.own.row(row)
    }

    /// Costs of a call with everything that the callee calls, one for each event.
    #[must_use]
    pub fn inclusive(&self, call: usize) -> &[u64] {
        self.inclusive.row(call)
    }
}

/// Reads any number of files into one [`InstructionProfile`].
#[derive(Debug, Default)]
pub struct InstructionReader {
    events: EventColumns,
    names: InternedNames,
    by_instruction: bool,
    only_functions: bool,
    is_full: bool,
    address_column: Option<usize>,
    line_column: Option<usize>,
    rows: FxHashMap<PlaceKey, u32>,
    row_list: Vec<CostPlace>,
    own: CostRows,
    calls: FxHashMap<(PlaceKey, PlaceKey), u32>,
    call_list: Vec<CallPlace>,
    inclusive: CostRows,
    here: CostPlace,
    callee: Option<CostPlace>,
    callee_object: Option<ProfileName>,
    callee_file: Option<ProfileName>,
    functions: BTreeSet<NameId>,
}

/// Identity of a place: object and address, or object, function, file and line. Profiles have
/// hundreds of thousands, so it is small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PlaceKey([u32; 4]);

impl PlaceKey {
    fn of_instruction(object: NameId, address: u64) -> Self {
        // No file has this number.
        Self([object, (address >> 32) as u32, address as u32, NameId::MAX])
    }

    fn of_line(place: CostPlace) -> Self {
        Self([place.object.0, place.function.0, place.line, place.file.0])
    }
}

impl Hash for PlaceKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let [a, b, c, d] = self.0.map(u64::from);
        hasher.write_u64(a << 32 | b);
        hasher.write_u64(c << 32 | d);
    }
}

/// Input that ends as soon as the reader has enough of it.
struct UntilFull<'a, R> {
    input: R,
    is_full: &'a Cell<bool>,
}

impl<R: Read> Read for UntilFull<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.is_full.get() {
            // Ends the input here, instead of reading the other hundreds of megabytes.
            true => Ok(0),
            false => self.input.read(buffer),
        }
    }
}

impl Default for CostPlace {
    fn default() -> Self {
        let unknown = ProfileName(0);
        Self {
            object: unknown,
            address: 0,
            function: unknown,
            file: unknown,
            line: 0,
        }
    }
}

impl InstructionReader {
    /// Reader that leaves out instructions and lines: one place for each function and file, so that
    /// memory grows with the number of functions only.
    #[must_use]
    pub fn only_functions() -> Self {
        Self {
            only_functions: true,
            ..Self::default()
        }
    }

    /// Adds the costs of a file. `None`: the file is empty or blank, or has more places than are
    /// kept ([`Self::is_full`]); the rest of it is not read then.
    ///
    /// # Errors
    ///
    /// As [`read`](super::read). Costs before the error stay in the profile.
    pub fn add(&mut self, input: impl Read) -> Result<Option<CallgrindProfile>, ParseError> {
        let unknown = self.id(b"???");
        self.here = CostPlace {
            object: unknown,
            function: unknown,
            file: unknown,
            ..CostPlace::default()
        };
        let is_full = Cell::new(self.is_full);
        let input = UntilFull {
            input,
            is_full: &is_full,
        };
        let read = read_with(input, |item| {
            self.item(item);
            is_full.set(self.is_full);
        });
        match read {
            // The end is somewhere in the file.
            Err(_) if self.is_full => Ok(None),
            read => read,
        }
    }

    /// Were there more than the 500 000 places that are kept? The profile lacks the rest of them.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    fn id(&mut self, text: &[u8]) -> ProfileName {
        ProfileName(self.names.id(text))
    }

    fn function(&mut self, text: &[u8]) -> ProfileName {
        let name = self.id(text);
        self.functions.insert(name.0);
        name
    }

    #[inline]
    fn item(&mut self, item: CallgrindItem<'_>) {
        match item {
            CallgrindItem::Cost { positions, costs } => self.cost(positions, costs),
            CallgrindItem::Call {
                count,
                target,
                positions,
                costs,
            } => self.call(count, target, positions, costs),
            CallgrindItem::Place(name) => self.at(name),
            CallgrindItem::Callee(name) => self.leads_to(name),
            CallgrindItem::Events { names, positions } => self.begin(names, positions),
            CallgrindItem::Part | CallgrindItem::Own(_) | CallgrindItem::JumpTo(_) => {}
        }
    }

    fn begin(&mut self, names: &[String], positions: &[PositionKind]) {
        self.events
            .begin(names, [&mut self.own, &mut self.inclusive]);
        if self.only_functions {
            return;
        }
        let column = |kind| positions.iter().position(|position| *position == kind);
        self.address_column = column(PositionKind::Instruction);
        // Without a list, the only position is the line.
        self.line_column = column(PositionKind::Line).or(positions.is_empty().then_some(0));
        self.by_instruction |= self.address_column.is_some();
    }

    fn at(&mut self, name: PositionName<'_>) {
        match name {
            PositionName::Object(text) => self.here.object = self.id(text),
            PositionName::File(text) | PositionName::InnerFile(text) => {
                self.here.file = self.id(text);
            }
            PositionName::Function(text) => self.here.function = self.function(text),
        }
    }

    fn leads_to(&mut self, name: PositionName<'_>) {
        match name {
            PositionName::Object(text) => self.callee_object = Some(self.id(text)),
            PositionName::File(text) | PositionName::InnerFile(text) => {
                self.callee_file = Some(self.id(text));
            }
            PositionName::Function(text) => {
                // Object and file hold for this name only.
                self.callee = Some(CostPlace {
                    object: self.callee_object.take().unwrap_or(self.here.object),
                    function: self.function(text),
                    file: self.callee_file.take().unwrap_or(self.here.file),
                    ..CostPlace::default()
                });
            }
        }
    }

    /// `place` with these positions.
    fn positioned(&self, place: CostPlace, positions: &[u64]) -> CostPlace {
        let value =
            |column: Option<usize>| column.and_then(|column| positions.get(column).copied());
        CostPlace {
            address: value(self.address_column).unwrap_or(0),
            line: value(self.line_column)
                .and_then(|line| u32::try_from(line).ok())
                .unwrap_or(0),
            ..place
        }
    }

    fn key(&self, place: CostPlace) -> PlaceKey {
        match self.address_column {
            // Without the function: levels of a recursion and contexts have the same instructions.
            Some(_) => PlaceKey::of_instruction(place.object.0, place.address),
            None => PlaceKey::of_line(place),
        }
    }

    #[inline]
    fn cost(&mut self, positions: &[u64], costs: &[u64]) {
        if self.is_full {
            return;
        }
        let place = self.positioned(self.here, positions);
        let next = self.row_list.len() as u32;
        let row = *self.rows.entry(self.key(place)).or_insert(next);
        if row == next {
            self.row_list.push(place);
            self.own.resize(self.row_list.len());
            self.is_full = self.row_list.len() >= MOST;
        }
        self.own.add(row as usize, costs, &self.events);
    }

    fn call(&mut self, count: u64, target: &[u64], positions: &[u64], costs: &[u64]) {
        // Calls without any cost are those of a setup, a teardown or the harness.
        let Some(callee) = self.callee.filter(|_| costs.iter().any(|cost| *cost > 0)) else {
            return;
        };
        let site = self.positioned(self.here, positions);
        let callee = self.positioned(callee, target);
        let next = self.call_list.len() as u32;
        let key = (self.key(site), self.key(callee));
        let call = *self.calls.entry(key).or_insert(next);
        if call == next {
            self.call_list.push(CallPlace {
                site,
                callee,
                raw_count: 0,
            });
            self.inclusive.resize(self.call_list.len());
        }
        let total = &mut self.call_list[call as usize].raw_count;
        *total = total.saturating_add(count);
        self.inclusive.add(call as usize, costs, &self.events);
    }

    /// Profile of all files that were added.
    #[must_use]
    pub fn finish(mut self) -> InstructionProfile {
        // Up to half of it is empty, and what is made of the profile needs as much once more.
        self.row_list.shrink_to_fit();
        self.call_list.shrink_to_fit();
        self.own.shrink();
        self.inclusive.shrink();
        self.names.shrink();
        let mut plain: Vec<u32> = (0..self.names.len() as NameId)
            .map(|id| self.names.text(id).len() as u32)
            .collect();
        let functions = self.functions.iter().map(|id| self.names.text(*id));
        // Only functions have suffixes: a quote in a path belongs to the path.
        for (id, name) in self.functions.iter().zip(plain_names(functions)) {
            plain[*id as usize] = name.name.len() as u32;
        }
        InstructionProfile {
            events: self.events.events,
            by_instruction: self.by_instruction,
            plain,
            rows: self.row_list,
            calls: self.call_list,
            names: self.names,
            own: self.own,
            inclusive: self.inclusive,
        }
    }
}
