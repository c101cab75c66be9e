//! The layout of a home: names of the files of results, and the results of one benchmark as they
//! lie there.
//!
//! Nothing here writes: the runner's `store` does.

mod entry;
mod name;
mod picture;

use std::path::Path;

pub use self::entry::BenchmarkEntry;
pub use self::name::{limited, FileName, Slot, BASE, OLD};
pub use self::picture::{is_one as is_picture, old as old_picture, PictureName, PictureNameParts};

/// Name of the record of the last result.
pub const SUMMARY: &str = "summary.json";

/// Name of the records of results that [`SUMMARY`] is not about, a line each: the last run was one
/// under other tools, or saved or loaded a baseline.
pub const SUMMARY_OF_LAST: &str = "summary.json.last";

/// Name of the history of a bench file.
pub const HISTORY: &str = "history.jsonl";
/// Name of the records of a bench file: one for each result that its home has.
pub const RECORDS: &str = "results.jsonl";

/// Name of the records that those were compared with.
pub const OLD_RECORDS: &str = "results.jsonl.old";

/// Has the file of this name the records that those of a home were compared with?
pub fn is_of_old_records(file: &str) -> bool {
    let name = Path::new(file).file_name();
    name.is_some_and(|name| name == OLD_RECORDS)
}

/// The most bytes of a record, far above those of a benchmark with thousands of processes and
/// threads.
pub const LONGEST_RECORD: u64 = 64 << 20;

/// Decides which lines stay when a run adds its own.
pub trait LinesOfRun {
    /// The use of a line of [`RECORDS`], or of [`OLD_RECORDS`], where only what stays matters.
    fn of_records(&self, line: &[u8]) -> LineUse;

    /// The build that a line is a result of. `None`: it is not known.
    fn build(&self, _line: &[u8]) -> Option<String> {
        None
    }
}

/// The use of a kept line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineUse {
    /// It stays.
    Stays,
    /// This much of it stays.
    StaysAs(String),
    /// It goes.
    Goes,
    /// It goes, and nothing takes its place: it is an old result that has no new one.
    IsOld,
    /// It ends the lines of a run, and stays if one of these does.
    EndsRun,
}

/// The part of a run in the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryAddition {
    /// The history tells all of it already.
    Nothing,
    /// A line.
    Line(Vec<u8>),
    /// The whole text that takes the place of the history.
    Whole(Vec<u8>),
}
