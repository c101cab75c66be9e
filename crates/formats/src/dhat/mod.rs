//! DHAT's out files: sizes, lifetimes and accesses of the blocks of each stack that allocated.
//!
//! The files are JSON, with two exceptions that are mended before they are read: names are bytes
//! and need not be UTF-8, and a list of frames that is empty because all were left out
//! (`--num-callers=1` before Valgrind 3.27) has no opening bracket.

mod reduce;

use std::fmt;
use std::io::Read;
use std::path::Path;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

pub use reduce::reduced;

use super::{read_path, FileError, ParseError, ParseErrorKind};

/// The only version of the format; it did not change from Valgrind 3.19 to 3.27.
const VERSION: u64 = 2;

/// The most bytes of a file, above anything that DHAT writes; it is read as a whole.
const LONGEST: u64 = 1 << 30;

/// Allocations of one process, by the stacks that made them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DhatProfile {
    /// Process id.
    pub pid: u32,
    /// The command, unquoted.
    pub command: String,
    /// The profile has the lifetimes of blocks, their maximum and their end (`--mode=heap`).
    pub lifetimes: bool,
    /// The profile has the bytes that were read and written (`--mode=heap`).
    pub accesses: bool,
    /// Word for blocks in modes that count something else: `events` (`--mode=ad-hoc`).
    pub block_unit: Option<String>,
    /// Program points: one for each stack that allocated.
    pub points: Vec<ProgramPoint>,
    /// Frames of all stacks, `0x4001185: small_blocks (alloc.c:13)`. [`ProgramPoint::frames`] has
    /// indices into this list.
    pub frames: Vec<String>,
    /// Oddities that did not stop the reader.
    pub flags: Vec<DhatFlag>,
}

/// An oddity that does not stop the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DhatFlag {
    /// A point lacks a number that it should have.
    NumberMissing,
}

/// The blocks of one stack. Numbers that the mode does not collect are absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ProgramPoint {
    /// Bytes of all blocks.
    #[serde(rename = "tb")]
    pub total_bytes: u64,
    /// Number of all blocks.
    #[serde(rename = "tbk")]
    pub total_blocks: u64,
    /// Sum of the lifetimes, in instructions.
    #[serde(rename = "tl")]
    pub total_lifetimes: Option<u64>,
    /// Bytes when an allocation of this stack last brought the whole heap to a new maximum.
    #[serde(rename = "mb")]
    pub maximum_bytes: Option<u64>,
    /// Blocks when an allocation of this stack last brought the whole heap to a new maximum.
    #[serde(rename = "mbk")]
    pub maximum_blocks: Option<u64>,
    /// Bytes when the whole heap was largest.
    #[serde(rename = "gb")]
    pub gmax_bytes: Option<u64>,
    /// Blocks when the whole heap was largest.
    #[serde(rename = "gbk")]
    pub gmax_blocks: Option<u64>,
    /// Bytes that were not freed before the end.
    #[serde(rename = "eb")]
    pub end_bytes: Option<u64>,
    /// Blocks that were not freed before the end.
    #[serde(rename = "ebk")]
    pub end_blocks: Option<u64>,
    /// Bytes that were read from the blocks, each access counted.
    #[serde(rename = "rb")]
    pub read_bytes: Option<u64>,
    /// Bytes that were written to the blocks, each access counted.
    #[serde(rename = "wb")]
    pub written_bytes: Option<u64>,
    /// Accesses to the bytes of a block; only the number of bytes is kept.
    #[serde(rename = "acc", default)]
    histogram: Histogram,
    /// Indices of frames, the innermost first.
    #[serde(rename = "fs")]
    pub frames: Vec<u32>,
}

/// Sums over points; a number that no point has is absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DhatSums {
    /// Bytes of all blocks.
    pub total_bytes: u64,
    /// Number of all blocks.
    pub total_blocks: u64,
    /// Sum of the lifetimes, in instructions.
    pub total_lifetimes: Option<u64>,
    /// Bytes at the last maximum that each stack caused; the times differ.
    pub maximum_bytes: Option<u64>,
    /// Blocks at the last maximum that each stack caused; the times differ.
    pub maximum_blocks: Option<u64>,
    /// Bytes when the whole heap was largest.
    pub gmax_bytes: Option<u64>,
    /// Blocks when the whole heap was largest.
    pub gmax_blocks: Option<u64>,
    /// Bytes that were not freed before the end.
    pub end_bytes: Option<u64>,
    /// Blocks that were not freed before the end.
    pub end_blocks: Option<u64>,
    /// Bytes that were read from the blocks, each access counted.
    pub read_bytes: Option<u64>,
    /// Bytes that were written to the blocks, each access counted.
    pub written_bytes: Option<u64>,
}

