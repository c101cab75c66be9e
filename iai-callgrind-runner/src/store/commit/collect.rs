//! The files of a new result get together in one private directory, with the note of what is to be renamed.
//!
//! In: files of one or several directories, and what lies in the directory of the benchmark. Out: a replacement that
//! is not decided. Nothing among the results changes.

#![expect(
    clippy::disallowed_methods,
    reason = "moves files of a result that is not kept yet"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nix::unistd::{access, AccessFlags};
use tempfile::TempDir;

use super::super::rotation::Rotation;
use super::super::{picture, FileName, Slot, SUMMARY, SUMMARY_OF_LAST};
use super::{Replacement, NOTE};
use crate::error::{FileContext, Result};
use crate::listed_directory::{Listed, ListedKind};
use crate::tool::Tool;

/// A file of a new result.
#[derive(Debug)]
pub struct NewFile {
    /// Path of the file before it is moved.
    pub path: PathBuf,
    /// Name of the file in the last result.
    pub name: String,
}

/// Files that replace the results of tools, and where they are.
#[derive(Debug)]
pub struct NewResult<'a> {
    /// The slot that they go to.
    pub slot: &'a Slot,
    /// The tools whose results they are.
    pub tools: &'a [Tool],
    /// The private directories that they lie in; there is at least one.
    pub work: Vec<TempDir>,
    /// The files that are kept.
    pub files: &'a [NewFile],
    /// The names of files in the slot that are part of the new result as they are.
    pub stays: &'a [String],
    /// All others in the first directory.
    pub left: Vec<PathBuf>,
}

/// Collects the files of a new result, which replace those of a directory in which `present` was found.
pub(in crate::store) fn collect(
    directory: &Path,
    present: &[Listed],
    result: NewResult<'_>,
) -> Result<Replacement> {
    let NewResult {
        slot,
        tools,
        work,
        files,
        stays,
        mut left,
    } = result;
    if present.is_empty() {
        fs::create_dir_all(directory).context("create", directory)?;
    }
    // What can be known is said before anything changes.
    let writable = access(directory, AccessFlags::W_OK | AccessFlags::X_OK);
    writable
        .map_err(io::Error::from)
        .context("write in", directory)?;
    refuse_directories(directory, present)?;
    let new = work[0].path().to_owned();
    let take = together(slot, files, &new, &mut left)?;
    let rotation = Rotation::of(slot, present, tools, take, stays);
    let note = new.join(NOTE);
    fs::write(&note, rotation.to_bytes()).context("write", &note)?;
    Ok(Replacement {
        directory: directory.to_owned(),
        new,
        rotation,
        left,
        work,
    })
}

/// A directory with the name of a result can neither be replaced by a file nor deleted like one.
fn refuse_directories(directory: &Path, present: &[Listed]) -> Result<()> {
    let mut named = present.iter().filter(|it| FileName::is_ours(&it.name));
    match named.find(|listed| listed.kind == ListedKind::Directory) {
        None => Ok(()),
        Some(found) => {
            let text = "it is a directory where the file of a result belongs; move or remove it";
            Err(io::Error::other(text)).context("replace", &directory.join(&found.name))
        }
    }
}

/// The names of the new files in one directory, and their final names. Files of this directory keep the names that they
/// have; those of others are moved. Of two files with one name the last one is kept.
fn together(
    slot: &Slot,
    files: &[NewFile],
    new: &Path,
    left: &mut Vec<PathBuf>,
) -> Result<Vec<(String, String)>> {
    let mut take: Vec<(String, String)> = Vec::new();
    for file in files {
        if file.name == SUMMARY && *slot != Slot::Last {
            // Other programs read `summary.json` as the last result; the copy keeps the circumstances of
            // the baseline.
            let copy = slot.file(SUMMARY);
            fs::copy(&file.path, new.join(&copy)).context("copy", &file.path)?;
            take.push((copy.clone(), copy));
        }
        let name = match file.name.as_str() {
            SUMMARY | SUMMARY_OF_LAST => file.name.clone(),
            // The name of a flamegraph has the slots that it shows.
            name if picture::is_one(name) => name.to_owned(),
            name => slot.file(name),
        };
        let own = file.path.file_name().and_then(|own| own.to_str());
        let source = match own.filter(|_| file.path.parent() == Some(new)) {
            Some(own) => own.to_owned(),
            None => {
                fs::rename(&file.path, new.join(&name)).context("move", &file.path)?;
                name.clone()
            }
        };
        let earlier = take.iter().position(|(_, other)| *other == name);
        if let Some((earlier, _)) = earlier.map(|index| take.remove(index)) {
            left.extend((earlier != source).then(|| new.join(earlier)));
        }
        take.push((source, name));
    }
    Ok(take)
}
