//! Marks of a result: one of the code that was measured, and a fingerprint of the same code and of
//! what else decides what a benchmark executes, as far as this can be known without running it.
//!
//! Only the loaded segments of executables are read, so a stripped executable has the same mark,
//! and most often also one that was built again from the same code. The benchmark executable counts
//! for binary benchmarks, too: the arguments and files of programs are written in it. Paths do not
//! count, since a checkout may lie anywhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::measured_objects;
use super::new::ProvenFiles;
use crate::plan::Job;
use records::summary::RunContext;
use symbols::{loaded_content, WordHasher};

/// Marks of a result.
pub(super) struct ResultMarks {
    /// Mark of all code that was measured.
    pub(super) code: String,
    /// Mark of this code, the environment variables, the C library and the processor.
    pub(super) fingerprint: String,
}

/// Computes the marks of a result. `None`: a file that ran is not known or cannot be read. `state`:
/// the number for the state of the job's program, if it is known already.
pub(super) fn marks(
    job: &Job,
    context: &RunContext,
    new: &ProvenFiles<'_>,
    state: Option<u64>,
) -> Option<ResultMarks> {
    let (executable, program) = (Path::new(&context.files.executable), &*job.target.program);
    let of_program = of_file(program, state.map(FileMark::Told))?;
    // Library benchmarks are their own program, and an executable has megabytes to read.
    let of_executable = match executable == program {
        true => of_program,
        false => of_file(executable, None)?,
    };
    let objects = measured_objects::of_result(
        job,
        new,
        job.own_places(context.target_directory.as_deref()),
    )?;
    let others = objects.iter().map(PathBuf::as_path);
    let others = others.filter(|path| ![executable, program].contains(path));
    let others: Option<Vec<u64>> = others.map(|path| of_file(path, None)).collect();
    let mut hash = of_code([of_executable, of_program], others?);
    // Before the environment is added: `finish` does not end the hash, which goes on as the
    // fingerprint.
    let code = format!("{:016x}", hash.finish());
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
    Some(ResultMarks {
        code,
        fingerprint: format!("{:016x}", hash.finish()),
    })
}

/// Hash of the contents of the benchmark executable, of the program, and of other files that ran.
/// The others have no order of their own, and one may be the program under another path.
fn of_code(main: [u64; 2], others: impl IntoIterator<Item = u64>) -> WordHasher {
    let mut hash = WordHasher::default();
    // By content: copies of a file are one, and the order of profiles is no fact of the code.
    let others: BTreeSet<u64> = others.into_iter().filter(|it| !main.contains(it)).collect();
    for content in main.into_iter().chain(others) {
        hash.number(content);
    }
    hash
}

/// Cache key of a file's content: it changes when the file is written.
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
    // The lock is held while a file is read, so threads with the same file read it once.
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, content)) = found.iter().find(|(known, _)| *known == file) {
        return Some(*content);
    }
    let content = loaded_content(path)?;
    found.push((file, content));
    Some(content)
}

#[cfg(test)]
mod tests {
    use object::read::elf::ElfFile64;
    use object::{Endianness, Object, ObjectSegment};

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
    fn other_files_count_by_their_content_alone() {
        let of = |main, others: &[u64]| of_code(main, others.iter().copied()).finish();
        let none = of([1, 2], &[]);
        assert_eq!(of([1, 2], &[2, 1, 1]), none);
        assert_ne!(of([1, 2], &[3]), none);
        assert_eq!(of([1, 2], &[3, 4, 3]), of([1, 2], &[4, 3]));
        assert_ne!(of([1, 2], &[3, 4]), of([1, 2], &[3, 5]));
        assert_ne!(of([1, 2], &[]), of([2, 1], &[]));
    }

    #[test]
    fn scripts_count_as_a_whole() {
        let of = |content: &[u8]| of_file(&written(content).1, None);
        assert_eq!(of(b"#!/bin/sh\necho 1\n"), of(b"#!/bin/sh\necho 1\n"));
        assert_ne!(of(b"#!/bin/sh\necho 1\n"), of(b"#!/bin/sh\necho 2\n"));
        assert_eq!(of_file(Path::new("/no/such/file"), None), None);
    }
}
