//! A hash of the content of an executable that the system loads.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use iai_callgrind::shared::hash::Fnv;
use object::read::elf::{ElfFile32, ElfFile64};
use object::{Endianness, FileKind, Object, ObjectSegment, ReadCache};

/// Hash of what the system loads of an executable, whether or not it was stripped. Files that are
/// not ELF, such as scripts, are hashed as a whole. The value is the same on all machines. `None`:
/// the file cannot be read.
#[must_use]
pub fn loaded_content(path: &Path) -> Option<u64> {
    let mut file = File::open(path).ok()?;
    let cache = ReadCache::new(&file);
    let loaded = match FileKind::parse(&cache) {
        Ok(FileKind::Elf32) => segments(&ElfFile32::<Endianness, _>::parse(&cache).ok()?),
        Ok(FileKind::Elf64) => segments(&ElfFile64::<Endianness, _>::parse(&cache).ok()?),
        // A script, or another file that the system can start.
        _ => vec![(0, 0, file.metadata().ok()?.len())],
    };
    drop(cache);
    let mut hash = WordHasher::default();
    let mut piece = vec![0; PIECE];
    for (address, start, size) in loaded {
        hash.number(address);
        file.seek(SeekFrom::Start(start)).ok()?;
        let mut left = size;
        while left > 0 {
            let length = left.min(PIECE as u64);
            let piece = &mut piece[..length as usize];
            file.read_exact(piece).ok()?;
            // The first segment begins with the header of the file.
            if start == 0 && left == size {
                without_sections(piece);
            }
            hash.bytes(piece);
            left -= length;
        }
    }
    Some(hash.finish())
}

/// Takes the place and number of sections out of the header of an executable, which is loaded with
/// the code. `strip` changes them, and nothing that runs looks at them.
fn without_sections(begin: &mut [u8]) {
    let fields: [Range<usize>; 2] = match begin.get(..5) {
        // `e_shoff`, and from `e_shentsize` to `e_shstrndx`.
        Some([0x7f, b'E', b'L', b'F', 1]) => [32..36, 46..52],
        Some([0x7f, b'E', b'L', b'F', 2]) => [40..48, 58..64],
        _ => return,
    };
    for field in fields {
        if let Some(field) = begin.get_mut(field) {
            field.fill(0);
        }
    }
}

/// Bytes that are read at a time: executables may be large.
const PIECE: usize = 64 * 1024;

/// Address, offset in the file and size in the file of each segment.
fn segments<'data>(file: &impl Object<'data>) -> Vec<(u64, u64, u64)> {
    let segments = file.segments().map(|segment| {
        let (start, size) = segment.file_range();
        (segment.address(), start, size)
    });
    segments.collect()
}

/// Hasher for large contents, with values that are the same on all machines and in all versions:
/// FNV-1a in steps of eight bytes.
#[derive(Default)]
pub struct WordHasher(Fnv);

impl WordHasher {
    /// Adds a number.
    pub fn number(&mut self, number: u64) {
        self.0.add(number);
        // A multiplication carries to the left only; without the rotation the last bits would
        // depend on the last bits alone.
        self.0 .0 = self.0 .0.rotate_left(29);
    }

    /// Adds bytes and their number: `ab` and `c` give another hash than `a` and `bc`.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        for step in bytes.chunks(8) {
            let mut number = [0; 8];
            number[..step.len()].copy_from_slice(step);
            self.number(u64::from_le_bytes(number));
        }
    }

    /// Hash of all that was added.
    #[must_use]
    pub fn finish(&self) -> u64 {
        self.0 .0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offsets are those of 64 bits. As `strip` leaves it: without the table of sections at the
    /// end, which nothing loads.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn a_stripped_executable_is_the_same() {
        let directory = tempfile::tempdir().unwrap();
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let of = |content: &[u8]| {
            let path = directory.path().join("executable");
            std::fs::write(&path, content).unwrap();
            loaded_content(&path)
        };
        let whole = of(&own).unwrap();
        let mut stripped = own.clone();
        let table = u64::from_le_bytes(own[40..48].try_into().unwrap()) as usize;
        stripped.truncate(table);
        stripped[40..48].fill(0);
        stripped[58..64].fill(0);
        assert_eq!(of(&stripped), Some(whole));
        // The entry point decides what runs.
        stripped[24] ^= 1;
        assert_ne!(of(&stripped), Some(whole));
    }

    #[test]
    fn texts_do_not_run_into_each_other() {
        let of = |texts: &[&str]| {
            let mut hash = WordHasher::default();
            texts.iter().for_each(|text| hash.bytes(text.as_bytes()));
            hash.finish()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["12345678", ""]), of(&["", "12345678"]));
        // Records of before have this value.
        assert_eq!(of(&["12345678", "9"]), 0xd39c_38e1_609a_839d);
    }
}
