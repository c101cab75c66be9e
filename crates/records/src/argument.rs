//! The arguments that name results: files, stdin, directories, baselines, or the project's own.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use super::project_home::{OtherProjects, ProjectHome};
use super::reader::{RecordError, RecordReader};
use super::set::RecordInput;
use crate::layout::{Slot, HISTORY, RECORDS};
use base::listed_directory::{list, ListedKind};
use base::regular_file;

/// An argument that names results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultsArgument {
    /// `-`
    Stdin,
    /// A file, or a directory with `*.jsonl` files.
    Path(PathBuf),
    /// `@name`: a baseline of the project.
    Baseline(String),
    /// The last results of the project.
    Home,
}

/// A place of results, parsed from an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultsPlace {
    /// Stdin.
    Stdin,
    /// A file, or a directory with `*.jsonl` files.
    Path(PathBuf),
    /// The last results of a project; there may be none yet.
    Home(ProjectHome),
    /// The `history.jsonl` files of a project.
    Histories(ProjectHome),
    /// A baseline of a project.
    Baseline {
        /// The directory of all its results.
        home: ProjectHome,
        /// The name of the baseline.
        name: String,
    },
}

/// Directories below each other that are looked through.
const DEEPEST: usize = 32;

impl From<OsString> for ResultsArgument {
    fn from(word: OsString) -> Self {
        match word.to_str() {
            Some("-") => Self::Stdin,
            Some(text) => match text.strip_prefix('@') {
                Some(name) => Self::Baseline(name.to_owned()),
                None => Self::Path(word.into()),
            },
            None => Self::Path(word.into()),
        }
    }
}

impl ResultsPlace {
    /// Reads all records of this place. `stdin` is read if the place is [`Self::Stdin`].
    ///
    /// # Errors
    ///
    /// A file or directory cannot be read, or has a damaged record.
    pub fn read(&self, reader: &mut RecordReader, stdin: impl BufRead) -> Result<(), RecordError> {
        match self {
            Self::Stdin => {
                reader.name_argument("-".to_owned());
                reader.read(input("-".to_owned()), stdin)
            }
            Self::Path(path) => {
                reader.name_argument(path.display().to_string());
                match path.is_dir() {
                    // Whoever names a directory means all that is in it, of whatever project.
                    true => in_directory(path, None, lines_for(reader), &mut |shown, place| {
                        read_file(shown, regular_file::open(place), reader)
                    }),
                    // A user may name a link or the pipe of a shell; what is found in a directory
                    // may be neither.
                    false => read_file(path, regular_file::open_named(path), reader),
                }
            }
            Self::Home(home) => {
                reader.name_argument(home.directory.display().to_string());
                of_project(home, lines_for(reader), reader)
            }
            Self::Histories(home) => {
                reader.name_argument(home.directory.display().to_string());
                of_project(home, &|name| name == HISTORY, reader)
            }
            Self::Baseline { home, name } => {
                reader.name_argument(format!("@{name}"));
                let file = Slot::Named(name.clone()).file(RECORDS);
                of_project(home, &|name| name == file, reader)
            }
        }
    }
}

/// The files of a directory that a reader reads.
fn lines_for(reader: &RecordReader) -> &'static dyn Fn(&str) -> bool {
    match reader.reads_points() {
        true => &|name| name.ends_with(".jsonl"),
        // Nothing in it is a record.
        false => &|name| name.ends_with(".jsonl") && name != HISTORY,
    }
}

fn input(name: String) -> RecordInput {
    RecordInput { name }
}

/// Reads the selected files of a project. Files of other projects in its home are left out, which
/// is noted.
fn of_project(
    home: &ProjectHome,
    selects: &dyn Fn(&str) -> bool,
    reader: &mut RecordReader,
) -> Result<(), RecordError> {
    let others = visit_project(home, selects, &mut |shown, place| {
        read_file(shown, regular_file::open(place), reader)
    })?;
    if let Some(note) = others.note(&home.directory) {
        reader.note(note);
    }
    Ok(())
}

/// Visits the selected files of a project, each with the path as the user wrote it and the resolved
/// one, under which it is opened. Out: the files of other projects in its home, which are left out.
pub(super) fn visit_project(
    home: &ProjectHome,
    selects: &dyn Fn(&str) -> bool,
    visit: &mut Visit<'_>,
) -> Result<OtherProjects, RecordError> {
    let mut others = OtherProjects::default();
    in_directory(&home.directory, Some((home, &mut others)), selects, visit)?;
    Ok(others)
}

/// Takes the path of a file as the user wrote it, and the resolved one.
type Visit<'a> = dyn FnMut(&Path, &Path) -> Result<(), RecordError> + 'a;

/// Visits the files whose names are selected: in each directory its files by name, then those of
/// the directories below. Links are not followed, so that nothing is visited twice. Of a project,
/// files of others are not visited.
fn in_directory(
    directory: &Path,
    mut of: Option<(&ProjectHome, &mut OtherProjects)>,
    selects: &dyn Fn(&str) -> bool,
    visit: &mut Visit<'_>,
) -> Result<(), RecordError> {
    // A path may be a link to a directory, but for those that are found below.
    let root = directory.canonicalize();
    let root = root.unwrap_or_else(|_| directory.to_owned());
    let mut open = vec![(root, directory.to_owned(), 0)];
    while let Some((place, shown, depth)) = open.pop() {
        let listed = match list(&place) {
            // Nothing was kept yet, or it has just been removed.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            listed => listed.map_err(|source| RecordError::List {
                directory: shown.display().to_string(),
                source,
            })?,
        };
        for listed in listed
            .iter()
            .filter(|listed| listed.kind == ListedKind::File)
        {
            if selects(&listed.name) {
                if let Some((home, others)) = &mut of {
                    // A history does not say whose it is; the results beside it do.
                    let name = match listed.name == HISTORY {
                        true => RECORDS,
                        false => &listed.name,
                    };
                    if let Some(other) = home.other_workspace(&place.join(name)) {
                        others.add(&place, other);
                        continue;
                    }
                }
                visit(&shown.join(&listed.name), &place.join(&listed.name))?;
            }
        }
        // The last one is taken first, so directories come in the order of their names.
        let below = listed.into_iter().rev();
        let below = below.filter(|listed| listed.kind == ListedKind::Directory && depth < DEEPEST);
        // Private directories of running benchmarks begin with a dot.
        let below = below.filter(|listed| !listed.name.starts_with('.'));
        open.extend(below.map(|listed| {
            (
                place.join(&listed.name),
                shown.join(&listed.name),
                depth + 1,
            )
        }));
    }
    Ok(())
}

fn read_file(
    path: &Path,
    file: std::io::Result<impl std::io::Read>,
    reader: &mut RecordReader,
) -> Result<(), RecordError> {
    let name = path.display().to_string();
    let file = file.map_err(|source| RecordError::Read {
        input: name.clone(),
        source,
    })?;
    // A line has some kilobytes, so the usual 8 KiB would be about one system call for each.
    reader.read(input(name), BufReader::with_capacity(64 << 10, file))
}
