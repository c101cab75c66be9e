//! The files of a new result, and what is to be renamed for them.
//!
//! In: files of one or several private directories, and what lies in the directory of the
//! benchmark. Out: a replacement that is not decided. Nothing among the results changes.

#![expect(
    clippy::disallowed_methods,
    reason = "moves files of a result that is not kept yet"
)]

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::super::rotation::Rotation;
use super::super::WorkDirectory;
use super::Replacement;
use ::records::layout::{is_picture, FileName, Slot, SUMMARY, SUMMARY_OF_LAST};
use base::file_operation::{FileContext, FileResult};
use base::listed_directory::{Listed, ListedKind};
use base::regular_file;
use base::tool::Tool;
use nix::unistd::{access, AccessFlags};

/// A file of a new result.
#[derive(Debug)]
pub struct NewFile {
    /// Path of the file before it is moved.
    pub path: PathBuf,
    /// Name of the file in the last result.
    pub name: String,
}

impl NewFile {
    /// Its length in bytes.
    ///
    /// # Errors
    ///
    /// The file is not there.
    pub fn length(&self) -> FileResult<u64> {
        let data = fs::symlink_metadata(&self.path).context("read", &self.path)?;
        Ok(data.len())
    }
}

/// Files that replace the results of tools, and where they are.
#[derive(Debug)]
pub struct NewResult<'a> {
    /// The slot that they go to.
    pub slot: &'a Slot,
    /// The tools whose results they are.
    pub tools: &'a [Tool],
    /// The private directories that they lie in; there is at least one.
    pub work: Vec<WorkDirectory>,
    /// The files that are kept.
    pub files: &'a [NewFile],
}

/// Collects the files of a new result, which replace those of a directory in which `present` was
/// found, below the directory of the bench file.
pub(crate) fn collect(
    base: &Path,
    directory: &Path,
    present: &[Listed],
    result: NewResult<'_>,
) -> FileResult<Replacement> {
    let NewResult {
        slot,
        tools,
        work,
        files,
    } = result;
    if present.is_empty() {
        fs::create_dir_all(directory).context("create", directory)?;
    }
    // Errors that can be foreseen are reported before anything changes.
    let writable = access(directory, AccessFlags::W_OK | AccessFlags::X_OK);
    writable
        .map_err(io::Error::from)
        .context("write in", directory)?;
    refuse_directories(directory, present)?;
    let take = together(base, slot, files, &work)?;
    let rotation = Rotation::of(below(base, directory)?, slot, present, tools, take);
    Ok(Replacement {
        base: base.to_owned(),
        rotation,
        work,
    })
}

/// The path below a directory.
fn below(base: &Path, path: &Path) -> FileResult<String> {
    let below = path.strip_prefix(base).ok().and_then(Path::to_str);
    let outside = || io::Error::other(format!("it is not below `{}`", base.display()));
    below
        .map(str::to_owned)
        .ok_or_else(outside)
        .context("keep", path)
}

/// A directory with the name of a result can neither be replaced by a file nor deleted like one.
fn refuse_directories(directory: &Path, present: &[Listed]) -> FileResult<()> {
    let mut named = present.iter().filter(|it| FileName::is_ours(&it.name));
    match named.find(|listed| listed.kind == ListedKind::Directory) {
        None => Ok(()),
        Some(found) => {
            let text = "it is a directory where the file of a result belongs; move or remove it";
            Err(io::Error::other(text)).context("replace", &directory.join(&found.name))
        }
    }
}

/// The paths of the new files and their names. Files of the private directories stay where they are
/// until then if these are on the file system of the results; others are moved into that of the
/// first one. Of two files with one name the last one is kept.
fn together(
    base: &Path,
    slot: &Slot,
    files: &[NewFile],
    work: &[WorkDirectory],
) -> FileResult<Vec<(String, String)>> {
    let mut take: Vec<(String, String)> = Vec::new();
    for file in files {
        if file.name == SUMMARY && *slot != Slot::Last {
            // Other programs read `summary.json` as the last result; the copy keeps the
            // conditions of the baseline.
            let name = slot.file(SUMMARY);
            let copy = work[0].file("base");
            fs::copy(&file.path, &copy).context("copy", &file.path)?;
            take.push((below(base, &copy)?, name));
        }
        let name = match file.name.as_str() {
            SUMMARY => file.name.clone(),
            // It has the name of its slot, which may be another one than that of the results.
            name if name.starts_with(SUMMARY_OF_LAST) => name.to_owned(),
            // The name of a flamegraph has the slots that it shows.
            name if is_picture(name) => name.to_owned(),
            name => slot.file(name),
        };
        let mut path = file.path.clone();
        if work.iter().any(|work| path.parent() == Some(work.path())) {
            // After the decision, a missing file counts as moved already (`finish.rs`).
            fs::symlink_metadata(&path).context("keep", &path)?;
        } else {
            path = work[0].file(&name);
            move_there(&file.path, &path)?;
        }
        take.retain(|(_, other)| *other != name);
        take.push((below(base, &path)?, name));
    }
    Ok(take)
}

/// Moves a file, also to another file system.
fn move_there(from: &Path, to: &Path) -> FileResult<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            regular_file::copy(from, to).context("write", to)?;
            fs::remove_file(from).context("remove", from)
        }
        renamed => renamed.context("move", from),
    }
}
