//! Fingerprint of the program and circumstances of a benchmark: equal where nothing changed that decides
//! what the benchmark executes, as far as this can be known without running it.
//!
//! Only the loaded segments of executables are read, so a stripped executable has the same fingerprint,
//! and most often also one that was built again from the same code. The benchmark executable counts for
//! binary benchmarks, too: the arguments and files of programs are written in it.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use iai_callgrind::shared::hash::Fnv;
use object::read::elf::{ElfFile32, ElfFile64};
use object::{Endianness, FileKind, Object, ObjectSegment, ReadCache};

use crate::plan::Job;
use crate::summary::RunContext;

/// Computes the fingerprint of a job. `None`: an executable cannot be read. `state` tells the states of its program apart, if
/// somebody has looked at it already.
pub(crate) fn fingerprint(job: &Job, context: &RunContext, state: Option<u64>) -> Option<String> {
    let mut hash = WordHasher::default();
    let (executable, program) = (Path::new(&context.files.executable), &*job.target.program);
    let of_program = of_file(program, state.map(FileMark::Told))?;
    hash.number(match executable == program {
        true => of_program,
        false => of_file(executable, None)?,
    });
    hash.number(of_program);
    for (name, value) in job.environment.iter() {
        hash.bytes(name.as_encoded_bytes());
        hash.bytes(value.as_encoded_bytes());
    }
    let system = &context.system;
    let libc = system.libc.as_deref().unwrap_or_default();
    for text in [libc, &system.runner] {
        hash.bytes(text.as_bytes());
    }
    for feature in &system.cpu_features {
        hash.bytes(feature.as_bytes());
    }
    Some(format!("{:016x}", hash.finish()))
}

/// What changes with the content of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
enum FileMark {
    /// Its size and time.
    Seen(u64, SystemTime),
    /// A number for its state.
    Told(u64),
}

impl FileMark {
    fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self::Seen(metadata.len(), metadata.modified().ok()?))
    }
}

/// Hash of the content of a file, remembered as long as its mark stays.
fn of_file(path: &Path, mark: Option<FileMark>) -> Option<u64> {
    static FOUND: Mutex<Vec<((PathBuf, FileMark), u64)>> = Mutex::new(Vec::new());
    let file = (path.to_owned(), mark.or_else(|| FileMark::of(path))?);
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, content)) = found.iter().find(|(known, _)| *known == file) {
        return Some(*content);
    }
    let content = read(path)?;
    found.push((file, content));
    Some(content)
}

fn read(path: &Path) -> Option<u64> {
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
            hash.bytes(piece);
            left -= length;
        }
    }
    Some(hash.finish())
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

/// FNV-1a in steps of eight bytes where that many are left: executables are large.
#[derive(Default)]
struct WordHasher(Fnv);

impl WordHasher {
    fn number(&mut self, number: u64) {
        self.0.add(number);
        // A multiplication carries to the left only; without the rotation the last bits would
        // depend on the last bits alone.
        self.0 .0 = self.0 .0.rotate_left(29);
    }

    /// Adds a text with its length: two texts differ from one that consists of them.
    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        for step in bytes.chunks(8) {
            let mut number = [0; 8];
            number[..step.len()].copy_from_slice(step);
            self.number(u64::from_le_bytes(number));
        }
    }

    fn finish(&self) -> u64 {
        self.0 .0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(content: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("program");
        fs::write(&path, content).unwrap();
        (directory, path)
    }

    #[test]
    fn what_is_loaded_counts_and_nothing_else() {
        let own = fs::read(std::env::current_exe().unwrap()).unwrap();
        let (_first, path) = written(&own);
        let expected = of_file(&path, None).unwrap();

        // Bytes behind the last section, which are not loaded.
        let (_second, longer) = written(&[own.as_slice(), b"more"].concat());
        assert_eq!(of_file(&longer, None), Some(expected));

        let elf = ElfFile64::<Endianness>::parse(own.as_slice()).unwrap();
        let in_code = elf.segments().map(|segment| segment.file_range().0).max();
        let mut other = own.clone();
        other[in_code.unwrap() as usize] ^= 1;
        let (_third, other) = written(&other);
        assert_ne!(of_file(&other, None), Some(expected));
    }

    #[test]
    fn scripts_count_as_a_whole() {
        let of = |content: &[u8]| of_file(&written(content).1, None);
        assert_eq!(of(b"#!/bin/sh\necho 1\n"), of(b"#!/bin/sh\necho 1\n"));
        assert_ne!(of(b"#!/bin/sh\necho 1\n"), of(b"#!/bin/sh\necho 2\n"));
        assert_eq!(of_file(Path::new("/no/such/file"), None), None);
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
