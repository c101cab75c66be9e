//! Constants: hashes of the read-only data that code refers to, and of the initial value of a
//! `static`, wherever the linker puts them.
//!
//! In: an address in code. Out: a hash of the data there. Pointers are hashed as their targets.
//! Constants have no length in a file: if an instruction only takes the address, data ends at its
//! symbol, or at the next address that any code takes.

use std::ops::Range;
use std::sync::OnceLock;

use object::read::elf::{ElfFile, FileHeader};
use object::{Endianness, Object, ObjectKind, ObjectSection, ObjectSymbol, ReadRef, SymbolKind};

use super::code::{CodeHasher, DataExtent, DataReference};
use super::linked_addresses::SlotTarget;
use super::object::CodeObject;
use super::sections::read_at;

/// The read-only data of a file, and the initial values of its other data.
#[derive(Debug, Default)]
pub(super) struct ConstantData {
    sections: Vec<DataSection>,
    /// Begin and end of each static, ascending.
    statics: Vec<(u64, u64)>,
    /// Addresses that code or data takes, ascending.
    boundaries: OnceLock<Vec<u64>>,
}

/// A section with such data.
#[derive(Debug)]
struct DataSection {
    address: u64,
    place: u64,
    length: u64,
    /// The dynamic linker puts addresses into it.
    has_pointers: bool,
    bytes: OnceLock<Vec<u8>>,
}

/// Most bytes that are read of a constant without a symbol.
const LONGEST: u64 = 256;

/// Most bytes that are read of a static.
const LONGEST_STATIC: u64 = 1 << 16;

/// Most bytes of a section that is read.
const LONGEST_SECTION: u64 = 1 << 27;

/// Pointers that are followed one after the other.
// Tables of tables of texts are followed to the texts, and circles of pointers end.
const DEPTH: usize = 3;

/// Bytes of an address.
const WORD: u64 = 8;