/// Reads the file with this path as [`read`] does.
///
/// # Errors
///
/// As [`read`], or the path is not that of a regular file that can be opened.
pub fn read_file(path: &Path) -> Result<Option<DhatProfile>, FileError> {
    read_path(path, |file| match file.metadata()?.len() > LONGEST {
        true => Err(too_long()),
        false => read(file),
    })
}

fn too_long() -> ParseError {
    ParseError::Content(ParseErrorKind::FileTooLong(LONGEST))
}

/// Reads and checks a profile. `None`: the input is empty or blank.
///
/// # Errors
///
/// The input cannot be read, has more than 1 GiB, is not JSON of DHAT's version 2, or
/// contradicts itself.
pub fn read(input: impl Read) -> Result<Option<DhatProfile>, ParseError> {
    let mut bytes = Vec::new();
    // One byte more tells a file that is too long from one that just fits.
    input.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(too_long());
    }
    if bytes.trim_ascii().is_empty() {
        return Ok(None);
    }
    let text = mended(&bytes);
    let raw: Raw = serde_json::from_str(&text)?;
    raw.check().map(Some).map_err(ParseError::Content)
}

/// The file as JSON.
fn mended(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    // A quote inside of a string has a backslash before it, so this is never part of one.
    text.replace("\"fs\":]", "\"fs\":[]")
}

/// The file as it is written. Keys that are not known are passed over.
#[derive(Deserialize)]
struct Raw {
    #[serde(rename = "dhatFileVersion")]
    version: u64,
    #[serde(rename = "bklt")]
    lifetimes: bool,
    #[serde(rename = "bkacc")]
    accesses: bool,
    #[serde(rename = "bksu")]
    block_unit: Option<String>,
    #[serde(rename = "cmd")]
    command: String,
    pid: u32,
    #[serde(rename = "pps")]
    points: Vec<ProgramPoint>,
    #[serde(rename = "ftbl")]
    frames: Vec<String>,
}

impl Raw {
    fn check(self) -> Result<DhatProfile, ParseErrorKind> {
        if self.version != VERSION {
            return Err(ParseErrorKind::UnknownDhatVersion(self.version));
        }
        let mut profile = DhatProfile {
            pid: self.pid,
            command: self.command,
            lifetimes: self.lifetimes,
            accesses: self.accesses,
            block_unit: self.block_unit,
            points: self.points,
            frames: self.frames,
            flags: Vec::new(),
        };
        for point in &profile.points {
            let mut frames = point.frames.iter();
            if frames.any(|frame| *frame as usize >= profile.frames.len()) {
                return Err(ParseErrorKind::UndefinedName);
            }
            if point.histogram.length > point.total_bytes {
                return Err(ParseErrorKind::HistogramTooLong);
            }
        }
        // Sums over fewer points cannot overflow after this.
        profile.sum(|_| true)?;
        if profile.points.iter().any(|point| profile.lacks(point)) {
            profile.flags.push(DhatFlag::NumberMissing);
        }
        Ok(profile)
    }
}

impl DhatProfile {
    /// Sums over the points for which `counts` holds.
    ///
    /// # Errors
    ///
    /// A sum does not fit into 64 bits. [`read`] has checked that the sum over all points does.
    pub fn sum(
        &self,
        mut counts: impl FnMut(&ProgramPoint) -> bool,
    ) -> Result<DhatSums, ParseErrorKind> {
        let mut sums = DhatSums::default();
        for point in self.points.iter().filter(|point| counts(point)) {
            sums.add(point)?;
        }
        Ok(sums)
    }

    /// Names of the functions on the stack of a point, the innermost first.
    pub fn functions<'a>(&'a self, point: &'a ProgramPoint) -> impl Iterator<Item = &'a str> {
        let frames = point.frames.iter();
        frames
            .filter(|frame| (**frame as usize) < self.frames.len())
            .map(|frame| self.function(*frame))
    }

    /// Name of the function of a frame; empty if the profile has no frame with this index.
    #[must_use]
    pub fn function(&self, frame: u32) -> &str {
        self.frames
            .get(frame as usize)
            .map_or("", |frame| function(frame))
    }

