//! A decided replacement is carried out: by the run that decided it, or by the next one from
//! wherever it was stopped.

#![expect(
    clippy::disallowed_methods,
    reason = "this stage renames and deletes; nobody else does it to results"
)]

use std::path::Path;
use std::{fs, io};

use super::super::places::{self, WORK_PREFIX};
use super::super::rotation::Rotation;
use super::note::{self, NoteError};
use super::{Unfinished, PENDING};
use ::records::layout::FileName;
use base::file_operation::{FileContext, FileResult};
use base::listed_directory::list;

/// The name of a directory for what was set aside, before its number.
const DAMAGED: &str = ".damaged-";

/// Finishes the replacements below the directory of a bench file that a run decided and was stopped
/// at. Returns those that cannot be finished now. A note that no run can have written, or not as a
/// whole, is set aside with all new files; then there is a warning about it.
pub(crate) fn finish(base: &Path) -> FileResult<(Unfinished, Option<String>)> {
    let rotations = match note::read(base) {
        Ok(None) => return Ok((Unfinished::default(), None)),
        Ok(Some(rotations)) => rotations,
        Err(NoteError::Io(error)) => return Err(error).context("read", &note::path(base)),
        Err(NoteError::Damaged(reason)) => return aside(base, &reason),
    };
    if let Some(reason) = rotations.iter().find_map(|it| strange(base, it)) {
        return aside(base, &reason);
    }
    let mut unfinished = Unfinished::default();
    for rotation in rotations {
        let is_there = |source: &str| fs::symlink_metadata(base.join(source)).is_ok();
        match carry_out(base, &rotation, is_there) {
            Ok(()) => {}
            // Somebody removed all results of this benchmark.
            Err(_) if !base.join(&rotation.directory).exists() => {}
            Err(error) => unfinished.add(rotation, &error),
        }
    }
    settle(base, &unfinished)?;
    Ok((unfinished, None))
}

/// Reduces the note to the replacements that are unfinished, or removes it.
pub(super) fn settle(base: &Path, unfinished: &Unfinished) -> FileResult<()> {
    match unfinished.is_empty() {
        true => note::remove(base),
        false => note::write(base, &unfinished.rotations().collect::<Vec<_>>()),
    }
}

/// Carries out a replacement from wherever it was stopped. `is_there`: has this new file not got
/// its name yet?
pub(super) fn carry_out(
    base: &Path,
    rotation: &Rotation,
    is_there: impl Fn(&str) -> bool,
) -> FileResult<()> {
    let Rotation {
        directory,
        delete,
        retire,
        take,
    } = rotation;
    let directory = base.join(directory);
    for name in delete {
        let path = directory.join(name);
        unless_missing(fs::remove_file(&path)).context("remove", &path)?;
    }
    let has_moved = |name: &str| {
        let mut new = take.iter();
        new.any(|(source, new)| new == name && !is_there(source))
    };
    for name in retire.iter().filter(|name| !has_moved(name)) {
        let path = directory.join(name);
        let old = directory.join(FileName::old(name));
        unless_missing(fs::rename(&path, old)).context("rename", &path)?;
    }
    for (source, name) in take.iter().filter(|(source, _)| is_there(source)) {
        let from = base.join(source);
        fs::rename(&from, directory.join(name)).context("move", &from)?;
    }
    Ok(())
}

pub(super) fn unless_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// A directory or new file of a note whose type shows that no run has created it.
fn strange(base: &Path, rotation: &Rotation) -> Option<String> {
    let directory = Path::new(&rotation.directory);
    let sources = rotation.take.iter().map(|(source, _)| Path::new(source));
    let works = sources.clone().filter_map(Path::parent);
    let mut directories = directory
        .parent()
        .into_iter()
        .chain([directory])
        .chain(works);
    let linked = directories.find_map(|directory| places::is_real(&base.join(directory)).err());
    if let Some(error) = linked {
        return Some(error.to_string());
    }
    let is_other = |source: &Path| {
        let data = fs::symlink_metadata(base.join(source));
        data.is_ok_and(|data| !data.is_file())
    };
    let mut sources = sources;
    let other = sources.find(|source| is_other(source))?;
    Some(format!(
        "`{}`, of which it tells, is no file",
        other.display()
    ))
}

/// Gives the note and the private directories other names, so that nothing of it is finished, and
/// returns a warning.
fn aside(base: &Path, reason: &str) -> FileResult<(Unfinished, Option<String>)> {
    let mut places = (1..=1000_u32).map(|number| base.join(format!("{DAMAGED}{number}")));
    let free = places.find(|place| fs::symlink_metadata(place).is_err());
    // After a thousand of them, making it says what is wrong.
    let aside = free.unwrap_or_else(|| base.join(format!("{DAMAGED}1")));
    fs::create_dir(&aside).context("create", &aside)?;
    let listed = list(base).context("list", base)?;
    let works = listed.iter().map(|listed| listed.name.as_str());
    let works = works.filter(|name| name.starts_with(WORK_PREFIX));
    // The note last: until then it is found again.
    for name in works.chain([PENDING]) {
        let path = base.join(name);
        fs::rename(&path, aside.join(name)).context("set aside", &path)?;
    }
    let warning = format!(
        "`{}`, the note of a run that was stopped, is damaged: {reason}; the results before it stay\n  \
         hint: nothing reads `{}` any more; it may be removed",
        note::path(base).display(),
        aside.display()
    );
    Ok((Unfinished::default(), Some(warning)))
}