impl ConstantData {
    /// Finds the sections and statics of a file.
    pub(super) fn read<'data, H, R>(file: &ElfFile<'data, H, R>) -> Self
    where
        H: FileHeader<Endian = Endianness>,
        R: ReadRef<'data>,
    {
        if file.kind() == ObjectKind::Executable {
            // It is always loaded at the same place, and has addresses among other numbers.
            return Self::default();
        }
        let sections = file.sections().filter_map(|section| {
            let name = section.name().ok()?;
            // The initial value of a `static` comes from the source, whether or not it is changed
            // later.
            let has_pointers = name == ".data" || name.starts_with(".data.");
            let (place, length) = section.file_range()?;
            let is_data = has_pointers || name.starts_with(".rodata");
            (is_data && length <= LONGEST_SECTION).then(|| DataSection {
                address: section.address(),
                place,
                length,
                has_pointers,
                bytes: OnceLock::new(),
            })
        });
        let statics = file
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Data && symbol.size() > 0)
            .map(|symbol| {
                let start = symbol.address();
                (start, start.saturating_add(symbol.size()))
            });
        let mut statics: Vec<(u64, u64)> = statics.collect();
        statics.sort_unstable();
        Self {
            sections: sections.collect(),
            statics,
            boundaries: OnceLock::new(),
        }
    }

    /// Hash of the data that an instruction refers to. `None`: it is no constant.
    pub(super) fn hash(&self, reference: &DataReference, object: &CodeObject) -> Option<u64> {
        let mut hasher = CodeHasher::default();
        self.add(
            reference.target,
            reference.extent,
            object,
            DEPTH,
            &mut hasher,
        )
        .then(|| hasher.finish())
    }

    /// Adds the data at an address. The result is whether it is a constant.
    fn add(
        &self,
        address: u64,
        extent: DataExtent,
        object: &CodeObject,
        depth: usize,
        hasher: &mut CodeHasher,
    ) -> bool {
        let Some(section) = self.section(address) else {
            return false;
        };
        let range = address..self.end(section, address, extent, object);
        if section.has_pointers {
            // The symbol of a static tells its length, so all of its words belong to it.
            let is_open = extent == DataExtent::Open && !self.is_static(address);
            self.add_words(section, range, is_open, object, depth, hasher);
            return true;
        }
        let mut bytes = section.bytes(range, object);
        if extent == DataExtent::Open {
            // The linker fills the space up to the next constant.
            let filled = bytes.iter().rev().take_while(|byte| **byte == 0).count();
            bytes = &bytes[..bytes.len() - filled];
        }
        // `CodeHasher::add` keeps the length of a piece in one byte.
        bytes.chunks(128).for_each(|piece| hasher.add(piece));
        true
    }

    /// Adds words that may be pointers. Without a length, these are the words of a vtable, or pairs
    /// of a pointer and a length: the constants after them belong to other code.
    fn add_words(
        &self,
        section: &DataSection,
        range: Range<u64>,
        is_open: bool,
        object: &CodeObject,
        depth: usize,
        hasher: &mut CodeHasher,
    ) {
        let words = self.words(section, range, object);
        let kept = match is_open {
            true => self.vtable(&words, object).unwrap_or_else(|| pairs(&words)),
            false => words.len(),
        };
        let mut words = words[..kept].iter().peekable();
        while let Some(word) = words.next() {
            match word {
                DataWord::Bytes(bytes) => hasher.add(bytes),
                DataWord::Pointer(target) => {
                    let length = words.peek().and_then(|word| word.length());
                    if self.is_location(target, length, object) {
                        // The length, and line and column.
                        words.nth(1);
                        continue;
                    }
                    self.add_target(target, length, object, depth, hasher);
                }
            }
        }
    }

    fn words<'a>(
        &self,
        section: &'a DataSection,
        range: Range<u64>,
        object: &CodeObject,
    ) -> Vec<DataWord<'a>> {
        let mut words = Vec::new();
        let mut place = range.start;
        while place < range.end {
            // The dynamic linker fills aligned words, and a constant may begin between two.
            let end = (place / WORD * WORD + WORD).min(range.end);
            let bytes = section.bytes(place..end, object);
            words.push(match object.pointer_at(place) {
                Some(target) => DataWord::Pointer(target),
                None => DataWord::Bytes(bytes),
            });
            place = end;
        }
        words
    }

    /// The number of words of a vtable: the drop glue or nothing, size, alignment, and methods.
    fn vtable(&self, words: &[DataWord<'_>], object: &CodeObject) -> Option<usize> {
        let is_function = |word: &DataWord<'_>| match word {
            DataWord::Pointer(SlotTarget::Address(address)) => {
                object.function_name(*address).is_some()
            }
            DataWord::Pointer(SlotTarget::Imported(_)) => true,
            DataWord::Bytes(_) => false,
        };
        let [drop, size, alignment, methods @ ..] = words else {
            return None;
        };
        let has_head = (is_function(drop) || drop.length() == Some(0))
            && size.length().is_some()
            && alignment.length().is_some_and(u64::is_power_of_two);
        let methods = methods.iter().take_while(|word| is_function(word)).count();
        has_head.then_some(3 + methods)
    }

    /// Adds the target of a pointer. `length` is the word after the pointer: the length of a
    /// string.
    fn add_target(
        &self,
        target: &SlotTarget,
        length: Option<u64>,
        object: &CodeObject,
        depth: usize,
        hasher: &mut CodeHasher,
    ) {
        let address = match target {
            SlotTarget::Imported(name) => return hasher.add(name.as_bytes()),
            SlotTarget::Address(address) => *address,
        };
        if let Some(function) = object.function_name(address) {
            return hasher.add(function.instance.as_bytes());
        }
        let has_bytes = |section: &&DataSection| !section.has_pointers;
        let section = self.section(address).filter(has_bytes);
        let extent = match (section, length) {
            (Some(section), Some(length)) => {
                let end = address.saturating_add(length);
                // Lengths are numbers of elements, and texts have no zeros: numbers that are larger
                // than a byte have.
                match section.bytes(address..end, object).contains(&0) {
                    true => DataExtent::Open,
                    false => DataExtent::Bytes(length),
                }
            }
            _ => DataExtent::Open,
        };
        if depth > 0 {
            self.add(address, extent, object, depth - 1, hasher);
        }
    }

    /// Is it the path of a `Location`? Lines move with each edit of a file, and only messages have
    /// them.
    fn is_location(&self, target: &SlotTarget, length: Option<u64>, object: &CodeObject) -> bool {
        let (SlotTarget::Address(address), Some(length)) = (target, length) else {
            return false;
        };
        let Some(section) = self.section(*address) else {
            return false;
        };
        let path = section.bytes(*address..address.saturating_add(length), object);
        path.ends_with(b".rs") || path.ends_with(b".rs\0")
    }

    fn section(&self, address: u64) -> Option<&DataSection> {
        let mut sections = self.sections.iter();
        sections.find(|section| {
            let offset = address.checked_sub(section.address);
            offset.is_some_and(|offset| offset < section.length)
        })
    }

    /// The end of the data that begins at an address of a section.
    fn end(
        &self,
        section: &DataSection,
        address: u64,
        extent: DataExtent,
        object: &CodeObject,
    ) -> u64 {
        let end = match extent {
            DataExtent::Bytes(length) => address.saturating_add(length.min(LONGEST_STATIC)),
            DataExtent::Open => self.open_end(address, object),
        };
        end.min(section.address + section.length)
    }

    /// The end of the static that an address is in.
    fn end_of_static(&self, address: u64) -> Option<u64> {
        let after = self.statics.partition_point(|(start, _)| *start <= address);
        let (_, end) = self.statics[after.checked_sub(1)?];
        (end > address).then_some(end)
    }

    fn is_static(&self, address: u64) -> bool {
        self.end_of_static(address).is_some()
    }

    fn open_end(&self, address: u64, object: &CodeObject) -> u64 {
        if let Some(end) = self.end_of_static(address) {
            return end.min(address.saturating_add(LONGEST_STATIC));
        }
        // Once for a file, and only if it is needed: all code is read for it.
        let boundaries = self.boundaries.get_or_init(|| object.taken_addresses());
        let next = boundaries.partition_point(|taken| *taken <= address);
        let next = boundaries.get(next).copied().unwrap_or(u64::MAX);
        next.min(address.saturating_add(LONGEST))
    }
}