    /// Is a number missing that the mode collects?
    fn lacks(&self, point: &ProgramPoint) -> bool {
        let of_lives = [
            point.total_lifetimes,
            point.maximum_bytes,
            point.maximum_blocks,
            point.gmax_bytes,
            point.gmax_blocks,
            point.end_bytes,
            point.end_blocks,
        ];
        let of_accesses = [point.read_bytes, point.written_bytes];
        self.lifetimes && of_lives.contains(&None) || self.accesses && of_accesses.contains(&None)
    }
}

/// The function of a frame: `0x<address>: <function> (<place>)`. A frame of another form is one.
fn function(frame: &str) -> &str {
    let text = match frame.split_once(": ") {
        Some((address, text)) if address.starts_with("0x") => text,
        _ => frame,
    };
    // The place is last, and functions may have brackets themselves. Code without a mapping has no
    // place.
    match text.rfind(" (") {
        Some(place) if text.ends_with(')') => &text[..place],
        _ => text,
    }
}

impl DhatSums {
    fn add(&mut self, point: &ProgramPoint) -> Result<(), ParseErrorKind> {
        self.total_bytes = sum("tb", self.total_bytes, point.total_bytes)?;
        self.total_blocks = sum("tbk", self.total_blocks, point.total_blocks)?;
        for (key, total, value) in [
            ("tl", &mut self.total_lifetimes, point.total_lifetimes),
            ("mb", &mut self.maximum_bytes, point.maximum_bytes),
            ("mbk", &mut self.maximum_blocks, point.maximum_blocks),
            ("gb", &mut self.gmax_bytes, point.gmax_bytes),
            ("gbk", &mut self.gmax_blocks, point.gmax_blocks),
            ("eb", &mut self.end_bytes, point.end_bytes),
            ("ebk", &mut self.end_blocks, point.end_blocks),
            ("rb", &mut self.read_bytes, point.read_bytes),
            ("wb", &mut self.written_bytes, point.written_bytes),
        ] {
            if let Some(value) = value {
                *total = Some(sum(key, total.unwrap_or(0), value)?);
            }
        }
        Ok(())
    }
}

fn sum(key: &str, total: u64, value: u64) -> Result<u64, ParseErrorKind> {
    let sum = total.checked_add(value);
    sum.ok_or_else(|| ParseErrorKind::SumOverflow(key.to_owned()))
}

/// Length of the list of accesses, without its elements: `-n, v` stands for `n` times `v`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Histogram {
    length: u64,
}

impl<'de> Deserialize<'de> for Histogram {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Runs;

        impl<'de> Visitor<'de> for Runs {
            type Value = Histogram;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of accesses")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Histogram, A::Error> {
                let mut length: u64 = 0;
                while let Some(number) = list.next_element::<i64>()? {
                    let run = if number < 0 {
                        let repeated = list.next_element::<u64>()?;
                        repeated.ok_or_else(|| de::Error::custom("a repeat of nothing"))?;
                        number.unsigned_abs()
                    } else {
                        1
                    };
                    // Compared with the bytes of the point only, so the exact number does not
                    // matter.
                    length = length.saturating_add(run);
                }
                Ok(Histogram { length })
            }
        }

        deserializer.deserialize_seq(Runs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sparse file costs nothing on the disk, and in memory what it says.
    #[test]
    fn a_file_that_is_too_long_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        let sparse = std::fs::File::create(&path).unwrap();
        sparse.set_len(10 << 30).unwrap();
        let error = read_file(&path).unwrap_err().source.to_string();
        assert_eq!(error, "the file has more than 1073741824 bytes");
        sparse.set_len(0).unwrap();
        assert!(read_file(&path).unwrap().is_none());
    }

    #[test]
    fn functions_of_frames() {
        #[track_caller]
        fn check(frame: &str, expected: &str) {
            assert_eq!(function(frame), expected);
        }
        check("0x4001185: small_blocks (alloc.c:13)", "small_blocks");
        check("0x4840000: malloc (in /usr/lib/x.so)", "malloc");
        check("0x4840000: f (in a lib) (f.c:3)", "f (in a lib)");
        check("0x1234: ???", "???");
        check("0x1: a::b<c: d>::e (f.rs:1)", "a::b<c: d>::e");
        check("[root]", "[root]");
        check("", "");
    }
}
