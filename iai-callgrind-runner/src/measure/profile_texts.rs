//! The profiles of a benchmark, read once: for a look whether they are those of before, and for their instructions.

use std::io::Read;
use std::path::Path;

use crate::parse::callgrind::{InstructionProfile, InstructionReader};
use crate::parse::{file, FileError, ParseError};

/// Bytes of each profile that is held in memory.
const MOST: u64 = 4 << 20;

/// Bytes of most profiles.
const USUAL: usize = 64 << 10;

/// The texts of all profiles. `None`: one is too long to be held.
pub(super) fn read(paths: &[&Path]) -> Result<Option<Vec<Vec<u8>>>, FileError> {
    let text = |path: &&Path| {
        file(path, |input| {
            let mut text = Vec::with_capacity(USUAL);
            input
                .take(MOST)
                .read_to_end(&mut text)
                .map_err(ParseError::Io)?;
            Ok((text.len() < MOST as usize).then_some(text))
        })
    };
    paths.iter().map(text).collect()
}

/// Costs by instruction of all processes, threads and parts; by function only if there are too many.
pub(super) fn parse(
    texts: Option<&[Vec<u8>]>,
    paths: &[&Path],
) -> Result<InstructionProfile, FileError> {
    match add_all(InstructionReader::default(), texts, paths)? {
        Some(profile) => Ok(profile),
        None => {
            let functions = add_all(InstructionReader::only_functions(), texts, paths)?;
            Ok(functions.unwrap_or_default())
        }
    }
}

/// `None`: the reader was full before the end.
fn add_all(
    mut reader: InstructionReader,
    texts: Option<&[Vec<u8>]>,
    paths: &[&Path],
) -> Result<Option<InstructionProfile>, FileError> {
    for (index, path) in paths.iter().enumerate() {
        match texts {
            Some(texts) => reader.add(&*texts[index]).map_err(|source| FileError {
                path: path.to_path_buf(),
                source,
            })?,
            None => file(path, |input| reader.add(input))?,
        };
        if reader.is_full() {
            return Ok(None);
        }
    }
    Ok(Some(reader.finish()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn profiles_are_the_same_from_memory_and_from_files() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        let lines = "5 7\n".repeat(MOST as usize / 4);
        for body in ["1 10\n2 20\n", &lines] {
            let count: u64 = body
                .lines()
                .map(|line| line[2..].parse::<u64>().unwrap())
                .sum();
            fs::write(
                &path,
                format!("positions: line\nevents: Ir\nfn=f\n{body}totals: {count}\n"),
            )
            .unwrap();
            let paths = [path.as_path()];
            let texts = read(&paths).unwrap();
            assert_eq!(texts.is_some(), body.len() < 100);
            let profile = parse(texts.as_deref(), &paths).unwrap();
            let own = (0..profile.rows.len()).map(|row| profile.own(row)[0]);
            assert_eq!(own.sum::<u64>(), count);
        }
        let missing = [Path::new("/no/such/out")];
        assert!(read(&missing).is_err());
    }
}