impl DataSection {
    /// The bytes of a range, as far as the section has them.
    fn bytes(&self, range: Range<u64>, object: &CodeObject) -> &[u8] {
        let bytes = self.bytes.get_or_init(|| {
            let bytes = read_at(object.file(), self.place, self.length);
            bytes.unwrap_or_default()
        });
        let place = |address: u64| {
            let offset = address.saturating_sub(self.address);
            usize::try_from(offset).map_or(bytes.len(), |offset| offset.min(bytes.len()))
        };
        let (start, end) = (place(range.start), place(range.end));
        &bytes[start..end.max(start)]
    }
}

/// A word of data.
#[derive(Debug)]
enum DataWord<'a> {
    Pointer(SlotTarget),
    /// Other bytes; fewer than a word at the end.
    Bytes(&'a [u8]),
}

impl DataWord<'_> {
    /// The number that a word is, if it may be a length.
    fn length(&self) -> Option<u64> {
        let Self::Bytes(bytes) = self else {
            return None;
        };
        let number = (*bytes).try_into().map(u64::from_le_bytes).ok();
        number.filter(|number| *number <= LONGEST_STATIC)
    }
}

/// The number of words that are pairs of a pointer and a length.
fn pairs(words: &[DataWord<'_>]) -> usize {
    let pairs = words.chunks_exact(2).take_while(
        |pair| matches!(pair, [DataWord::Pointer(_), length] if length.length().is_some()),
    );
    2 * pairs.count()
}

/// Addresses that instructions of the form `lea register,[rip+distance]` take. Other bytes that
/// look like one only end a constant early.
pub(super) fn addresses_in_code(bytes: &[u8], start: u64) -> impl Iterator<Item = u64> + '_ {
    const LEA: u8 = 0x8d;
    const RIP_RELATIVE: u8 = 0b0000_0101;
    const WITHOUT_REGISTER: u8 = 0b1100_0111;
    memchr::memchr_iter(LEA, bytes).filter_map(move |place| {
        let rest = bytes.get(place + 1..place + 6)?;
        let (mode, distance) = rest.split_first()?;
        let distance = i32::from_le_bytes(distance.try_into().ok()?);
        // Distances count from the next instruction: `lea`, a byte for its operands and four for
        // the distance come before it.
        let next = start.wrapping_add(place as u64 + 6);
        let is_relative = mode & WITHOUT_REGISTER == RIP_RELATIVE;
        is_relative.then(|| next.wrapping_add_signed(i64::from(distance)))
    })
}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64"))]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    static PAIRS: [&[u64]; 2] = [&[3, 5], &[13, 21]];
    static SAME: [&[u64]; 2] = [&[3, 5], &[13, 21]];
    static OTHER: [&[u64]; 2] = [&[3, 5], &[13, 34]];
    static ATOMIC: AtomicU64 = AtomicU64::new(40);
    static OTHER_ATOMIC: AtomicU64 = AtomicU64::new(90);
    static TEXTS: [&str; 2] = ["one", "two"];
    static OTHER_TEXTS: [&str; 2] = ["one", "tow"];

    /// Address at which this executable is loaded.
    fn loaded() -> u64 {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let own = std::env::current_exe().unwrap();
        let mut lines = maps.lines();
        let first = lines.find(|line| line.ends_with(own.to_str().unwrap()));
        let (start, _) = first.unwrap().split_once('-').unwrap();
        u64::from_str_radix(start, 16).unwrap()
    }

    #[test]
    fn tables_are_hashed_with_the_numbers_and_texts_that_they_point_to() {
        let path = std::env::current_exe().unwrap();
        let object = CodeObject::open(&path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let file = object::read::elf::ElfFile64::<Endianness>::parse(&bytes[..]).unwrap();
        let constants = ConstantData::read(&file);
        let start = loaded();
        let hash = |address: u64| {
            let reference = DataReference {
                offset: 0,
                target: address - start,
                extent: DataExtent::Open,
            };
            constants.hash(&reference, &object).unwrap()
        };
        let numbers = [&PAIRS, &SAME, &OTHER].map(|table| hash(table.as_ptr() as u64));
        assert_eq!(numbers[0], numbers[1]);
        assert_ne!(numbers[0], numbers[2]);
        let texts = [&TEXTS, &OTHER_TEXTS].map(|table| hash(table.as_ptr() as u64));
        assert_ne!(texts[0], texts[1]);
        // Constants are read from the file: changes in memory have no effect.
        let atomics = [&ATOMIC, &OTHER_ATOMIC];
        for atomic in atomics {
            atomic.store(1, Ordering::Relaxed);
        }
        let begins = atomics.map(|atomic| hash(atomic.as_ptr() as u64));
        assert_ne!(begins[0], begins[1]);
    }
}
