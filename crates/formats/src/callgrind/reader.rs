//! The one-pass reader: line by line, numbers in place, memory bounded by the number of names.

use std::io::Read;

use super::super::lines::{InputLine, LinePosition, Lines};
use super::super::number::{counts, single, Cursor};
use super::super::{ParseError, ParseErrorKind};
use super::names::{CompressedNames, NameSpace};
use super::{CallgrindFlag, CallgrindPart, CallgrindProfile, PositionKind};

/// Callgrind knows three kinds of positions.
const MOST_POSITIONS: usize = 3;

/// Item of a profile that [`read_with`] shows, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallgrindItem<'a> {
    /// A new part; its header is not known completely before its end.
    Part,
    /// Columns of the lines of the part, whose places and costs follow.
    Events {
        /// Names of the events, one for each cost of a line.
        names: &'a [String],
        /// Kinds of the positions before the costs; empty stands for `line`.
        positions: &'a [PositionKind],
    },
    /// The place of the costs that follow.
    Place(PositionName<'a>),
    /// The place that the next call leads to.
    Callee(PositionName<'a>),
    /// The place that the next jump leads to. Jumps themselves are not shown.
    JumpTo(PositionName<'a>),
    /// The costs of all lines of a function itself, before the next one or the end of the part. One
    /// count for each event.
    Own(&'a [u64]),
    /// Costs of the current function itself.
    Cost {
        /// Position of the line, one number for each kind of position.
        positions: &'a [u64],
        /// One count for each event.
        costs: &'a [u64],
    },
    /// A call by the current function.
    Call {
        /// Number of calls.
        count: u64,
        /// Position at which the called function begins.
        target: &'a [u64],
        /// Position of the call.
        positions: &'a [u64],
        /// Inclusive costs, one count for each event.
        costs: &'a [u64],
    },
}

/// Name of an object, a file or a function, decompressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionName<'a> {
    /// `ob`, `cob`: executable or library.
    Object(&'a [u8]),
    /// `fl`: the file of the functions that follow.
    File(&'a [u8]),
    /// `fi`, `fe`, `cfi`, `cfl`: another file inside the same function (inlined code), or the file
    /// of the called one.
    InnerFile(&'a [u8]),
    /// `fn`, `cfn`: function, with Callgrind's suffixes (see [`plain_names`](super::plain_names)).
    Function(&'a [u8]),
}

/// Reads and checks a whole profile, and adds up the costs. `None`: the input is empty or blank.
///
/// # Errors
///
/// The input cannot be read, or a line is not one of Callgrind. A file that ends too early is not
/// an error but has [`CallgrindFlag::Incomplete`].
pub fn read(input: impl Read) -> Result<Option<CallgrindProfile>, ParseError> {
    read_with(input, |_| {})
}

/// Reads a profile as [`read`] does, and shows each item of it to `visit`.
///
/// # Errors
///
/// As [`read`]; `visit` has seen the items before the error by then.
pub fn read_with(
    input: impl Read,
    visit: impl FnMut(CallgrindItem<'_>),
) -> Result<Option<CallgrindProfile>, ParseError> {
    let mut lines = Lines::new(input);
    let mut reader = CallgrindReader::new(visit);
    let mut last = LinePosition::default();
    while let Some(line) = lines.next()? {
        last = line.position;
        match reader.line(line) {
            Ok(()) => {}
            // The writer was stopped inside this line; the part stays without totals.
            Err(_) if !line.ended && reader.in_body => {}
            Err(reason) => return Err(ParseError::syntax(last, reason, line.text)),
        }
    }
    reader
        .finish()
        .map_err(|reason| ParseError::syntax(last, reason, b""))
}

/// The state between two lines.
pub(super) struct CallgrindReader<V> {
    visit: V,
    done: Vec<CallgrindPart>,
    part: Option<CallgrindPart>,
    in_body: bool,
    any_text: bool,
    names: CompressedNames,
    /// Sums of the self costs of the current part so far.
    sums: Vec<u64>,
    /// `sums` at the begin of the current function.
    before: Vec<u64>,
    in_function: bool,
    callee_named: bool,
    /// Position that relative positions count from: that of the last line of costs. Callgrind
    /// begins each function with an absolute one, other writers count on.
    base: [u64; MOST_POSITIONS],
    expected: Expected,
    costs: Vec<u64>,
}

/// Kind of line that has to come next.
#[derive(Clone, Copy)]
enum Expected {
    Anything,
    CallCost {
        count: u64,
        target: [u64; MOST_POSITIONS],
    },
    JumpPosition,
}

impl<V: FnMut(CallgrindItem<'_>)> CallgrindReader<V> {
    pub(super) fn new(visit: V) -> Self {
        Self {
            visit,
            done: Vec::new(),
            part: None,
            in_body: false,
            any_text: false,
            names: CompressedNames::default(),
            sums: Vec::new(),
            before: Vec::new(),
            in_function: false,
            callee_named: false,
            base: [0; MOST_POSITIONS],
            expected: Expected::Anything,
            costs: Vec::new(),
        }
    }

    /// The header of the part whose body has begun: its lines may stand in any order.
    pub(super) fn head(&self) -> Option<&CallgrindPart> {
        self.part.as_ref().filter(|_| self.in_body)
    }

    pub(super) fn line(&mut self, line: InputLine<'_>) -> Result<(), ParseErrorKind> {
        let mut text = line.text;
        if line.position.number == 1 {
            text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        }
        if let Some(b' ' | b'\t') = text.first() {
            text = text.trim_ascii_start();
        }
        match text.first() {
            None => self.nothing_expected(),
            Some(b'#') => {
                self.any_text = true;
                Ok(())
            }
            Some(b'0'..=b'9' | b'+' | b'-' | b'*') => {
                self.any_text = true;
                self.cost(text)
            }
            Some(_) => {
                self.any_text = true;
                self.nothing_expected()?;
                let letter =
                    |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
                let end = text
                    .iter()
                    .position(|byte| !letter(byte))
                    .unwrap_or(text.len());
                match (&text[..end], &text[end..]) {
                    (b"", _) => Err(ParseErrorKind::UnknownLine),
                    (b"totals", [b':', value @ ..]) => self.totals(value, line.ended),
                    (key, [b':', value @ ..]) => self.header(key, value.trim_ascii_start()),
                    (key, [b'=', value @ ..]) => self.spec(key, value.trim_ascii_start()),
                    _ => Err(ParseErrorKind::UnknownLine),
                }
            }
        }
    }

    fn nothing_expected(&self) -> Result<(), ParseErrorKind> {
        match self.expected {
            Expected::Anything => Ok(()),
            Expected::CallCost { .. } => Err(ParseErrorKind::CallWithoutCost),
            Expected::JumpPosition => Err(ParseErrorKind::JumpWithoutPosition),
        }
    }

    // ---- header

    fn header(&mut self, key: &[u8], value: &[u8]) -> Result<(), ParseErrorKind> {
        const KNOWN: [&[u8]; 11] = [
            b"version",
            b"creator",
            b"pid",
            b"cmd",
            b"part",
            b"thread",
            b"desc",
            b"event",
            b"positions",
            b"events",
            b"summary",
        ];
        if !KNOWN.contains(&key) {
            // Other keys are allowed in a header; inside a body they have no place.
            return if self.in_body {
                Err(ParseErrorKind::UnknownLine)
            } else {
                Ok(())
            };
        }
        if self.in_body {
            self.close(None)?;
        }
        if self.part.is_none() {
            (self.visit)(CallgrindItem::Part);
        }
        let part = self.part.get_or_insert_default();
        match key {
            b"version" if single(value)? != 1 => return Err(ParseErrorKind::UnknownVersion),
            b"creator" => part.creator = Some(String::from_utf8_lossy(value).into_owned()),
            b"pid" => once("pid", &mut part.pid, process(value)?)?,
            // Each thread of a combined file's first dump repeats these.
            b"cmd" => once("cmd", &mut part.command, value.to_vec())?,
            b"part" => once("part", &mut part.part, single(value)?)?,
            b"thread" => once("thread", &mut part.thread, single(value)?)?,
            b"desc" => describe(part, value),
            b"event" => part.time_unit = time_unit(value).or(part.time_unit.take()),
            b"positions" => part.positions = positions(value)?,
            b"events" => {
                let names = events(value)?;
                if !part.events.is_empty() && part.events != names {
                    return Err(ParseErrorKind::GivenTwice("events"));
                }
                part.events = names;
            }
            b"summary" => {
                let limit = if part.events.is_empty() {
                    usize::MAX
                } else {
                    part.events.len()
                };
                part.summary = Some(counts(value, limit)?);
            }
            _ => {}
        }
        Ok(())
    }

    // ---- body

    fn begin_body(&mut self) -> Result<(), ParseErrorKind> {
        let part = self.part.as_ref().filter(|part| !part.events.is_empty());
        let part = part.ok_or(ParseErrorKind::NoEvents)?;
        (self.visit)(CallgrindItem::Events {
            names: &part.events,
            positions: &part.positions,
        });
        self.sums = vec![0; part.events.len()];
        self.in_function = false;
        self.callee_named = false;
        self.in_body = true;
        Ok(())
    }

    fn spec(&mut self, key: &[u8], value: &[u8]) -> Result<(), ParseErrorKind> {
        if !self.in_body {
            self.begin_body()?;
        }
        match key {
            b"calls" => self.calls(value),
            b"jump" | b"jcnd" => self.jump(value),
            b"ob" => self.name(NameSpace::Object, value, |name| {
                CallgrindItem::Place(PositionName::Object(name))
            }),
            b"fl" => self.name(NameSpace::File, value, |name| {
                CallgrindItem::Place(PositionName::File(name))
            }),
            b"fi" | b"fe" => self.name(NameSpace::File, value, |name| {
                CallgrindItem::Place(PositionName::InnerFile(name))
            }),
            b"fn" => {
                self.end_function();
                self.in_function = true;
                self.name(NameSpace::Function, value, |name| {
                    CallgrindItem::Place(PositionName::Function(name))
                })
            }
            b"cob" => self.name(NameSpace::Object, value, |name| {
                CallgrindItem::Callee(PositionName::Object(name))
            }),
            b"cfi" | b"cfl" => self.name(NameSpace::File, value, |name| {
                CallgrindItem::Callee(PositionName::InnerFile(name))
            }),
            b"cfn" => {
                self.callee_named = true;
                self.name(NameSpace::Function, value, |name| {
                    CallgrindItem::Callee(PositionName::Function(name))
                })
            }
            b"jfi" => self.name(NameSpace::File, value, |name| {
                CallgrindItem::JumpTo(PositionName::InnerFile(name))
            }),
            b"jfn" => self.name(NameSpace::Function, value, |name| {
                CallgrindItem::JumpTo(PositionName::Function(name))
            }),
            _ => {
                self.flag(CallgrindFlag::UnknownSpec);
                if key == b"frfn" {
                    // Not documented, but the first use of a number can be here.
                    self.names
                        .resolve(NameSpace::Function, value, self.done.len())?;
                }
                Ok(())
            }
        }
    }

    fn end_function(&mut self) {
        if self.in_function {
            for (sum, before) in self.sums.iter().zip(&mut self.before) {
                // Sums only grow, so this cannot be negative.
                *before = sum - *before;
            }
            (self.visit)(CallgrindItem::Own(&self.before));
        }
        self.before.clone_from(&self.sums);
    }

    fn name(
        &mut self,
        space: NameSpace,
        value: &[u8],
        event: impl FnOnce(&[u8]) -> CallgrindItem<'_>,
    ) -> Result<(), ParseErrorKind> {
        let name = self.names.resolve(space, value, self.done.len())?;
        let (missing, redefined) = (name.text.is_empty(), name.redefined);
        (self.visit)(event(name.text));
        if missing {
            self.flag(CallgrindFlag::NameMissing);
        }
        if redefined {
            self.flag(CallgrindFlag::NameRedefined);
        }
        Ok(())
    }

    fn calls(&mut self, value: &[u8]) -> Result<(), ParseErrorKind> {
        let mut cursor = Cursor(value);
        let count = cursor.number()?;
        // Positions that are left out here harm nobody.
        let (target, _) = self.positions(&mut cursor)?;
        if !cursor.at_end() {
            return Err(ParseErrorKind::NotANumber);
        }
        if !self.callee_named {
            return Err(ParseErrorKind::CallWithoutFunction);
        }
        // The target is relative to the last line of costs, but does not move the base.
        self.expected = Expected::CallCost { count, target };
        Ok(())
    }

    /// `jump=5 22`, `jcnd=3/10 24` as Callgrind writes it, `jcnd=10 3 24` as it is documented.
    fn jump(&mut self, value: &[u8]) -> Result<(), ParseErrorKind> {
        let mut numbers = Cursor(value);
        while let Some(word) = numbers.word() {
            let word = word
                .strip_prefix(b"+")
                .or(word.strip_prefix(b"-"))
                .unwrap_or(word);
            for number in word.split(|byte| *byte == b'/') {
                if number != b"*" {
                    single(number)?;
                }
            }
        }
        self.expected = Expected::JumpPosition;
        Ok(())
    }

    /// A line of positions and counts: a self cost, the cost of a call or the place of a jump.
    fn cost(&mut self, text: &[u8]) -> Result<(), ParseErrorKind> {
        if !self.in_body {
            self.begin_body()?;
        }
        if !self.in_function {
            return Err(ParseErrorKind::CostWithoutFunction);
        }
        let mut cursor = Cursor(text);
        let (positions, found) = self.positions(&mut cursor)?;
        if found < self.position_count() {
            return Err(ParseErrorKind::TooFewPositions);
        }
        // Also after `calls=`, where Callgrind writes `*`: the place stays the same.
        self.base = positions;
        self.costs.clear();
        while !cursor.at_end() {
            if self.costs.len() == self.sums.len() {
                return Err(ParseErrorKind::TooManyCounts);
            }
            self.costs.push(cursor.number()?);
        }
        match std::mem::replace(&mut self.expected, Expected::Anything) {
            Expected::JumpPosition => return Ok(()),
            Expected::CallCost { count, target } => {
                self.costs.resize(self.sums.len(), 0);
                let used = self.position_count();
                (self.visit)(CallgrindItem::Call {
                    count,
                    target: &target[..used],
                    positions: &self.base[..used],
                    costs: &self.costs,
                });
            }
            Expected::Anything => {
                for index in 0..self.costs.len() {
                    let sum = self.sums[index].checked_add(self.costs[index]);
                    self.sums[index] = sum.ok_or_else(|| self.overflow(index))?;
                }
                self.costs.resize(self.sums.len(), 0);
                let used = self.position_count();
                let positions = &self.base[..used];
                (self.visit)(CallgrindItem::Cost {
                    positions,
                    costs: &self.costs,
                });
            }
        }
        // `cfn=` without `calls=` stands for a call without costs; it ends here.
        self.callee_named = false;
        Ok(())
    }

    fn overflow(&self, index: usize) -> ParseErrorKind {
        let part = self.part.as_ref();
        let name = part.and_then(|part| part.events.get(index));
        ParseErrorKind::SumOverflow(name.cloned().unwrap_or_default())
    }

    fn position_count(&self) -> usize {
        self.part
            .as_ref()
            .map_or(1, |part| part.positions.len().max(1))
    }

    /// Positions at the begin of a line, and their number.
    fn positions(
        &self,
        cursor: &mut Cursor<'_>,
    ) -> Result<([u64; MOST_POSITIONS], usize), ParseErrorKind> {
        let mut positions = self.base;
        for (index, position) in positions[..self.position_count()].iter_mut().enumerate() {
            if cursor.at_end() {
                return Ok((positions, index));
            }
            let moved = match cursor.0 {
                [b'*', rest @ ..] => {
                    cursor.0 = rest;
                    continue;
                }
                [b'+', rest @ ..] => {
                    cursor.0 = rest;
                    position.checked_add(cursor.number()?)
                }
                [b'-', rest @ ..] => {
                    cursor.0 = rest;
                    position.checked_sub(cursor.number()?)
                }
                _ => Some(cursor.number()?),
            };
            *position = moved.ok_or(ParseErrorKind::PositionOutOfRange)?;
        }
        Ok((positions, self.position_count()))
    }

    fn flag(&mut self, flag: CallgrindFlag) {
        if let Some(part) = &mut self.part {
            part.flag(flag);
        }
    }

    // ---- end of a part

    fn totals(&mut self, value: &[u8], ended: bool) -> Result<(), ParseErrorKind> {
        if !self.in_body {
            self.begin_body()?;
        }
        let mut totals = counts(value, self.sums.len())?;
        totals.resize(self.sums.len(), 0);
        if !ended && totals != self.sums {
            // Cut inside a number, most likely: the part ends without totals.
            return Ok(());
        }
        self.close(Some(totals))
    }

    fn close(&mut self, totals: Option<Vec<u64>>) -> Result<(), ParseErrorKind> {
        let Some(mut part) = self.part.take() else {
            return Ok(());
        };
        if part.events.is_empty() {
            return Err(ParseErrorKind::NoEvents);
        }
        let events = part.events.len();
        if self.in_body {
            self.end_function();
            self.in_function = false;
        } else {
            self.sums = vec![0; events];
        }
        if let Some(summary) = &mut part.summary {
            if summary.len() > events {
                return Err(ParseErrorKind::TooManyCounts);
            }
            summary.resize(events, 0);
        }
        match (totals, &part.summary) {
            // Not `summary:`, which also has what belongs to no function (2 instructions without a
            // toggle) and system calls outside of the collected functions.
            (Some(totals), _) => {
                if totals != self.sums {
                    part.flag(CallgrindFlag::Inconsistent);
                }
                part.totals = totals;
            }
            (None, Some(summary)) => {
                part.totals.clone_from(summary);
                part.flag(CallgrindFlag::Incomplete);
                part.flag(CallgrindFlag::SummaryUsed);
            }
            (None, None) => {
                part.totals = std::mem::take(&mut self.sums);
                part.flag(CallgrindFlag::Incomplete);
                part.flag(CallgrindFlag::SumUsed);
            }
        }
        if let Some(first) = self.done.first() {
            // Header values that a combined file has once hold for all of its parts.
            part.creator = part.creator.or_else(|| first.creator.clone());
            part.pid = part.pid.or(first.pid);
            part.command = part.command.or_else(|| first.command.clone());
            if part.caches.is_empty() {
                part.caches.clone_from(&first.caches);
            }
            if part.events != first.events {
                part.flag(CallgrindFlag::EventsDiffer);
            }
        }
        self.done.push(part);
        self.in_body = false;
        self.expected = Expected::Anything;
        Ok(())
    }

    fn finish(mut self) -> Result<Option<CallgrindProfile>, ParseErrorKind> {
        self.close(None)?;
        match (self.done.is_empty(), self.any_text) {
            (true, true) => Err(ParseErrorKind::NoEvents),
            (true, false) => Ok(None),
            (false, _) => Ok(Some(CallgrindProfile { parts: self.done })),
        }
    }
}

/// Sets a header value that may be repeated but not changed.
fn once<T: PartialEq>(
    key: &'static str,
    slot: &mut Option<T>,
    value: T,
) -> Result<(), ParseErrorKind> {
    match slot {
        Some(known) if *known != value => Err(ParseErrorKind::GivenTwice(key)),
        _ => {
            *slot = Some(value);
            Ok(())
        }
    }
}

fn process(value: &[u8]) -> Result<u32, ParseErrorKind> {
    let pid = single(value)?;
    // Process ids are signed numbers of 32 bits (`pid_t`).
    let pid = i32::try_from(pid).map_err(|_| ParseErrorKind::TooLarge)?;
    Ok(pid.unsigned_abs())
}

fn describe(part: &mut CallgrindPart, value: &[u8]) {
    if let Some(trigger) = value.strip_prefix(b"Trigger:") {
        part.trigger = Some(trigger.trim_ascii().to_vec());
    } else if let Some(colon) = memchr::memmem::find(value, b" cache:") {
        // Without cache simulation nothing follows.
        let described = !value[colon + b" cache:".len()..].trim_ascii().is_empty();
        if described {
            part.caches
                .push(String::from_utf8_lossy(value.trim_ascii()).into_owned());
        }
    }
}

/// `sysTime : sysTime (elapsed ns)`
fn time_unit(value: &[u8]) -> Option<String> {
    let words = value.strip_prefix(b"sys")?.strip_suffix(b")")?;
    let unit = words.rsplit(|byte| *byte == b' ').next()?;
    let is_unit = unit.len() <= 4 && unit.iter().all(u8::is_ascii_alphabetic);
    is_unit.then(|| String::from_utf8_lossy(unit).into_owned())
}

fn positions(value: &[u8]) -> Result<Vec<PositionKind>, ParseErrorKind> {
    let mut cursor = Cursor(value);
    let mut positions = Vec::new();
    while let Some(word) = cursor.word() {
        let position = match word {
            b"instr" | b"addr" => PositionKind::Instruction,
            b"bb" => PositionKind::BasicBlock,
            b"line" => PositionKind::Line,
            _ => return Err(ParseErrorKind::UnknownPosition),
        };
        if positions.contains(&position) {
            return Err(ParseErrorKind::GivenTwice("positions"));
        }
        positions.push(position);
    }
    Ok(positions)
}

fn events(value: &[u8]) -> Result<Vec<String>, ParseErrorKind> {
    let mut cursor = Cursor(value);
    let mut events: Vec<String> = Vec::new();
    while let Some(word) = cursor.word() {
        let name = String::from_utf8_lossy(word).into_owned();
        if events.contains(&name) {
            return Err(ParseErrorKind::EventTwice);
        }
        events.push(name);
    }
    if events.is_empty() {
        Err(ParseErrorKind::NoEvents)
    } else {
        Ok(events)
    }
}
