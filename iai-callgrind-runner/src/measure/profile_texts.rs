//! The profiles of a benchmark, read once: for a look whether they are those of before, and for their instructions.

use std::path::Path;

use crate::parse::callgrind::{InstructionProfile, InstructionReader, ProfileText};
use crate::parse::{file, FileError};

/// The texts of all profiles. `None`: one is too long to be held.
pub(super) fn read(paths: &[&Path]) -> Result<Option<Vec<ProfileText>>, FileError> {
    paths.iter().map(|path| ProfileText::read(path)).collect()
}

/// Costs by instruction of all processes, threads and parts; by function only if there are too many.
pub(super) fn parse(
    texts: Option<&[&ProfileText]>,
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
    texts: Option<&[&ProfileText]>,
    paths: &[&Path],
) -> Result<Option<InstructionProfile>, FileError> {
    for (index, path) in paths.iter().enumerate() {
        match texts {
            Some(texts) => reader
                .add(texts[index].bytes())
                .map_err(|source| FileError {
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
        let lines = "5 7\n".repeat(1 << 20);
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
            let texts: Option<Vec<&ProfileText>> = texts.as_ref().map(|all| all.iter().collect());
            let profile = parse(texts.as_deref(), &paths).unwrap();
            let own = (0..profile.rows.len()).map(|row| profile.own(row)[0]);
            assert_eq!(own.sum::<u64>(), count);
        }
        let missing = [Path::new("/no/such/out")];
        assert!(read(&missing).is_err());
    }
}
